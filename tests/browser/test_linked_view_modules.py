"""Parts of the view that are pure functions, run in the browser that will run them."""

import math

import numpy as np
import pytest

from stiknn_core.plotting.palette import class_color, class_symbol
from stiknn_ui.words.numbers import number


def test_zero_is_exactly_the_neutral_colour_and_signs_never_mix(run_js):
    for stops in ("DIVERGING_LIGHT", "DIVERGING_DARK"):
        table = run_js(["shared/palette.js"], f"colorTable({stops})")
        steps = run_js(["shared/palette.js"], "[0, 1e-9, -5, 5].map(v => divergingStep(v, 1))")
        zero = table[steps[0]]
        assert max(zero) - min(zero) <= 6, "zero is not grey"
        assert steps == [256, 256, 0, 512]
        below, above = np.array(table[:250]), np.array(table[263:])
        assert (below[:, 2] > below[:, 0]).all(), "a negative value is not blue"
        assert (above[:, 0] > above[:, 2]).all(), "a positive value is not orange"


# What an eye without working green cones sees, in linear RGB (Machado et al. 2009, severity 1).
DEUTERANOPIA = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)


def seen_without_green(colors: list[list[float]]) -> np.ndarray:
    linear = (np.array(colors, dtype=float) / 255) ** 2.2
    return 255 * np.clip(linear @ DEUTERANOPIA.T, 0, 1) ** (1 / 2.2)


@pytest.mark.parametrize("stops", ["DIVERGING_LIGHT", "DIVERGING_DARK"])
def test_signs_can_be_told_apart_without_green_cones(run_js, stops):
    seen = seen_without_green(run_js(["shared/palette.js"], f"colorTable({stops})"))
    for step in (64, 128, 256):
        apart = np.linalg.norm(seen[256 - step] - seen[256 + step])
        assert apart > 60, f"cells of opposite sign look alike {step} steps from zero"
    # The same test fails for the red and green of so many heatmaps.
    red_green = seen_without_green([[215, 90, 60], [105, 145, 55]])
    assert np.linalg.norm(red_green[0] - red_green[1]) < 60


def test_picture_cells_are_means_without_the_diagonal(run_js):
    n = 1100  # 3 x 3 cells in one
    modules = ["shared/palette.js", "linked_view/aggregate.js"]
    pixel, blank, factor, size = run_js(
        modules,
        """(() => {
            const n = given;
            const cells = new Int16Array(n * n);
            for (let j = 0; j < n; j++) for (const i of [0, 1, 2]) {
                const code = i === 0 ? 200 : -100;
                if (i !== j) { cells[i * n + j] = code; cells[j * n + i] = code; }
            }
            const content = { n, cells, sizes: new Int32Array(n).fill(1), scale: 1 };
            const order = Int32Array.from({ length: n }, (_, i) => i);
            const table = Array.from({ length: 513 }, (_, i) => [i >> 8, i & 255, 7]);
            const area = { r0: 0, r1: n, c0: 0, c1: n };
            const wide = paintMatrix(content, order, area, 40000, table);
            const at = (canvas, x, y) =>
                Array.from(canvas.getContext("2d").getImageData(x, y, 1, 1).data);
            const near = paintMatrix(content, order, { r0: 5, r1: 15, c0: 5, c1: 15 }, 1, table);
            return [at(wide.canvas, 200, 0), at(near.canvas, 3, 3), wide.factor, wide.canvas.width];
        })()""",
        n,
    )
    mean = (200**2 - 100**2 - 100**2) / 3
    step = round((mean / 40000 + 1) * 256)
    assert pixel == [step >> 8, step & 255, 7, 255]
    assert blank[3] == 0, "the diagonal is not blank"
    assert (factor, size) == (3, 367)


def test_colour_range_is_the_quantile_of_the_cells_off_the_diagonal(run_js):
    n = 50
    rng = np.random.default_rng(0)
    codes = np.triu(rng.integers(-3000, 3000, size=(n, n)), 1)
    codes = codes + codes.T
    off = np.abs(codes[~np.eye(n, dtype=bool)])
    for quantile in (0.5, 0.98, 1.0):
        found = run_js(
            ["linked_view/payload.js"],
            """(() => {
                const [n, flat, quantile] = given;
                const cells = Int16Array.from(flat);
                const magnitudes = countMagnitudes(cells);
                const sizes = new Int32Array(n).fill(1);
                return colorRange({ n, sizes, magnitudes, scale: 1 }, quantile);
            })()""",
            [n, codes.ravel().tolist(), quantile],
        )
        wanted = np.quantile(off, quantile, method="inverted_cdf")
        assert math.sqrt(found) == pytest.approx(wanted)


def test_range_of_an_all_zero_matrix_is_usable(run_js):
    found = run_js(
        ["linked_view/payload.js"],
        """colorRange(
            { n: 3, sizes: [1, 1, 1], scale: 0, magnitudes: countMagnitudes(new Int16Array(9)) },
            0.98,
        )""",
    )
    assert found == 1


def test_symbols_look_the_same_as_svg_and_on_a_canvas(run_js):
    drawn = run_js(
        ["shared/symbols.js"],
        """Array.from({ length: 9 }, (_, code) => {
            const ink = (fill) => {
                const canvas = new OffscreenCanvas(40, 40);
                const context = canvas.getContext("2d");
                fill(context, classSymbol(code));
                const { data } = context.getImageData(0, 0, 40, 40);
                return Array.from(data.filter((_, i) => i % 4 === 3));
            };
            return [
                ink((context, symbol) => {
                    tracePath(context, symbol, 20, 20, 10);
                    context.fill();
                }),
                ink((context, symbol) => {
                    context.translate(20, 20);
                    context.fill(new Path2D(symbolPath(symbol, 10)));
                }),
            ];
        })""",
    )
    canvas, svg = np.moveaxis(np.array(drawn), 1, 0)
    np.testing.assert_allclose(canvas, svg, atol=12)
    sizes = canvas.sum(axis=1) / 255
    assert sizes.min() > 0.6 * sizes.max(), "one symbol looks much smaller than another"
    apart = np.abs(canvas[:, None] - canvas[None]).sum(axis=2) / 255
    assert apart[~np.eye(9, dtype=bool)].min() > 30


def test_classes_look_here_as_in_the_figures_of_python(run_js):
    found = run_js(
        ["shared/palette.js", "shared/symbols.js"],
        "Array.from({ length: 200 }, (_, code) => [classColor(code), classSymbol(code)])",
    )
    assert found == [[class_color(code), class_symbol(code)] for code in range(200)]


def test_a_long_name_keeps_both_ends(run_js):
    cut = "['stage 1', 'tumour of stage 1', 'tumour of stage 2', 'ab'].map((t) => shorten(t, N))"
    told = run_js(["shared/format.js"], cut.replace("N", "12"))
    assert told == ["stage 1", "tumour o…e 1", "tumour o…e 2", "ab"]
    assert run_js(["shared/format.js"], cut.replace("N", "1"))[1:] == ["t…", "t…", "a…"]


def test_a_number_looks_here_as_python_writes_it(run_js):
    rng = np.random.default_rng(0)
    some = rng.normal(size=300) * 10.0 ** rng.integers(-9, 6, size=300)
    values = [*some.tolist(), 0.0, 1e-6, 9.999e-7, -1e-6, 0.1, 100.0, 123456.0, 0.00099999, 1e-300]
    found = run_js(["shared/format.js"], "given.map(formatNumber)", values)
    assert found == [number(value) for value in values]
