"""How work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with (done, total); an exception it raises stops the work."""

_STEPS = 1000


def share_of(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Return what tells ``progress`` of a part of the work, from one share of it to another."""
    if progress is None:
        return None

    def report(done: int, total: int) -> None:
        share = start + (end - start) * (done / total if total else 1.0)
        progress(round(_STEPS * share), _STEPS)

    return report
