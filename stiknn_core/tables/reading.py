"""The one way in: ``read_table``."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.phrases import listed, quoted
from stiknn_core.tables.cells.causes import Role
from stiknn_core.tables.cells.columns import ColumnFacts, examine
from stiknn_core.tables.cells.formats import find_formats, native_writing
from stiknn_core.tables.cells.held import examine_held
from stiknn_core.tables.cells.labels import guess_measured
from stiknn_core.tables.cells.numbers import MISSING_WORDS, PLAIN, NumberFormat
from stiknn_core.tables.cells.roles import GUESSED, propose_roles
from stiknn_core.tables.cells.split_columns import broken_decimals
from stiknn_core.tables.cells.told import (
    guess_notices,
    lost_notices,
    mixed_notices,
    nines_notices,
    odd_notices,
    rounded_notices,
    unread_notices,
)
from stiknn_core.tables.cells.wide import wide_notices, wide_vectors
from stiknn_core.tables.contents import Pictures, Vectors
from stiknn_core.tables.files.drafting import Overrides, read_source
from stiknn_core.tables.files.list_text import take_written_vectors
from stiknn_core.tables.table import Table
from stiknn_core.tables.telling import tell

_LOOKED = 0.7
"""Share of the work that is done when all cells are there."""


def read_table(source: Any, *, name: str | None = None, **overrides: Any) -> Table:
    """Read a labelled table from nearly anything.

    Parameters
    ----------
    source : path, bytes, open file, table, array, (X, y) pair or mapping of arrays
        A table is a DataFrame of pandas, Polars or another library, an Arrow table, a mapping of
        names to columns, a list of records, or a Bunch of scikit-learn, whose names are kept.
        A file is told by its content, never by its name: delimited text, Excel (.xlsx, .xlsb,
        .xls), OpenDocument (.ods, .fods), a web page with a table, Parquet, Arrow and Feather,
        ORC, JSON and JSON Lines, SQLite, SPSS, Stata, SAS, ARFF, LIBSVM, NPZ or NPY, also in
        gzip, bzip2, xz, zstd, zip or tar. A column of lists of numbers, and such lists as text,
        are vectors; so is a matrix called embeddings beside other arrays, and one in a zip
        beside a table (``X`` says which array, if there are several).
        A zip or tar of pictures has a folder for each class or a table that names them; one of
        a folder that ``save_to_disk`` of Hugging Face wrote is read too.
    name : str or None
        What to call the table; None takes the file name.
    **overrides
        Decisions to insist on: encoding, separator, quote, decimal, thousands, header, sheet,
        member, table, X, y, missing_words, formats, ragged; see ``Overrides``.

    Returns
    -------
    Table
        Nothing is dropped without a notice. Text cells have lost the blanks around them.

    Raises
    ------
    ParameterError
        If an override is unknown or impossible.
    ChoiceError
        If a file holds several tables; it names them.
    FileError
        If the source cannot be read as a table; the message says what to do.
    MissingExtraError
        If it is a file of Excel, SPSS, Stata, SAS or pictures, and the package that reads it is
        not there.
    """
    wanted = _check_overrides(overrides)
    try:
        return _read(source, name, wanted)
    except MemoryError:
        raise FileError(
            "There is not enough memory for the table; keep fewer rows or columns, or draw a "
            "sample first."
        ) from None


def _read(source: Any, name: str | None, wanted: Overrides) -> Table:
    draft, found = read_source(source, wanted)
    take_written_vectors(draft)
    held: dict[str, Vectors | Pictures] = {**draft.vectors, **draft.pictures}
    columns = [draft.frame[column] for column in draft.frame.columns if column not in held]
    tell("Looking at the columns", _LOOKED)
    formats, doubts = find_formats(
        columns,
        draft.decisions.get("separator"),
        decimal=wanted.decimal,
        thousands=wanted.thousands,
        missing_words=MISSING_WORDS if wanted.missing_words is None else (*wanted.missing_words,),
        natives=draft.natives,
    )
    formats |= {name: told for name, told in (wanted.formats or {}).items() if name in formats}
    frame = native_writing(draft.frame, draft.natives, formats)
    facts: dict[str, ColumnFacts] = {}
    for place, column in enumerate(map(str, frame.columns)):
        tell("Looking at the columns", _LOOKED + (1 - _LOOKED) * place / frame.shape[1])
        facts[column] = (
            examine_held(frame[column], held[column])
            if column in held
            else examine(frame[column], formats.get(column, PLAIN))
        )
        if column in draft.lists:
            facts[column] = dataclasses.replace(facts[column], lists=draft.lists[column])
    roles = propose_roles(frame, facts, draft.unnamed, draft.flags, draft.nominal)
    notices = [
        *draft.notices,
        *doubts,
        *mixed_notices(facts, {name: int((~told).sum()) for name, told in draft.natives.items()}),
        *guess_notices(
            facts[name]
            for name, told in roles.items()
            if told.role not in ("label", "id")
            or (told.role == "label" and guess_measured(frame[name], facts[name]))
        ),
        *lost_notices(facts.values()),
        *nines_notices(fact for name, fact in facts.items() if roles[name].role == "feature"),
        *odd_notices(facts.values()),
        *unread_notices(facts[name] for name, told in roles.items() if _asked(told)),
        *rounded_notices(facts.values()),
        *wide_notices(wide_vectors(facts)),
    ]
    if draft.decisions["format"] in ("text", "Excel", "OpenDocument", "web page"):
        notices += broken_decimals(frame, facts)
    words = sorted({word for fact in facts.values() for word in fact.words})
    decisions = {
        **draft.decisions,
        **_usual_marks(facts.values()),
        "missing_words": tuple(words),
    }
    return Table(
        cells=frame,
        name=name or table_name(found),
        decisions=MappingProxyType(decisions),
        notices=tuple(dict.fromkeys(notices)),
        roles=MappingProxyType(roles),
        facts=MappingProxyType(facts),
        unnamed=draft.unnamed,
        flags=MappingProxyType(draft.flags),
        nominal=draft.nominal,
        sheets=draft.sheets,
        array_names=draft.array_names,
        members=draft.members,
        tables=draft.tables,
        vectors=MappingProxyType(draft.vectors),
        pictures=MappingProxyType(draft.pictures),
    )


def _asked(told: Role) -> bool:
    """Tell whether numbers that a column may hold matter; classes that are named so are none."""
    return told.role != "label" or told.cause in GUESSED


def _usual_marks(facts: Iterable[ColumnFacts]) -> dict[str, str]:
    """Return the marks that most columns of numbers have, those without any left aside."""
    styles = [fact.style for fact in facts if fact.kind == "number"]
    grouped = Counter(style.thousands for style in styles if style.thousands)
    decimals = Counter(style.decimal for style in styles)
    return {
        "decimal": "," if decimals[","] > 0 and decimals[","] >= decimals["."] else ".",
        "thousands": grouped.most_common(1)[0][0] if grouped else "",
    }


def _check_overrides(overrides: Mapping[str, Any]) -> Overrides:
    known = [entry.name for entry in dataclasses.fields(Overrides)]
    unknown = [name for name in overrides if name not in known]
    if unknown:
        raise ParameterError(
            f"read_table knows no setting {quoted(unknown)}; it takes {listed(known, 20)}."
        )
    wanted = Overrides(**overrides)
    if wanted.decimal not in (None, ".", ","):
        raise ParameterError(f"decimal must be '.' or ','; got {wanted.decimal!r}.")
    if wanted.thousands not in (None, "", ",", ".", " ", "'"):
        raise ParameterError(
            f"thousands must be '', ',', '.', ' ' or \"'\"; got {wanted.thousands!r}."
        )
    if wanted.decimal is not None and wanted.decimal == wanted.thousands:
        raise ParameterError("decimal and thousands must be different marks.")
    if wanted.formats is not None and not (
        isinstance(wanted.formats, Mapping)
        and all(isinstance(told, NumberFormat) for told in wanted.formats.values())
    ):
        raise ParameterError("formats must map column names to a NumberFormat each.")
    if isinstance(wanted.missing_words, str):
        raise ParameterError("missing_words must be a list of words.")
    return wanted


def table_name(found: str) -> str:
    """Return a file's name without folders and endings, ``.csv.gz`` among them."""
    stem = os.path.basename(found)
    while True:
        shorter, ending = os.path.splitext(stem)
        if not shorter or not 2 <= len(ending) <= 8:
            return stem or "table"
        stem = shorter
