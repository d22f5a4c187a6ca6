"""What is selected, as point ids on every page and as rows of a part of the matrix. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from stiknn_core.types import IntArray
from stiknn_ui.blocks.levels import Part
from stiknn_view.selection import Selection


def as_units(part: Part, chosen: Selection) -> Selection:
    """Return the rows of the matrix that hold any of the selected points."""
    return _turned(chosen, part.units_with)


def as_points(part: Part, reported: Selection | None) -> Selection | None:
    """Return the points of the rows of the matrix that were selected."""
    return None if reported is None else _turned(reported, part.members)


def is_whole(part: Part, chosen: Selection, units: Selection) -> bool:
    """Whether the selected points are all those of these rows of the matrix."""
    return len(part.members(units.points)) == len(part.level.places_of(chosen.points))


def _turned(selection: Selection, turn: Callable[[tuple[int, ...]], IntArray]) -> Selection:
    def ids(side: tuple[int, ...]) -> tuple[int, ...]:
        found: list[int] = np.sort(turn(side)).tolist()
        return tuple(found)

    rows = ids(selection.rows)
    cols = rows if selection.cols == selection.rows else ids(selection.cols)
    return replace(selection, rows=rows, cols=cols)
