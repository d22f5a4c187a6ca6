"""Which column of a table names the pictures beside it, and which picture each row means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.tables.cells.numbers import is_text
from stiknn_core.tables.files.archives import is_picture

_SEVERAL: Final = -2  # pictures are called so, and which one is meant nobody knows
_SAMPLE: Final = 500
_LONGEST: Final = 1_000
_DEEPEST: Final = 16
_ENDING: Final = re.compile(r"\.[a-z]{2,4}$")


@dataclass(frozen=True, eq=False)
class Naming:
    """The column that names pictures.

    Attributes
    ----------
    column : str
    rows : (n,) intp
        Place of each row's picture, -1 where it matches none.
    """

    column: str
    rows: NDArray[np.intp] = field(repr=False)


def naming_column(frame: pd.DataFrame, pictures: Sequence[str], folder: str) -> Naming | None:
    """Return the column of which most cells name a picture; None unless half of either side fit.

    ``folder`` is that of the table: paths may begin there, at the top of the archive, or anywhere
    above; a lone file name will do, and neither case nor a missing ending matters.
    """
    index = _Index(pictures, folder)
    some = np.unique(np.linspace(0, len(frame) - 1, _SAMPLE).astype(np.intp))
    best: Naming | None = None
    most = 0
    for name in map(str, frame.columns):
        column = frame[name]
        if not (is_text(column) or column.dtype.kind == "i"):
            continue
        if not (_places(index, column.iloc[some]) >= 0).any():
            continue
        rows = _places(index, column)
        found = len(np.unique(rows[rows >= 0]))
        if found > most:
            best, most = Naming(name, rows), found
    if best is None:
        return None
    cells = frame[best.column]
    hits = int((best.rows >= 0).sum())
    fit = 2 * hits >= int(cells.notna().sum()) or 2 * most >= len(pictures)
    # Without an ending, words of few values are labels that pictures happen to be called by.
    named = hits < 2 * most or is_picture(str(cells.iloc[int(np.argmax(best.rows >= 0))]))
    return best if fit and named and most > 1 else None


def _places(index: _Index, column: pd.Series[str]) -> NDArray[np.intp]:
    known: dict[object, int] = {}
    places = np.full(len(column), -1, dtype=np.intp)
    for row, cell in enumerate(column):
        if cell not in known:
            known[cell] = -1 if pd.isna(cell) else index.find(str(cell))
        places[row] = known[cell]
    return places


class _Index:
    """Pictures by all that they may be called, the most exact first."""

    def __init__(self, pictures: Sequence[str], folder: str) -> None:
        inside = f"{folder}/".casefold() if folder else ""
        lowered = [name.casefold() for name in pictures]
        below = [name.removeprefix(inside) for name in lowered]
        alone = [name.rsplit("/", 1)[-1] for name in lowered]
        exact = [lowered, below, alone]
        self._levels = [_unique(names) for names in exact]
        self._levels += [_unique([_ENDING.sub("", name) for name in names]) for names in exact]

    def find(self, cell: str) -> int:
        """Return the place of the picture that a cell names, -1 if there is none or several."""
        if len(cell) > _LONGEST:
            return -1
        for path in _shortened(cell):
            for names in self._levels:
                if (place := names.get(path, -1)) >= 0:
                    return place
        return -1


def _unique(names: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        places[name] = _SEVERAL if name in places else place
    return places


def _shortened(cell: str) -> Iterator[str]:
    """Give a path as it is written, then without its first folders one by one."""
    steps = [step for step in cell.strip().replace("\\", "/").casefold().split("/") if step]
    steps = [step for step in steps if step != "."]
    for start in range(min(len(steps), _DEEPEST)):
        yield "/".join(steps[start:])
