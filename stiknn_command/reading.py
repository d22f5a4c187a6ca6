"""From a file, or standard input, to a data set."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from stiknn_command.problems import plain
from stiknn_command.progress import Told
from stiknn_core.errors import FileError, ParameterError
from stiknn_core.phrases import counted
from stiknn_core.tables import Table, read_table
from stiknn_core.tables.limits import MAX_FILE_BYTES
from stiknn_core.tables.reading import table_name
from stiknn_core.tables.telling import listening
from stiknn_core.types import AnyArray, Dataset

STDIN: Final = "-"
_MANY_NUMBERS: Final = 10
_TRUTH: Final = {"true": True, "false": False, "yes": True, "no": False}


@dataclass(frozen=True, eq=False)
class Given:
    """A file that was named.

    Attributes
    ----------
    name : str
        As it was written; "stdin" for standard input.
    content : bytes
    overrides : dict
        How it is read, for `read_table`.
    table : Table
        With the roles that follow from the label that was asked for.
    """

    name: str
    content: bytes
    overrides: dict[str, Any]
    table: Table


def read(name: str, asked: argparse.Namespace, told: Told) -> Given:
    """Read the table of a file as the command line says.

    Raises
    ------
    StiknnError
        If it is none, or has no such label column.
    """
    content = _content(name)
    shown = "stdin" if name == STDIN else name
    overrides = {option: _value(option, text) for option, text in asked.read}
    told.begin(f"Reading {plain(shown, 100)}")

    def listen(_: str, share: float) -> None:
        told.step(round(1000 * share), 1000)

    with listening(listen):
        table = read_table(content, name=table_name(shown), **overrides)
    told.done()
    if asked.label is not None:
        table = table.with_label(asked.label)
    return Given(shown, content, overrides, table)


def dataset_of(given: Given, asked: argparse.Namespace, told: Told) -> Dataset:
    """Return the data set of a table, and tell what was left out on the way."""
    measured = {"classes": False, "measured": True}.get(asked.label_is or "")
    data = given.table.to_dataset(missing=asked.missing or "refuse", measured=measured)
    for notice in dict.fromkeys([*given.table.notices, *data.notices]):
        told.say(f"{plain(given.name, 100)}: {plain(notice)}")
    label = data.params["label"]
    told.say(
        f"{plain(given.name, 100)}: {counted(data.n, 'row')}, "
        f"{counted(data.X.shape[1], 'feature')}, label {plain(repr(label), 100)}."
    )
    if measured is None and not data.measured and _many_numbers(data.y):
        told.say(
            f"{plain(given.name, 100)}: {plain(repr(label), 100)} has {len(np.unique(data.y))} "
            "numbers, taken for classes; --label-is measured takes it for a measured number."
        )
    return replace(data, name=given.table.name)


def _many_numbers(labels: AnyArray) -> bool:
    """Tell whether classes are numbers, and more of them than digits have."""
    return labels.dtype.kind in "iuf" and len(np.unique(labels)) > _MANY_NUMBERS


def _content(name: str) -> bytes:
    if name == STDIN:
        # One more than may be, so that too much is told as such.
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    path = Path(name)
    if path.is_dir():
        raise FileError(f"{name!r} is a folder; expected a file with a table.")
    if not path.exists():
        raise FileError(f"There is no file {name!r}; check the path.")
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise FileError(f"The file {name!r} could not be read: {error.strerror}.") from None


def _value(option: str, text: str) -> Any:
    """Return the value of a setting of `read_table`, which a command line has as text only."""
    if option == "formats":
        raise ParameterError(
            "formats cannot be given on a command line; use decimal and thousands."
        )
    if option == "missing_words":
        return text.split(",")
    if option == "header":
        return _TRUTH.get(text.lower(), int(text) if text.isdecimal() else text)
    return "\t" if text == r"\t" else text
