"""What is kept for a tab: bounded, for whoever holds the secret, and gone soon after the visit."""

from __future__ import annotations

import gc
from dataclasses import dataclass

import pytest

from stiknn_ui.asked.links import Settings
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.files import read_file
from stiknn_ui.uploads.tabs import Snapshot, TabFiles


@dataclass
class Visit:
    name: str


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def snapshot(rows: int = 20) -> Snapshot:
    content = "x,kind\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(rows))
    upload = Upload(read_file("mine.csv", content.encode()))
    return Snapshot(upload, None, Settings(), frozenset())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_tab_finds_its_file_again_and_nobody_else_does(clock: Clock) -> None:
    files, visit, mine = TabFiles(clock=clock), Visit("first"), snapshot()
    files.put("a secret", visit, mine)
    assert files.take("another", Visit("stranger")) is None
    assert files.take("", Visit("stranger")) is None
    assert files.take("a secret", Visit("again")) is mine


def test_while_its_visit_lives_it_stays_and_goes_some_minutes_after(clock: Clock) -> None:
    files, visit = TabFiles(seconds_after=60, clock=clock), Visit("first")
    files.put("a secret", visit, snapshot())
    clock.now = 3000
    assert len(files) == 1
    del visit
    gc.collect()
    clock.now = 3059
    assert len(files) == 1
    clock.now = 3061
    assert len(files) == 0


def test_a_reload_takes_it_over_before_the_visit_before_has_ended(clock: Clock) -> None:
    files, first = TabFiles(seconds_after=60, clock=clock), Visit("first")
    files.put("a secret", first, snapshot())
    second = Visit("second")
    assert files.take("a secret", second) is not None
    del first
    gc.collect()
    clock.now = 1000
    assert files.take("a secret", second) is not None


def test_a_day_is_too_long_even_for_a_tab_that_stays_open(clock: Clock) -> None:
    files, visit = TabFiles(most_seconds=3600, clock=clock), Visit("first")
    files.put("a secret", visit, snapshot())
    clock.now = 3601
    assert files.take("a secret", visit) is None


def test_what_is_left_of_visits_is_bounded_and_the_oldest_goes_first(clock: Clock) -> None:
    files = TabFiles(most_bytes=50_000, clock=clock)
    for number in range(6):
        visit = Visit(f"visit {number}")
        files.put(f"secret {number}", visit, snapshot(400))
        clock.now += 1
        del visit
        gc.collect()
    kept = [number for number in range(6) if files.take(f"secret {number}", Visit("x"))]
    assert kept
    assert kept == list(range(6))[-len(kept) :]
    assert len(kept) < 6


def test_another_file_takes_the_place_of_the_one_before_and_dropped_is_gone(clock: Clock) -> None:
    files, visit = TabFiles(clock=clock), Visit("first")
    one, other = snapshot(), snapshot(30)
    files.put("a secret", visit, one)
    files.put("a secret", visit, other)
    assert files.take("a secret", visit) is other
    files.drop("a secret")
    files.drop("never kept")
    assert len(files) == 0
