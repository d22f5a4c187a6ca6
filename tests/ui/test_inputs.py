"""One preparation of the data for everything that is asked of the engine, one forest for all k."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import stiknn_core
from stiknn_core import games
from stiknn_core.comparing.agreement import pair_vector
from stiknn_core.preparation import scale_features
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.compare.errors import measure_errors
from stiknn_ui.compare.sweeping import make_sweep
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.inputs import prepare
from stiknn_ui.results.sources import build
from stiknn_ui.review.subject import judging_points
from stiknn_ui.work.progress import share_of
from tests.ui.test_pages import healthy, visit

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

DATA = DataSpec(n=60, flip=0.1, seed=4)
HELD_OUT = ComputeSpec(space="forest", evaluation="hold-out", share=0.3)


@pytest.fixture
def grown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Test and training points of the forests, in the order they were grown."""
    shapes: list[tuple[int, ...]] = []
    grow: Callable[..., Any] = stiknn_core.grow_forest

    def counted(*args: Any, **kwargs: Any) -> Any:
        forest = grow(*args, **kwargs)
        shapes.append((forest.n_test, forest.n_train))
        return forest

    monkeypatch.setattr(stiknn_core, "grow_forest", counted)
    return shapes


def test_features_are_scaled_by_the_training_rows() -> None:
    dataset = build(DATA)
    compute = ComputeSpec(
        metric="cosine", ties="index", scaling="standard", evaluation="hold-out", share=0.3
    )
    given = prepare(dataset, compute)
    train, test = given.parts.train, given.parts.test_rows
    X, X_test = scale_features(dataset.X[train], dataset.X[test], "standard")
    told = given.arguments
    assert np.array_equal(told.pop("X"), X)
    assert np.array_equal(told.pop("X_test"), X_test)
    assert told.pop("y").tolist() == dataset.y[train].tolist()
    assert told.pop("y_test").tolist() == dataset.y[test].tolist()
    assert told == {"metric": "cosine", "ties": "index", "score": games.plain()}
    assert given.forest is None


def test_judged_by_itself_there_is_no_test_side() -> None:
    given = prepare(build(DATA), ComputeSpec())
    assert given.arguments["X_test"] is given.arguments["y_test"] is None
    assert given.parts.test_rows is given.parts.train


def test_a_forest_takes_the_place_of_distances_whatever_the_scale() -> None:
    dataset = build(DATA)
    given = prepare(dataset, HELD_OUT)
    train, test = given.parts.train, given.parts.test_rows
    far = stiknn_core.forest_distances(dataset.X[train], dataset.y[train], dataset.X[test])
    assert given.forest is not None
    assert np.array_equal(given.forest.distances(np.arange(18)), far)
    assert given.arguments["X"] is given.forest
    assert given.arguments["metric"] == "precomputed"
    assert "X_test" not in given.arguments
    scaled = prepare(dataset, replace(HELD_OUT, scaling="robust"))
    assert scaled.forest is not None
    assert np.array_equal(scaled.forest.distances(np.arange(18)), far)
    assert not np.array_equal(scaled.X, given.X)


def test_one_forest_serves_every_k_and_every_question(grown: list[tuple[int, ...]]) -> None:
    dataset = build(DATA)
    keep = kept.kept_forest(DATA, HELD_OUT)
    assert kept.growing_seconds(dataset, DATA, HELD_OUT) > 0
    first = analyse(dataset, DATA, HELD_OUT, keep=keep)
    more = replace(HELD_OUT, k=9, index="BII", ties="index")
    second = analyse(dataset, DATA, more, keep=kept.kept_forest(DATA, more))
    sweep = make_sweep(dataset, HELD_OUT, (1, 5), keep=keep)
    assert sweep.spread[1] == pytest.approx(pair_vector(first.interactions.matrix).std())
    measure_errors(dataset, HELD_OUT, keep=keep)
    judging_points(first)
    assert grown == [(18, 42)]
    assert kept.has_forest(DATA, more)
    assert kept.growing_seconds(dataset, DATA, more) == 0.0
    _same(second, analyse(dataset, DATA, more))
    assert len(grown) == 2


def test_other_rows_grow_another_forest(grown: list[tuple[int, ...]]) -> None:
    other = replace(HELD_OUT, split_seed=1)
    for compute in (HELD_OUT, other, ComputeSpec(space="forest")):
        analyse(build(DATA), DATA, compute, keep=kept.kept_forest(DATA, compute))
    changed = replace(DATA, flip=0.2)
    analyse(build(changed), changed, HELD_OUT, keep=kept.kept_forest(changed, HELD_OUT))
    assert grown == [(18, 42), (18, 42), (60, 60), (18, 42)]


def test_on_a_page_a_forest_is_grown_once_for_all_k(grown: list[tuple[int, ...]]) -> None:
    at = healthy(visit("explore", n="60", space="forest"))
    healthy(at.number_input(key="compute.k").set_value(9).run())
    result = at.session_state["stiknn"].desk(ResultDesk).shown
    assert result.compute == ComputeSpec(k=9, space="forest")
    _same(result, analyse(result.dataset, result.data, result.compute))
    assert grown == [(60, 60), (60, 60)], "one by the page, one by this test"


def test_a_stopped_forest_is_grown_when_it_is_asked_for_again(grown: list[tuple[int, ...]]) -> None:
    def stop(done: int, total: int) -> None:
        raise InterruptedError

    dataset, keep = build(DATA), kept.kept_forest(DATA, HELD_OUT)
    with pytest.raises(InterruptedError):
        analyse(dataset, DATA, HELD_OUT, stop, keep)
    assert not kept.has_forest(DATA, HELD_OUT)
    analyse(dataset, DATA, HELD_OUT, keep=keep)
    assert grown == [(18, 42)]


def test_a_part_of_the_work_tells_its_share() -> None:
    told: list[tuple[int, int]] = []
    report = share_of(lambda done, total: told.append((done, total)), 0.2, 0.7)
    assert report is not None
    for done, total in ((0, 4), (1, 4), (4, 4), (0, 0)):
        report(done, total)
    assert told == [(200, 1000), (325, 1000), (700, 1000), (700, 1000)]
    assert share_of(None, 0.2, 0.7) is None


def _same(comp: Analysis, ref: Analysis) -> None:
    assert np.array_equal(comp.interactions.matrix, ref.interactions.matrix)
    assert np.array_equal(comp.support.support, ref.support.support)
    tests = np.arange(comp.n_test)
    nearest = comp.given.nearest(tests, of_tests=True), ref.given.nearest(tests, of_tests=True)
    for one, other in zip(*nearest, strict=True):
        assert np.array_equal(one, other)
