"""What people who clean labels reported (review and export), each as a small case of our own."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest

from stiknn_core import block_interactions, interactions, rank_suspects, read_table, relabel_effect
from stiknn_core.duplicates import find_duplicates, find_near_duplicates
from stiknn_core.exporting import matrix_to_frame, to_csv
from stiknn_core.scores import SCORES
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.suspects import columns_of, ranking, scores_of
from stiknn_ui.review import exports
from stiknn_ui.review.corrected import corrected_upload
from stiknn_ui.review.decisions import Change, Decision, Record, describe
from stiknn_ui.review.effect import effect_table, measure, sentences
from stiknn_ui.review.flags import flags_for
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.subject import training_points
from stiknn_ui.review.threshold import count_line
from stiknn_ui.uploads.build import Upload, joined, split_of
from stiknn_ui.uploads.files import read_file

WRONG = (4, 13, 27, 35)


def two_rings(n: int, seed: int, wrong: tuple[int, ...] = ()) -> str:
    """A table of an inner and an outer ring, with the labels of some rows exchanged."""
    rng = np.random.default_rng(seed)
    lines = ["name,x1,x2,label"]
    for row in range(n):
        outer = row % 2 == 1
        angle = 2 * np.pi * row / n
        radius = (2.0 if outer else 0.8) + rng.normal(scale=0.05)
        label = "out" if outer != (row in wrong) else "in"
        x1, x2 = radius * np.cos(angle), radius * np.sin(angle)
        lines.append(f"P{row:02d},{x1:.4f},{x2:.4f},{label}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def upload() -> Upload:
    return Upload(read_file("rings.csv", two_rings(40, 0, WRONG).encode()))


@pytest.fixture(scope="module")
def subject(upload: Upload):
    test = read_file("test.csv", two_rings(30, 1).encode())
    compute = ComputeSpec(
        k=3, evaluation="test-file", test_name=test.name, test_digest=test.digest,
        scaling="standard",
    )  # fmt: skip
    data = joined(*split_of(upload, compute, test))
    analysis = analyse(data, upload.spec, compute)
    return training_points(analysis, scores_of(analysis))


def test_f01_suspects_come_with_the_class_they_should_have_and_a_reason(subject) -> None:
    order = ranking(subject.scores, "quality")[:4]
    assert set(subject.names(order)) == {"P04", "P13", "P27", "P35"}
    for point in order:
        other = {"in": "out", "out": "in"}[subject.given[point]]
        assert subject.suggested[point] == other
        near = subject.analysis.codes[subject.nearest(np.array([point]))[0][0]]
        code = subject.analysis.classes.index(other)
        assert subject.shares()[point].argmax() == code, "what the reason tells"
        assert (near == code).any()
    table = rank_suspects(
        subject.analysis.dataset.X[subject.rows],
        [str(label) for label in subject.given],
        k=3,
        space="features",
    )
    assert set(table["position"][:4]) == set(WRONG)


def test_f02_suspects_and_the_corrected_table_can_be_taken_away(subject, upload: Upload) -> None:
    decided = {4: Decision("relabel", "in"), 13: Decision("remove"), 27: Decision("keep")}
    content = exports.suspects_csv(subject, "quality", decided, {"k": 3})
    table = pd.read_csv(io.BytesIO(content), encoding="utf-8-sig")
    assert list(table.columns[:5]) == ["rank", "id", "given", "suggested", "quality"]
    assert table["rank"].tolist() == list(range(1, 41))
    assert table.set_index("id").loc["P13", "decision"] == "remove"

    corrected = corrected_upload(upload.file.table, "label", decided)
    rows = list(csv.reader(io.StringIO(corrected.decode("utf-8-sig"))))
    given = list(csv.reader(io.StringIO(two_rings(40, 0, WRONG))))
    expected = [row for place, row in enumerate(given) if place != 14]
    expected[5] = [*expected[5][:3], "in"]
    assert rows == expected


def test_f03_every_change_can_be_undone_and_is_listed(tmp_path) -> None:
    journal = Journal(tmp_path / "reviews.sqlite")
    token = journal.new_review()
    for name in ("P04", "P13", "P05"):
        change = Change(("s" * 64, int(name[1:])), name, "in", None, Decision("relabel", "out"))
        journal.write(token, [change])
    for act in (journal.undo, journal.undo, journal.redo):
        assert act(token) is not None
    journal.close()
    record = Journal(tmp_path / "reviews.sqlite").record(token)  # what a reload finds
    assert isinstance(record, Record)
    assert {key[1] for key in record.decisions} == {4, 13}
    assert [step.undone for step in record.steps] == [False, False, True]
    assert describe(record.steps[0].changes[0]) == "P04: in → out"
    assert all(step.at.endswith("Z") for step in record.steps)


def test_f06_the_line_can_flag_nothing_or_everything_and_says_how_many(subject) -> None:
    scores = subject.scores["value"]
    usual = flags_for("value", scores)
    assert usual.threshold == 0.0
    assert usual.of(scores).sum() == (scores < 0).sum()
    nothing, everything = (flags_for("value", scores, at) for at in (usual.low, usual.high))
    assert count_line(scores, nothing).startswith("No point is flagged")
    assert count_line(scores, everything) == "All 40 points are flagged."
    assert f"{(scores < 0).sum()} of 40 points" in count_line(scores, usual)


def test_f07_copies_contradictions_and_near_copies_are_told_apart() -> None:
    X = np.array([[1, 2], [1, 2], [1, 2], [1.00001, 2], [5, 5], [5, 5], [9, 1.0]])
    y = np.array(list("aababba"))
    y[3] = "a"
    exact = find_duplicates(X, y)
    assert [group.tolist() for group in exact.groups] == [[0, 1, 2], [4, 5]]
    assert exact.conflicts == (0,)
    near = find_near_duplicates(X, y, tolerance=1e-4)
    assert [group.tolist() for group in near.groups] == [[0, 1, 2, 3], [4, 5]]


def test_f08_exports_load_back_without_a_nameless_column(subject, upload: Upload) -> None:
    corrected = corrected_upload(upload.file.table, "label", {})
    again = read_table(corrected)
    assert list(again.columns) == ["name", "x1", "x2", "label"]
    assert again.frame.equals(upload.file.table.frame)
    analysis = subject.analysis
    frame = matrix_to_frame(analysis.interactions.matrix, analysis.ids)
    back = pd.read_csv(io.BytesIO(to_csv(frame)), index_col=0)
    assert back.index.tolist() == list(analysis.ids)
    np.testing.assert_allclose(back.to_numpy(), analysis.interactions.matrix, rtol=0, atol=1e-12)


def test_f10_letters_of_all_languages_survive_a_spreadsheet() -> None:
    text = "x1,x2,label\n1.0,2.0,café\n3.0,4.0,naïve\n1.5,2.5,Łódź\n3.5,4.5,東京\n"
    table = read_table(text.encode())
    corrected = corrected_upload(table, "label", {1: Decision("relabel", "東京")})
    assert corrected.startswith(b"\xef\xbb\xbf")
    assert corrected.decode("utf-8-sig").replace("\r\n", "\n") == text.replace("naïve", "東京")
    assert read_table(corrected).frame["label"].tolist() == ["café", "東京", "Łódź", "東京"]


def test_f11_every_score_and_column_is_explained_with_its_direction(subject) -> None:
    for info in SCORES.values():
        assert "Low = suspicious" in info.meaning
    columns = columns_of(subject.analysis)
    assert set(SCORES) < set(columns)
    for column in columns.values():
        assert column.help.endswith(".")


def test_f12_the_effect_stands_beside_random_changes_and_promises_nothing(subject) -> None:
    analysis = subject.analysis
    labels = np.array([str(label) for label in analysis.dataset.y.tolist()], dtype=object)
    for row in WRONG:
        labels[row] = {"in": "out", "out": "in"}[labels[row]]
    found = measure(analysis, labels, np.zeros(len(labels), dtype=bool))
    assert found is not None
    effect = found.effect
    assert effect.n_relabelled == 4
    assert effect.after.likelihood > effect.before.likelihood
    assert effect.random_mean.likelihood < effect.before.likelihood
    assert effect.random_mean.accuracy < effect.after.accuracy == 1.0
    assert len(effect.random) == 20
    assert len(effect_table(effect)) >= 2
    assert any("these data only" in said for said in sentences(found, analysis))


def test_f12_the_same_from_a_notebook() -> None:
    spec = DataSpec(n=120, flip=0.1, seed=3)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(spec.n, 2)) + 4 * (np.arange(spec.n) % 2)[:, None]
    truth = np.arange(spec.n) % 2
    y = truth.copy()
    y[:12] = 1 - y[:12]
    effect = relabel_effect(X, y, truth, k=3)
    assert effect.after.likelihood > effect.before.likelihood > effect.random_mean.likelihood
    # What is measured is the same game that the matrix explains.
    whole = interactions(X, y, k=3)
    assert 0 < whole.likelihood < 1
    assert block_interactions(X, y, blocks=truth, k=3).sums.shape == (2, 2)
