"""Every row by itself: the same numbers as beside a matrix, for as many rows as there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.all_rows import analyse_rows
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import ranking, scores_of, suspects_table, usable

DATA = DataSpec(n=90, flip=0.1, seed=2)
COMPUTES = (
    ComputeSpec(),
    ComputeSpec(index="BII", k=7, ties="index", scaling="standard"),
    ComputeSpec(evaluation="hold-out", share=0.3),
    ComputeSpec(space="forest"),
    ComputeSpec(space="forest", evaluation="hold-out", share=0.3),
)


@pytest.mark.slow
@pytest.mark.parametrize("compute", COMPUTES)
def test_all_is_as_beside_the_matrix(compute: ComputeSpec) -> None:
    dataset = build(DATA)
    rows, full = analyse_rows(dataset, DATA, compute), analyse(dataset, DATA, compute)
    for name in ("values", "leave_one_out"):
        np.testing.assert_allclose(getattr(rows, name), getattr(full, name), atol=1e-12)
    np.testing.assert_allclose(rows.support.quality, full.support.quality, atol=1e-12)
    assert rows.suggested.tolist() == full.suggested.tolist()
    assert (rows.n, rows.k, rows.n_test) == (full.n, full.k, full.n_test)
    assert (rows.ids, rows.classes, rows.scope) == (full.ids, full.classes, full.scope)
    assert rows.judged_by_itself == full.judged_by_itself == (compute.evaluation != "hold-out")
    assert np.array_equal(rows.plane.xy, full.plane.xy)
    assert rows.key != full.key
    assert rows.digest != full.digest


def test_the_nearest_of_a_row_are_found_when_it_is_asked_for() -> None:
    rows = analyse_rows(build(DATA), DATA, ComputeSpec())
    X = rows.given.X
    near, far = rows.given.nearest(np.array([4, 11]), 5)
    for point, ids, told in zip((4, 11), near, far, strict=True):
        distances = np.linalg.norm(X - X[point], axis=1)
        distances[point] = np.inf
        np.testing.assert_allclose(told, np.sort(distances)[:5])
        np.testing.assert_allclose(distances[ids], told)
    assert rows.given.nearest(np.array([0]), 500)[0].shape == (1, rows.n - 1)


def test_of_a_test_point_no_training_point_is_left_out() -> None:
    rows = analyse_rows(build(DATA), DATA, ComputeSpec(evaluation="hold-out", share=0.3))
    X, tests = rows.given.X, rows.given.X_test
    assert tests is not None
    near, _ = rows.given.nearest(np.array([3]), 500, of_tests=True)
    assert sorted(near[0].tolist()) == list(range(rows.n))
    assert near[0, 0] == np.linalg.norm(X - tests[3], axis=1).argmin()
    assert rows.given.nearest(np.array([3]), 500)[0].shape == (1, rows.n - 1)


def test_scores_of_a_matrix_are_there_only_beside_one() -> None:
    dataset = build(DATA)
    rows, full = (one(dataset, DATA, ComputeSpec()) for one in (analyse_rows, analyse))
    scores = scores_of(rows)
    assert set(scores_of(full)) - set(scores) == {"in_out", "row"}
    assert (usable("row", scores), usable("row", scores_of(full))) == ("quality", "row")
    first = ranking(scores, "quality")[:10]
    table = suspects_table(rows, scores, first)
    whole = suspects_table(full, scores_of(full), ranking(scores_of(full), "quality"))
    shared = whole[list(table.columns)].head(10)
    assert table["id"].tolist() == shared["id"].tolist()
    np.testing.assert_allclose(table["quality_suggested"], shared["quality_suggested"], atol=1e-12)
    assert table["known_flip"].sum() >= 5


def test_a_stop_ends_it() -> None:
    def stop(done: int, total: int) -> None:
        raise InterruptedError

    for compute in (ComputeSpec(), replace(ComputeSpec(), space="forest")):
        with pytest.raises(InterruptedError):
            analyse_rows(build(DATA), DATA, compute, stop)
