"""The one life of everything that is computed, on a page of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.errors import ParameterError
from stiknn_ui.page.life import Slots
from stiknn_ui.work import shelves
from stiknn_ui.work.progress import Progress
from tests.patience import PATIENCE
from tests.ui.waiting import job_of, wait_for

JOB = "stiknn-job"
PAGE = """
import streamlit as st
from tests.ui import test_life
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.work import shelves

number = st.number_input("number", value=1, key="number")
found = life.obtain(
    Task("thing", f"thing {number}", test_life.make, shelves.derived, "Make it", 5.0,
         due=st.checkbox("due", key="due"), wait=0.0, name="Thing")
)
if found is not None:
    st.markdown(f"made {found}")
"""

go_on = threading.Event()
fault: list[Exception] = []
made: list[int] = []


def make(progress: Progress) -> int:
    """Count up; wait until it may go on, and fail if it is to."""
    while not go_on.wait(0.01):
        progress(1, 4)
    progress(4, 4)  # who was stopped ends here
    if fault:
        raise fault[0]
    made.append(len(made) + 1)
    return made[-1]


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    shelves.clear()
    go_on.clear()
    fault.clear()
    made.clear()
    yield
    go_on.set()
    for thread in threading.enumerate():
        if thread.name == JOB:
            thread.join(PATIENCE)
    shelves.clear()


def page() -> AppTest:
    return AppTest.from_string(PAGE, default_timeout=PATIENCE).run()


def words(at: AppTest) -> str:
    assert not at.exception
    return " ".join(one.value for one in at.markdown).replace("\\", "")


def pressed(at: AppTest) -> AppTest:
    return at.button(key="thing").click().run()


def finished(at: AppTest) -> AppTest:
    go_on.set()
    return wait_for(at, job_of(at, "thing"))


def test_it_waits_for_its_button_and_shows_how_far_it_is() -> None:
    at = page()
    assert "Thing: It will take about 5 seconds." in words(at)
    assert not at.get("progress")
    pressed(at)
    (progress,) = at.get("progress")
    assert progress.proto.text.startswith("Thing")
    assert at.button(key="thing-stop").label == "Stop"
    assert words(finished(at)) == "made 1"
    assert not at.button


def test_what_is_due_starts_by_itself_once_and_stays_stopped() -> None:
    at = page()
    at.checkbox(key="due").check().run()
    assert at.get("progress")
    at.button(key="thing-stop").click().run()
    assert "Thing: Stopped. It will take about 5 seconds." in words(at)
    assert "Stopped." in words(at.run()), "only its button starts it again"
    go_on.set()
    assert "made 1" in words(finished(pressed(at)))


def test_a_failure_is_one_sentence_and_can_be_tried_again() -> None:
    fault.append(ParameterError("k must be at least 1; got 0."))
    at = finished(pressed(page()))
    assert [one.value for one in at.error] == ["k must be at least 1; got 0\\."]
    fault[0] = RuntimeError("secret")
    at = finished(pressed(at))
    assert "unexpected" in at.error[0].value
    assert "secret" not in str(at.error)
    fault.clear()
    assert words(finished(pressed(at))) == "made 1"


@pytest.mark.slow
def test_another_wish_stops_the_one_before_and_forgets_no_result() -> None:
    at = pressed(page())
    first = job_of(at, "thing")
    at.number_input(key="number").set_value(2).run()
    assert first is not None
    assert first.state == "stopped"
    assert "It will take" in words(at)
    assert words(finished(pressed(at))) == "made 1"
    assert at.session_state["stiknn"].desk(Slots).jobs == [], "a job holds on to its result"
    assert words(page_of(2)) == "made 1", "what one has waited for is there for the next"


def page_of(number: int) -> AppTest:
    return page().number_input(key="number").set_value(number).run()


def test_whoever_was_put_out_is_back_in_line_without_a_press() -> None:
    at = pressed(page())
    job = job_of(at, "thing")
    assert job is not None
    job.computation.stop(put_out=True)
    assert job.wait(PATIENCE)
    at.run()
    assert at.get("progress")
    assert words(finished(at)) == "made 1"
