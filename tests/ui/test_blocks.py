"""Block views of data too large for their matrix: each number against that matrix."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pandas as pd
import pytest

from stiknn_core import interactions, make_dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.blocks import content, exports, levels
from stiknn_ui.blocks.analysis import BlockAnalysis, analyse_blocks
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.selected import as_points, as_units, is_whole
from stiknn_ui.blocks.summary import summarise_blocks
from stiknn_view import block_payload
from stiknn_view.selection import Selection

DATA = DataSpec(name="blobs", n=700, n_classes=3, flip=0.1)
HELD_OUT = ComputeSpec(evaluation="hold-out", share=0.2, k=4)


@pytest.fixture(scope="module", params=["leave-one-out", "hold-out"])
def analysis(request: pytest.FixtureRequest) -> BlockAnalysis:
    dataset = make_dataset("blobs", n=700, n_classes=3, seed=0)
    compute = HELD_OUT if request.param == "hold-out" else ComputeSpec(k=4)
    return analyse_blocks(dataset, DATA, compute)


@pytest.fixture(scope="module")
def matrix(analysis: BlockAnalysis) -> np.ndarray:
    X, y = analysis.dataset.X, analysis.dataset.y
    rows = analysis.rows
    if len(rows) == len(X):
        return interactions(X, y, k=4).matrix
    others = np.setdiff1d(np.arange(len(X)), rows)
    return interactions(X[rows], y[rows], X[others], y[others], k=4).matrix


@pytest.mark.parametrize("name", ["input", "class", "value", "cluster"])
def test_blocks_are_means_of_the_matrix_in_every_order(analysis, matrix, name) -> None:
    order = levels.order_all(analysis, name, analysis.plane)
    part = levels.compute_blocks(analysis, levels.top_level(analysis), order)
    assert len(part.units.blocks) == 256
    for first, second in ((0, 0), (0, 255), (17, 18)):
        rows, cols = part.members((first,)), part.members((second,))
        cells = matrix[np.ix_(rows, cols)][rows[:, None] != cols[None, :]]
        expected = cells.mean() if len(cells) else np.nan
        assert part.blocks.means[first, second] == pytest.approx(expected, abs=1e-15, nan_ok=True)


def test_a_part_is_cut_anew_and_stays_exact(analysis, matrix) -> None:
    order = levels.order_all(analysis, "class", analysis.plane)
    level = levels.level_of(analysis, np.flatnonzero(analysis.codes == 1))
    assert level.title == f"{len(level.points):,} points of 1"
    part = levels.compute_blocks(analysis, level, order)
    assert part.units.sizes.sum() == len(level.points)
    assert [group.label for group in part.units.groups] == ["class 1"]
    rows, cols = part.members((3,)), part.members((90,))
    assert part.blocks.means[3, 90] == pytest.approx(matrix[np.ix_(rows, cols)].mean(), abs=1e-15)


def test_pairs_of_a_part_are_those_of_the_matrix(analysis, matrix) -> None:
    level = levels.level_of(analysis, np.array([5, 3, 99, 3]))
    assert level.points.tolist() == [3, 5, 99]
    part = levels.compute_pairs(analysis, level)
    np.testing.assert_allclose(part.matrix, matrix[np.ix_(level.points, level.points)], atol=1e-14)
    for name in ("input", "class", "value", "cluster"):
        order = levels.order_pairs(analysis, part, name, analysis.plane)
        assert sorted(order.positions.tolist()) == [0, 1, 2]


def test_a_selection_of_blocks_is_summed_up_by_pairs_of_points(analysis, matrix) -> None:
    order = levels.order_all(analysis, "class", analysis.plane)
    part = levels.compute_blocks(analysis, levels.top_level(analysis), order)
    units = Selection(rows=(0, 1, 100), cols=(1, 100, 200), seq=1)
    codes = analysis.codes[part.firsts]
    found = summarise_blocks(units, part.blocks.sums, part.units.sizes, codes, analysis.classes)
    rows, cols = part.members(units.rows), part.members(units.cols)
    pairs = {(min(i, j), max(i, j)) for i in rows for j in cols if i != j}
    within = [matrix[i, j] for i, j in pairs if analysis.codes[i] == analysis.codes[j]]
    across = [matrix[i, j] for i, j in pairs if analysis.codes[i] != analysis.codes[j]]
    assert found.n_points == len(set(rows) | set(cols))
    assert found.within == pytest.approx(np.mean(within))
    assert found.across == pytest.approx(np.mean(across))
    n = len(matrix)
    assert found.overall == pytest.approx((matrix.sum() - np.trace(matrix)) / (n * (n - 1)))
    strongest = found.strongest[0]
    assert abs(strongest.value) == max(
        abs(part.blocks.means[i, j])
        for i in units.rows
        for j in units.cols
        if not np.isnan(part.blocks.means[i, j])
    )


def test_the_picture_draws_a_sample_that_keeps_the_classes(analysis, monkeypatch) -> None:
    monkeypatch.setattr(block_payload, "USUAL_DOTS", 90)
    part = levels.compute_blocks(
        analysis,
        levels.top_level(analysis),
        levels.order_all(analysis, "class", analysis.plane),
    )
    drawn = content.dots_of(analysis, part)
    assert len(drawn) == 90
    shares = np.bincount(analysis.codes) / analysis.n
    np.testing.assert_allclose(np.bincount(analysis.codes[drawn]) / 90, shares, atol=0.02)


def test_files_hold_what_is_shown(analysis, matrix) -> None:
    order = levels.order_all(analysis, "value", analysis.plane)
    part = levels.compute_blocks(analysis, levels.top_level(analysis), order)
    units = content.units_order(part)
    table = pd.read_csv(
        io.BytesIO(exports.matrix_csv(analysis, part, units, analysis.plane)), index_col=0
    )
    np.testing.assert_allclose(table.to_numpy(), part.blocks.means, rtol=1e-12)
    assert table.columns[0].startswith("class 0 · 1 of ")
    points = pd.read_csv(
        io.BytesIO(exports.points_csv(analysis, part, units, analysis.plane, analysis))
    )
    assert len(points) == analysis.n
    removal = dict(zip(analysis.names(slice(None)), analysis.leave_one_out, strict=True))
    assert points["leave_one_out"].tolist() == [removal[str(name)] for name in points["id"]]
    known = dataclasses.replace(
        analysis, leave_one_out=np.full(analysis.n, np.nan)
    )  # as of a store
    content_of = exports.points_csv(analysis, part, units, analysis.plane, known)
    assert "leave_one_out" not in pd.read_csv(io.BytesIO(content_of)).columns
    # Within a class the order goes by value.
    for _, own in points.groupby("label", sort=False):
        assert own["value"].is_monotonic_increasing
    assert points["setting_n_train"].unique().tolist() == [analysis.n]
    last = part.units.blocks[-1]
    assert points["block"].iloc[-1] == last.label
    assert (points["block"] == last.label).sum() == last.stop - last.start


def test_levels_are_walked_down_and_back(analysis) -> None:
    desk = BlockDesk()
    top = desk.level(analysis)
    assert len(top.points) == analysis.n
    desk.open(levels.level_of(analysis, np.arange(50)))
    desk.open(levels.level_of(analysis, np.arange(50)))  # pressed twice
    desk.open(levels.level_of(analysis, np.arange(9)))
    assert [len(level.points) for level in desk.levels] == [analysis.n, 50, 9]
    desk.back_to(1)
    assert len(desk.level(analysis).points) == 50
    desk.back_to(0)
    assert desk.level(analysis) is top


def test_a_forest_gives_pairs_and_blocks_too(analysis, matrix) -> None:
    compute = dataclasses.replace(analysis.compute, space="forest")
    grown = analyse_blocks(analysis.dataset, DATA, compute)
    points = np.array([3, 40, 41, 200])
    part = levels.compute_pairs(grown, levels.level_of(grown, points))
    whole = interactions(**grown.given.arguments, k=grown.k)
    np.testing.assert_allclose(part.matrix, whole.matrix[np.ix_(points, points)], atol=1e-14)
    assert not np.allclose(part.matrix, matrix[np.ix_(points, points)])


def test_of_many_rows_some_test_the_pairs_and_each_is_tested_by_all_others() -> None:
    dataset = make_dataset("blobs", n=1_400, n_classes=3, seed=0)
    found = analyse_blocks(dataset, DATA, ComputeSpec(k=4))
    assert found.tests is not None
    assert (found.n, found.n_test, len(found.tests)) == (1_400, 1_000, 1_000)
    shares = np.bincount(found.codes[found.tests]) / 1_000
    np.testing.assert_allclose(shares, np.bincount(found.codes) / 1_400, atol=2e-3)
    points = np.array([0, 7, 900])
    part = levels.compute_pairs(found, levels.level_of(found, points))
    whole = interactions(dataset.X, dataset.y, k=4, test_rows=found.tests).matrix
    np.testing.assert_allclose(part.matrix, whole[np.ix_(points, points)], atol=1e-14)


def test_a_row_is_opened_among_those_nearest_to_it(analysis) -> None:
    level = levels.near_level(analysis, 17)
    (name,) = analysis.names([17])
    assert level.title == f"{name} among its 500 nearest"
    assert len(level.points) == 500
    far = np.linalg.norm(analysis.given.X - analysis.given.X[17], axis=1)
    assert set(level.points) == set(np.argsort(far)[:500])


def test_selected_points_are_the_blocks_that_hold_them_and_back(analysis) -> None:
    order = levels.order_all(analysis, "class", analysis.plane)
    part = levels.compute_blocks(analysis, levels.top_level(analysis), order)
    units = Selection((0, 3), (3,), "block", 5)
    points = as_points(part, units)
    assert points == Selection(
        tuple(part.members((0, 3)).tolist()), tuple(part.members((3,)).tolist()), "block", 5
    )
    assert as_units(part, points) == units
    assert is_whole(part, points, units)
    one = Selection((points.rows[0],), (points.rows[0],), "table", 6)
    lit = as_units(part, one)
    assert len(lit.points) == 1
    assert not is_whole(part, one, lit)
    level = levels.level_of(analysis, np.array([2, 5, 9]))
    pairs = levels.compute_pairs(analysis, level)
    assert as_units(pairs, Selection((5, 77), (5, 77))).rows == (1,)
    assert as_points(pairs, Selection((0, 2), (2,))).points == (2, 9)


def test_marks_count_the_suspects_of_each_block_and_lie_where_they_do(analysis) -> None:
    order = levels.order_all(analysis, "class", analysis.plane)
    part = levels.compute_blocks(analysis, levels.top_level(analysis), order)
    marked = np.argsort(analysis.support.quality)[:40]
    marks = content.marks_of(part, marked, analysis.plane)
    units = part.units.unit_of[marked]
    assert marks.units == tuple(np.bincount(units, minlength=256).tolist())
    assert sum(marks.units) == len(marks.xy) == 40
    assert set(marks.xy) == {tuple(xy) for xy in analysis.plane.xy[marked].tolist()}
    assert marks.what == "of the 40 most suspicious"
    level = levels.level_of(analysis, marked[:3])
    few = content.marks_of(levels.compute_pairs(analysis, level), marked[1:], analysis.plane)
    assert (few.units, len(few.xy)) == ((), 2)
