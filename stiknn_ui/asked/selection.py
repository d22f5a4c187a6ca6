"""Selections in links: a few point ids, written short."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from stiknn_view.selection import NOTHING, Selection

MOST_IN_LINK: Final = 50
"""Most points that a link carries as selected."""

_RANGES: Final = re.compile(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*", re.ASCII)


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
