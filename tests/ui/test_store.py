"""The shelf of results never grows beyond its limits."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from stiknn_ui.work.store import BoundedStore
from tests.patience import PATIENCE


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def store(clock: Clock, *, entries: int = 3, size: int = 100) -> BoundedStore[bytes]:
    return BoundedStore(max_entries=entries, max_bytes=size, ttl=10.0, size=len, clock=clock)


def test_the_one_not_used_longest_goes_first() -> None:
    shelf = store(Clock())
    for name in "abc":
        shelf.put(name, name.encode())
    assert shelf.get("a") == b"a"
    shelf.put("d", b"d")
    assert shelf.get("b") is None
    assert [shelf.get(name) for name in "acd"] == [b"a", b"c", b"d"]


def test_bytes_are_bounded_but_the_newest_stays() -> None:
    shelf = store(Clock())
    shelf.put("a", bytes(60))
    shelf.put("b", bytes(60))
    assert shelf.get("a") is None
    shelf.put("huge", bytes(500))
    assert shelf.get("huge") == bytes(500)
    assert len(shelf) == 1


def test_what_is_larger_than_the_shelf_may_be_left_out() -> None:
    shelf = BoundedStore(max_entries=3, max_bytes=100, ttl=10.0, size=len, keep_larger=False)
    shelf.put("a", bytes(60))
    assert shelf.obtain("huge", lambda: bytes(500)) == bytes(500)
    assert shelf.get("huge") is None
    assert shelf.get("a") == bytes(60)


def test_old_ones_are_forgotten() -> None:
    clock = Clock()
    shelf = store(clock)
    shelf.put("a", b"a")
    clock.now = 9.0
    assert shelf.get("a") == b"a"
    clock.now = 11.0
    assert shelf.get("a") is None
    assert len(shelf) == 0


def test_it_knows_how_full_it_is() -> None:
    clock = Clock()
    shelf = store(clock)
    shelf.put("a", bytes(60))
    shelf.put("b", bytes(30))
    shelf.put("b", bytes(20))
    assert shelf.bytes == 80
    shelf.put("c", bytes(70))
    assert shelf.bytes == 90
    clock.now = 11.0
    assert shelf.bytes == 0


def test_by_default_all_that_a_value_holds_on_to_counts() -> None:
    shelf: BoundedStore[object] = BoundedStore(max_entries=9, max_bytes=100_000, ttl=10.0)
    shelf.put("two rows of a large table", np.zeros((1000, 10))[:2])
    assert shelf.bytes >= 80_000
    shelf.put("another", {"name": np.zeros(5000)})
    assert len(shelf) == 1
    assert shelf.get("another") is not None


def test_what_is_there_is_not_made_again() -> None:
    shelf = store(Clock())
    made: list[str] = []

    def make(name: str) -> Callable[[], bytes]:
        return lambda: made.append(name) or name.encode()  # type: ignore[func-returns-value]

    assert shelf.obtain("a", make("a")) == b"a"
    assert shelf.obtain("a", make("again")) == b"a"
    assert shelf.obtain("b", make("b")) == b"b"
    assert made == ["a", "b"]


def test_what_two_ask_for_at_once_is_made_once() -> None:
    shelf, made = store(Clock()), []
    asked, go = threading.Barrier(4), threading.Event()

    def slow() -> bytes:
        made.append(1)
        assert go.wait(PATIENCE)
        return b"a"

    got: list[bytes] = []

    def visitor() -> None:
        asked.wait(PATIENCE)
        got.append(shelf.obtain("a", slow))

    threads = [threading.Thread(target=visitor) for _ in range(3)]
    for thread in threads:
        thread.start()
    asked.wait(PATIENCE)
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert got == [b"a"] * 3
    assert made == [1]


def test_what_cannot_be_made_is_asked_for_again() -> None:
    shelf = store(Clock())

    def broken() -> bytes:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            shelf.obtain("a", broken)
    assert shelf.obtain("a", lambda: b"a") == b"a"
