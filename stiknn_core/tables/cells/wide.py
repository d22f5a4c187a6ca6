"""Embeddings that stand in one column for each number: e0 to e767."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from stiknn_core.phrases import counted
from stiknn_core.tables.cells.columns import ColumnFacts

_NAME: Final = re.compile(
    r"(?i)((?:.*[_. -])?(?:emb|embs|embedding|embeddings|vec|vector|feature_vector)|dim|e|f)"
    r"([_. -]?)(\d+)"
)
_LEAST: Final = 16
_LEAST_OF_SHORT: Final[Mapping[str, int]] = {"f": 64}


def wide_vectors(facts: Mapping[str, ColumnFacts]) -> dict[str, tuple[str, ...]]:
    """Find columns beside each other that are the numbers of one embedding, by what names them.

    Their names end in numbers that count from 0 or 1, and begin as those of embeddings do; all
    hold numbers, and most of them fractions.
    """
    groups: dict[str, list[tuple[int, int, str]]] = {}
    for place, (name, fact) in enumerate(facts.items()):
        match = _NAME.fullmatch(name) if fact.kind == "number" else None
        if match:
            groups.setdefault(match[1] + match[2], []).append((place, int(match[3]), name))
    found: dict[str, tuple[str, ...]] = {}
    for written, columns in groups.items():
        stem, n = written.rstrip("_. -"), len(columns)
        places, numbers, names = zip(*columns, strict=True)
        if n < _LEAST_OF_SHORT.get(stem.lower(), _LEAST) or numbers[0] > 1:
            continue
        steps = {(place - places[0], number - numbers[0]) for place, number, _ in columns}
        if steps != {(step, step) for step in range(n)}:
            continue
        if sum(facts[name].whole for name in names) < 0.5 * n:
            found[stem] = names
    return found


def wide_notices(found: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Say which columns are read as one embedding."""
    return [
        f"Columns {names[0]!r} to {names[-1]!r} are read as one embedding, {stem!r}, of "
        f"{counted(len(names), 'number')}."
        for stem, names in found.items()
    ]
