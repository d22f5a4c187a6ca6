"""Sets from OpenML, planes, copies and the file of the data, in a real browser."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from stiknn_core.tables import read_table
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.results.sources import build
from tests.browser.driver import View, choose, open_settings, settled
from tests.core.openml_home import write_home

Wait = Callable[..., Locator]
HEAD = "@relation credit\n@attribute length numeric\n@attribute class {'0','1'}\n@data\n"


@pytest.fixture(scope="module")
def address(
    open_app: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A server of our own, whose cache of OpenML holds one set and which reaches no other."""
    home = tmp_path_factory.mktemp("openml")
    write_home(home, 31, HEAD + "".join(f"{row},'{row % 2}'\n" for row in range(60)))
    # The proxy answers nobody, so that no test depends on a network or asks for one.
    changed = {"SCIKIT_LEARN_DATA": str(home), "https_proxy": "http://127.0.0.1:9"}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        # The option only makes the server another one than that of the other tests.
        yield open_app("app.py", server_maxUploadSize="201")
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def test_openml_is_asked_by_a_button_and_the_data_from_before_stay(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/data")
    page.get_by_text("Paper's data sets", exact=True).click()
    expect(page.get_by_text("601 rows, 6 features")).to_be_visible()
    choose(page, "Data set", "Transfusion")
    expect(page.get_by_text("Blood donors")).to_be_visible()
    expect(page.get_by_text("601 rows, 6 features")).to_be_visible()
    page.get_by_role("button", name="Fetch from OpenML").click()
    expect(page.get_by_text("1464 is not in the cache and there is no network")).to_be_visible()
    expect(page.get_by_text("601 rows, 6 features")).to_be_visible()
    choose(page, "Data set", "CreditCard")
    expect(page.get_by_text("German credit applications")).to_be_visible()
    page.get_by_role("button", name="Fetch from OpenML").click()
    expect(page.get_by_text("60 rows, 1 feature")).to_be_visible()
    expect(page).to_have_url(re.compile("dataset=credit_card"))


def test_another_plane_moves_the_points_and_keeps_what_is_selected(
    page: Page, address: str, wait_for_view: Wait
) -> None:
    page.goto(f"{address}/explore?dataset=wine&flip=0&scaling=standard&k=4")
    root = wait_for_view()
    view = View(page)
    view.click_cell(20, 100)
    expect(root).to_have_attribute("data-selection", "block")
    lit = [root.get_attribute(f"data-selected-{side}") for side in ("rows", "cols")]
    assert lit == ["59", "71"]
    before = view.points()
    title = page.get_by_test_id("scatter").locator(".xtitle")
    expect(title).to_have_text("PC1 (36% of variance)")
    open_settings(page)
    choose(page, "Plane", "t-SNE")
    expect(title).to_have_text("t-SNE 1")
    assert not (view.points() == before).all()
    for side, count in zip(("rows", "cols"), lit, strict=True):
        expect(root).to_have_attribute(f"data-selected-{side}", str(count))
    choose(page, "Plane", "Two columns")
    expect(title).to_have_text("alcohol")
    expect(root).to_have_attribute("data-selected-rows", "59")
    expect(page.get_by_text("Out of date")).to_have_count(0)
    expect(page).to_have_url(re.compile("plane=columns"))


def test_ticked_copies_are_ringed_and_the_file_loads_back(page: Page, address: str) -> None:
    page.goto(f"{address}/data?dataset=iris&flip=0.2&copies=0.1&seed=3")
    expect(page.get_by_text("of identical rows")).to_be_visible()
    table = page.locator(".st-key-duplicates").get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 18, box["y"] + 53)
    expect(page.locator(".legendtext", has_text="chosen rows")).to_be_visible()
    settled(page)  # the ring shows before the run ends that draws the button anew
    with page.expect_download() as event:
        page.get_by_role("button", name="Data (CSV)").click()
    back = read_table(Path(event.value.path()).read_bytes()).to_dataset()
    spec = DataSpec(source="bundled", name="iris", flip=0.2, copies=0.1, seed=3)
    made = build(spec)
    assert event.value.suggested_filename == "data_iris_seed=3_flip=0.2_copies=0.1.csv"
    assert back.X.tolist() == made.X.tolist()
    assert back.y.tolist() == made.y.tolist()
    assert back.flipped.tolist() == made.flipped.tolist()
