"""Rows of a sheet to a grid: native values kept, merged cells filled, the table cut out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.grids import Grid, check_cells, check_letters, check_width
from stiknn_core.tables.files.natives import EMPTY, NativeColumn, native_cells

Merge = tuple[int, int, int, int]
"""First row, first column, last row and last column, from 0."""

_CHUNK_CELLS = 500_000
_TABLE: Final = 2
_TOP = 100
_MOST_MERGED = 3_000_000
_MOST_LOOKS = 5_000_000


@dataclass
class Sheet:
    """One sheet as its reader walks it.

    ``rows`` gives row numbers from 0 with their cells from the first column on, None or "" where
    a cell is empty; rows with nothing in them may be left out. ``merges`` are looked up by their
    first row when that row comes, so a reader may fill them in on the way.
    """

    name: str
    rows: Iterator[tuple[int, Sequence[Any]]]
    merges: dict[int, list[Merge]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    errors: Counter[str] = field(default_factory=Counter)
    notices: list[str] = field(default_factory=list)


def sheet_grid(sheet: Sheet, names: tuple[str, ...]) -> Grid | None:
    """Read the rows of a sheet and cut the table out; None if the sheet is empty."""
    spread = _Spread(sheet)
    numbers, columns = collect(iter(spread))
    if not columns:
        return None
    filled = np.column_stack([column.kinds != EMPTY for column in columns])
    kept = np.flatnonzero(filled.any(axis=1))
    if not len(kept):
        return None
    notices = [*sheet.notices, *spread.notices()]
    rows, (left, right), around = _cut(numbers[kept], filled[kept])
    notices += around
    check_width(right - left)
    body, places = kept[rows], range(left, right)
    inside = numbers[body]
    hidden = (
        (len(sheet.hidden_rows.intersection(inside.tolist())), "row"),
        (len(sheet.hidden_columns.intersection(places)), "column"),
    )
    shown = " and ".join(f"{counted(count, f'hidden {what}')}" for count, what in hidden if count)
    if shown:
        notices.append(f"The sheet hides part of the table, which was read too: {shown}.")
    if sheet.errors:
        notices.append(
            f"Cells with errors count as missing: {counted(sum(sheet.errors.values()), 'cell')} "
            f"({listed(sorted(sheet.errors))})."
        )
    natives = [columns[place].take(body) for place in places]
    texts = [column.text() for column in natives]
    top = [text.slice(0, _TOP).to_pylist() for text in texts]
    decisions = {"sheet": sheet.name, "corner": f"{column_letters(left)}{int(inside[0]) + 1}"}
    return Grid(
        [[cell or "" for cell in row] for row in zip(*top, strict=True)],
        [pa.chunked_array([text]) for text in texts],
        decisions,
        tuple(notices),
        names,
        natives=natives,
    )


def column_letters(place: int) -> str:
    """Return how a spreadsheet calls a column, counted from 0: A, B, ..., Z, AA."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _blank(value: Any) -> bool:
    return value is None or value == ""


class _Spread:
    """Rows with what stands in a merged cell repeated in all the cells it covers.

    A merged cell that is alone in its row is a title, and stays where it is.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.count = 0
        self._steps = self._looks = self._widest = 0

    def __iter__(self) -> Iterator[tuple[int, Sequence[Any]]]:
        active: list[tuple[Merge, Any]] = []
        merges = self.sheet.merges
        for number, row in self.sheet.rows:
            self._widest = max(self._widest, len(row))
            if active or number in merges:
                self._looks += len(active) + len(merges.get(number, ()))
                if self._looks > _MOST_LOOKS:
                    raise _too_many_merged()
                active = [(merge, value) for merge, value in active if merge[2] >= number]
                filled = {place for place, value in enumerate(row) if not _blank(value)}
                for merge in merges.pop(number, ()):
                    first, last = merge[1], merge[3]
                    title = first != last and filled <= set(range(first, min(last, len(row)) + 1))
                    if first in filled and not title:
                        active.append((merge, row[first]))
                if filled and active:
                    row = self._fill(list(row), active)
            yield number, row

    def _fill(self, row: list[Any], active: list[tuple[Merge, Any]]) -> list[Any]:
        areas = [
            (first, min(last + 1, self._widest), value) for (_, first, _, last), value in active
        ]
        # Counted before it is done: merged areas may lie over each other without end.
        self._steps += sum(end - first for first, end, _ in areas)
        if self._steps > _MOST_MERGED:
            raise _too_many_merged()
        for first, end, value in areas:
            row += [None] * (end - len(row))
            for place in range(first, end):
                if _blank(row[place]):
                    row[place] = value
                    self.count += 1
        return row

    def notices(self) -> list[str]:
        if not self.count:
            return []
        told = counted(self.count, "empty cell")
        return [f"Merged cells were taken apart: {told} got the value of the merged cell."]


def _too_many_merged() -> FileError:
    return FileError(
        f"Merged cells cover more than {_MOST_MERGED:,} cells of the sheet; take them apart in the "
        "spreadsheet program and save it again."
    )


def collect(rows: Iterator[tuple[int, Sequence[Any]]]) -> tuple[NDArray[np.intp], list[Any]]:
    """Turn rows into columns, in blocks, so that they never stand in memory as objects."""
    blocks: list[list[NativeColumn]] = []
    heights: list[int] = []
    numbers: list[int] = []
    area = letters = 0
    while True:
        block: list[Sequence[Any]] = []
        size = 0
        for number, row in rows:
            numbers.append(number)
            block.append(row)
            size += len(row) + 1
            letters += sum(len(cell) for cell in row if isinstance(cell, (str, bytes)))
            check_letters(letters, "The sheet")
            if size > _CHUNK_CELLS:
                break
        if not block:
            break
        area += max(map(len, block)) * len(block)
        check_cells(area, "The sheet")
        made = [native_cells(cells) for cells in zip_longest(*block)]
        blocks.append(made)
        heights.append(len(block))
    width = max(map(len, blocks), default=0)
    check_cells(width * len(numbers), "The sheet")
    columns = []
    for place in range(width):
        parts = [
            block[place] if place < len(block) else NativeColumn.empty(height)
            for block, height in zip(blocks, heights, strict=True)
        ]
        columns.append(NativeColumn.joined(parts))
    return np.array(numbers, dtype=np.intp), columns


def _cut(
    numbers: NDArray[np.intp], filled: NDArray[np.bool_]
) -> tuple[slice, tuple[int, int], list[str]]:
    """Find the filled rectangle without titles above and remarks below: rows, columns, notices.

    Only rows with something in them are given, with their numbers in the sheet.
    """
    counts = filled.sum(axis=1)
    ends = filled.shape[1] - filled[:, ::-1].argmax(axis=1)
    left = int(filled.argmax(axis=1).min())
    spans = Counter(ends[:2000].tolist())
    usual = max(spans, key=lambda end: (spans[end], end)) - left
    notices = []
    above = _titles(counts, ends - left, usual)
    if above:
        notices.append(f"Left out above the table: {counted(above, 'row')}.")
    last = len(numbers)
    if usual > 2:
        last = max(_remarks(numbers, counts), above + 2)
        last = min(last, len(numbers))
    if last < len(numbers):
        notices.append(f"Left out below the table: {counted(len(numbers) - last, 'row')}.")
    gaps = int(numbers[last - 1] - numbers[above]) + 1 - (last - above)
    # A forgotten cell in the last row of a sheet must not cost a million empty ones.
    if gaps:
        notices.append(f"Left out: {counted(gaps, 'empty row')}.")
    return slice(above, last), (left, int(ends[above:last].max())), notices


def _titles(counts: NDArray[Any], ends: NDArray[Any], usual: int) -> int:
    """Count rows above the table that fill at most half of its columns."""
    for place, (count, end) in enumerate(islice(zip(counts, ends, strict=True), 30)):
        if count > 0.5 * usual or (usual <= 2 and end >= usual):
            return place
    return 0


def _remarks(numbers: NDArray[np.intp], counts: NDArray[Any]) -> int:
    """Return where the lone cells below the table begin: there is an empty row above them."""
    last = place = len(numbers)
    while place > 1 and counts[place - 1] == 1:
        place -= 1
        if numbers[place] - numbers[place - 1] > 1:
            last = place
    return last


def refuse_empty(name: str) -> FileError:
    """Say that a sheet holds nothing."""
    return FileError(f"The sheet {name!r} is empty; expected a table with rows.")


def refuse_unstored(cells: Sequence[str], name: str) -> FileError:
    """Say which formulas have no result in the file."""
    return FileError(
        f"{counted(len(cells), 'cell')} of the sheet {name!r} hold formulas without stored results "
        f"({listed(cells, 3)}); open the workbook in a spreadsheet program, save it, and load it "
        "again."
    )


def wanted_sheets(
    names: tuple[str, ...], shown: Sequence[bool], sheet: str | int | None
) -> tuple[int, ...]:
    """Return the places of the sheets to try, in order."""
    if not names:
        raise FileError("The workbook has no sheet with cells; expected a table.")
    places = range(len(names))
    if sheet is None:
        return tuple(sorted(places, key=lambda place: not shown[place]))
    if isinstance(sheet, int) and not isinstance(sheet, bool) and sheet in places:
        return (sheet,)
    if sheet in names:
        return (names.index(str(sheet)),)
    raise ChoiceError(f"The workbook has no sheet {sheet!r}", "sheet", names)


def best_sheet(
    read: Callable[[int], Grid | None], places: Sequence[int], names: Sequence[str]
) -> Grid:
    """Return the first sheet with two columns and rows, else the first with two rows, or one.

    A workbook may begin with a page of notes. What is wrong with a later sheet is not said of an
    earlier one that can be read.
    """
    best: Grid | None = None
    for place in places:
        try:
            grid = read(place)
        except FileError:
            if best is None:
                raise
            continue
        if grid is not None and (best is None or _fullness(grid) > _fullness(best)):
            best = grid
        if best is not None and _fullness(best) == _TABLE:
            break
    if best is None:
        raise refuse_empty(names[places[-1]])
    return best


def _fullness(grid: Grid) -> int:
    rows = len(grid.columns[0]) > 1
    return rows + (rows and len(grid.columns) > 1)


def other_sheets(name: str, names: tuple[str, ...]) -> list[str]:
    """Say which sheet was read if there are others."""
    others = [other for other in names if other != name]
    return [f"Sheet {name!r} was read; the workbook also has {listed(others)}."] if others else []
