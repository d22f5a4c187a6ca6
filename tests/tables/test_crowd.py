"""Labels of several annotators: one column each, or one row for each label."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import games, interactions
from stiknn_core.errors import FeatureError, LabelError, ParameterError
from stiknn_core.exporting import dataset_to_frame, to_csv
from stiknn_core.sampling import sample_rows
from stiknn_core.tables import Table, read_table
from stiknn_core.types import Dataset

NAMES = ("anna", "ben", "chris", "dora")


def said(n: int = 40, wrong: float = 0.1, empty: float = 0.2, seed: int = 0) -> pd.DataFrame:
    """Return two features and what each of four annotators said, one column each."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    true = np.where(X[:, 0] > 0, "dog", "cat")
    frame = pd.DataFrame({"f": X[:, 0].round(3), "g": X[:, 1].round(3)})
    for name in NAMES:
        given = np.where(rng.random(n) < wrong, np.where(true == "dog", "cat", "dog"), true)
        frame[name] = np.where(rng.random(n) < empty, None, given)
    frame.loc[0, NAMES[0]] = "dog"
    return frame


def long(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the same with a row for each label."""
    lines = [
        {"task": f"t{row}", "worker": name, "f": cells["f"], "g": cells["g"], "label": cells[name]}
        for row, cells in frame.iterrows()
        for name in NAMES
        if isinstance(cells[name], str)
    ]
    return pd.DataFrame(lines)


def read(frame: pd.DataFrame, **options: Any) -> Table:
    return read_table(to_csv(frame), name="crowd.csv", **options)


def told(dataset: Dataset) -> list[dict[str, str]]:
    """Return what was said of each row, by annotator."""
    votes = dataset.votes
    assert votes is not None
    return [
        {votes.annotators[a]: votes.classes[code] for a, code in enumerate(row) if code >= 0}
        for row in votes.said.tolist()
    ]


def expected(frame: pd.DataFrame) -> tuple[list[dict[str, str]], list[str]]:
    """Return the same from the cells, and what most said: of equal counts the first by name."""
    rows = [
        {name: cells[name] for name in NAMES if isinstance(cells[name], str)}
        for _, cells in frame.iterrows()
    ]
    most = [
        min(Counter(row.values()).items(), key=lambda item: (-item[1], item[0]))[0] for row in rows
    ]
    return rows, most


def labelled() -> pd.DataFrame:
    frame = said()
    return frame[frame[list(NAMES)].notna().any(axis=1)].reset_index(drop=True)


def test_columns_that_agree_are_proposed_as_annotators() -> None:
    table = read(labelled())
    assert table.columns_with("annotator") == NAMES
    assert table.label is None
    assert table.features == ("f", "g")
    assert "mostly agrees" in table.roles["anna"].reason


def test_columns_become_votes_and_their_majority_the_label() -> None:
    frame = labelled()
    dataset = read(frame).to_dataset()
    rows, most = expected(frame)
    assert told(dataset) == rows
    assert dataset.y.tolist() == most
    draws = sum(
        len(set(counts := Counter(row.values()).values())) == 1 and len(counts) > 1 for row in rows
    )
    assert draws > 0
    assert any(f"On {draws} row" in notice for notice in dataset.notices)
    assert np.array_equal(dataset.source_rows, np.arange(len(frame)))


def test_rows_that_name_annotators_say_the_same_as_columns() -> None:
    frame = labelled()
    wide, tall = read(frame).to_dataset(), read(long(frame)).to_dataset()
    assert told(tall) == told(wide)
    assert tall.y.tolist() == wide.y.tolist()
    assert tall.X.tolist() == wide.X.tolist()
    assert tall.ids.tolist() == [f"t{row}" for row in range(len(frame))]
    # Each row is known by its first line in the file.
    first = long(frame).drop_duplicates("task").index.tolist()
    assert np.asarray(tall.source_rows).tolist() == first


def test_test_points_count_by_shares() -> None:
    dataset = read(labelled()).to_dataset()
    assert dataset.votes is not None
    shares = interactions(dataset.X, dataset.y, k=1, score=games.votes(dataset.votes.counts))
    total = 0.0
    for row, votes in enumerate(told(dataset)):
        distances = ((dataset.X - dataset.X[row]) ** 2).sum(axis=1)
        distances[row] = np.inf
        nearest = str(dataset.y[int(distances.argmin())])
        total += Counter(votes.values())[nearest] / len(votes)
    assert shares.likelihood == pytest.approx(total / dataset.n, abs=1e-12)


@pytest.mark.parametrize("shape", ["columns", "rows"])
def test_splits_and_samples_carry_votes(shape: str) -> None:
    frame = labelled()
    table = read(frame if shape == "columns" else long(frame))
    whole = dict(zip(table.to_dataset().X[:, 0].tolist(), told(table.to_dataset()), strict=True))
    for part in (*table.to_split(share=0.3), sample_rows(table.to_dataset(), 12)):
        assert part.n
        assert told(part) == [whole[value] for value in part.X[:, 0].tolist()]


def test_both_sides_of_a_split_have_the_same_annotators_and_classes() -> None:
    frame = labelled()
    other = labelled().rename(columns={"dora": "extra"}).replace({"chris": {"cat": "bird"}})
    train, test = read(frame).to_split(test=read(other))
    assert train.votes is not None
    assert test.votes is not None
    assert train.votes.annotators == test.votes.annotators
    assert train.votes.classes == test.votes.classes == ("bird", "cat", "dog")
    assert told(test)[0].keys() <= {"anna", "ben", "chris"}


def test_a_test_file_without_annotators_is_refused() -> None:
    table = read(labelled())
    with pytest.raises(FeatureError, match="lacks the columns of the annotators"):
        table.to_split(test=read(labelled()[["f", "g"]].assign(label="cat")))


def test_a_label_beside_the_annotators_stays_the_label() -> None:
    frame = labelled()
    first, *rest = expected(frame)[1]
    agreed = frame.assign(label=["cat" if first == "dog" else "dog", *rest])
    dataset = read(agreed).to_dataset()
    assert dataset.y.tolist() == agreed["label"].tolist()
    assert told(dataset) == expected(frame)[0]
    assert any("most annotators differ" in notice for notice in dataset.notices)
    voted = read(agreed).to_dataset(annotators=NAMES, features=["f", "g"])
    assert voted.y.tolist() == expected(frame)[1]


def test_annotators_can_be_left_out() -> None:
    dataset = read(labelled().assign(label="cat")).to_dataset(annotators=False, features=["f"])
    assert dataset.votes is None


def test_a_true_label_is_found_beside_columns_called_like_annotators() -> None:
    frame = labelled().rename(columns={name: f"annotator {name}" for name in NAMES})
    frame["truth"] = np.where(frame["f"] > 0, "dog", "cat")
    table = read(frame)
    assert table.column_with("truth") == "truth"
    dataset = table.to_dataset()
    assert dataset.y_true is not None
    assert dataset.flipped.tolist() == np.flatnonzero(dataset.y != dataset.y_true).tolist()


def test_numbers_are_classes_and_minus_one_says_nothing() -> None:
    lines = ["f,rater_1,rater_2,rater_3", "0.5,2,10,-1", "1.5,10,2,-1", "2.5,10,10,3", "3.5,3,3,?"]
    dataset = read_table("\n".join(lines).encode(), name="n.csv").to_dataset()
    assert dataset.votes is not None
    assert dataset.votes.classes == ("2", "3", "10")  # by size
    assert dataset.y.tolist() == [2, 2, 10, 3]  # of equal counts the smaller
    assert dataset.votes.said[:, 2].tolist() == [-1, -1, 1, -1]


def test_a_table_with_votes_comes_back_from_its_csv() -> None:
    dataset = read(labelled()).to_dataset()
    again = read(dataset_to_frame(dataset)).to_dataset()
    assert again.y.tolist() == dataset.y.tolist()
    renamed = [{f"annotator {name}": word for name, word in row.items()} for row in told(dataset)]
    assert told(again) == renamed


@pytest.mark.parametrize(
    "frame",
    [
        # Yes and no of many questions are no opinions about one.
        pd.DataFrame({"x": range(30), "partner": ["yes", "no"] * 15, "kids": ["yes", "no"] * 15,
                      "churn": ["yes", "no"] * 15}),
        # Words that agree with nothing.
        pd.DataFrame({"x": np.arange(40) / 7, "a": [*"uv"] * 20, "b": [*"uuvv"] * 10,
                      "c": [*"uuuuvvvv"] * 5}),
    ],
)  # fmt: skip
def test_features_that_share_words_are_no_annotators(frame: pd.DataFrame) -> None:
    assert not read(frame).columns_with("annotator", "annotator name")


def test_rows_that_nobody_labelled_are_refused_or_left_out() -> None:
    frame = labelled()
    frame.loc[3, list(NAMES)] = None
    with pytest.raises(LabelError, match=r"No annotator labelled 1 row \(row 3\)"):
        read(frame).to_dataset()
    dataset = read(frame).to_dataset(missing_labels="drop_rows")
    assert dataset.n == len(frame) - 1
    assert "Left out: 1 row that nobody labelled." in dataset.notices


def test_an_annotator_without_a_row_is_named_and_kept() -> None:
    frame = labelled().rename(columns={name: f"annotator {name}" for name in NAMES})
    dataset = read(frame.assign(**{"annotator eve": None})).to_dataset()
    assert dataset.votes is not None
    assert dataset.votes.annotators[-1] == "annotator eve"
    assert "1 annotator has labelled no row ('annotator eve')." in dataset.notices


def test_one_annotator_only_is_said() -> None:
    dataset = read(labelled()).to_dataset(annotators=["anna"], features=["f"],
                                          missing_labels="drop_rows")  # fmt: skip
    assert any("one annotator only" in notice for notice in dataset.notices)


def test_the_last_of_two_labels_for_one_row_counts() -> None:
    frame = long(labelled())
    twice = pd.concat([frame, frame.iloc[[0]].assign(label="bird")])
    dataset = read(twice).to_dataset()
    assert told(dataset)[0][frame["worker"][0]] == "bird"
    assert any("1 row has several labels of one annotator" in said for said in dataset.notices)
    # The same label twice is one label, and nothing to be said.
    again = read(pd.concat([frame, frame.iloc[[0]]])).to_dataset()
    assert not any("several labels" in said for said in again.notices)


def test_a_column_that_measures_something_is_no_annotator() -> None:
    frame = labelled().assign(measured=np.arange(len(labelled())) / 7)
    with pytest.raises(LabelError, match=r"'measured' has .* different numbers"):
        read(frame).to_dataset(annotators=["anna", "measured"], features=["f"])


def test_an_annotator_of_other_classes_is_named() -> None:
    frame = labelled().replace({"dora": {"cat": "1", "dog": "2"}})
    dataset = read(frame).to_dataset(annotators=NAMES, features=["f"])
    assert any("'dora' gave only labels that nobody else" in said for said in dataset.notices)


def test_features_that_differ_between_rows_of_one_id_are_said() -> None:
    frame = long(labelled())
    frame.loc[1, "f"] = 99.0
    dataset = read(frame).to_dataset()
    assert any("1 row has different features" in said for said in dataset.notices)


def test_rows_without_annotator_or_id_are_left_out() -> None:
    frame = long(labelled())
    frame.loc[0, "worker"] = None
    dataset = read(frame).to_dataset()
    assert any("1 row that does not name both" in said for said in dataset.notices)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    table = read(labelled())
    with pytest.raises(FeatureError, match="cannot be features too"):
        table.to_dataset(annotators=["anna", "ben"], features=["f", "anna"])
    with pytest.raises(LabelError, match="column of an annotator too"):
        table.to_dataset(annotators=["anna", "ben"], label="anna")
    with pytest.raises(FeatureError, match="no annotator column 'zoe'"):
        table.to_dataset(annotators=["zoe"])
    with pytest.raises(ParameterError, match="which belong together"):
        table.to_dataset(annotators="anna", label="ben")


def test_counts_of_some_classes_leave_the_others() -> None:
    dataset = read(labelled()).to_dataset()
    assert dataset.votes is not None
    counts, others = dataset.votes.counts_for(["dog", "bird"])
    rows = told(dataset)
    assert counts.tolist() == [[list(row.values()).count("dog"), 0] for row in rows]
    assert others.tolist() == [list(row.values()).count("cat") for row in rows]
    shares = games.votes(counts, others).arrays[0]
    assert shares[:, 0] == pytest.approx(
        [list(row.values()).count("dog") / len(row) for row in rows]
    )
