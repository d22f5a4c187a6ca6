"""Analyses, parts and pictures of block views: computed in line, kept on shelves."""

from __future__ import annotations

from typing import Final

from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_ui.asked import plane_choice
from stiknn_ui.asked.spec import OrderName
from stiknn_ui.blocks import content, levels, stored
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import BlocksPart, Level, PairsPart, Part
from stiknn_ui.linked_view import ViewContent
from stiknn_ui.results import kept
from stiknn_ui.results.all_rows import rows_key
from stiknn_ui.results.result import Result
from stiknn_ui.work import shelves
from stiknn_ui.work.shelves import Shelf

block_results: Final = Shelf[BlockAnalysis](
    "block results", entries=20, megabytes=2400, size=lambda one: one.size_bytes
)
"""Ranked large data sets, with their rankings."""
block_parts: Final = Shelf[Part]("block parts", entries=200, megabytes=300)
"""Parts of their matrices."""


def stored_analysis(name: str) -> BlockAnalysis:
    """Return a matrix that was computed elsewhere.

    Raises
    ------
    FileError
        If it cannot be opened.
    """
    return block_results().obtain(f"store|{name}", lambda: stored.open_analysis(name))


def told_of(analysis: BlockAnalysis) -> Result:
    """Return the result that single points are read from: tested by every row, once that is there.

    Until then those of the picture's test points stand in.
    """
    return kept.rows().get(rows_key(analysis.data, analysis.compute)) or analysis


def part_key(analysis: BlockAnalysis, level: Level, order: OrderName, plane: str) -> str:
    """Return what a part is known by: pairs are the same in every order, blocks are not."""
    cut = "" if level.as_pairs else f"|{_order_key(order, plane)}"
    return f"part|{analysis.key}|{level.digest}{cut}"


def plane_of(analysis: BlockAnalysis, text: str) -> tuple[Plane, str, tuple[str, ...]]:
    """Return the plane to draw, the choice that it belongs to, and what is to be said.

    Embeddings are for fewer points; the usual plane is drawn in their place.
    """
    names = analysis.dataset.feature_names
    wanted = plane_choice.resolve(text, names)
    notices = (wanted.notice,) if wanted.notice else ()
    if wanted.text in plane_choice.EMBEDDED:
        notices = ("The usual plane is shown: embeddings are for fewer points.",)
    elif wanted.text != plane_choice.AUTO:
        key = f"block-plane|{analysis.scope}|{analysis.compute.scaling}|{wanted.text}"
        X = analysis.dataset.X[analysis.rows]
        if plane_choice.columns_of(wanted.text) is None:
            X = analysis.given.X
        made = shelves.derived().obtain(key, lambda: plane_choice.make(X, names, wanted.text))
        return made, wanted.text, (*notices, *made.notices)
    return analysis.plane, plane_choice.AUTO, (*notices, *analysis.plane.notices)


def order_all(analysis: BlockAnalysis, name: OrderName, plane: Plane, plane_text: str) -> Order:
    """Return the order of all points."""
    key = f"block-order|{analysis.key}|{_order_key(name, plane_text)}"
    order: Order = shelves.derived().obtain(key, lambda: levels.order_all(analysis, name, plane))
    return order


def order_pairs(
    analysis: BlockAnalysis, part: PairsPart, name: OrderName, plane: Plane, plane_text: str
) -> Order:
    """Return the order of the points of a part."""
    own = f"{part.level.digest}|{_order_key(name, plane_text)}"
    key = f"pair-order|{analysis.key}|{own}"
    order: Order = shelves.derived().obtain(
        key, lambda: levels.order_pairs(analysis, part, name, plane)
    )
    return order


def picture_of(
    analysis: BlockAnalysis,
    part: Part,
    name: OrderName,
    plane: Plane,
    plane_text: str,
    told: Result,
) -> ViewContent:
    """Return what the linked view needs of a part; single points are read from ``told``."""
    cut = _order_key(name, plane_text) if isinstance(part, BlocksPart) else ""
    key = f"block-picture|{analysis.key}|{told.key}|{part.level.digest}|{plane_text}|{cut}"

    def make() -> ViewContent:
        if isinstance(part, BlocksPart):
            return content.blocks_content(analysis, part, plane, told)
        return content.pairs_content(analysis, part, plane, told)

    picture: ViewContent = shelves.derived().obtain(key, make)
    return picture


def _order_key(name: OrderName, plane_text: str) -> str:
    return f"{name}|{plane_text if name == 'class' else ''}"
