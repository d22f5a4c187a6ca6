"""Parts of the view that know blocks of points, run in the browser that will run them."""

import base64

import numpy as np
import pytest

from stiknn_view.block_payload import build_block_content

SIZES = [3, 1, 4, 2, 5]
UNIT_OF = np.repeat(np.arange(5), SIZES)  # of each point


def by_points(seed=0):
    """Made-up interactions of points, and their means over pairs of different points."""
    cells = np.random.default_rng(seed).normal(size=(len(UNIT_OF),) * 2)
    cells += cells.T
    pairs = ~np.eye(len(UNIT_OF), dtype=bool)
    means = np.full((5, 5), np.nan)
    for i in range(5):
        for j in range(i + 1):
            inside = np.outer(UNIT_OF == i, UNIT_OF == j) & pairs
            if inside.any():
                means[i, j] = means[j, i] = cells[inside].mean()
    return cells, pairs, means


def content_of(means):
    """Give what the functions on cells need; a cell is read as code * |code|."""
    codes = np.nan_to_num(np.sign(means) * np.sqrt(np.abs(means)))
    return {"n": 5, "scale": 1, "sizes": SIZES, "cells": codes.ravel().tolist()}


@pytest.mark.parametrize("rows", [[0], [1], [0, 1, 3], [2, 4]])
def test_mean_over_blocks_is_the_mean_over_their_pairs_of_points(run_js, rows):
    cells, pairs, means = by_points()
    cols = [0, 1, 2]

    found = run_js(
        ["linked_view/wording.js", "linked_view/dots.js", "linked_view/aggregate.js"],
        "[meanInteraction(...given), Array.from(meanWith(given[0], given[1]))]",
        [content_of(means), rows, cols],
    )

    asked = np.outer(np.isin(UNIT_OF, rows), np.isin(UNIT_OF, cols)) & pairs
    assert found[0] == pytest.approx(cells[asked].mean())
    for unit, mean in enumerate(found[1]):
        asked = np.outer(UNIT_OF == unit, np.isin(UNIT_OF, rows)) & pairs
        if asked.any():
            assert mean == pytest.approx(cells[asked].mean())
        else:
            assert np.isnan(mean)


def test_picture_shows_the_mean_inside_a_block_and_leaves_a_single_point_clear(run_js):
    _, _, means = by_points()
    pixels = run_js(
        ["shared/palette.js", "linked_view/aggregate.js"],
        """(() => {
            const table = Array.from({ length: 513 }, (_, i) => [i >> 8, i & 255, 7]);
            const area = { r0: 0, r1: 5, c0: 0, c1: 5 };
            const { canvas } = paintMatrix(given, [4, 3, 2, 1, 0], area, 4, table);
            return Array.from(canvas.getContext("2d").getImageData(0, 0, 5, 5).data);
        })()""",
        content_of(means),
    )
    pixels = np.array(pixels).reshape(5, 5, 4)[::-1, ::-1]
    assert pixels[1, 1, 3] == 0
    steps = 256 * pixels[..., 0] + pixels[..., 1]
    inside = ~np.isnan(means)
    np.testing.assert_allclose(steps[inside], (means[inside] / 4 + 1) * 256, atol=0.51)
    assert (pixels[inside][:, 3] == 255).all()


def test_colour_range_counts_the_means_inside(run_js):
    codes = [[900, 1, 2], [1, 0, 3], [2, 3, 800]]  # the second block is one point
    found = run_js(
        ["linked_view/payload.js"],
        """given.map((quantile) => {
            const magnitudes = countMagnitudes([900, 1, 2, 1, 0, 3, 2, 3, 800]);
            const content = { n: 3, sizes: [2, 1, 2], magnitudes, scale: 1 };
            return Math.sqrt(colorRange(content, quantile));
        })""",
        [0.25, 0.5, 0.8, 1],
    )
    known = [codes[i][j] for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    expected = [np.quantile(known, q, method="inverted_cdf") for q in (0.25, 0.5, 0.8, 1)]
    assert found == pytest.approx(expected)


def test_bytes_from_python_become_units_and_dots(run_js):
    _, _, means = by_points()
    rng = np.random.default_rng(1)
    units = [2, 0, 0, 4, 0, 4]  # no dot of blocks 1 and 3
    xy = rng.normal(size=(6, 2))
    payload = build_block_content(
        means=means,
        sizes=SIZES,
        codes=[0, 1, 0, 1, 0],
        classes=["a", "b"],
        names=list("vwxyz"),
        values=np.zeros(5),
        quality=np.ones(5),
        dot_xy=xy,
        dot_units=units,
        dot_values=np.arange(6),
        dot_quality=np.ones(6),
        dot_codes=[0, 0, 1, 0, 0, 0],
        dot_ids=[f"P{i}" for i in range(6)],
        changed_dots=[2],
        n_points=15,
    ).payload

    content = run_js(
        ["linked_view/wording.js", "linked_view/dots.js", "linked_view/payload.js"],
        """(() => {
            const bytes = Uint8Array.from(atob(given), (letter) => letter.charCodeAt(0));
            const content = parseContent(bytes);
            const { units, changed, hearts, count, total } = content.dots;
            return {
                units: Array.from(units),
                changed: Array.from(changed),
                hearts: Array.from(hearts),
                sizes: [count, total],
                of: dotsOf(content, [4, 0]),
                cells: [0, 1, 2].map((j) => cellValue(content, 0, j)),
                words: [[0, 4], [1]].map((some) => countUnits(content, some)),
                all: countAll(content),
            };
        })()""",
        base64.b64encode(payload).decode(),
    )

    assert content["words"] == ["2 blocks, 8 points", "1 block, 1 point"]
    assert content["all"] == "15 in 5 blocks"
    assert content["cells"] == pytest.approx(means[0, :3], rel=1e-3)
    assert sorted(content["of"]) == [1, 2, 3, 4, 5]
    assert content["units"] == units
    assert content["changed"] == [0, 0, 1, 0, 0, 0]
    assert content["sizes"] == [6, 15]
    middle = xy[[1, 2, 4]].mean(axis=0)
    nearest = [1, 2, 4][np.argmin(np.linalg.norm(xy[[1, 2, 4]] - middle, axis=1))]
    assert content["hearts"][:4] == [nearest, -1, 0, -1]


def test_drawing_around_dots_takes_blocks_with_half_of_them_inside(run_js):
    units = [0] * 4 + [1] * 3 + [2] * 5
    half, most, none = run_js(
        ["linked_view/dots.js"],
        """(() => {
            const units = Int32Array.from(given[0]);
            const zeros = new Float32Array(units.length);
            const dots = { units, count: units.length, ...groupDots(units, zeros, zeros, 4) };
            const content = { n: 4, dots };
            return given[1].map((some) => unitsInside(content, (dot) => some.includes(dot)));
        })()""",
        [units, [[0, 1, 4, 5, 7, 8], [0, 7, 8], []]],
    )
    assert half == [0, 1], "2 of 4, 2 of 3, 2 of 5"
    assert most == [2], "none by half: the one with most"
    assert none == []


def test_nearest_dot_is_that_of_a_search_through_all(run_js):
    rng = np.random.default_rng(2)
    xy = np.round(rng.normal(size=(3000, 2)), 2)  # some on the same spot
    spots = [*rng.uniform(0, 500, size=(60, 2)).tolist(), [-20.0, 250.0], [250.0, 530.0]]
    found = run_js(
        ["linked_view/zoom.js", "linked_view/dots.js"],
        """(() => {
            const [xy, spots] = given;
            const dots = { count: xy.length, x: xy.map((p) => p[0]), y: xy.map((p) => p[1]) };
            const limits = { x0: -4, x1: 4, y0: -4, y1: 4 };
            const box = { left: 0, top: 0, width: 500, height: 500 };
            const frame = new Frame(box, new ZoomWindow("here", limits, 0.1), true);
            const grid = new DotGrid(dots);
            return spots.map(([x, y]) => grid.nearest(frame, { x, y }, 14));
        })()""",
        [xy.tolist(), spots],
    )
    places = np.c_[(xy[:, 0] + 4) / 8 * 500, (4 - xy[:, 1]) / 8 * 500]
    away = np.linalg.norm(places[None] - np.array(spots)[:, None], axis=2)
    expected = [int(row.argmin()) if row.min() < 14 else None for row in away]
    assert found == expected
    assert None in expected
    assert len(set(expected)) > 20


def test_cloud_paints_what_a_canvas_paints(run_js):
    # Later ones lie over earlier ones, and their edges let those shine through.
    dots = [
        ["circle", 20, 4, [213, 94, 0]],
        ["star", 40, 4, [213, 94, 0]],
        ["circle", 55, 8, [255, 0, 0]],
        ["x", 55, 4, [0, 0, 255]],
    ]
    theirs, ours = run_js(
        ["shared/palette.js", "shared/symbols.js", "linked_view/cloud.js"],
        """(() => {
            const ink = (paint) => {
                const canvas = document.createElement("canvas");
                canvas.width = 100;
                canvas.height = 80;
                const context = canvas.getContext("2d");
                paint(context);
                return Array.from(context.getImageData(0, 0, 100, 80).data);
            };
            const theirs = ink((context) => {
                for (const [symbol, x, radius, color] of given) {
                    context.fillStyle = css(color);
                    tracePath(context, symbol, x + 0.5, 40.5, radius);
                    context.fill();
                }
            });
            const ours = ink((context) => {
                const cloud = new Cloud({ left: 10, top: 20, width: 60, height: 40 }, 1);
                const put = (symbol, x, radius, color) =>
                    cloud.put(cloud.stamp(symbol, radius), x, 40, packColor(color));
                for (const dot of given) put(...dot);
                put("circle", 9000, 4, [0, 0, 0]); // far outside
                put("circle", NaN, 4, [0, 0, 0]);
                cloud.draw(context);
            });
            return [theirs, ours];
        })()""",
        dots,
    )
    theirs, ours = (np.array(ink).reshape(-1, 4) for ink in (theirs, ours))
    seen = theirs[:, 3] >= 30  # of fainter ones the colour is rounded
    assert seen.sum() > 250
    np.testing.assert_allclose(ours[seen], theirs[seen], atol=10)
    np.testing.assert_allclose(ours[~seen, 3], theirs[~seen, 3], atol=10)
    through = (theirs[:, 0] > 40) & (theirs[:, 2] > 40) & (theirs[:, 1] == 0)
    assert through.any(), "no edge lies over another dot"


def test_dots_are_drawn_each_once_and_classes_mixed(run_js):
    for count in (1, 2, 10, 4097, 30000):
        order = run_js(["linked_view/cloud.js"], "Array.from(mixedOrder(given))", count)
        assert sorted(order) == list(range(count))
    first = np.array(order[:1000])
    shares = np.bincount(first // 3000, minlength=10)
    assert shares.min() > 80, "the first dots are not from all over"


def test_block_is_named_without_its_class_where_there_is_little_room(run_js):
    names = run_js(
        ["linked_view/wording.js"],
        """given.map((name) =>
            tickName({ kind: "blocks", ids: [name], classes: ["3"], codes: [0] }, 0))""",
        ["class 3 · 12", "3 · left", "31", "3", "north"],
    )
    assert names == ["12", "left", "31", "3", "north"]
