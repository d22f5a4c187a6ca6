"""Whose labels are reviewed, and the evidence beside each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_core import label_support
from stiknn_core.labels.support import judge_test_labels
from stiknn_core.types import Block
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import payload
from stiknn_ui.review.file_row import uploaded_rows
from stiknn_ui.review.subject import Subject, judging_points, training_points
from stiknn_ui.uploads.build import Upload, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file
from tests.ui.view_bytes import names_in, unpack


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
    assert subject.given.tolist() == [str(label) for label in flipped.dataset.y]
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
        (near,), (told,) = subject.nearest(np.array([point]))
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
        near, far = subject.nearest(np.array([point]))
        assert near[0].tolist() == nearest[point].tolist()
        assert np.isnan(far).all()
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
    assert subject.nearest(np.arange(18))[0].tolist() == nearest.tolist()
    # Training points did not judge here, so their nearest are those by distance.
    assert not np.isnan(subject_of(analysis).nearest(np.arange(3))[1]).any()


def test_shares_are_what_quality_is_made_of(flipped: Analysis, held_out: Analysis) -> None:
    judged = judging_points(held_out)
    assert judged is not None
    for subject in (subject_of(flipped), subject_of(held_out), judged):
        np.testing.assert_allclose(subject.shares().sum(axis=1), 1.0)
        codes = [subject.analysis.classes.index(name) for name in subject.given]
        own = subject.shares()[np.arange(len(subject)), codes]
        np.testing.assert_array_equal(own, subject.scores["quality"])
        best = np.array(subject.analysis.classes, dtype=object)[subject.shares().argmax(axis=1)]
        assert (best == subject.suggested).mean() > 0.99, "but for draws"


def test_the_queue_is_told_of_all_points(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    packed = payload.points(subject, flipped.plane)
    assert payload.points(subject, flipped.plane).content_id == packed.content_id
    header, arrays = unpack(packed)
    assert names_in(arrays) == subject.names() == list(flipped.ids)
    assert header["labels"] == header["classes"] == list(flipped.classes)
    labels = np.array(header["labels"], dtype=object)
    assert labels[arrays["given"]].tolist() == subject.given.tolist()
    assert labels[arrays["suggested"]].tolist() == subject.suggested.tolist()
    np.testing.assert_array_equal(arrays["cloudXy"].reshape(-1, 2), np.float32(flipped.plane.xy))
    for name in subject.scores:
        header, arrays = unpack(payload.order(subject, name))
        np.testing.assert_array_equal(arrays["scores"], subject.scores[name])
        assert (np.diff(arrays["scores"][arrays["order"]]) >= 0).all()


def test_a_card_is_told_all_of_its_point(flipped: Analysis) -> None:
    subject = subject_of(flipped)
    asked = np.array([17, 3, 99])
    content, _ = unpack(payload.points(subject, flipped.plane))
    header, arrays = unpack(payload.window(subject, flipped.plane, asked, "of these"))
    assert (header["content"], header["cells"]) == ("of these", None)
    beside = content["scoreNames"].index("value") + 1
    assert content["scoreNames"][beside] == "leave_one_out"
    assert content["scoreTitles"][beside] == "leave-one-out value"
    assert "removing this point alone" in content["scoreMeanings"][beside]
    for place, name in enumerate(content["scoreNames"]):
        scores = subject.scores[name]
        np.testing.assert_array_equal(arrays["scores"].reshape(3, -1)[:, place], scores[asked])
        ranks = [1 + int((scores < scores[point]).sum()) for point in asked]
        assert arrays["ranks"].reshape(3, -1)[:, place].tolist() == ranks
    top = arrays["topShares"].reshape(3, -1)
    own = arrays["topClasses"].reshape(3, -1) == subject.given_codes[asked, None]
    np.testing.assert_array_equal(top[own], subject.scores["quality"][asked])
    near, far = subject.nearest(asked)
    np.testing.assert_array_equal(arrays["near"].reshape(3, -1), near)
    np.testing.assert_array_equal(arrays["far"].reshape(3, -1), np.float32(far))
    np.testing.assert_array_equal(arrays["nearCodes"].reshape(3, -1), flipped.codes[near])
    assert header["nearNames"] == [flipped.names(those) for those in near]
    X = flipped.dataset.X
    np.testing.assert_array_equal(arrays["features"].reshape(3, -1), np.float32(X[asked]))
    np.testing.assert_array_equal(arrays["xy"].reshape(3, 2), np.float32(flipped.plane.xy[asked]))
    for place, code in enumerate(arrays["classCodes"].tolist()):
        members = X[flipped.codes == code]
        assert arrays["classCounts"][place] == len(members)
        means, spreads = arrays["classMeans"], arrays["classSpreads"]
        np.testing.assert_allclose(means.reshape(-1, 2)[place], members.mean(axis=0))
        np.testing.assert_allclose(spreads.reshape(-1, 2)[place], members.std(axis=0))


def test_a_card_holds_no_components_of_an_embedding(flipped: Analysis) -> None:
    made = flipped.dataset
    wide = np.column_stack([made.X, made.X[:, ::-1], made.X[:, 0]])
    blocks = (Block("v", "vector", 1, 3), Block("w", "words", 3, 5))
    names = ("a", "v[0]", "v[1]", "w=x", "w=y")
    dataset = replace(made, X=wide, feature_names=names, blocks=blocks)
    subject = subject_of(analyse(dataset, flipped.data, flipped.compute))
    header, _ = unpack(payload.points(subject, flipped.plane))
    assert header["featureNames"] == ["a", "w=x", "w=y"]
    _, arrays = unpack(payload.window(subject, flipped.plane, np.array([3, 0]), ""))
    kept = wide[[3, 0]][:, [0, 3, 4]]
    np.testing.assert_array_equal(arrays["features"].reshape(2, 3), np.float32(kept))
    means = arrays["classMeans"].reshape(-1, 3)
    for code, mean in zip(arrays["classCodes"].tolist(), means, strict=True):
        members = wide[subject.given_codes == code]
        np.testing.assert_allclose(mean, members.mean(axis=0)[[0, 3, 4]])


def test_a_column_of_one_value_has_no_spread() -> None:
    made = build(DataSpec(n=30, flip=0.0))
    same = replace(made, X=np.full((30, 2), 0.1))
    subject = subject_of(analyse(same, DataSpec(n=30, flip=0.0), ComputeSpec()))
    count, mean, spread = subject.class_statistics(0)
    assert count == (subject.given_codes == 0).sum()
    np.testing.assert_allclose(mean, 0.1)
    assert spread.tolist() == [0.0, 0.0]


def test_test_points_come_with_the_training_points_around_them(held_out: Analysis) -> None:
    subject = judging_points(held_out)
    assert subject is not None
    content, arrays = unpack(payload.points(subject, held_out.plane))
    assert content["side"] == "test"
    assert names_in(arrays) == subject.names()
    assert len(arrays["cloudXy"]) == 2 * held_out.n
    asked = np.array([5, 0])
    header, arrays = unpack(payload.window(subject, held_out.plane, asked, ""))
    X = np.float32(held_out.dataset.X)
    np.testing.assert_array_equal(arrays["features"].reshape(2, -1), X[subject.rows[asked]])
    near, _ = held_out.given.nearest(asked, of_tests=True)
    assert header["nearNames"] == [held_out.names(those) for those in near]
    assert "xy" not in arrays, "test points have no place on the plane of training points"


def test_of_many_classes_those_with_most_support_are_told() -> None:
    spec = DataSpec(source="bundled", name="digits", flip=0.1, sample=200)
    analysis = analyse(build(spec), spec, ComputeSpec())
    subject = subject_of(analysis)
    content, _ = unpack(payload.points(subject, analysis.plane))
    assert len(content["classes"]) == 10
    _, arrays = unpack(payload.window(subject, analysis.plane, np.arange(40), ""))
    assert len(arrays["topShares"]) == 40 * payload.MOST_CLASSES
    assert (np.diff(arrays["topShares"].reshape(40, -1)) <= 0).all()


def test_of_very_many_training_points_a_sample_is_drawn(
    flipped: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payload, "MOST_DOTS", 30)
    header, arrays = unpack(payload.points(subject_of(flipped), flipped.plane))
    assert (len(arrays["cloudCodes"]), header["nTrain"]) == (30, 120)
    low, high = flipped.plane.xy.min(axis=0), flipped.plane.xy.max(axis=0)
    np.testing.assert_allclose(header["bounds"], [*low, *high])


def test_a_window_has_fewer_points_where_each_takes_longer(
    flipped: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = subject_of(flipped)
    assert payload.affordable(subject) == payload.MOST_ROWS
    monkeypatch.setattr(payload, "_DISTANCES", 10 * flipped.n)
    assert payload.affordable(subject) == 10
    monkeypatch.setattr(payload, "_DISTANCES", 1)
    assert payload.affordable(subject) == 4


def test_other_opinions_are_told_by_name(flipped: Analysis) -> None:
    shares = np.linspace(0, 1, flipped.n)
    subject = replace(subject_of(flipped), opinions={"models": shares, "features": 1 - shares})
    header, _ = unpack(payload.points(subject, flipped.plane))
    assert header["opinionNames"] == ["models", "features"]
    _, arrays = unpack(payload.window(subject, flipped.plane, np.array([7]), ""))
    np.testing.assert_array_equal(arrays["opinions"], [shares[7], 1 - shares[7]])


def test_long_names_are_cut_in_the_queue_and_whole_on_the_card(flipped: Analysis) -> None:
    ids = flipped.dataset.ids.astype(object)
    ids[4] = "ä" * 100
    long = replace(flipped, dataset=replace(flipped.dataset, ids=ids))
    subject = subject_of(long)
    _, arrays = unpack(payload.points(subject, long.plane))
    assert names_in(arrays)[3:6] == [str(ids[3]), "ä" * 59 + "…", str(ids[5])]
    assert unpack(payload.window(subject, long.plane, np.array([4]), ""))[0]["names"] == ["ä" * 100]


def test_the_row_of_a_file_is_shown_with_the_columns_not_in_use() -> None:
    content = b"name,x,remark,kind\nA,1,first,a\nB,,gone,a\nC,3,third,b\nD,4,fourth,b\nE,5,,b\n"
    upload = Upload(read_file("pets.csv", content), Choices(missing="drop_rows"))
    compute = ComputeSpec(k=1)
    dataset, _ = split_of(upload, compute, None)
    subject = subject_of(analyse(dataset, upload.spec, compute))
    rows = uploaded_rows(subject, np.array([1, 3]), upload)
    assert rows is not None
    assert dict(rows[0]) == {
        "name": "C", "x": "3", "remark": "third", "kind": "b",
    }  # fmt: skip
    assert [cell for _, cell in rows[1]] == ["E", "5", "", "b"]
    assert uploaded_rows(subject, np.array([1]), None) is None
    other = Upload(read_file("pets.csv", content.replace(b"first", b"other")), upload.choices)
    assert uploaded_rows(subject, np.array([1]), other) is None


def test_one_class_alone_gives_no_reason_to_doubt() -> None:
    spec = DataSpec(n=20, flip=0.0)
    made = build(spec)
    alone = replace(made, y=np.zeros(20, dtype=np.int64), y_true=None)
    subject = subject_of(analyse(alone, spec, ComputeSpec()))
    assert (subject.suggested == "0").all()
    assert (subject.shares() == 1.0).all()
    assert len(subject.scores) == 6
