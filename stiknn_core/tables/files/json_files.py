"""JSON and JSON Lines: records, columns, rows, and what programs wrap around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stiknn_core.errors import FileError
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.grids import Grid, check_cells, check_width
from stiknn_core.tables.files.records import records_draft
from stiknn_core.tables.files.refused import reason
from stiknn_core.tables.files.sheets import Sheet, refuse_empty, sheet_grid

_MOST_VALUES = 12_000_000
DEEPEST = 3
_LOOKED_AT = 20
Json = Any


def read_json(text: str, table: str | None = None) -> Draft | Grid:
    """Read JSON text; rows without names come as a grid, whose header is still to be found.

    ``table`` says which list inside the file is meant where there are several.
    """
    # Every value but the first follows one of these, so the count is known before any is made.
    # A record takes the memory of some values more.
    if (text.count(",") + text.count("[") + 3 * text.count("{")) > _MOST_VALUES:
        raise FileError(
            f"The JSON holds more than {_MOST_VALUES:,} values, of which a record counts as three; "
            "keep fewer, or save it as CSV or Parquet."
        )
    try:
        content, kind = _parse(text)
    except RecursionError:
        raise FileError(
            "The JSON is nested too deeply for a table; expected a list of records."
        ) from None
    if isinstance(content, list) and [*map(type, content)] == [dict, list]:
        content = content[1]  # the World Bank says how many there are before the records
    found: dict[str, Json] = {}
    if _rows_of(content) is None:
        found = dict(_inside(content, ""))
        if table is None and len(found) == 1:
            table = next(iter(found))
        if not found and isinstance(content, dict):
            found = {
                name: value
                for name, value in content.items()
                if isinstance(value, dict) and _rows_of(value) is not None
            }
            table = next(iter(found)) if table is None and len(found) == 1 else table
        if not found:
            raise FileError(
                "The JSON holds no table; expected a list of records such as "
                '[{"x": 1, "label": "a"}, ...].'
            )
        if table not in found:
            told = "holds several lists" if table is None else f"holds no list {table!r}"
            raise ChoiceError(f"The JSON {told}", "table", tuple(found))
        content = found[table]
    elif table is not None:
        raise FileError(f"table={table!r} was given, but the JSON is one table; leave it out.")
    notices = [f"The list {table!r} of the JSON was read."] if table is not None else []
    names, rows = _rows_of(content) or ([], iter(()))
    if names is None:
        grid = sheet_grid(Sheet(table or "JSON", enumerate(rows), notices=notices), ())
        if grid is None:
            raise refuse_empty(table or "JSON")
        return grid
    draft = records_draft(names, rows, kind, notices)
    if table is not None:
        draft.decisions["table"] = table
    draft.tables = tuple(found)
    return draft


def _parse(text: str) -> tuple[Json, str]:
    try:
        return json.loads(text), "JSON"
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Extra data"):
            raise FileError(
                f"The JSON could not be read (line {error.lineno:,}: {error.msg}); save it again."
            ) from None
    except ValueError as error:
        raise FileError(f"The JSON could not be read ({reason(error)}).") from None
    records = []
    for line in re.finditer(r"[^\r\n]+", text):  # one by one, as all of them would be a copy
        try:
            if not line[0].isspace():
                records.append(json.loads(line[0]))
        except ValueError as error:
            ends = "\n" if "\n" in text else "\r"
            number = 1 + text.count(ends, 0, line.start())
            raise FileError(
                f"Line {number:,} is not JSON ({reason(error)}); expected one record in each."
            ) from None
    return records, "JSON Lines"


def _rows_of(content: Json) -> tuple[list[str] | None, Iterator[Sequence[Any]]] | None:
    """Return names (None where there are none) and rows of what is a table; else None."""
    if isinstance(content, list):
        if content and all(isinstance(entry, list) for entry in content):
            return None, iter(content)
        if content and all(isinstance(entry, dict) for entry in content):
            return _records(content)
        if any(isinstance(entry, dict) for entry in content):
            odd = next(at for at, entry in enumerate(content) if not isinstance(entry, dict))
            raise FileError(f"Entry {odd + 1:,} of the JSON list is no record, but others are.")
        return None
    if not isinstance(content, dict):
        return None
    columns, data = content.get("columns"), content.get("data")
    if isinstance(columns, list) and isinstance(data, list):
        return _split(columns, data, content.get("index"))
    if (named := _named_rows(content)) is not None:
        return named
    if "schema" in content and isinstance(data, list):
        return _rows_of(data)
    values = list(content.values())
    if values and all(isinstance(value, list) for value in values):
        if len({len(value) for value in values}) == 1 and not _holds_rows(values):
            check_width(len(values))
            return [*content], zip(*values, strict=True)
        return None
    if len(values) > 1 and all(isinstance(value, dict) for value in values):
        same = {frozenset(value) for value in values}
        return _labelled(content) if len(same) == 1 and values[0] else None
    return None


def _named_rows(content: dict[str, Json]) -> tuple[list[str], Iterator[Sequence[Any]]] | None:
    """Take rows that stand beside their names, as services answer; None where none do."""
    for names in (content.get(key) for key in ("columns", "fields", "headers", "header")):
        for rows in (content.get(key) for key in ("rows", "data", "values", "records")):
            if not (isinstance(names, list) and isinstance(rows, list) and names and rows):
                continue
            told = [name.get("name") if isinstance(name, dict) else name for name in names]
            fits = all(isinstance(row, list) and len(row) == len(told) for row in rows)
            if fits and all(isinstance(name, str) for name in told):
                return [*map(str, told)], iter(rows)
    return None


def _holds_rows(values: Sequence[list[Json]]) -> bool:
    return any(value and all(isinstance(cell, dict) for cell in value) for value in values)


def _records(content: Sequence[dict[str, Json]]) -> tuple[list[str], Iterator[Sequence[Any]]]:
    names: dict[str, None] = {}
    flat = [dict(_flat(record, "")) if _is_nested(record) else record for record in content]
    for record in flat:
        if not record.keys() <= names.keys():
            names.update(dict.fromkeys(record))
            check_width(len(names))
    check_cells(len(names) * len(flat))
    for name in names:
        if any(isinstance(record.get(name), list) for record in flat[:_LOOKED_AT]):
            _open_single(flat, name)
    return [*names], ([record.get(name) for name in names] for record in flat)


def _is_nested(record: dict[str, Json]) -> bool:
    return any(isinstance(value, dict) for value in record.values())


def _flat(record: Mapping[str, Json], before: str) -> Iterator[tuple[str, Json]]:
    """Yield the fields of a record; those of a record inside it are called "outer.inner"."""
    for name, given in record.items():
        value = _without_kind(given)
        if isinstance(value, dict) and before.count(".") < DEEPEST:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _without_kind(value: Json) -> Json:
    """Take off what MongoDB says of a value: ``{"$numberDouble": "1.5"}``."""
    while isinstance(value, dict) and len(value) == 1 and next(iter(value)).startswith("$"):
        (value,) = value.values()
    return value


def _open_single(flat: list[dict[str, Json]], name: str) -> None:
    """Take words out of their lists where no row has more than one, as in ``["spam"]``."""
    cells = [record.get(name) for record in flat]
    if any(cells) and all(
        cell is None
        or (isinstance(cell, list) and len(cell) < 2 and all(isinstance(one, str) for one in cell))
        for cell in cells
    ):
        for record, cell in zip(flat, cells, strict=True):
            record[name] = cell[0] if cell else None


def _split(
    columns: list[Json], data: list[Json], index: Json
) -> tuple[list[str], Iterator[Sequence[Any]]]:
    """Take the parts that pandas writes with ``orient="split"``."""
    names = [
        " / ".join(map(str, name)) if isinstance(name, list) else str(name) for name in columns
    ]
    odd = next(
        (at for at, row in enumerate(data) if not isinstance(row, list) or len(row) != len(names)),
        None,
    )
    if odd is not None:
        raise FileError(f"Row {odd + 1:,} of the JSON does not have {len(names)} cells.")
    if isinstance(index, list) and len(index) == len(data) and index != [*range(len(data))]:
        return ["index", *names], ([name, *row] for name, row in zip(index, data, strict=True))
    return names, iter(data)


def _labelled(content: dict[str, dict[str, Json]]) -> tuple[list[str], Iterator[Sequence[Any]]]:
    """Take records by name, or columns whose cells have names (pandas writes both)."""
    inner = [*next(iter(content.values()))]
    if inner == [str(at) for at in range(len(inner))] and [*content] != inner:
        return [*content], zip(*(column.values() for column in content.values()), strict=True)
    names, rows = _records([*content.values()])
    if [*content] == [str(at) for at in range(len(content))]:
        return names, rows
    return ["index", *names], ([name, *row] for name, row in zip(content, rows, strict=True))


def _inside(content: Json, before: str, depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Yield the tables inside the wrapping of a service, with the way to them as name."""
    if not isinstance(content, dict) or depth > DEEPEST:
        return
    for name, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
            if _rows_of(value) is not None:
                yield f"{before}{name}", value
        elif isinstance(value, dict):
            if _named_rows(value) is not None or (depth and _rows_of(value) is not None):
                yield f"{before}{name}", value
            else:
                yield from _inside(value, f"{before}{name}.", depth + 1)
