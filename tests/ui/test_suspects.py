"""The ranking of doubtful labels, and how it scores itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score

from stiknn_core.scores import SCORES, row_likeness
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.suspects import (
    POINT,
    SCORE_INFO,
    columns_of,
    ranking,
    score_ranking,
    scores_of,
    suspects_table,
)
from stiknn_ui.words import wording


def ranked(analysis: Analysis, by: str) -> pd.DataFrame:
    """Return the whole table, most suspicious first."""
    scores = scores_of(analysis)
    return suspects_table(analysis, scores, ranking(scores, by))


@pytest.mark.parametrize("rank_by", [name for name in SCORES if name != "confusion"])
def test_the_most_suspicious_come_first(flipped: Analysis, rank_by: str) -> None:
    table = ranked(flipped, rank_by)
    assert table[rank_by].is_monotonic_increasing
    assert sorted(table[POINT]) == list(range(flipped.n))


def test_every_row_speaks_of_its_own_point(held_out: Analysis) -> None:
    table = ranked(held_out, "value")
    for row in table.itertuples():
        assert row.id == held_out.ids[row.point]
        assert row.label == held_out.classes[held_out.codes[row.point]]
        assert row.value == held_out.interactions.values[row.point]
        assert row.known_flip == (row.point in held_out.changed)


def test_changed_labels_are_found_and_get_the_other_class_suggested(flipped: Analysis) -> None:
    table = ranked(flipped, "quality")
    first = table.head(len(flipped.changed))
    assert first["known_flip"].mean() >= 0.9
    assert (first["suggested"] != first["label"]).all()


def test_every_column_is_explained(flipped: Analysis) -> None:
    table = ranked(flipped, "quality")
    columns = columns_of(flipped)
    assert set(table.columns) == set(columns) - {
        "confusion",  # computed when it is chosen
        "low", "high", "distance",  # of measured targets
        "annotators",  # where there are several
    }  # fmt: skip
    for meaning in columns.values():
        assert meaning.help.endswith(".")


def test_every_score_can_be_chosen() -> None:
    assert list(wording.RANK_BY) == [*SCORES, "distance"] == list(SCORE_INFO)


def test_draws_are_settled_by_quality_then_value_then_position() -> None:
    scores = {
        "quality": np.array([0.5, 0.2, 0.2, 0.2, 0.9]),
        "value": np.array([0.0, 3.0, 1.0, 1.0, 9.0]),
        "rarity": np.array([0.5, 0.5, 0.5, 0.5, 0.1]),
    }
    assert ranking(scores, "rarity").tolist() == [4, 2, 3, 1, 0]
    assert ranking({"quality": scores["quality"]}, "quality").tolist() == [1, 2, 3, 0, 4]


def test_the_score_is_that_of_scikit_learn(flipped: Analysis) -> None:
    table = ranked(flipped, "row")
    score = score_ranking(table[POINT].to_numpy(), flipped.changed)
    assert score is not None
    wrong = table["known_flip"].to_numpy()
    assert score.average_precision == pytest.approx(
        average_precision_score(wrong, -np.arange(len(wrong)))
    )
    assert score.precision_at_m == wrong[: len(flipped.changed)].mean()
    assert score.chance == 12 / 120


def test_there_is_no_score_without_known_changes() -> None:
    assert score_ranking(np.arange(5), ()) is None


def test_row_likeness_written_out_plainly() -> None:
    rng = np.random.default_rng(2)
    n, codes = 12, np.array([0, 1, 2] * 4)
    matrix = rng.normal(size=(n, n))
    matrix += matrix.T
    expected = []
    rows = matrix.copy()
    for i in range(n):
        rows[i, i] = np.delete(matrix[i], i).mean()
        rows[i] = (rows[i] - rows[i].mean()) / np.linalg.norm(rows[i] - rows[i].mean())
    for i in range(n):
        likeness_of = []
        for code in range(3):
            others = [j for j in range(n) if codes[j] == code and j != i]
            mean = rows[others].mean(axis=0)
            likeness_of.append(float(rows[i] @ mean / np.linalg.norm(mean)))
        own = likeness_of.pop(int(codes[i]))
        expected.append(own - max(likeness_of))
    assert row_likeness(matrix, codes, 3) == pytest.approx(np.array(expected), abs=1e-10)


@pytest.mark.parametrize("codes", [[0, 0, 0, 0], [0, 1, 1, 1]])
def test_row_likeness_is_zero_where_nothing_can_be_compared(codes: list[int]) -> None:
    found = row_likeness(np.ones((4, 4)), np.array(codes), 2)
    assert found.tolist() == [0.0] * 4
