"""The paper's data sets and others from OpenML, as names, sizes and words. Pure."""

from __future__ import annotations

import re
from typing import Final

from stiknn_core.datasets.registry import REGISTRY, Entry, load_paper_dataset
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_POINTS, DataSpec

USUAL_SAMPLE: Final = 2_000
"""Rows taken of a larger set until a person says otherwise; computed in a few seconds."""
MAX_OPENML: Final = 99_999_999

_OTHER: Final = re.compile(r"openml-([1-9]\d{0,7})")


def known(name: str) -> bool:
    """Whether ``name`` is one of the paper's sets or a number on OpenML."""
    return name in REGISTRY or other_number(name) is not None


def other_name(number: int) -> str:
    """Return the name of a set that is known by its number on OpenML."""
    for key, entry in REGISTRY.items():
        if entry.source == "openml" and entry.openml == number:
            return key
    return f"openml-{number}"


def other_number(name: str) -> int | None:
    """Return the number in a name such as ``openml-61``; None for other names."""
    found = _OTHER.fullmatch(name)
    return int(found[1]) if found else None


def needs_fetching(name: str) -> bool:
    """Whether the set comes from OpenML rather than from a rule or a generator."""
    return name not in REGISTRY or REGISTRY[name].source == "openml"


def drawn(data: DataSpec) -> bool:
    """Whether the rows themselves are random, so that the seed belongs to the data."""
    if data.source == "paper":
        return data.name in REGISTRY and REGISTRY[data.name].key in ("circle", "moon", "planes2d")
    return data.source == "generated"


def first_spec(name: str) -> DataSpec:
    """Return how a set begins: as it is, of large ones a sample."""
    n = REGISTRY[name].n if name in REGISTRY else None
    fits = n is not None and n <= MAX_POINTS
    return DataSpec(source="paper", name=name, flip=0.0, sample=0 if fits else USUAL_SAMPLE)


def title(name: str) -> str:
    """Return what to call a set on screen."""
    return REGISTRY[name].title if name in REGISTRY else name.replace("openml-", "OpenML ")


def line(name: str) -> str:
    """Return title, size and source of a set in one line, for choosing."""
    if name not in REGISTRY:
        return title(name)
    entry = REGISTRY[name]
    rows = f"{entry.n:,} rows" if entry.n else "rows counted once fetched"
    classes = f"{entry.n_classes} classes" if entry.n_classes else ""
    return " · ".join(part for part in (entry.title, rows, classes, source(entry)) if part)


def source(entry: Entry) -> str:
    """Return where a set comes from, in two or three words."""
    if entry.source == "openml":
        return f"OpenML {entry.openml}"
    return "generated" if entry.source == "generated" else "made from its rule"


def load(name: str) -> Dataset:
    """Fetch all rows of a set from the cache on disk or from OpenML; may take minutes.

    Raises
    ------
    StiknnError
        If there is no network, no such set, a damaged copy, or no labelled table in it.
    """
    number = other_number(name)
    if number is None:
        return load_paper_dataset(name)
    # Imported here: this is the only place that needs the readers of tables.
    from stiknn_core.datasets.openml import load_openml

    table = load_openml(number)
    return table.to_dataset(missing="impute", missing_labels="drop_rows")
