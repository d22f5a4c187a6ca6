"""Whatever comes in, only our own errors come out."""

from __future__ import annotations

import contextlib
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

from stiknn_core.errors import StiknnError
from stiknn_core.tables import Table, read_table
from tests.tables import fuzzing

SHORT = settings(max_examples=30, suppress_health_check=list(HealthCheck))
LONG = settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))

SOURCES = [
    fuzzing.junk,
    fuzzing.text_files(),
    fuzzing.other_files(),
    fuzzing.saved_files(),
    fuzzing.frames(),
]
NAMES = ["junk", "text", "other", "saved", "frames"]


MOST_SECONDS = 10.0
MOST_MEMORY = 1.5e9
MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
"""Of ru_maxrss, in bytes."""


def measured(source: Any) -> None:
    """Use a source, and hold the time and memory that it took against the limits."""
    before, begin = peak(), time.process_time()
    use(source)
    assert time.process_time() - begin < MOST_SECONDS
    assert peak() - before < MOST_MEMORY


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MEMORY_UNIT


def use(source: Any) -> None:
    """Load a source and turn it into data sets in several ways."""
    table = None
    with contextlib.suppress(StiknnError):
        table = read_table(source)
    if table is None:
        return
    frame = table.frame
    assert isinstance(frame, pd.DataFrame)
    assert len(set(frame.columns)) == frame.shape[1]
    assert all(isinstance(name, str) and name.strip() for name in frame.columns)
    assert set(table.roles) == set(frame.columns)
    assert isinstance(table.problems().sentence, str)
    for label in (None, *table.columns[:3]):
        for missing in ("refuse", "drop_rows", "drop_columns", "impute"):
            try_dataset(table, label, missing)
    with contextlib.suppress(StiknnError):
        table.to_split(test=table, missing="impute", missing_labels="drop_rows")
    with contextlib.suppress(StiknnError):
        table.to_split(missing="impute", missing_labels="drop_rows")


def try_dataset(table: Table, label: str | None, missing: Any) -> None:
    words = [name for name, fact in table.facts.items() if fact.kind in ("text", "boolean")]
    for one_hot in (None, [name for name in words if name != label]):
        with contextlib.suppress(StiknnError):
            made = table.to_dataset(label, missing=missing, one_hot=one_hot)
            assert made.X.shape == (len(made.y), len(made.feature_names))
            assert pd.notna(made.X).all()
            assert len(set(made.ids.tolist())) == made.n >= 2


def check(strategy: Any, how: settings) -> None:
    wrapped: Callable[[], None] = how(given(strategy)(measured))
    wrapped()


@pytest.mark.parametrize("strategy", SOURCES, ids=NAMES)
def test_only_our_errors_come_out(strategy: Any) -> None:
    check(strategy, SHORT)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("strategy", SOURCES, ids=NAMES)
def test_only_our_errors_come_out_of_thousands(strategy: Any) -> None:
    check(strategy, LONG)
