"""The view of what is ranked: all pairs of few points, the means of blocks of very many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import RankedNeighbors, games, interactions, label_support
from stiknn_core.errors import ParameterError, ShapeError
from stiknn_view import block_payload
from stiknn_view.packing import PREAMBLE, decode_cells
from stiknn_view.results import scene_of
from stiknn_view.scene import READING_BLOCKS, Scene
from stiknn_view.widget import LinkedView

N = 4_100  # just above those that are shown one by one
RNG = np.random.default_rng(0)
Y = np.array(["low", "high"])[RNG.integers(0, 2, N)]
X = RNG.normal(size=(N, 2)) + 2.0 * (Y == "high")[:, None]
X_TEST = RNG.normal(size=(30, 2)) + 1.0
Y_TEST = np.array(["low", "high"])[RNG.integers(0, 2, 30)]
IDS = [f"row {place}" for place in range(N)]


@pytest.fixture(scope="module")
def many() -> RankedNeighbors:
    return RankedNeighbors(pd.DataFrame(X, index=IDS), Y, X_TEST, Y_TEST, k=5)


@pytest.fixture(scope="module")
def blocks(many: RankedNeighbors) -> Scene:
    return scene_of(many, name="many")


def content_of(scene: Scene) -> tuple[dict[str, Any], dict[str, Any]]:
    whole = scene.content.payload
    length = PREAMBLE.unpack_from(whole)[1]
    header = json.loads(whole[PREAMBLE.size : PREAMBLE.size + length])
    kinds = {"cells": "<i2", "inside": "<i2", "dotXy": "<f4", "diagonal": "<f4", "quality": "<f4"}
    kinds |= {"values": "<f4", "dotValues": "<f4", "dotQuality": "<f4", "xy": "<f4"}
    found = {}
    for name, (offset, count) in header["sections"].items():
        start = PREAMBLE.size + length + offset
        found[name] = np.frombuffer(whole, kinds.get(name, "<i4"), count, start)
    return header, found


def test_of_few_points_the_scene_is_that_of_their_matrix() -> None:
    few = slice(0, 60)
    ranked = RankedNeighbors(X[few], Y[few], k=3)
    mine, wanted = scene_of(ranked), scene_of(interactions(X[few], Y[few], k=3))
    assert mine.lines == wanted.lines
    assert mine.rows is None
    (head, held), (other, right) = content_of(mine), content_of(wanted)
    assert head["ids"] == other["ids"]
    np.testing.assert_array_equal(held["quality"], right["quality"])
    np.testing.assert_array_equal(held["suggested"], right["suggested"])
    np.testing.assert_allclose(held["values"], right["values"], atol=1e-7)
    cells = [decode_cells(one["cells"], h["scale"]) for one, h in ((held, head), (right, other))]
    np.testing.assert_allclose(cells[0], cells[1], atol=1e-4 * np.abs(cells[1]).max())


def test_few_points_with_test_points_have_label_quality_too() -> None:
    few = slice(0, 60)
    ranked = RankedNeighbors(X[few], Y[few], X_TEST, Y_TEST, k=3)
    scene = scene_of(ranked)
    wanted = label_support(X[few], Y[few], X_TEST, Y_TEST, k=3)
    place = dict(zip(wanted.ids.tolist(), wanted.quality.tolist(), strict=True))
    held = content_of(scene)[1]["quality"]
    np.testing.assert_allclose(held, [place[one] for one in scene.points.tolist()], rtol=1e-6)
    assert "30 test points" in scene.lines[0]


def test_blocks_hold_the_exact_means_of_their_pairs(many: RankedNeighbors, blocks: Scene) -> None:
    header, held = content_of(blocks)
    n = header["n"]
    assert header["kind"] == "blocks"
    assert header["total"] == N
    assert n == 256
    cells = np.zeros((n, n))
    cells[np.triu_indices(n, 1)] = decode_cells(held["cells"], header["scale"])
    for first, second in ((0, 1), (3, 200), (128, 255)):
        one, other = (np.flatnonzero(blocks.rows == row) for row in (first, second))
        wanted = many.rows(one)[:, other].mean()
        assert cells[first, second] == pytest.approx(wanted, rel=1e-2, abs=1e-9)
        assert held["sizes"][first] == len(one)
        assert held["values"][first] == pytest.approx(many.values()[one].mean(), rel=1e-5)
        assert {header["classes"][held["codes"][first]]} == set(Y[one].tolist())
    assert [header["dotIds"][dot] for dot in (0, 7)] == ["row 0", "row 7"]
    assert held["dotUnits"].tolist() == blocks.rows.tolist()


def test_of_more_points_than_are_drawn_a_sample_is(
    many: RankedNeighbors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_payload, "USUAL_DOTS", 500)
    scene = scene_of(many)
    header, held = content_of(scene)
    assert len(header["dotIds"]) == 500
    drawn = [IDS.index(one) for one in header["dotIds"]]
    np.testing.assert_array_equal(held["dotUnits"], scene.rows[drawn])
    share = (Y[drawn] == "low").mean()
    assert share == pytest.approx((Y == "low").mean(), abs=0.01)
    assert "of 500 of the 4,100 points" in scene.lines[1]
    assert len(scene.points) == N


def test_blocks_are_cut_from_the_order_and_sorted_anew_by_others(many: RankedNeighbors) -> None:
    for name in ("class", "value", "cluster"):
        scene = scene_of(many, order=name)
        assert scene.orders[0].name == name
        assert {one.name for one in scene.orders} == {"class", "value", "cluster"}
        for row in (0, 17, 255):
            assert len(set(Y[scene.rows == row].tolist())) == 1
    assert [one.name for one in scene_of(many, order="input").orders] == ["input"]
    scene = scene_of(many, order="value")
    means = [many.values()[scene.rows == row].mean() for row in range(128)]
    assert means == sorted(means) or means == sorted(means, reverse=True)


def test_the_page_says_that_rows_are_blocks_and_holds_no_features(blocks: Scene) -> None:
    told = blocks.message(whole=True)
    assert told["reading"] == list(READING_BLOCKS)
    assert told["lines"][1].startswith("This file holds, of 4,100 points, the names")
    assert told["lines"][1].endswith(
        "256 blocks of all of them; of the features only what the two axes show."
    )


def test_selected_are_the_points_of_the_selected_blocks(many: RankedNeighbors) -> None:
    view = many.view()
    assert isinstance(view, LinkedView)
    rows = view._shown.rows
    view._selection = {"rows": [2], "cols": [5], "origin": "block", "seq": 5}
    assert view.selected == [IDS[at] for at in np.flatnonzero((rows == 2) | (rows == 5))]
    before = view._selection["seq"]
    view.selected = ["row 3", "row 3999"]
    wanted = sorted({int(rows[3]), int(rows[3999])})
    assert view._selection["rows"] == wanted
    assert view._selection["seq"] > before
    whole = [IDS[at] for at in np.flatnonzero(np.isin(rows, wanted))]
    assert view.selected == whole
    view.selected = ["row 3", "row 3999"]  # in blocks that are selected already
    assert view.selected == whole
    view._selection = {"rows": [256], "cols": [], "origin": "block", "seq": 9**14}
    assert view.selected == whole  # there is no such row
    with pytest.raises(ParameterError, match="ids of the training points; got 7"):
        view.selected = [7]
    view.selected = []
    assert view._selection["rows"] == []


def test_the_file_is_written_and_is_small(many: RankedNeighbors, tmp_path: Path) -> None:
    many.to_html(tmp_path / "many.html", name="many")
    text = (tmp_path / "many.html").read_text(encoding="utf-8")
    assert "<title>many</title>" in text
    assert len(text) < 1_500_000


def test_a_score_without_label_support_shows_values_alone() -> None:
    few = slice(0, 40)
    ranked = RankedNeighbors(X[few], X[few, 0], k=3, score=games.measured("squared"))
    header, held = content_of(scene_of(ranked))
    assert len(header["classes"]) == 10  # bands
    assert {"targets", "proposed"} <= set(header["sections"])
    assert np.isnan(held["quality"]).all()
    wanted = interactions(X[few], X[few, 0], k=3, score=games.measured("squared"))
    place = dict(zip(map(str, wanted.ids.tolist()), wanted.values.tolist(), strict=True))
    np.testing.assert_allclose(held["values"], [place[one] for one in header["ids"]], rtol=1e-5)


def test_distances_need_places_and_what_does_not_fit_is_said() -> None:
    distances = np.abs(X_TEST[:, :1] - X[:50, 0])
    ranked = RankedNeighbors(distances, Y[:50], None, Y_TEST, k=3, metric="precomputed")
    with pytest.raises(ParameterError, match="pass X, or xy"):
        scene_of(ranked)
    with pytest.raises(ShapeError, match=r"xy must have shape \(50, 2\).*got \(3, 2\)"):
        scene_of(ranked, xy=np.zeros((3, 2)))
    assert scene_of(ranked, xy=X[:50]).content.n == 50


def test_clusters_of_many_points_need_features() -> None:
    distances = np.abs(X_TEST[:2, :1] - X[:, 0])
    ranked = RankedNeighbors(distances, Y, None, Y_TEST[:2], k=3, metric="precomputed")
    with pytest.raises(ParameterError, match="order='cluster' puts similar features"):
        scene_of(ranked, xy=X, order="cluster")
    assert scene_of(ranked, X, order="cluster").content.n == 256


def test_more_classes_than_rows_are_cut_across() -> None:
    labels = np.arange(N) % 600
    scene = scene_of(RankedNeighbors(X, labels, X_TEST, np.arange(30), k=3))
    assert scene.content.n == 256
    assert len(scene.orders) == 1


def test_drawn_test_points_are_told() -> None:
    ranked = RankedNeighbors(X[:60], Y[:60], k=3, test_rows=np.arange(10))
    assert scene_of(ranked).lines[0].startswith("60 training points, 10 of them tested with")
