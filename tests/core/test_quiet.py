"""Warnings are switched off for one caller, whatever other threads do meanwhile."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from stiknn_core import (
    RankedNeighbors,
    StiknnWarning,
    block_interactions,
    rank_suspects,
    value_parts,
    values,
)
from stiknn_core.quiet import without_warnings

ABSENT = ([[0.0], [1.0]], ["a", "a"], [[0.5]], ["b"])


def test_only_the_caller_that_asks_for_it_hears_nothing() -> None:
    filters = list(warnings.filters)
    with without_warnings():
        values(*ABSENT, k=1)
        with ThreadPoolExecutor(1) as other, pytest.raises(StiknnWarning, match="Classes without"):
            other.submit(values, *ABSENT, k=1).result()
        values(*ABSENT, k=1)
        assert warnings.filters == filters
    with pytest.warns(StiknnWarning, match="Classes without") as told:
        values(*ABSENT, k=1)
    assert told[0].filename == __file__


@pytest.mark.parametrize(
    "call",
    [
        lambda: values(*ABSENT, k=1),
        lambda: RankedNeighbors(*ABSENT, k=1),
        lambda: block_interactions(*ABSENT, blocks=[0, 1], k=1),
        lambda: value_parts(*ABSENT, point=0, k=1),
        lambda: rank_suspects(*ABSENT, k=1),
    ],
    ids=["values", "ranked", "blocks", "parts", "suspects"],
)
def test_it_is_told_at_the_line_that_called_the_package(call: Callable[[], object]) -> None:
    with pytest.warns(StiknnWarning, match="Classes without") as told:
        call()
    assert {warning.filename for warning in told} == {__file__}


def test_it_ends_with_an_error_too() -> None:
    with pytest.raises(KeyError), without_warnings():
        raise KeyError
    with pytest.warns(StiknnWarning):
        values(*ABSENT, k=1)
