"""ARFF files, as saved by Weka, OpenML and KEEL: whatever Weka opens, and a little more."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import check_cells, check_letters, check_width
from stiknn_core.tables.files.headers import distinct_names

_QUOTED = r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\""
_ATTRIBUTE = re.compile(rf"(?i)@attribute\s+(?:{_QUOTED}|([^\s{{]+))\s*(.*)", re.DOTALL)
_DATA = re.compile(r"(?im)^[ \t]*@data\b[^\n]*(?:\n|$)")
_CELL = re.compile(rf"\s*(?:(?:{_QUOTED})\s*(?:,|$)|([^,]*)(?:,|$))")
_WORD = re.compile(rf"[\s,]*(?:{_QUOTED}|([^\s,]+))")
_PAIR = re.compile(rf"\s*(\d{{1,9}})\s+(?:{_QUOTED}|([^\s,]+))\s*(?:,|$)")
_REMARK = re.compile(r"%|[\s,}'\"]%")
_WEIGHT = re.compile(r"\s*[-+.\deE]+\s*\}\s*")
_MARK = re.compile(r"['\"%}]")
_QUOTED_BY = {mark: re.compile(rf"{mark}(?:[^{mark}\\]|\\.)*{mark}") for mark in "'\""}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}
_MOST_VALUES = 2_000_000
"""Most values that all attributes declare together."""
_CHUNK_CELLS = 1_000_000
_NUMERIC = ("numeric", "real", "integer")


@dataclass(frozen=True)
class _Attribute:
    name: str
    numeric: bool
    values: tuple[str, ...] = ()


@dataclass
class _Tally:
    weights: int = 0


def read_arff(text: str) -> Draft:
    """Read ARFF text, dense or sparse; attributes that are not numeric come as text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = _DATA.search(text)
    if found is None:
        raise FileError("The ARFF file has no @data line; expected one before the rows.")
    attributes = _attributes(_lines(text, 0, found.start()))
    tally = _Tally()
    columns = _quickly(text[found.end() :], attributes) or _carefully(
        text[found.end() :], text.count("\n", 0, found.end()), attributes, tally
    )
    if not len(columns[0]):
        raise FileError("The ARFF file holds no row after @data; expected at least one.")
    names, notices = distinct_names([told.name for told in attributes])
    if tally.weights:
        notices.append(
            f"Weights were read over: {counted(tally.weights, 'row has', 'rows have')} one."
        )
    nominal = tuple(name for name, told in zip(names, attributes, strict=True) if told.values)
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)))
    return Draft(frame, {"format": "ARFF"}, notices, nominal=nominal)


def _lines(text: str, number: int, end: int | None = None) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text up to some place, one by one, with numbers above ``number``."""
    place, end = 0, len(text) if end is None else end
    while place < end:
        stop = text.find("\n", place, end)
        stop = end if stop < 0 else stop
        number += 1
        yield number, text[place:stop].strip()
        place = stop + 1


def _attributes(lines: Iterator[tuple[int, str]]) -> list[_Attribute]:
    attributes: list[_Attribute] = []
    declared = 0
    for number, line in lines:
        if not re.match(r"(?i)@attribute\b", line):
            continue
        found = _ATTRIBUTE.match(line)
        if found is None:
            raise _trouble(
                number, "declares no attribute", "write @attribute, its name and its kind"
            )
        name, kind = _text(found.groups()[:3])[0], found[4].strip()
        if kind.startswith("{") and "}" not in kind:
            kind = " ".join([kind, *_until_closed(lines, number)])
        declared += kind.count(",")
        if declared > _MOST_VALUES:
            raise _trouble(
                number, f"declares a list of values that makes more than {_MOST_VALUES:,} of all",
                "declare an attribute of so many values as string",
            )  # fmt: skip
        attributes.append(_attribute(number, name or "", kind))
        check_width(len(attributes))
    if not attributes:
        raise FileError("The ARFF file declares no attribute; expected @attribute lines.")
    return attributes


def _until_closed(lines: Iterator[tuple[int, str]], number: int) -> Iterator[str]:
    """Yield the next lines, in which a list of values goes on, up to the one that closes it."""
    for _, line in lines:
        if not line:
            break
        yield line
        if "}" in line:
            return
    raise _trouble(number, "opens a list of values that never closes", "add a }")


def _attribute(number: int, name: str, kind: str) -> _Attribute:
    if kind.startswith("{"):
        end = _closing(kind)
        values = tuple(text for text, _ in _cells(kind[1:end]) if text)
        return _Attribute(name, False, values or ("?",))
    word = re.match(r"[A-Za-z]*", kind)
    told = word[0].lower() if word else ""
    if told in _NUMERIC:
        return _Attribute(name, True)
    if told in ("string", "date"):
        return _Attribute(name, False)
    raise _trouble(
        number, f"gives {name[:40]!r} the kind {kind[:40]!r}",
        "write numeric, string, date or a list such as {yes, no}",
    )  # fmt: skip


def _closing(kind: str) -> int:
    """Return where a list of values ends: at the first } outside of quotation marks."""
    return next(_outside(kind, "}"), len(kind))


def _outside(line: str, wanted: str) -> Iterator[int]:
    """Yield the places of a mark outside of quotation marks."""
    place, never_closed = 0, ""
    while found := _MARK.search(line, place):
        place = found.end()
        if found[0] == wanted:
            yield found.start()
        elif found[0] in _QUOTED_BY and found[0] not in never_closed:
            if whole := _QUOTED_BY[found[0]].match(line, found.start()):
                place = whole.end()
            else:
                never_closed += found[0]  # nor will one of the same kind that comes after it


def _quickly(body: str, attributes: Sequence[_Attribute]) -> list[pd.Series[Any]] | None:
    """Read plain rows in one step; None where there is anything to think about."""
    marks = [mark for mark in ('"', "'") if mark in body]
    if len(marks) > 1 or any(mark in body for mark in ("\\", "%", "{")):
        return None
    names = [str(place) for place in range(len(attributes))]
    kinds = [pa.float64() if told.numeric else pa.large_string() for told in attributes]
    try:
        table = csv.read_csv(
            io.BytesIO(body.encode("utf-8", "replace")),
            read_options=csv.ReadOptions(column_names=names),
            parse_options=csv.ParseOptions(quote_char=marks[0] if marks else False),
            convert_options=csv.ConvertOptions(
                column_types=dict(zip(names, kinds, strict=True)), null_values=["?", ""],
                strings_can_be_null=True, quoted_strings_can_be_null=False,
            ),
        )  # fmt: skip
    except pa.ArrowException:
        return None
    check_cells(table.num_rows * table.num_columns, "The ARFF file")
    columns: list[pd.Series[Any]] = []
    for told, column in zip(attributes, table.columns, strict=True):
        if told.numeric:
            columns.append(pd.Series(column.to_numpy()))
            continue
        trimmed = pc.utf8_trim_whitespace(column)
        # The careful way says which line is wrong.
        if pc.any(pc.is_in(trimmed, value_set=pa.array(["?", ""], trimmed.type))).as_py():
            return None
        if told.values and not set(pc.unique(trimmed).drop_null().to_pylist()) <= {*told.values}:
            return None
        columns.append(pd.Series(trimmed.combine_chunks(), dtype="str"))
    return columns


def _carefully(
    body: str, before: int, attributes: Sequence[_Attribute], tally: _Tally
) -> list[pd.Series[Any]]:
    rows = ((at, line) for at, line in _lines(body, before) if line and not line.startswith("%"))
    first = next(rows, None)
    if first is None:
        return [pd.Series([], dtype="float64") for _ in attributes]
    width = len(attributes)
    read: Callable[..., list[pd.Series[Any]]] = _dense_rows
    if first[1].startswith("{"):
        # Cells that are not written are counted before the first is filled in.
        check_cells(body.count("\n{") * width, "The ARFF file")
        read = _sparse_rows
    whole = chain([first], rows)
    blocks = []
    count = letters = 0
    while block := list(islice(whole, max(_CHUNK_CELLS // width, 16))):
        count += len(block)
        letters += sum(len(line) for _, line in block)
        check_cells(count * width, "The ARFF file")
        check_letters(letters, "The ARFF file")
        blocks.append(read(block, attributes, tally))
    if len(blocks) == 1:
        return blocks[0]
    return [pd.concat(parts, ignore_index=True) for parts in zip(*blocks, strict=True)]


def _dense_rows(
    rows: Sequence[tuple[int, str]], attributes: Sequence[_Attribute], tally: _Tally
) -> list[pd.Series[Any]]:
    width = len(attributes)
    kept: list[list[str | None]] = []
    for number, line in rows:
        cells = _dense(line, width, tally)
        if cells is None:
            raise _trouble(
                number, f"does not have {counted(width, 'cell')}, one for each attribute",
                "put texts with commas or blanks into quotation marks",
            )  # fmt: skip
        kept.append(cells)
    numbers = [number for number, _ in rows]
    return [
        _column(told, [row[place] for row in kept], numbers)
        for place, told in enumerate(attributes)
    ]


def _dense(line: str, width: int, tally: _Tally) -> list[str | None] | None:
    """Return the cells of a row between commas, or between blanks as Weka takes them."""
    for plain in (_without_remark(line), line):
        for told in filter(None, (plain, _without_weight(plain))):
            for way in (_cells, _words):
                cells = list(way(told))
                if len(cells) == width + 1 and cells[-1] == ("", False):
                    cells.pop()  # a comma ends the row
                if len(cells) == width:
                    tally.weights += told is not plain
                    return [
                        None if cell in (("?", False), ("", False)) else cell[0] for cell in cells
                    ]
    return None


def _without_weight(line: str) -> str:
    """Cut the weight of a row off its end: a number in braces; nothing where there is none."""
    before, _, inside = line.rpartition("{")
    rest = before.rstrip()
    apart = rest != before or rest.endswith(",")
    return rest.removesuffix(",") if apart and _WEIGHT.fullmatch(inside) else ""


def _without_remark(line: str) -> str:
    """Cut a remark off the end of a row: it begins with % outside of quotation marks."""
    for place in _outside(line, "%"):
        if _REMARK.match(line, max(place - 1, 0)):
            return line[:place].rstrip()
    return line


def _cells(line: str) -> Iterator[tuple[str, bool]]:
    place, end = 0, len(line)
    while place <= end:
        found = _CELL.match(line, place)
        if found is None:
            return
        yield _text(found.groups())
        if found.end() == end and not found[0].endswith(","):
            return
        place = found.end()


def _words(line: str) -> Iterator[tuple[str, bool]]:
    return (_text(found.groups()) for found in _WORD.finditer(line))


def _text(groups: Sequence[str | None]) -> tuple[str, bool]:
    """Return what stands in a cell, and whether in quotation marks."""
    single, double, plain = groups[:3]
    if plain is not None:
        return plain.strip(), False
    return _ESCAPE.sub(lambda told: _LETTERS.get(told[1], told[1]), single or double or ""), True


def _sparse_rows(
    rows: Sequence[tuple[int, str]], attributes: Sequence[_Attribute], _: _Tally
) -> list[pd.Series[Any]]:
    """Fill in what is not written: 0, or the first of the declared values."""
    numbers = [number for number, _ in rows]
    usual = [
        "0" if told.numeric else told.values[0] if told.values else None for told in attributes
    ]
    columns: list[list[str | None]] = [[value] * len(rows) for value in usual]
    for at, (number, line) in enumerate(rows):
        end = _closing(line)
        if not line.startswith("{") or end == len(line):
            raise _trouble(
                number, "is no sparse row, but the first one is", "write {index value, ...}"
            )
        inner, place = line[1:end], 0
        while place < len(inner) and inner[place:].strip():
            found = _PAIR.match(inner, place)
            if found is None or int(found[1]) >= len(attributes):
                told = inner[place : place + 30].strip()
                raise _trouble(
                    number, f"holds {told!r}, which is no index and value",
                    f"write an index from 0 to {len(attributes) - 1}, a blank and the value",
                )  # fmt: skip
            text, quoted = _text(found.groups()[1:])
            columns[int(found[1])][at] = None if text == "?" and not quoted else text
            place = found.end()
    return [_column(told, cells, numbers) for told, cells in zip(attributes, columns, strict=True)]


def _column(told: _Attribute, cells: list[str | None], numbers: Sequence[int]) -> pd.Series[Any]:
    if told.numeric:
        try:
            return pd.Series([np.nan if cell is None else float(cell) for cell in cells])
        except ValueError:
            at = next(at for at, cell in enumerate(cells) if cell is not None and not _float(cell))
            raise _trouble(
                numbers[at], f"holds {str(cells[at])[:40]!r} where {told.name[:40]!r} is numeric",
                "change the cell, or declare the attribute as string",
            ) from None  # fmt: skip
    if told.values:
        odd = {*cells} - {None, *told.values}
        if odd:
            at = next(at for at, cell in enumerate(cells) if cell in odd)
            raise _trouble(
                numbers[at],
                f"holds {str(cells[at])[:40]!r}, which is none of the values of {told.name[:40]!r} "
                f"({listed(told.values, 4)})",
                "add it to the list of the attribute, or change the cell",
            )
    return pd.Series([cell or None for cell in _stripped(cells)], dtype="str")


def _stripped(cells: Iterable[str | None]) -> Iterator[str | None]:
    return (cell.strip() if cell else None for cell in cells)


def _float(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _trouble(line: int, what: str, do: str) -> FileError:
    return FileError(f"The ARFF file could not be read: line {line:,} {what}; {do}.")
