"""The linked view where the rows are blocks of points, in a real browser."""

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from tests.browser.apps.made_up_blocks import made_up_blocks
from tests.browser.driver import View

APP = "tests/browser/apps/linked_view_app.py"
N = 60
KINDS = 3  # block u is of kind u % 3
POINTS = 20_000
DOTS = 6_000  # so many that they are drawn without Plotly; dot d is of block d % N

INKED = """() => {
    const canvas = document.querySelector('.stiknn-panel-scatter .stiknn-layer');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}"""


GIVEN = made_up_blocks(N, KINDS, 0, POINTS, DOTS)
SIZES = GIVEN["sizes"]


def points_in(units: list[int]) -> str:
    return f"{sum(SIZES[units]):,} points"


def test_blocks_are_selected_lit_zoomed_and_named(page, open_app, wait_for_view):
    page.goto(f"{open_app(APP)}/?kind=blocks&n={N}&classes={KINDS}&points={POINTS}&dots={DOTS}")
    wait_for_view()
    view = View(page)
    status, tip = page.locator(".stiknn-status"), page.locator(".stiknn-tip")
    kinds = [list(range(kind, N, KINDS)) for kind in range(KINDS)]
    for name, value in {"kind": "blocks", "units": N, "dots": DOTS}.items():
        expect(view.root).to_have_attribute(f"data-{name}", str(value))
    expect(page.locator(".stiknn-panel-scatter .stiknn-title")).to_have_text(
        "Points · 6,000 of 20,000 drawn"
    )
    label = re.compile(r"^Matrix of mean STII interactions between 60 blocks of 20,000 points in 3")
    expect(page.get_by_role("application", name=label)).to_be_visible()
    assert page.evaluate(INKED) > 5_000, "the dots are not drawn"

    view.click_cell(row=5, col=25)
    view.expect_lit(20, 20, "block")
    expect(status).to_contain_text(f"rows: 20 blocks, {points_in(kinds[0])}")
    expect(status).to_contain_text(f"columns: 20 blocks, {points_in(kinds[1])}")
    expect(tip).to_contain_text("class kind 0 × class kind 1")
    view.in_python(rows=kinds[0], cols=kinds[1], origin="block")

    page.get_by_role("button", name="kind 1: Select all").click()
    view.in_python(rows=kinds[1], cols=kinds[1], origin="scatter")
    low, high = (-3.0, 1.0), (-1.0, 4.0)
    inside = ((GIVEN["dot_xy"] > low) & (GIVEN["dot_xy"] < high)).all(axis=1)
    share = np.bincount(GIVEN["dot_units"], inside, N) * N / DOTS
    taken = np.flatnonzero(share >= 0.5).tolist()
    assert 3 < len(taken) < np.count_nonzero(share), "half inside makes no difference here"
    corners = [low, (high[0], low[1]), high, (low[0], high[1])]
    view.drag([view.spot("scatter", *corner) for corner in corners])
    view.in_python(rows=taken, cols=taken, origin="scatter")
    expect(status).to_contain_text(f"{len(taken)} blocks, {points_in(taken)} selected")
    spot = GIVEN["dot_xy"][DOTS - 1]  # of the last block
    page.mouse.click(*view.spot("scatter", *spot))
    view.in_python(rows=[N - 1], cols=[N - 1])
    expect(tip).to_contain_text(f"in kind 2 · {(N - 1) // KINDS}, {points_in([N - 1])}")

    page.keyboard.press("Escape")
    view.expect_lit(0, 0, "clear")
    page.get_by_role("button", name="Zoom into the matrix").click()
    view.expect_range(15, 45)
    view.click_cell(row=30, col=31)
    view.expect_lit(1, 1, "pair")
    chosen = view.in_python(origin="pair")
    (row,), (col,) = chosen["rows"], chosen["cols"]
    assert row % KINDS == col % KINDS == 1
    expect(tip).to_contain_text(f"kind 1 · {row // KINDS} × kind 1 · {col // KINDS}")
    expect(tip).to_contain_text(f"{SIZES[row]:,} × {SIZES[col]:,} points, mean interaction")

    view.root.evaluate("root => (root.sameAsBefore = true)")
    page.emulate_media(color_scheme="dark")
    expect(view.root).to_have_class(re.compile("stiknn-dark"))
    view.expect_lit(1, 1, "pair")
    assert view.root.evaluate("root => root.sameAsBefore"), "the view was built anew"
    assert page.evaluate(INKED) > 5_000
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download both plots").click()
    assert Path(waiting.value.path()).read_bytes().startswith(b"\x89PNG")
