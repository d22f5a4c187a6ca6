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
from stiknn_ui.review import payload
from stiknn_ui.review.file_row import uploaded_row
from stiknn_ui.review.subject import Subject, judging_points, training_points
from stiknn_ui.uploads.build import Upload, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file
from tests.ui.view_bytes import unpack


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
    names = ["quality", "value", "leave_one_out", "in_out", "row", "rarity"]
    assert list(subject.scores) == names
    np.testing.assert_array_equal(subject.scores["leave_one_out"], flipped.leave_one_out)
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
        near, told = subject.around[0][point], subject.around[1][point]
        far = np.linalg.norm(X - X[point], axis=1)
        np.testing.assert_allclose(told, far[near])
        assert point not in near
        others = np.delete(far, point)
        np.testing.assert_allclose(far[near], np.sort(others)[: len(near)])


@pytest.mark.slow
def test_in_the_forest_the_nearest_are_those_of_the_trees(grown: Analysis) -> None:
    subject = subject_of(grown)
    nearest, _ = grown.given.nearest(np.arange(60))
    assert nearest.shape == (60, 8)
    for point in range(60):
        assert point not in nearest[point]
        assert subject.around[0][point].tolist() == nearest[point].tolist()
    same = np.mean(grown.codes[nearest] == grown.codes[:, None])
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
    nearest, _ = analysis.given.nearest(np.arange(18), of_tests=True)
    assert len(subject) == 18
    assert subject.around[0].tolist() == nearest.tolist()
    # Training points did not judge here, so their nearest are those by distance.
    assert subject_of(analysis).around[0].max() < analysis.n


def test_shares_are_what_quality_is_made_of(flipped: Analysis, held_out: Analysis) -> None:
    judged = judging_points(held_out)
    assert judged is not None
    for subject in (subject_of(flipped), subject_of(held_out), judged):
        np.testing.assert_allclose(subject.shares.sum(axis=1), 1.0)
        codes = [subject.analysis.classes.index(name) for name in subject.given]
        own = subject.shares[np.arange(len(subject)), codes]
        np.testing.assert_array_equal(own, subject.scores["quality"])
        best = np.array(subject.analysis.classes, dtype=object)[subject.shares.argmax(axis=1)]
        assert (best == subject.suggested).mean() > 0.99, "but for draws"


def test_the_card_is_told_all_of_each_point(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    packed = payload.build(subject, flipped.plane)
    assert payload.build(subject, flipped.plane).content_id == packed.content_id
    header, arrays = unpack(packed)
    n, d = flipped.dataset.X.shape
    assert header["names"] == header["trainNames"] or header["trainNames"] is None
    assert header["labels"] == header["classes"] == list(flipped.classes)
    scores = arrays["scores"].reshape(-1, n)
    beside = header["scoreNames"].index("value") + 1
    assert header["scoreNames"][beside] == "leave_one_out"
    assert header["scoreTitles"][beside] == "leave-one-out value"
    assert "removing this point alone" in header["scoreMeanings"][beside]
    for line, name in enumerate(header["scoreNames"]):
        np.testing.assert_array_equal(scores[line], subject.scores[name])
        order = arrays["orders"].reshape(-1, n)[line]
        assert (np.diff(scores[line][order]) >= 0).all()
    given = np.array(header["labels"], dtype=object)[arrays["given"]]
    assert given.tolist() == list(subject.given)
    top = arrays["topShares"].reshape(n, -1)
    own = arrays["topClasses"].reshape(n, -1) == arrays["given"][:, None]
    np.testing.assert_array_equal(top[own], subject.scores["quality"])
    np.testing.assert_array_equal(arrays["near"].reshape(n, -1), subject.around[0])
    np.testing.assert_array_equal(arrays["features"].reshape(n, d), np.float32(flipped.dataset.X))
    np.testing.assert_array_equal(arrays["xy"].reshape(n, 2), np.float32(flipped.plane.xy))


def test_test_points_come_with_the_training_points_around_them(held_out: Analysis) -> None:
    subject = judging_points(held_out)
    assert subject is not None
    header, arrays = unpack(payload.build(subject, held_out.plane))
    assert header["side"] == "test"
    assert header["names"] == list(subject.names)
    assert header["trainNames"] == list(held_out.ids)
    X = np.float32(held_out.dataset.X)
    d = X.shape[1]
    np.testing.assert_array_equal(arrays["features"].reshape(-1, d), X[subject.rows])
    np.testing.assert_array_equal(arrays["trainFeatures"].reshape(-1, d), X[held_out.rows])
    assert len(arrays["xy"]) == 2 * held_out.n


def test_of_many_classes_those_with_most_support_are_told() -> None:
    spec = DataSpec(source="bundled", name="digits", flip=0.1, sample=200)
    analysis = analyse(build(spec), spec, ComputeSpec())
    header, arrays = unpack(payload.build(subject_of(analysis), analysis.plane))
    assert len(header["classes"]) == 10
    assert len(arrays["topShares"]) == 200 * payload.MOST_CLASSES
    assert (np.diff(arrays["topShares"].reshape(200, -1)) <= 0).all()
    assert header["pixels"] == [0.0, 16.0]


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
    table = uploaded_row(subject, 1, upload)
    assert table is not None
    assert dict(zip(table["column"], table["cell"], strict=True)) == {
        "name": "C", "x": "3", "remark": "third", "kind": "b",
    }  # fmt: skip
    last = uploaded_row(subject, 3, upload)
    assert last is not None
    assert last["cell"].tolist() == ["E", "5", "", "b"]
    assert uploaded_row(subject, 1, None) is None
    other = Upload(read_file("pets.csv", content.replace(b"first", b"other")), upload.choices)
    assert uploaded_row(subject, 1, other) is None


def test_one_class_alone_gives_no_reason_to_doubt() -> None:
    spec = DataSpec(n=20, flip=0.0)
    made = build(spec)
    alone = replace(made, y=np.zeros(20, dtype=np.int64), y_true=None)
    subject = subject_of(analyse(alone, spec, ComputeSpec()))
    assert (subject.suggested == "0").all()
    assert (subject.shares == 1.0).all()
    assert len(subject.scores) == 6
