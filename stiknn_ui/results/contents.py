"""What rows of a data set say and show: their texts and pictures. Pure.

A data set holds numbers. What these were made of stands in the table that it was read from, which
each visitor holds once; so contents are made when a page is drawn, and kept on no shelf.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from stiknn_core.tables import Table
from stiknn_core.types import AnyArray, Dataset, IntArray
from stiknn_ui.results.pixels import Ends, png_of

MOST_HOVER: Final = 160
"""Letters of a text where the mouse points, and in tables."""
MOST_SHOWN: Final = 2_000
"""Letters of a text that is looked at, before somebody asks for all of it."""
MOST_WHOLE: Final = 200_000
"""Letters of a text at all: more would be no reading."""

_HOVER_BYTES: Final = 6_000_000  # of all texts that one view sends
_LOOKED_AT: Final = 200
_WORDS: Final = 3  # from so many words a cell on, a column is read rather than looked up
# Uses of columns that say something of a row beside what it means: its name, its label, a category.
_OTHER_USES: Final = frozenset(
    {"label", "id", "truth", "one-hot", "ordered", "annotator", "annotator name"}
)


@dataclass(frozen=True)
class Columns:
    """Columns of a table that are shown.

    Attributes
    ----------
    texts : tuple of str
        Those that hold the text of a row.
    picture : str
        The one that holds its picture; empty where none does.
    """

    texts: tuple[str, ...] = ()
    picture: str = ""

    def __bool__(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.texts or self.picture)


@dataclass(frozen=True, eq=False)
class Contents:
    """Texts and pictures of the rows of one data set.

    Attributes
    ----------
    dataset : Dataset
    columns : Columns
    table : Table or None
        What training rows were read from.
    test_table : Table or None
        What test rows were read from, where that is another file.
    pixels : (float, float) or None
        Least and largest of all values, where the features themselves are pixels.
    """

    dataset: Dataset
    columns: Columns = Columns()
    table: Table | None = None
    test_table: Table | None = None
    pixels: Ends | None = None

    @property
    def has_texts(self) -> bool:
        """Whether rows have texts."""
        return bool(self.columns.texts)

    @property
    def has_pictures(self) -> bool:
        """Whether rows have pictures."""
        return bool(self.columns.picture) or self.pixels is not None

    @property
    def any(self) -> bool:
        """Whether rows have anything to show."""
        return self.has_texts or self.has_pictures

    @property
    def pixelated(self) -> bool:
        """Whether pictures are so small that their pixels are to be seen."""
        return not self.columns.picture and self.pixels is not None

    def texts(self, rows: IntArray | Sequence[int]) -> list[str]:
        """Return the text of each of some rows of the data set; empty where a row has none."""
        columns = [self._cells(name, rows) for name in self.columns.texts]
        if not columns:
            return [""] * len(rows)
        return [_clean("\n".join(filter(None, cells))) for cells in zip(*columns, strict=True)]

    def thumbnails(self, rows: IntArray | Sequence[int]) -> list[bytes]:
        """Return a small picture (JPEG or PNG) of each row; empty where a row has none."""
        name = self.columns.picture
        if name:
            found = [b""] * len(rows)
            for table, places, read_from in self._read_from(rows):
                held = table.pictures.get(name)
                if held is not None:
                    for place, row in zip(places.tolist(), read_from.tolist(), strict=True):
                        found[place] = held.thumbnails[row]
            return found
        if self.pixels is None:
            return [b""] * len(rows)
        return [png_of(values, self.pixels) for values in self.dataset.X[np.asarray(rows)]]

    def _cells(self, column: str, rows: IntArray | Sequence[int]) -> list[str]:
        found = [""] * len(rows)
        for table, places, read_from in self._read_from(rows):
            if column not in table.facts:
                continue
            cells = table.cells[column].iloc[read_from].tolist()
            for place, cell in zip(places.tolist(), cells, strict=True):
                found[place] = "" if pd.isna(cell) else str(cell)
        return found

    def _read_from(self, rows: IntArray | Sequence[int]) -> list[tuple[Table, AnyArray, AnyArray]]:
        """Return each table with places in ``rows`` and the rows of the table these were read from.

        A copy that was added shows what it is a copy of; what else was added shows nothing.
        """
        dataset = self.dataset
        if self.table is None or dataset.source_rows is None:
            return []
        asked = np.asarray(rows, dtype=np.int64)
        original = asked if dataset.copy_of is None else dataset.copy_of[asked]
        read_from = dataset.source_rows[np.where(original >= 0, original, asked)]
        known = read_from >= 0
        tested = np.zeros(len(asked), dtype=np.bool_)
        if self.test_table is not None and dataset.test_from is not None:
            tested = asked >= dataset.test_from
        sides = ((self.table, known & ~tested), (self.test_table, known & tested))
        return [
            (table, np.flatnonzero(side), read_from[side])
            for table, side in sides
            if table is not None and side.any()
        ]


def columns_of(table: Table, uses: Mapping[str, str]) -> Columns:
    """Return which columns of a table are shown.

    Parameters
    ----------
    table : Table
    uses : mapping of column name to use
        What each column is used for. Columns used as text or as pictures are shown; without any
        such the one whose texts are longest, which nothing else is made of.
    """
    kinds = {name: use for name, use in uses.items() if name in table.facts}
    texts = tuple(name for name, use in kinds.items() if use == "text")
    if not texts:
        lengths = {
            name: _length(table, name)
            for name, use in kinds.items()
            if use not in _OTHER_USES and table.facts[name].kind == "text"
            if name not in table.vectors and name not in table.pictures
        }
        longest = max(lengths, key=lengths.__getitem__, default="")
        texts = (longest,) if lengths.get(longest) else ()
    used = [name for name, use in kinds.items() if use == "picture" and name in table.pictures]
    return Columns(texts, next(iter([*used, *table.pictures]), ""))


def telling_features(dataset: Dataset) -> IntArray:
    """Return which features mean something alone, as components of texts and the like do not."""
    alone = np.ones(dataset.X.shape[1], dtype=np.bool_)
    for block in dataset.blocks:
        alone[block.start : block.stop] = block.kind == "words"
    return np.flatnonzero(alone)


def shortened(text: str, most: int) -> str:
    """Return a text on one line, cut off behind so many letters."""
    line = " ".join(text[: 4 * most].split())  # what is cut off is not looked at
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def for_hover(contents: Contents, rows: IntArray) -> list[str]:
    """Return the texts that the mouse shows of some rows, the shorter the more there are."""
    if not contents.has_texts:
        return []
    most = max(20, min(MOST_HOVER, _HOVER_BYTES // max(1, 2 * len(rows))))
    return [shortened(text, most) for text in contents.texts(rows)]


def _length(table: Table, column: str) -> float:
    """Return how many letters a cell has on average; 0 where most are no sentences."""
    cells = [str(cell) for cell in table.cells[column].dropna().head(_LOOKED_AT).tolist()]
    words = [sum(any(map(str.isalpha, word)) for word in cell.split()) for cell in cells]
    if not cells or sorted(words)[len(words) // 2] < _WORDS:
        return 0.0
    return sum(map(len, cells)) / len(cells)


def _clean(text: str) -> str:
    """Return a text that can be sent: half of a pair of signs is none."""
    text = text[:MOST_WHOLE]
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
