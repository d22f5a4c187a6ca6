"""The one way in: ``read_table``."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from stiknn_core.errors import ParameterError
from stiknn_core.phrases import listed, quoted
from stiknn_core.tables.cells.columns import examine
from stiknn_core.tables.cells.numbers import MISSING_WORDS, detect_format
from stiknn_core.tables.cells.roles import propose_roles
from stiknn_core.tables.cells.split_columns import broken_decimals
from stiknn_core.tables.files.drafting import Overrides, read_source
from stiknn_core.tables.table import Table
from stiknn_core.tables.telling import tell

_LOOKED = 0.7
"""Share of the work that is done when all cells are there."""


def read_table(source: Any, *, name: str | None = None, **overrides: Any) -> Table:
    """Read a labelled table from nearly anything.

    Parameters
    ----------
    source : path, bytes, open file, DataFrame, array, (X, y) pair or mapping of arrays
        A file is judged by its content, never by its name: delimited text, Excel (.xlsx),
        Parquet, ARFF, LIBSVM, NPZ or NPY, also in gzip or zip.
    name : str or None
        What to call the table; None takes the file name.
    **overrides
        Decisions to insist on: encoding, separator, quote, decimal, thousands, header, sheet,
        member, X, y, missing_words, ragged; see ``Overrides``.

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
        If it is an Excel or ARFF file and the package that reads those is not installed.
    """
    wanted = _check_overrides(overrides)
    draft, found = read_source(source, wanted)
    columns = [draft.frame[column] for column in draft.frame.columns]
    tell("Looking at the columns", _LOOKED)
    style, doubt = detect_format(
        columns,
        draft.decisions.get("separator"),
        decimal=wanted.decimal,
        thousands=wanted.thousands,
        missing_words=MISSING_WORDS if wanted.missing_words is None else (*wanted.missing_words,),
    )
    facts = {}
    for place, column in enumerate(columns):
        tell("Looking at the columns", _LOOKED + (1 - _LOOKED) * place / len(columns))
        facts[str(column.name)] = examine(column, style)
    roles = propose_roles(draft.frame, facts, draft.unnamed, draft.flags, draft.nominal)
    notices = [*draft.notices, *([doubt] if doubt else [])]
    if draft.decisions["format"] in ("text", "Excel"):
        notices += broken_decimals(draft.frame, facts)
    words = sorted({word for fact in facts.values() for word in fact.words})
    decisions = {
        **draft.decisions,
        "decimal": style.decimal,
        "thousands": style.thousands,
        "missing_words": tuple(words),
    }
    return Table(
        cells=draft.frame,
        name=name or table_name(found),
        decisions=MappingProxyType(decisions),
        notices=tuple(dict.fromkeys(notices)),
        roles=MappingProxyType(roles),
        facts=MappingProxyType(facts),
        style=style,
        unnamed=draft.unnamed,
        flags=MappingProxyType(draft.flags),
        nominal=draft.nominal,
        sheets=draft.sheets,
        array_names=draft.array_names,
        members=draft.members,
    )


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
