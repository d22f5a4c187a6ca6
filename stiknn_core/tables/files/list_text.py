"""Vectors that were written as text: "[0.1, 0.2]", as numpy writes them, or as tuples."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_core.tables.cells.numbers import is_text
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.lists import NESTED, Lists, gather
from stiknn_core.types import FloatArray

CUT: Final = 'lists that were cut short when they were written ("..."); write them in full'

_START: Final = re.compile(r"(?:(?:np\.)?(?:array|tensor)\()?[\[(]\s*(?:[-+.\d\[(]|nan|np\.)")
_WRAPPED: Final = re.compile(r"(?:np\.)?(?:array|tensor)\(\s*(\[.*\])[^\]]*\)", re.DOTALL)
_SCALAR: Final = re.compile(r"np\.\w+\(([^()]*)\)")
_NOTHING: Final = re.compile(r"\b(?:null|None|NULL|NA)\b")
_LOOKED_AT: Final = 20


def take_written_vectors(draft: Draft) -> None:
    """Find columns of text that hold vectors; their cells stay as they are."""
    for name in map(str, draft.frame.columns):
        known = name in draft.vectors or name in draft.pictures or name in draft.lists
        if known or not is_text(draft.frame[name]):
            continue
        found = written_lists(draft.frame[name])
        if found is None:
            continue
        draft.notices += found.notices
        if found.vectors is not None:
            draft.vectors[name] = found.vectors
            draft.natives.pop(name, None)
        elif found.why_not:
            draft.lists[name] = found.why_not


def written_lists(column: pd.Series[Any]) -> Lists | None:
    """Look at a column of text; None where most of its cells are no lists of numbers."""
    filled = ~column.isna().to_numpy(dtype=bool)
    some = column.iloc[np.flatnonzero(filled)[:_LOOKED_AT]]
    if not len(some) or sum(bool(_START.match(cell)) for cell in some) < 0.5 * len(some):
        return None
    insides = [_inside(cell) for cell in some]
    for sign, why in (("[", NESTED), ("...", CUT)):
        if sum(inside is not None and sign in inside for inside in insides) > 0.5 * len(some):
            return Lists(why_not=why)
    cells = column.tolist()
    rows = [_numbers(cell) if given else None for cell, given in zip(cells, filled, strict=True)]
    return gather(str(column.name), rows, filled, lambda row: str(cells[row]), written=True)


def _inside(cell: str) -> str | None:
    """Return what stands between the brackets; None where there are none."""
    cell = cell.strip()
    if not cell.startswith(("[", "(")) and (wrapped := _WRAPPED.fullmatch(cell)):
        cell = wrapped[1]
    if (cell[:1], cell[-1:]) not in (("[", "]"), ("(", ")")):
        return None
    inside = cell[1:-1]
    if "np." in inside:
        inside = _SCALAR.sub(r"\1", inside)
    # "(1,234)" is a negative amount of money.
    return None if cell[0] == "(" and ", " not in inside else inside


def _numbers(cell: str) -> FloatArray | None:
    """Return at least two numbers that stand in brackets, None for anything else."""
    inside = _inside(cell)
    if inside is None:
        return None
    found = _read(inside)
    return _read(_NOTHING.sub("nan", inside)) if found is None else found


def _read(text: str) -> FloatArray | None:
    parts = text.split(",") if "," in text else text.split()
    if len(parts) < 2:
        return None
    try:
        return np.fromiter(map(float, parts), np.float64, len(parts))
    except ValueError:
        return None
