"""Pages while the server is busy: a place in line, a way out, and nothing lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.plane.embedding import embedding_seconds
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.work import shelves
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import LANES, MOST_WAITING
from tests.patience import PATIENCE
from tests.ui.waiting import job_of, wait_for

pytestmark = pytest.mark.slow

APP = Path(__file__).parents[2] / "app.py"


class Crowd:
    """Other visitors, whose computations take as long as it is told."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.jobs: list[Job[int]] = []

    def come(self, count: int, seconds: float = 0.0) -> None:
        queue = shelves.computations()
        for _ in range(count):
            name = f"other {len(self.jobs)}"
            self.jobs.append(queue.submit(Job(name, self._work, name), seconds=seconds))

    def leave(self) -> None:
        self.go.set()
        assert all(job.wait(PATIENCE) for job in self.jobs)

    def _work(self, progress: Progress) -> int:
        while not self.go.wait(0.01):
            progress(1, 2)
        return 1


@pytest.fixture
def crowd(empty_shelves: None) -> Iterator[Crowd]:
    made = Crowd()
    yield made
    made.leave()


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the line at once instead of waiting whether it moves."""
    for name in ("_WAIT", "_WAIT_BLANK"):
        monkeypatch.setattr(f"stiknn_ui.page.runner.{name}", 0.0)


def visit(**params: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in params.items():
        at.query_params[name] = value
    return at.switch_page("pages/explore.py").run()


def session(at: AppTest) -> Any:
    return at.session_state["stiknn"]


def line(at: AppTest) -> str:
    """Return the text beside the progress bar."""
    (progress,) = at.get("progress")
    return str(progress.proto.text)


def test_the_place_in_line_is_shown_and_the_result_comes_when_it_is_its_turn(
    crowd: Crowd, no_patience: None
) -> None:
    crowd.come(LANES[0].slots + 2)
    at = visit(n="60", seed="4")
    assert not at.exception
    assert line(at) == "Waiting, 2 computations before yours"
    assert at.button(key="compute-stop").label == "Stop"
    crowd.jobs[-1].stop()
    assert line(at.run()) == "Waiting, 1 computation before yours"
    crowd.leave()
    assert job_of(at).wait(PATIENCE)
    at.run()
    assert not at.exception
    assert session(at).desk(ResultDesk).shown.n == 60
    assert not at.get("progress")


def test_stop_leaves_the_line_and_what_was_shown_stays(crowd: Crowd, no_patience: None) -> None:
    at = visit(n="60")
    assert job_of(at) is None or job_of(at).wait(PATIENCE)
    before = session(at.run()).desk(ResultDesk).shown
    assert before.n == 60
    crowd.come(LANES[0].slots)
    at.number_input(key="compute.k").set_value(7).run()
    assert line(at) == "Waiting, yours is next"
    assert shelves.computations().waiting == 1
    at.button(key="compute-stop").click().run()
    assert shelves.computations().waiting == 0
    assert not at.exception
    assert "Stopped" in " ".join(one.value for one in at.markdown)
    assert session(at).desk(ResultDesk).shown is before
    crowd.leave()
    at.button(key="compute").click().run()
    assert job_of(at) is None or job_of(at).wait(PATIENCE)
    assert session(at.run()).desk(ResultDesk).shown.compute.k == 7


def test_another_choice_while_waiting_takes_one_place_only(crowd: Crowd, no_patience: None) -> None:
    crowd.come(LANES[0].slots)
    at = visit(n="60")
    for k in (6, 7, 8):
        at.number_input(key="compute.k").set_value(k).run()
    assert shelves.computations().waiting == 1
    assert line(at) == "Waiting, yours is next"


def test_a_full_line_is_one_sentence_and_a_button_to_try_again(
    crowd: Crowd, no_patience: None
) -> None:
    crowd.come(LANES[0].slots + MOST_WAITING)
    at = visit(n="60")
    assert not at.exception
    assert len(at.error) == 1
    assert "try again in a minute" in at.error[0].value
    assert at.button(key="compute").label == "Compute"
    crowd.leave()
    at.button(key="compute").click().run()
    assert job_of(at) is None or job_of(at).wait(PATIENCE)
    assert session(at.run()).desk(ResultDesk).shown.n == 60
    assert not at.error


def test_two_visitors_wait_for_one_computation_and_one_of_them_may_go(
    crowd: Crowd, no_patience: None
) -> None:
    crowd.come(LANES[0].slots)
    one, other = visit(n="60"), visit(n="60")
    assert shelves.computations().waiting == 1
    assert line(one) == line(other) == "Waiting, yours is next"
    one.button(key="compute-stop").click().run()
    assert shelves.computations().waiting == 1
    crowd.leave()
    assert job_of(other).wait(PATIENCE)
    assert session(other.run()).desk(ResultDesk).shown.n == 60


def test_what_was_given_up_starts_again_when_its_visitor_is_back(
    crowd: Crowd, no_patience: None
) -> None:
    crowd.come(LANES[0].slots)
    at = visit(n="60")
    job_of(at).computation.stop(put_out=True)
    at.run()
    assert line(at) == "Waiting, yours is next"
    assert not at.exception


def test_who_goes_back_to_what_is_shown_leaves_the_line(crowd: Crowd, no_patience: None) -> None:
    at = visit(n="60")
    wait_for(at, job_of(at))
    crowd.come(LANES[0].slots)
    at.number_input(key="compute.k").set_value(7).run()
    job = job_of(at)
    assert job is not None
    at.number_input(key="compute.k").set_value(5).run()
    assert job.state == "stopped"
    assert shelves.computations().waiting == 0
    assert not at.get("progress")


def test_a_plane_waits_in_the_same_line(crowd: Crowd) -> None:
    seconds = embedding_seconds(300)
    crowd.come(LANES[1].slots + 1, seconds=seconds)
    at = visit(dataset="moons", n="300", plane="tsne")
    wait_for(at, job_of(at))
    assert not at.exception
    (told,) = [one.proto.text for one in at.get("progress")]
    assert told == "Waiting, 1 computation before yours"
    crowd.come(MOST_WAITING - 2, seconds=seconds)
    other = visit(dataset="moons", n="300", seed="5", plane="tsne")
    wait_for(other, job_of(other))
    assert not other.exception
    assert "the usual plane is shown" in " ".join(one.value for one in other.markdown)
    assert "try again in a minute" in " ".join(one.value for one in other.error)
