"""What is on screen belongs to what is asked for: every page, every change, while computing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.page.life import Slots
from stiknn_ui.page.runner import ResultDesk, standing
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review.remembered import ReviewDesk
from tests.patience import PATIENCE
from tests.ui.upload_pages import words
from tests.ui.waiting import wait_for_page

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

APP = Path(__file__).parents[2] / "app.py"
PAGES = ("explore", "suspects", "point", "compare", "review")
FRAME = 'data-testid="frame"'
LOST = "n = 60 · noise 0.1"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Return what holds all computations up from then on, until the test is over."""
    go, real = threading.Event(), kept.analyse
    on: list[bool] = []

    def slow(dataset: Any, data: Any, compute: Any, progress: Any, keep: Any) -> Any:
        while on and not go.wait(0.01):
            progress(1, 2)
        return real(dataset, data, compute, progress, keep)

    monkeypatch.setattr(kept, "analyse", slow)
    yield lambda: on.append(True)
    go.set()


def visit(page: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    at.query_params["n"] = "60"
    return healthy(wait_for_page(at.switch_page(f"pages/{page}.py").run()))


def healthy(at: AppTest) -> AppTest:
    assert not at.exception
    assert not at.error
    return at


def session(at: AppTest) -> Any:
    return at.session_state["stiknn"]


def frames(at: AppTest) -> int:
    return sum(FRAME in one.proto.body for one in at.get("html"))


def views(at: AppTest) -> int:
    """Count pictures of results on the page."""
    return sum(
        "linked_view" in str(one.proto) or "_view" in str(one.proto)
        for one in at.get("bidi_component")
    )


def open_data_of_other_points(at: AppTest, page: str) -> None:
    at.switch_page("pages/data.py").run()
    at.number_input(key="data.n").set_value(70).run()
    at.switch_page(f"pages/{page}.py").run()


def change_noise(at: AppTest, page: str) -> None:
    at.switch_page("pages/data.py").run()
    at.slider(key="data.noise").set_value(0.3).run()
    at.switch_page(f"pages/{page}.py").run()


def upload_a_file(at: AppTest, page: str) -> None:
    at.switch_page("pages/data.py").run()
    at.segmented_control(key="data-source").set_value("upload").run()
    rows = "\n".join(f"{i % 7},{i % 5},{'yes' if i % 3 else 'no'}" for i in range(40))
    at.file_uploader[0].upload("mine.csv", f"a,b,kind\n{rows}".encode(), "text/csv").run()
    at.switch_page(f"pages/{page}.py").run()


OTHER_DATA = (open_data_of_other_points, change_noise, upload_a_file)


def more_neighbours(at: AppTest) -> None:
    at.number_input(key="compute.k").set_value(6).run()


def another_index(at: AppTest) -> None:
    at.selectbox(key="compute.index").set_value("BII").run()


def another_space(at: AppTest) -> None:
    at.selectbox(key="compute.space").set_value("forest").run()


def held_out(at: AppTest) -> None:
    at.selectbox(key="compute.evaluation").set_value("hold-out").run()


OTHER_SETTINGS = (more_neighbours, another_index, another_space, held_out)


@pytest.mark.parametrize("change", OTHER_DATA, ids=lambda one: one.__name__)
@pytest.mark.parametrize("page", PAGES)
def test_nothing_of_other_data_is_shown_or_can_be_decided(
    page: str, change: Callable[[AppTest, str], None], held: Callable[[], None]
) -> None:
    at = visit(page)
    assert frames(at) == 0
    held()
    change(at, page)
    healthy(at)
    assert LOST not in words(at)
    assert not at.metric
    assert not at.dataframe
    assert not at.get("download_button")
    assert not at.get("plotly_chart")
    assert not views(at)
    assert not {"accept", "keep", "remove", "bulk", "look-closely"} & {one.key for one in at.button}
    assert frames(at) == 1
    assert at.get("progress"), "what is being done is said"
    assert not session(at).desk(ReviewDesk).seen.steps


@pytest.mark.parametrize(
    ("page", "change"),
    [
        (page, change)
        for page in PAGES
        for change in OTHER_SETTINGS
        # The bars of Compare have the others under names of their own.
        if page != "compare" or change in (more_neighbours, another_index)
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_of_the_same_data_the_old_picture_stays_and_is_marked(
    page: str, change: Callable[[AppTest], None], held: Callable[[], None]
) -> None:
    at = visit(page)
    held()
    change(at)
    healthy(at)
    assert at.get("progress")
    assert not {"accept", "keep", "remove", "bulk"} & {one.key for one in at.button}
    if page == "review":
        assert frames(at) == 1
        assert not at.get("plotly_chart")
        assert "Out of date" not in words(at)
        return
    assert frames(at) == 0
    assert "Out of date: the picture below still shows" in words(at)
    assert views(at) or page == "compare"
    if page in ("explore", "suspects"):
        assert not at.get("download_button")


def test_what_was_asked_for_takes_the_place_of_the_frame(held: Callable[[], None]) -> None:
    at = visit("suspects")
    open_data_of_other_points(at, "suspects")
    healthy(wait_for_page(at))
    assert frames(at) == 0
    assert session(at).desk(ResultDesk).shown.n == 70
    assert at.dataframe
    assert not session(at).desk(Slots)["compute"].job


def test_a_result_stands_to_what_is_asked_for_in_one_of_three_ways(flipped: Analysis) -> None:
    data, compute = flipped.data, flipped.compute
    assert standing(flipped, data, compute) == "asked for"
    assert standing(flipped, data, replace(compute, k=6)) == "of these data"
    assert standing(flipped, replace(data, seed=1), compute) == "of other data"
    assert standing(None, data, compute) == "of other data"
