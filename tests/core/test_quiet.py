"""Warnings are switched off for one caller, whatever other threads do meanwhile."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from stiknn_core import StiknnWarning, values
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


def test_it_ends_with_an_error_too() -> None:
    with pytest.raises(KeyError), without_warnings():
        raise KeyError
    with pytest.warns(StiknnWarning):
        values(*ABSENT, k=1)
