"""Whose labels are reviewed, and the evidence beside each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_core import label_support
from stiknn_core.labels.support import judge_test_labels
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.pixels import picture_of
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import evidence
from stiknn_ui.review.subject import Subject, judging_points, training_points
from stiknn_ui.uploads.build import Upload, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file


@pytest.fixture(scope="module")
def grown() -> Analysis:
    """A result in the forest's space."""
    spec = DataSpec(n=60, flip=0.1, seed=4)
    return analyse(build(spec), spec, ComputeSpec(space="forest"))


def subject_of(analysis: Analysis) -> Subject:
    return training_points(analysis, scores_of(analysis))


def test_training_points_carry_the_findings_of_the_result(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    assert len(subject) == flipped.n
    assert set(subject.scores) == {"quality", "value", "in_out", "row", "rarity"}
    assert subject.given == tuple(str(label) for label in flipped.dataset.y)
    assert np.flatnonzero(subject.wrong).tolist() == flipped.changed.tolist()
    assert subject.suggested.tolist() == [str(one) for one in flipped.support.suggested]


def test_test_points_are_judged_by_the_training_points(held_out: Analysis) -> None:
    subject = judging_points(held_out)
    assert subject is not None
    parts = parts_of(held_out.dataset, held_out.compute)
    assert subject.rows.tolist() == parts.test.tolist()  # type: ignore[union-attr]
    X, y = held_out.dataset.X, held_out.dataset.y
    expected = judge_test_labels(
        X[parts.train], y[parts.train], X[parts.test], y[parts.test], k=held_out.interactions.k
    )
    np.testing.assert_allclose(subject.scores["quality"], expected.quality)
    assert subject.suggested.tolist() == [str(one) for one in expected.suggested]
    wrong = subject.wrong
    assert subject.scores["quality"][wrong].mean() < subject.scores["quality"][~wrong].mean()


def test_there_are_no_test_points_to_review_where_all_judge_each_other(flipped: Analysis) -> None:
    assert judging_points(flipped) is None


def test_the_nearest_points_are_the_nearest_and_never_the_point_itself(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    X = flipped.dataset.X
    for point in (0, 17):
        near = subject.nearest(point)
        far = np.linalg.norm(X - X[point], axis=1)
        assert point not in near
        others = np.delete(far, point)
        np.testing.assert_allclose(far[near], np.sort(others)[: len(near)])


@pytest.mark.slow
def test_in_the_forest_the_nearest_are_those_of_the_trees(grown: Analysis) -> None:
    subject = subject_of(grown)
    assert grown.nearest is not None
    assert grown.nearest.shape == (60, 8)
    for point in range(60):
        assert point not in grown.nearest[point]
        assert subject.nearest(point).tolist() == grown.nearest[point].tolist()
    same = np.mean(grown.codes[grown.nearest] == grown.codes[:, None])
    assert same > 0.7


def test_a_forest_result_says_so_and_finds_the_flips(grown: Analysis) -> None:
    first = np.argsort(grown.support.quality)[: len(grown.changed)]
    assert np.isin(first, grown.changed).mean() >= 0.5
    assert grown.interactions.metric == "precomputed"
    alone = label_support(grown.dataset.X, grown.dataset.y)
    assert not np.allclose(alone.quality, grown.support.quality)


@pytest.mark.slow
def test_the_test_points_of_a_forest_are_judged_in_its_space() -> None:
    spec = DataSpec(n=60, flip=0.1, seed=4)
    compute = ComputeSpec(space="forest", evaluation="hold-out", share=0.3)
    analysis = analyse(build(spec), spec, compute)
    subject = judging_points(analysis)
    assert subject is not None
    assert analysis.nearest is not None
    assert len(analysis.nearest) == len(subject) == 18
    assert subject.nearest(3).tolist() == analysis.nearest[3].tolist()
    # Training points did not judge here, so their nearest are those by distance.
    assert subject_of(analysis).nearest(0).max() < analysis.n


def test_the_reason_names_classes_backing_and_neighbours(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    point = int(np.argmin(subject.scores["quality"]))
    text = evidence.reason(subject, point)
    given, suggested = subject.given[point], subject.suggested[point]
    assert f"Class {suggested} is backed better than {given}" in text
    assert "8 nearest points" in text
    assert "another class than of its own" in text
    sure = int(np.argmax(subject.scores["quality"]))
    assert "is backed best" in evidence.reason(subject, sure)


def test_scores_come_with_rank_and_meaning(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    point = int(np.argmin(subject.scores["quality"]))
    table = evidence.score_table(subject, point)
    assert table["rank"].tolist()[0] == 1
    assert len(table) == 5
    assert table["meaning"].str.contains("Low = suspicious").all()


def test_backing_is_shared_out_between_the_classes(flipped: Analysis) -> None:
    table = evidence.backing_table(subject_of(flipped), 5)
    assert table["backing"].sum() == pytest.approx(1.0)
    assert table["backing"].is_monotonic_decreasing


def test_the_row_stands_beside_the_means_of_the_classes_in_question(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    point = int(np.argmin(subject.scores["quality"]))
    table = evidence.feature_table(subject, point)
    assert table["value"].tolist() == flipped.dataset.X[point].tolist()
    given = flipped.codes == flipped.classes.index(subject.given[point])
    expected = flipped.dataset.X[given].mean(axis=0)
    np.testing.assert_allclose(table[f"mean of {subject.given[point]}"], expected)


@pytest.mark.parametrize(("name", "shape"), [("digits", (128, 128)), ("iris", None)])
def test_pixels_become_a_picture(name: str, shape: tuple[int, int] | None) -> None:
    spec = DataSpec(source="bundled", name=name, flip=0.0, sample=60)
    analysis = analyse(build(spec), spec, ComputeSpec())
    found = picture_of(analysis.dataset, 3)
    assert (None if found is None else found.shape) == shape
    if found is not None:
        row = analysis.dataset.X[3].reshape(8, 8)
        assert (found[::16, ::16] == np.round(255 * row / analysis.dataset.X.max())).all()


def test_sixty_four_columns_of_measurements_are_no_picture() -> None:
    spec = DataSpec(n=20, flip=0.0)
    made = build(spec)
    rng = np.random.default_rng(0)
    wide = replace(
        made, X=rng.normal(size=(20, 64)), feature_names=tuple(f"m{i}" for i in range(64))
    )
    analysis = analyse(wide, spec, ComputeSpec())
    assert picture_of(analysis.dataset, 0) is None


def test_the_row_of_a_file_is_shown_with_the_columns_not_in_use() -> None:
    content = b"name,x,remark,kind\nA,1,first,a\nB,,gone,a\nC,3,third,b\nD,4,fourth,b\nE,5,,b\n"
    upload = Upload(read_file("pets.csv", content), Choices(missing="drop_rows"))
    compute = ComputeSpec(k=1)
    dataset, _ = split_of(upload, compute, None)
    subject = subject_of(analyse(dataset, upload.spec, compute))
    table = evidence.uploaded_row(subject, 1, upload)
    assert table is not None
    assert dict(zip(table["column"], table["cell"], strict=True)) == {
        "name": "C", "x": "3", "remark": "third", "kind": "b",
    }  # fmt: skip
    last = evidence.uploaded_row(subject, 3, upload)
    assert last is not None
    assert last["cell"].tolist() == ["E", "5", "", "b"]
    assert evidence.uploaded_row(subject, 1, None) is None
    other = Upload(read_file("pets.csv", content.replace(b"first", b"other")), upload.choices)
    assert evidence.uploaded_row(subject, 1, other) is None


def test_one_class_alone_gives_no_reason_to_doubt() -> None:
    spec = DataSpec(n=20, flip=0.0)
    made = build(spec)
    alone = replace(made, y=np.zeros(20, dtype=np.int64), y_true=None)
    subject = subject_of(analyse(alone, spec, ComputeSpec()))
    assert (subject.suggested == "0").all()
    assert "Class 0 is backed best (100% of the backing)" in evidence.reason(subject, 3)
    assert len(evidence.score_table(subject, 3)) == 5
    assert len(evidence.backing_table(subject, 3)) == 1
