"""Columns of lists as vectors, or why they are none."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.phrases import counted, listed, numbered
from stiknn_core.tables.cells.text import cell_text
from stiknn_core.tables.contents import Vectors
from stiknn_core.tables.files.grids import check_cells
from stiknn_core.types import AnyArray
from stiknn_core.validation.settings import plain

NESTED: Final = "lists inside of lists; one list of numbers a row was expected"
"""Why such a column holds no vectors."""

_FEW_BROKEN: Final = 0.1
_MOST_SHOWN: Final = 3
_LONGEST: Final = 30
_FEW_VALUES: Final = 20


@dataclass(frozen=True)
class Lists:
    """What a column of lists holds.

    Attributes
    ----------
    vectors : Vectors or None
        None where they are no vectors.
    why_not : str
        Half a sentence behind "holds" that says so; empty where there are vectors, and where the
        column is about something else.
    notices : tuple of str
    """

    vectors: Vectors | None = None
    why_not: str = ""
    notices: tuple[str, ...] = ()


def lists_of(column: pd.Series[Any]) -> Lists | None:
    """Look at a column of Python objects; None where most of them are no lists of numbers."""
    filled = ~column.isna().to_numpy(dtype=bool)
    cells = column.to_numpy(dtype=object)
    first = [cells[row] for row in np.flatnonzero(filled)[:_FEW_VALUES]]
    if not first or sum(map(is_list, first)) < 0.5 * len(first):
        return None
    found = [numbers_in(cell) if given else None for cell, given in zip(cells, filled, strict=True)]
    if sum(one is not None and one.ndim == 2 for one in found) > 0.5 * filled.sum():
        return Lists(why_not=NESTED)
    rows = [None if one is None or one.ndim != 1 else one for one in found]
    return gather(str(column.name), rows, filled, lambda row: list_text(cells[row]), written=False)


def is_list(cell: Any) -> bool:
    """Tell whether a cell is a list of anything."""
    return isinstance(cell, (list, tuple, np.ndarray))


def numbers_in(cell: Any) -> AnyArray | None:
    """Return the numbers of a list; an empty table for a list of lists; None for anything else."""
    if not is_list(cell):
        return None
    if isinstance(cell, np.ndarray) and cell.dtype != object:
        return cell if cell.dtype.kind in "iuf" and cell.ndim else None
    if any(map(is_list, cell)):
        return np.empty((0, 0))
    array = np.asarray(cell)
    if array.dtype == object:
        try:
            array = np.array([np.nan if one is None else one for one in cell])
        except (TypeError, ValueError):
            return None
    return array if array.dtype.kind in "iuf" and array.ndim == 1 else None


def list_text(cell: Any) -> str:
    """Return a list as JSON has it, in full, and any other cell as text."""
    if isinstance(cell, np.ndarray):
        return json.dumps(cell.tolist(), default=str, ensure_ascii=False)
    return cell_text(plain(cell))


def gather(
    name: str,
    rows: Sequence[AnyArray | None],
    filled: NDArray[np.bool_],
    shown: Callable[[int], str],
    *,
    written: bool,
) -> Lists | None:
    """Put the lists of a column below each other; None where it is about something else.

    ``rows`` are None where a cell is no list of numbers; ``filled`` tells which cells hold
    anything, and ``shown`` what.
    """
    lengths = np.array([0 if row is None else len(row) for row in rows])
    counts = Counter(lengths[lengths > 0].tolist()).most_common()
    n = int(filled.sum())
    if not counts or sum(count for _, count in counts) < 0.5 * n:
        return None
    width, usual = counts[0]
    broken = filled & (lengths != width)
    if broken.sum() > max(1, _FEW_BROKEN * n) or broken.sum() >= usual:
        if len(counts) == 1:
            return None
        told = [f"{length:,} numbers in {counted(count, 'row')}" for length, count in counts]
        return Lists(why_not=f"lists of different length ({listed(told, 4)})")
    check_cells(width * len(rows), f"Column {name!r}")
    short = all(row is None or row.dtype in (np.float16, np.float32) for row in rows)
    values = np.full((len(rows), width), np.nan, np.float32 if short else np.float64)
    for place in np.flatnonzero(lengths == width).tolist():
        values[place] = rows[place]
    vectors = Vectors(values, written)
    if _are_words(vectors, n):
        return None
    return Lists(vectors, "", tuple(_notices(name, vectors, broken, filled, shown)))


def _are_words(vectors: Vectors, n: int) -> bool:
    """Tell whether few lists of whole numbers come again and again, as labels and ranges do."""
    values = vectors.values[~vectors.absent]
    if not len(values) or values.shape[1] > _FEW_VALUES or not (values == np.floor(values)).all():
        return False
    different = len(np.unique(values, axis=0))
    return different <= _FEW_VALUES and 2 * different <= n


def _notices(
    name: str,
    vectors: Vectors,
    broken: NDArray[np.bool_],
    filled: NDArray[np.bool_],
    shown: Callable[[int], str],
) -> list[str]:
    """Name the cells that are no vectors, and the vectors with gaps."""
    told = []
    if broken.any():
        rows = np.flatnonzero(broken)
        some = [f"row {row:,}: {_short(shown(row))!r}" for row in rows[:_MOST_SHOWN].tolist()]
        more = f" and {len(rows) - len(some):,} more" if len(rows) > len(some) else ""
        told.append(
            f"Column {name!r} holds vectors of {vectors.values.shape[1]:,} numbers; "
            f"{counted(len(rows), 'cell does not and counts', 'cells do not and count')} as "
            f"missing ({listed(some, _MOST_SHOWN)}{more})."
        )
    return told + gap_notices(name, vectors, filled & ~broken)


def gap_notices(name: str, vectors: Vectors, given: NDArray[np.bool_]) -> list[str]:
    """Name the vectors with gaps among those that are ``given``, (n,) bool."""
    gaps = np.flatnonzero(vectors.absent & given)
    if not len(gaps):
        return []
    return [
        f"{counted(len(gaps), 'vector')} in {name!r} with missing or infinite numbers "
        f"{'counts' if len(gaps) == 1 else 'count'} as missing ({numbered('row', gaps)})."
    ]


def _short(cell: str) -> str:
    return cell if len(cell) <= _LONGEST else f"{cell[: _LONGEST - 1]}…"
