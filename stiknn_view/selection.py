"""A selection of points, apart from any plot: pure data and the rules to merge it.

Selections are always *point ids* - positions in the data set, never places in the
current order - so re-sorting the matrix cannot move them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Selection:
    """Row points and column points of the matrix that are lit up.

    Attributes
    ----------
    rows, cols : tuple of int
        Sorted unique point ids (0-based rows of the data set). A selection made in
        the scatter or the table has ``rows == cols``.
    origin : str
        What made it: ``"none"``, ``"block"``, ``"pair"``, ``"drag"``, ``"scatter"``,
        ``"table"``, ``"link"`` or ``"clear"``.
    seq : int
        Milliseconds since the epoch when it was made; the higher one wins, which
        stops echoes between browser and server.
    """

    rows: tuple[int, ...] = ()
    cols: tuple[int, ...] = ()
    origin: str = "none"
    seq: int = 0

    @property
    def points(self) -> tuple[int, ...]:
        """All selected point ids, sorted, each once."""
        if self.rows == self.cols:
            return self.rows
        return tuple(sorted(set(self.rows) | set(self.cols)))

    def __bool__(self) -> bool:
        return bool(self.rows or self.cols)


NOTHING = Selection()


def newest(current: Selection, other: Selection | None) -> Selection:
    """Return whichever selection was made later; the current one on a draw."""
    if other is not None and other.seq > current.seq:
        return other
    return current


def parse_selection(event: Mapping[str, Any] | None, n: int) -> Selection | None:
    """Read a selection sent by the browser; None if it is not one for ``n`` points.

    Never raises: what a browser sends is outside input.
    """
    if not isinstance(event, Mapping):
        return None
    try:
        rows = _point_ids(event["rows"], n)
        cols = _point_ids(event["cols"], n)
        seq = int(event["seq"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return Selection(rows, cols, str(event.get("origin", "none"))[:20], seq)


def _point_ids(raw: Any, n: int) -> tuple[int, ...]:
    ids = sorted({int(value) for value in raw})
    if ids and not (0 <= ids[0] and ids[-1] < n):
        raise ValueError("a point id outside the data set")
    return tuple(ids)
