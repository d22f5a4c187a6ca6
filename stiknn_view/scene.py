"""All that a view in a home of its own shows: content, orders, and words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from stiknn_core.ordering import Order
from stiknn_core.types import AnyArray, IntArray
from stiknn_view.message import order_message, selection_message
from stiknn_view.options import ViewOptions
from stiknn_view.packing import ViewContent
from stiknn_view.selection import NOTHING, Selection

READING: Final = (
    "Each row and each column of the matrix is a training point, and a cell is the interaction of "
    "two of them. Blue: substitutes, each adds less where the other is. Orange: complements, each "
    "adds more. Faint: little, or blue for some test points and orange for others.",
    "A click on a block selects its points in both plots; drawing around points in the scatter "
    "selects their rows and columns. Double click or Escape clears.",
)
"""What a person has to know who sees the picture for the first time."""

_OF_FEATURES: Final = "of the features only what the two axes show"

READING_BLOCKS: Final = (
    "Each row and each column of the matrix is a block of training points that stand side by side "
    "in the order it was cut from, and a cell is the mean interaction of the pairs of two blocks. "
    "Blue: substitutes, each adds less where the other is. Orange: complements, each adds more. "
    "Faint: little, or blue for some test points and orange for others.",
    "A click selects blocks and their points in both plots; drawing around points in the scatter "
    "selects the blocks that hold them. Double click or Escape clears.",
)
"""The same where rows are blocks of points."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One view, ready for a page of one file or a notebook.

    Attributes
    ----------
    content : ViewContent
    orders : tuple of Order
        What the rows can be sorted by, at least one.
    order : str
        Name of the one to begin with.
    options : ViewOptions
    selection : Selection
    title : str
        Name of the data.
    lines : tuple of str
        Plain sentences that stand above the picture.
    points : (n,) array or None
        What a program calls the points; in the order of the content, where its rows are points.
    rows : (n,) int64 or None
        Where the rows of the content are blocks, the one that each of ``points`` is in.
    reading : tuple of str
        How to read the picture.
    """

    content: ViewContent
    orders: tuple[Order, ...]
    order: str
    options: ViewOptions
    selection: Selection = NOTHING
    title: str = ""
    lines: tuple[str, ...] = ()
    points: AnyArray | None = None
    rows: IntArray | None = None
    reading: tuple[str, ...] = READING

    def message(self, *, whole: bool) -> dict[str, Any]:
        """Return what the browser is told beside the content; ``whole`` if the page is ours."""
        return {
            "n": self.content.n,
            "orders": [order_message(order) for order in self.orders],
            "order": self.order,
            "options": asdict(self.options),
            "selection": selection_message(self.selection),
            "whole": whole,
            "title": self.title,
            "lines": list(self.lines),
            "reading": list(self.reading),
        }


def held_line(n: int) -> str:
    """Say what data a file with a picture of ``n`` points holds."""
    return (
        f"This file holds, of {n:,} points, the names of the points, their labels and places in "
        f"the scatter, values, label quality and all interactions; {_OF_FEATURES}."
    )


def held_blocks_line(drawn: int, n: int, blocks: int) -> str:
    """Say what data a file with a picture of ``blocks`` of ``n`` points holds."""
    of = f"{n:,} points" if drawn == n else f"{drawn:,} of the {n:,} points"
    return (
        f"This file holds, of {of}, the names of the points, their labels and places in the "
        f"scatter, values, label quality and the mean interactions of {blocks:,} blocks of all of "
        f"them; {_OF_FEATURES}."
    )
