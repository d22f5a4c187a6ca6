"""What the library `datasets` of Hugging Face writes into a file of columns beside the cells.

The metadata of the schema say what the columns mean: names of classes in the place of numbers,
pictures as their bytes and a path. A path is shown and never opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from stiknn_core.phrases import counted, listed, quoted
from stiknn_core.tables.contents import Pictures
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.picture_vectors import features_of_vectors
from stiknn_core.tables.files.pictures import measure

_KEY: Final = b"huggingface"
_SHOWN: Final = 3


@dataclass
class Understood:
    """Columns as people read them, and what to add to the draft that is made of them.

    Attributes
    ----------
    content : Table of Arrow
        Names in the place of numbers of classes, paths in the place of pictures.
    pictures : dict of column name to Pictures
    classes : list of str
        Columns of named classes.
    notices : list of str
    """

    content: pa.Table
    pictures: dict[str, Pictures] = field(default_factory=dict)
    classes: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def add_to(self, draft: Draft) -> Draft:
        """Add to a draft what was found, and return it."""
        names = set(draft.frame.columns)
        draft.pictures |= {name: held for name, held in self.pictures.items() if name in names}
        draft.notices += self.notices
        classes = [name for name in self.classes if name in names]
        draft.nominal += tuple(name for name in classes if name not in draft.nominal)
        if len(classes) == 1:
            draft.flags.setdefault(classes[0], "label")
        features_of_vectors(draft)
        return draft


def understood(content: pa.Table) -> Understood:
    """Return columns with what the metadata say of them, and pictures taken out."""
    told = _features(content.schema.metadata)
    found = Understood(content)
    for place, column in enumerate(content.schema):
        feature = told.get(column.name)
        feature = feature if isinstance(feature, dict) else {}
        if _holds_pictures(column.type, feature):
            cells = _take_pictures(found, column.name, content.column(place))
        elif feature.get("_type") == "ClassLabel" and pa.types.is_integer(column.type):
            cells = _named(found, column.name, content.column(place), feature.get("names"))
        else:
            continue
        if cells is not None:
            found.content = found.content.set_column(place, column.name, cells)
    return found


def _features(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    """Return what the metadata say of each column; nothing where they are none of that library."""
    try:
        told = json.loads((metadata or {}).get(_KEY, b"{}"))
        features = told["info"]["features"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return features if isinstance(features, dict) else {}


def _holds_pictures(kind: pa.DataType, feature: Mapping[str, Any]) -> bool:
    if feature and feature.get("_type") != "Image":
        return False  # sound and film are written in the same way
    if _is_binary(kind):
        return bool(feature)
    if not pa.types.is_struct(kind):
        return False
    parts = {kind.field(at).name: kind.field(at).type for at in range(kind.num_fields)}
    if set(parts) != {"bytes", "path"}:
        return False
    return _is_binary(parts["bytes"]) or bool(pa.types.is_null(parts["bytes"]))


def _is_binary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _take_pictures(found: Understood, name: str, column: pa.ChunkedArray) -> pa.Array:
    """Measure pictures, and return what is written in their place."""
    n = len(column)
    bare = _is_binary(column.type)
    contents = column if bare else pc.struct_field(column, "bytes")
    paths = [None] * n if bare else pc.struct_field(column, "path").to_pylist()
    there = [one.as_py() for one in pc.is_valid(column)]
    cells = [
        (str(path) if path else f"picture {place + 1}") if real else None
        for place, (path, real) in enumerate(zip(paths, there, strict=True))
    ]
    elsewhere = [
        cell
        for place, cell in enumerate(cells)
        if cell is not None and not contents[place].is_valid
    ]
    named = counted(
        len(elsewhere),
        "picture is only named, by a path that is never opened",
        "pictures are only named, by paths that are never opened",
    )
    shown = quoted(list(dict.fromkeys(elsewhere)), _SHOWN)
    if elsewhere and not any(one.is_valid for one in contents):
        found.notices.append(
            f"Column {name!r} holds no picture: {named} ({shown}); save the table with the "
            "pictures inside, or put both into a zip."
        )
        return pa.array(cells, pa.large_string())
    measured = measure([cell or "" for cell in cells], lambda place: contents[place].as_py())
    found.notices += measured.notices
    if elsewhere:
        counts = "counts" if len(elsewhere) == 1 else "count"
        found.notices.append(f"{named}, and {counts} as missing ({shown}).")
    found.pictures[name] = measured.pictures
    return pa.array(cells, pa.large_string())


def _named(
    found: Understood, name: str, column: pa.ChunkedArray, names: Any
) -> pa.ChunkedArray | None:
    """Return the names of classes in the place of their numbers; -1 is no class."""
    if not (isinstance(names, list) and names and all(isinstance(one, str) for one in names)):
        return None
    if len(set(names)) < len(names):
        return None
    known = pc.fill_null(pc.and_(pc.greater_equal(column, 0), pc.less(column, len(names))), False)
    places = pc.if_else(known, column, pa.scalar(None, column.type))
    cells = pc.take(pa.array(names, pa.large_string()), places)
    none = pc.fill_null(pc.equal(column, -1), False) if _signed(column.type) else None
    odd = pc.and_not(pc.is_valid(column), known if none is None else pc.or_(known, none))
    strange = pc.unique(column.filter(odd)).to_pylist()
    if strange:
        cells = pc.if_else(odd, pc.cast(column, pa.large_string()), cells)
        found.notices.append(
            f"Column {name!r} has numbers that are none of its {len(names):,} classes "
            f"({listed(strange, _SHOWN)}); they stay as they are."
        )
    told = listed([f"{at} is {one!r}" for at, one in enumerate(names)], _SHOWN)
    found.notices.append(f"Column {name!r} holds numbers of named classes, read as such: {told}.")
    found.classes.append(name)
    return cells


def _signed(kind: pa.DataType) -> bool:
    return bool(pa.types.is_signed_integer(kind))
