"""Times are promised by what this machine has shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.page.life import UNASKED, Task
from stiknn_ui.work import shelves
from stiknn_ui.work.speed import Speed, speed
from tests.patience import PATIENCE
from tests.ui.waiting import job_of, wait_for_page

APP = Path(__file__).parents[2] / "app.py"


def test_what_took_three_times_as_long_is_promised_so_next_time() -> None:
    found = Speed()
    assert found.expected("matrix", 2.0) == 2.0
    found.learn("matrix", 2.0, 6.0)
    assert found.expected("matrix", 4.0) == pytest.approx(12.0)
    assert found.expected("forest", 4.0) == 4.0


def test_one_bad_moment_is_half_forgotten_and_nothing_is_believed_without_bounds() -> None:
    found = Speed()
    for took in (2.0, 2.0, 8.0):
        found.learn("matrix", 2.0, took)
    assert found.expected("matrix", 1.0) == pytest.approx(2.0)
    found.learn("other", 0.3, 1e6)
    assert found.expected("other", 1.0) == 20.0


def test_moments_teach_nothing() -> None:
    found = Speed()
    found.learn("matrix", 0.001, 2.0)
    found.learn("matrix", 2.0, 0.001)
    assert found.expected("matrix", 1.0) == 1.0


def test_what_ran_on_a_page_is_learnt_from(
    empty_shelves: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[tuple[str, float, float]] = []
    monkeypatch.setattr(Speed, "learn", lambda _, *what: learnt.append(what))
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    at.query_params["n"] = "80"
    wait_for_page(at.switch_page("pages/explore.py").run())
    ((kind, estimated, took),) = [one for one in learnt if one[0].startswith("result")]
    assert kind == "result in features"
    assert 0 < estimated < took < 60


def test_a_slow_machine_asks_before_what_a_quick_one_starts_by_itself(
    empty_shelves: None,
) -> None:
    def task(**more: Any) -> Task[Any]:
        return Task("a slot", "a key", lambda _: None, shelves.derived, "Go", **more)

    assert task(seconds=UNASKED).starts
    assert not task(seconds=UNASKED, due=False).starts
    speed().learn("a slot", 1.0, 2.0)
    assert not task(seconds=UNASKED).starts
    assert task(seconds=UNASKED, alike="another").starts
    assert task(seconds=3.0, needs="20 MB").cost == "about 6 seconds and 20 MB"


def test_a_page_with_more_to_do_than_that_waits_for_its_button(empty_shelves: None) -> None:
    speed().learn("result in features", 1.0, 20.0)
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    at.query_params["n"] = "2500"
    at.switch_page("pages/explore.py").run()
    assert job_of(at) is None
    assert at.button(key="compute").label == "Compute"
