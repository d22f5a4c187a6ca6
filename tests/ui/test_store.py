"""The shelf of results never grows beyond its limits."""

from __future__ import annotations

from stiknn_ui.store import BoundedStore


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


def test_old_ones_are_forgotten() -> None:
    clock = Clock()
    shelf = store(clock)
    shelf.put("a", b"a")
    clock.now = 9.0
    assert shelf.get("a") == b"a"
    clock.now = 11.0
    assert shelf.get("a") is None
    assert len(shelf) == 0
