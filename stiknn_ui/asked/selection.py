"""A selection of points, apart from any plot: pure data and the rules to merge it.

Selections are always *point ids* - positions in the data set, never places in the
current order - so re-sorting the matrix cannot move them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MOST_IN_LINK: Final = 50
"""Most points that a link carries as selected."""

_RANGES: Final = re.compile(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*", re.ASCII)


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


def written_selection(selection: Selection) -> str:
    """Return a selection as a link holds it; empty where it is none, or too large.

    Ids of points in ranges, ``"3-7,12"``; where rows and columns differ, both: ``"3-7x12,40"``.
    """
    if not 0 < len(selection.points) <= MOST_IN_LINK:
        return ""
    sides = [selection.rows]
    if selection.cols != selection.rows:
        sides.append(selection.cols)
    return "x".join(_ranges(side) for side in sides)


def read_selection(text: str) -> Selection:
    """Return the selection that a link holds; nothing for an empty text.

    Raises
    ------
    ValueError
        If it is none, or too large.
    """
    if not text:
        return NOTHING
    sides = [_ids_in(side) for side in text.split("x")]
    chosen = Selection(sides[0], sides[-1], "link" if len(sides) == 1 else "block")
    if len(sides) > 2 or len(chosen.points) > MOST_IN_LINK:
        raise ValueError(text)
    return chosen


def _ranges(ids: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for one in ids:
        if runs and one == runs[-1][1] + 1:
            runs[-1][1] = one
        else:
            runs.append([one, one])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def _ids_in(text: str) -> tuple[int, ...]:
    if not _RANGES.fullmatch(text):
        raise ValueError(text)
    ids: set[int] = set()
    for run in text.split(","):
        low, _, high = run.partition("-")
        first, last = int(low), int(high or low)
        if not first <= last < first + MOST_IN_LINK:
            raise ValueError(text)
        ids.update(range(first, last + 1))
    return tuple(sorted(ids))
