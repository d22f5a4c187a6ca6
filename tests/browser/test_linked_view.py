"""The linked view in a real browser: clicking, dragging, drawing around, keys, zoom."""

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from stiknn_ui.linked_view.assets import code_payload

APP = "tests/browser/apps/linked_view_app.py"
FRONTEND = Path("stiknn_ui/linked_view/frontend")
N = 60
KINDS = 3  # point i is of kind i % 3


class View:
    """The view on a page, addressed in places of the order and data coordinates."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.root = page.get_by_test_id("linked-view")

    def spot(self, plot: str, x: float, y: float) -> tuple[float, float]:
        """Pixels of a place in a plot, by Plotly's own axes."""
        box = self.page.get_by_test_id(plot).bounding_box()
        inside = self.page.get_by_test_id(plot).evaluate(
            """(graph, [x, y]) => {
                const { xaxis, yaxis } = graph._fullLayout;
                return [xaxis._offset + xaxis.l2p(x), yaxis._offset + yaxis.l2p(y)];
            }""",
            [x, y],
        )
        return box["x"] + inside[0], box["y"] + inside[1]

    def click_cell(self, row: float, col: float, **options: Any) -> None:
        self.page.mouse.click(*self.spot("matrix", col + 0.5, row + 0.5), **options)

    def drag(self, path: list[tuple[float, float]]) -> None:
        self.page.mouse.move(*path[0])
        self.page.mouse.down()
        for point in path[1:]:
            self.page.mouse.move(*point, steps=4)
        self.page.mouse.up()

    def points(self) -> np.ndarray:
        """(n, 2) coordinates of all points as they are drawn."""
        x, y = self.page.get_by_test_id("scatter").evaluate(
            "graph => [Array.from(graph.data[0].x), Array.from(graph.data[0].y)]"
        )
        return np.c_[x, y]

    def range(self, plot: str = "matrix") -> list[float]:
        return self.page.get_by_test_id(plot).evaluate("graph => graph.layout.xaxis.range")

    def expect_lit(self, rows: int, cols: int, origin: str) -> None:
        expect(self.root).to_have_attribute("data-selection", origin)
        expect(self.root).to_have_attribute("data-selected-rows", str(rows))
        expect(self.root).to_have_attribute("data-selected-cols", str(cols))

    def in_python(self, **expected: Any) -> dict[str, Any]:
        """What Python holds, once it holds the expected parts."""
        parts = [re.escape(json.dumps({key: value})[1:-1]) for key, value in expected.items()]
        pattern = re.compile("".join(f"(?=.*{part})" for part in parts))
        line = self.page.get_by_text("python: ")
        expect(line).to_have_text(pattern)
        return json.loads(line.inner_text().removeprefix("python: "))


@pytest.fixture
def view(page, open_app, wait_for_view):
    page.goto(f"{open_app(APP)}/?n={N}&classes={KINDS}")
    wait_for_view()
    return View(page)


def of_kind(kind: int) -> list[int]:
    return list(range(kind, N, KINDS))


def test_click_on_a_block_lights_exactly_its_points(view):
    view.click_cell(row=5, col=25)

    view.expect_lit(20, 20, "block")
    view.in_python(rows=of_kind(0), cols=of_kind(1), origin="block")


def test_same_points_stay_selected_in_another_order(view):
    view.click_cell(row=5, col=45)
    view.in_python(rows=of_kind(0), cols=of_kind(2))

    view.page.get_by_role("combobox", name="order").click()
    view.page.get_by_role("option", name="value").click()

    expect(view.root).to_have_attribute("data-order", "value")
    view.expect_lit(20, 20, "block")
    view.in_python(rows=of_kind(0), cols=of_kind(2), origin="block")


def test_drag_selects_the_rectangle_in_any_direction(view):
    order = sorted_places(view)

    view.drag([view.spot("matrix", 14.5, 5.5), view.spot("matrix", 10.5, 2.5)])

    view.expect_lit(4, 5, "drag")
    view.in_python(rows=sorted(order[2:6]), cols=sorted(order[10:15]))


def sorted_places(view: View) -> list[int]:
    """Point at each place of the class order: class, then x1, then x2."""
    xy = view.points()
    return sorted(range(N), key=lambda i: (i % KINDS, xy[i, 0], xy[i, 1]))


def test_pair_by_alt_and_by_zooming_in(view):
    order = sorted_places(view)
    view.page.keyboard.down("Alt")
    view.click_cell(row=3, col=12)
    view.page.keyboard.up("Alt")
    view.expect_lit(1, 1, "pair")
    view.in_python(rows=[order[3]], cols=[order[12]])

    view.page.get_by_role("button", name="Zoom into the matrix").click()
    expect(view.page.get_by_test_id("matrix").locator(".xtick").first).to_contain_text("P0")
    assert view.range() == [15, 45]
    view.click_cell(row=20, col=41)
    view.in_python(rows=[order[20]], cols=[order[41]], origin="pair")


def test_lasso_and_box_select_exactly_the_points_inside(view):
    xy = view.points()
    low, high = np.quantile(xy, 0.3, axis=0), np.quantile(xy, 0.7, axis=0)
    inside = np.flatnonzero(((xy > low) & (xy < high)).all(axis=1)).tolist()
    assert 3 < len(inside) < N - 3
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    path = [view.spot("scatter", *corner) for corner in corners]

    view.drag(path)
    view.expect_lit(len(inside), len(inside), "scatter")
    view.in_python(rows=inside, cols=inside)

    view.page.keyboard.press("Escape")
    view.expect_lit(0, 0, "clear")
    view.page.get_by_role("button", name=re.compile("draws a box")).click()
    view.drag([path[2], path[0]])
    view.expect_lit(len(inside), len(inside), "scatter")


def test_lasso_follows_a_curve(view):
    xy = view.points()
    middle = xy[0]
    near = np.hypot(*(xy - middle).T)
    radius = np.sort(near)[6:8].mean()
    circle = [
        view.spot("scatter", middle[0] + radius * math.cos(a), middle[1] + radius * math.sin(a))
        for a in np.linspace(0, 2 * math.pi, 60)
    ]

    view.drag(circle)

    view.in_python(rows=np.flatnonzero(near < radius).tolist())


def test_click_on_a_point_and_shift_click_on_another(view):
    xy = view.points()
    apart = int(np.argmax(np.hypot(*(xy - xy[0]).T)))

    view.page.mouse.click(*view.spot("scatter", *xy[apart]))
    view.in_python(rows=[apart], cols=[apart], origin="scatter")

    far = int(np.argmax(np.hypot(*(xy - xy[apart]).T)))
    view.page.keyboard.down("Shift")
    view.page.mouse.click(*view.spot("scatter", *xy[far]))
    view.page.keyboard.up("Shift")
    view.in_python(rows=sorted([apart, far]))


def test_clearing_and_undo(view):
    view.click_cell(row=5, col=25)
    view.in_python(origin="block")
    view.page.keyboard.press("Escape")
    view.expect_lit(0, 0, "clear")
    view.in_python(rows=[], origin="clear")

    view.page.keyboard.press("Control+z")
    view.expect_lit(20, 20, "block")
    view.in_python(rows=of_kind(0), origin="block")

    view.page.mouse.dblclick(*view.spot("matrix", 45, 25))
    view.page.wait_for_timeout(600)
    view.expect_lit(0, 0, "clear")
    view.in_python(rows=[], origin="clear")


def test_selection_and_zoom_survive_reruns_and_page_switches(view, wait_for_view):
    view.click_cell(row=5, col=25)
    runs = view.in_python(origin="block")["runs"]
    view.page.get_by_role("button", name="Zoom into the matrix").click()
    view.page.wait_for_timeout(400)
    view.root.evaluate("root => (root.sameAsBefore = true)")
    zoomed = view.range()

    view.page.get_by_role("button", name="rerun").click()
    view.in_python(runs=runs + 1)
    assert view.range() == zoomed
    assert view.root.evaluate("root => root.sameAsBefore"), "the view was built anew"

    view.page.get_by_text("other", exact=True).click()
    expect(view.root).to_have_count(0)
    view.page.get_by_text("view", exact=True).click()
    wait_for_view()
    view.expect_lit(20, 20, "block")
    assert view.range() == zoomed

    view.page.get_by_role("spinbutton", name="seed").fill("1")
    view.page.keyboard.press("Enter")
    view.in_python(rows=[], origin="none")
    view.expect_lit(0, 0, "none")
    assert view.range() == [0, N]


def test_choice_made_in_python_is_shown_and_not_overruled_by_an_old_click(view):
    view.click_cell(row=5, col=25)
    view.in_python(origin="block")

    view.page.get_by_role("button", name="pick 3 and 5").click()

    view.expect_lit(2, 2, "table")
    view.page.get_by_role("button", name="rerun").click()
    view.in_python(rows=[3, 5], cols=[3, 5], origin="table")
    view.click_cell(row=5, col=45)
    view.in_python(cols=of_kind(2), origin="block")


def test_wheel_and_drag_move_in_zoom_mode_and_the_box_stays(view):
    page = view.page
    before = page.get_by_test_id("matrix").bounding_box()
    page.get_by_role("button", name="Dragging moves the plot").click()
    page.mouse.move(*view.spot("matrix", 30, 30))
    for _ in range(5):
        page.mouse.wheel(0, -200)
    page.wait_for_timeout(500)
    left, right = view.range()
    assert right - left < 0.5 * N

    view.drag([view.spot("matrix", 30, 30), view.spot("matrix", 32, 30)])
    page.wait_for_timeout(500)
    assert view.range()[0] == pytest.approx(left - 2, abs=0.2)
    for _ in range(12):
        page.mouse.wheel(0, 300)
    page.wait_for_timeout(500)
    assert view.range() == pytest.approx([0, N], abs=1e-6)
    assert page.get_by_test_id("matrix").bounding_box() == before


def test_hover_names_block_and_pair(view):
    order = sorted_places(view)
    tip = view.page.locator(".stiknn-tip")
    view.page.mouse.move(*view.spot("matrix", 25.5, 5.5))
    expect(tip).to_contain_text("class kind 0 × class kind 1")
    expect(tip).to_contain_text(re.compile(r"20 × 20 points, mean interaction \d\.\de-6"))

    view.page.keyboard.down("Alt")
    view.page.mouse.move(*view.spot("matrix", 25.6, 5.6))
    view.page.keyboard.up("Alt")
    expect(tip).to_contain_text(f"P{order[5]:03d} (kind 0) × P{order[25]:03d} (kind 1)")


def test_keys_move_select_zoom_and_clear(view):
    view.page.get_by_role("application", name=re.compile("^Matrix of STII")).focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowRight"):  # the first only shows the cursor
        view.page.keyboard.press(key)
    view.page.keyboard.press("Enter")
    view.in_python(rows=of_kind(0), cols=of_kind(2), origin="block")

    view.page.keyboard.press("+")
    view.page.wait_for_timeout(400)
    assert view.range() == [15, 45]
    view.page.keyboard.press("0")
    view.page.wait_for_timeout(400)
    assert view.range() == [0, N]
    view.page.keyboard.press("Escape")
    view.expect_lit(0, 0, "clear")

    view.page.get_by_role("application", name=re.compile("^Scatter of 60 points")).focus()
    view.page.keyboard.press("ArrowRight")
    view.page.keyboard.press("Enter")
    view.in_python(rows=[int(np.argmin(view.points()[:, 0]))], origin="scatter")


def test_click_sends_neither_the_matrix_nor_the_code_again(page, open_app, wait_for_view):
    received: list[int] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))),
    )
    n = 600
    page.goto(f"{open_app(APP)}/?n={n}&classes={KINDS}")
    wait_for_view()
    view = View(page)
    first = sum(received)
    assert first > len(code_payload()) + n * (n - 1), "the sizes below would prove nothing"

    received.clear()
    for place in (250, 450, 50):
        view.click_cell(row=50, col=place)
        view.in_python(cols=list(range(place // 200, n, KINDS)))
    page.get_by_role("button", name="rerun").click()
    view.in_python(runs=5)

    assert max(received) < 20_000
    assert sum(received) < 100_000


def test_names_that_look_like_markup_stay_text(page, open_app, wait_for_view):
    page.goto(f"{open_app(APP)}/?n=30&classes=2&names=html")
    wait_for_view()
    view = View(page)
    view.click_cell(row=20, col=5)
    page.mouse.move(*view.spot("matrix", 5.5, 5.5))

    markup = "<b>bold</b><img src=x onerror=alert(1)> & more"
    expect(page.locator(".stiknn-class").first).to_have_text(markup)
    expect(page.locator(".stiknn-tip")).to_contain_text(markup)
    expect(page.get_by_test_id("scatter").locator(".xtitle")).to_have_text("x1 <u>")
    expect(page.get_by_test_id("scatter").locator(".ytitle")).to_have_text("x2 & y")
    page.get_by_role("button", name="Zoom into the matrix").click()
    expect(page.get_by_test_id("matrix").locator(".xaxislayer-above")).to_contain_text("P0")
    assert view.root.locator("img, b, i, u").count() == 0


def test_follows_the_theme_without_being_built_anew(view):
    view.click_cell(row=5, col=25)
    view.in_python(origin="block")
    view.root.evaluate("root => (root.sameAsBefore = true)")
    assert "stiknn-dark" not in view.root.get_attribute("class")

    view.page.emulate_media(color_scheme="dark")

    expect(view.root).to_have_class(re.compile("stiknn-dark"))
    assert view.root.evaluate("root => root.sameAsBefore"), "the view was built anew"
    view.expect_lit(20, 20, "block")


def test_download_is_one_picture_of_both_plots(view):
    view.click_cell(row=5, col=25)
    with view.page.expect_download() as waiting:
        view.page.get_by_role("button", name="Download both plots").click()

    data = Path(waiting.value.path()).read_bytes()

    assert waiting.value.suggested_filename == "made-up-0-STII-class.png"
    assert data.startswith(b"\x89PNG")
    width = int.from_bytes(data[16:20])
    one_plot = view.page.get_by_test_id("matrix").bounding_box()["width"]
    assert width > 2 * 2 * one_plot


class TestPhone:
    """A narrow screen that is touched."""

    @pytest.fixture
    def context_options(self):
        return {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def test_fits_taps_and_scrolls(self, view):
        page = view.page
        matrix = page.get_by_test_id("matrix").bounding_box()
        scatter = page.get_by_test_id("scatter").bounding_box()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert matrix["x"] >= 0
        assert matrix["x"] + matrix["width"] <= 390
        assert scatter["y"] > matrix["y"] + matrix["height"], "plots stand side by side"

        page.touchscreen.tap(*view.spot("matrix", 25.5, 5.5))
        view.expect_lit(20, 20, "block")

        self.swipe(page, view.spot("matrix", 30, 40), 0, -250)
        after = page.get_by_test_id("matrix").bounding_box()
        assert after["y"] < matrix["y"] - 150, "a finger on the plot does not scroll the page"
        view.expect_lit(20, 20, "block")

    def test_swipe_to_the_side_selects(self, view):
        self.swipe(view.page, view.spot("matrix", 10.5, 10.5), 120, 40)

        expect(view.root).to_have_attribute("data-selection", "drag")
        view.in_python(origin="drag")

    @staticmethod
    def swipe(page, start, dx, dy):
        session = page.context.new_cdp_session(page)

        def touch(kind, part=None):
            points = [] if part is None else [(start[0] + part * dx, start[1] + part * dy)]
            spots = [{"x": x, "y": y} for x, y in points]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})
            page.wait_for_timeout(20)

        touch("touchStart", 0)
        for step in range(1, 13):
            touch("touchMove", step / 12)
        touch("touchEnd")
        page.wait_for_timeout(500)


@pytest.fixture
def run_js(page):
    """Return a function that runs an expression with some of the view's own modules."""
    hub = "const hub = { zooms: new Map() };"

    def run(modules: list[str], expression: str, argument: Any = None) -> Any:
        code = "\n".join((FRONTEND / name).read_text() for name in modules)
        return page.evaluate(f"(given) => {{ {hub} {code}\n return {expression}; }}", argument)

    return run


def test_zero_is_exactly_the_neutral_colour_and_signs_never_mix(run_js):
    for stops in ("DIVERGING_LIGHT", "DIVERGING_DARK"):
        table = run_js(["palette.js"], f"colorTable({stops})")
        steps = run_js(["palette.js"], "[0, 1e-9, -5, 5].map(v => divergingStep(v, 1))")
        zero = table[steps[0]]
        assert max(zero) - min(zero) <= 6, "zero is not grey"
        assert steps == [256, 256, 0, 512]
        below, above = np.array(table[:250]), np.array(table[263:])
        assert (below[:, 2] > below[:, 0]).all(), "a negative value is not blue"
        assert (above[:, 0] > above[:, 2]).all(), "a positive value is not orange"


def test_picture_cells_are_means_without_the_diagonal(run_js):
    n = 1100  # 3 x 3 cells in one
    modules = ["palette.js", "aggregate.js"]
    pixel, blank, factor, size = run_js(
        modules,
        """(() => {
            const n = given;
            const cells = new Int16Array(n * n);
            for (let j = 0; j < n; j++) for (const i of [0, 1, 2]) {
                const code = i === 0 ? 200 : -100;
                if (i !== j) { cells[i * n + j] = code; cells[j * n + i] = code; }
            }
            const content = { n, cells, scale: 1 };
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
            ["payload.js"],
            """(() => {
                const [n, flat, quantile] = given;
                const cells = Int16Array.from(flat);
                const magnitudes = countMagnitudes(cells);
                return colorRange({ n, cells, magnitudes, scale: 1 }, quantile);
            })()""",
            [n, codes.ravel().tolist(), quantile],
        )
        wanted = np.quantile(off, quantile, method="inverted_cdf")
        assert math.sqrt(found) == pytest.approx(wanted)


def test_range_of_an_all_zero_matrix_is_usable(run_js):
    found = run_js(
        ["payload.js"],
        "colorRange({ n: 3, scale: 0, magnitudes: countMagnitudes(new Int16Array(9)) }, 0.98)",
    )
    assert found == 1
