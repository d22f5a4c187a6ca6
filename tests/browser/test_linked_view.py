"""The linked view in a real browser: clicking, dragging, drawing around, keys, zoom."""

import math
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from stiknn_view.assets import code_payload, plotly_payload
from tests.browser.driver import View

APP = "tests/browser/apps/linked_view_app.py"
N = 60
KINDS = 3  # point i is of kind i % 3


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
    """Point at each place of the class order: class, then x, then y."""
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


def test_a_block_on_the_diagonal_marks_a_point_once(view):
    marks = """color => {
        const canvas = document.querySelectorAll('.stiknn-panel-scatter .stiknn-layer')[1];
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let found = 0;
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200 && color.every((part, k) => Math.abs(data[i + k] - part) < 12))
                found++;
        return found;
    }"""
    of_columns = [0x63, 0x6A, 0x78]
    view.click_cell(row=5, col=5)
    view.expect_lit(20, 20, "block")
    expect(view.page.locator(".stiknn-status .stiknn-symbol")).to_have_count(1)
    once = view.page.evaluate(marks, of_columns)

    view.click_cell(row=5, col=25)
    view.in_python(cols=of_kind(1))
    expect(view.page.locator(".stiknn-status .stiknn-symbol")).to_have_count(2)
    assert view.page.evaluate(marks, of_columns) > 100 + 5 * once


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
    view.in_python(rows=[], origin="clear")
    view.expect_lit(0, 0, "clear")


def test_selection_and_zoom_survive_reruns_and_page_switches(view, wait_for_view):
    view.click_cell(row=5, col=25)
    runs = view.in_python(origin="block")["runs"]
    view.page.get_by_role("button", name="Zoom into the matrix").click()
    view.expect_range(15, 45)
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


def test_dragging_zooms_into_a_rectangle_and_then_moves_and_the_box_stays(view):
    page = view.page
    before = page.get_by_test_id("matrix").bounding_box()
    status = page.locator(".stiknn-status")
    expect(status).to_contain_text("Click a block")
    page.get_by_role("button", name="Zoom: Dragging zooms into").click()
    expect(status).to_contain_text("Drag a rectangle to zoom into it")
    view.drag([view.spot("matrix", 20, 24), view.spot("matrix", 40, 38)])
    view.expect_range(20, 40, within=0.3)
    expect(status).to_contain_text("Drag to move")
    view.expect_lit(0, 0, "none")

    left, right = view.range()
    view.drag([view.spot("matrix", 30, 30), view.spot("matrix", 32, 30)])
    view.expect_range(left - 2, right - 2, within=0.2)
    for _ in range(5):  # the drag has given the plot the focus
        page.mouse.wheel(0, -200)
    view.expect_width(6)  # no further in: ten times
    for _ in range(12):
        page.mouse.wheel(0, 300)
    view.expect_range(0, N)
    assert page.get_by_test_id("matrix").bounding_box() == before

    view.drag([view.spot("scatter", *corner) for corner in ((-1.0, -1.0), (1.0, 1.0))])
    view.expect_width(2, "scatter", within=0.1)
    page.get_by_role("button", name="Reset: Show the whole scatter").click()
    expect(status).to_contain_text("Drag a rectangle to zoom into it")


def test_the_wheel_alone_leaves_the_plots_as_they_are(view):
    page = view.page
    page.mouse.move(*view.spot("matrix", 30, 30))
    page.mouse.wheel(0, -200)
    page.get_by_role("button", name="Zoom: Dragging zooms into").click()
    page.mouse.move(*view.spot("matrix", 30, 30))
    page.mouse.wheel(0, -200)
    page.evaluate("() => new Promise(done => setTimeout(done, 300))")
    assert view.range() == [0, N]
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=matrix]').layout.xaxis.range[0] > 1"
    )


def test_hover_names_block_and_pair(view):
    order = sorted_places(view)
    tip = view.page.locator(".stiknn-tip")
    view.page.mouse.move(*view.spot("matrix", 25.5, 5.5))
    expect(tip).to_contain_text("class kind 0 × class kind 1")
    expect(tip).to_contain_text(re.compile(r"20 × 20 points, mean interaction 0\.00000\d+"))

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
    view.expect_range(15, 45)
    view.page.keyboard.press("0")
    view.expect_range(0, N)
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
    assert first > len(code_payload()) + len(plotly_payload()) + n * (n - 1), (
        "the sizes below would prove nothing"
    )

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
    with view.page.expect_download() as waiting:
        view.page.get_by_role("button", name="Download both plots").click()

    data = Path(waiting.value.path()).read_bytes()

    assert waiting.value.suggested_filename == "made-up-0-STII-class.png"
    assert data.startswith(b"\x89PNG")
    width = int.from_bytes(data[16:20])
    one_plot = view.page.get_by_test_id("matrix").bounding_box()["width"]
    assert width > 2 * 2 * one_plot
    pixels = np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(int)
    matrix, scatter = pixels[:, : width // 2], pixels[:, width // 2 :]
    assert ((matrix - [255, 255, 255]).any(axis=2)).mean() > 0.4, "the matrix is not in it"
    dot = 4 * math.pi * 4.6**2  # pixels, at twice the size
    for color in ([0x18, 0x75, 0x65], [0xB9, 0x60, 0xFE], [0x9B, 0x94, 0x19]):
        drawn = (np.abs(scatter - color).max(axis=2) < 12).sum()
        assert 0.5 * dot * N / KINDS < drawn < 3 * dot * N / KINDS, "the dots are not in it"
