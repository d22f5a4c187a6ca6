"""Sizes are right where it matters: arrays, bytes, and whatever holds them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review.subject import judging_points
from stiknn_ui.work.sizes import size_of

KB = 1000


@dataclass(frozen=True)
class Holder:
    array: np.ndarray
    other: object = None

    @cached_property
    def later(self) -> np.ndarray:
        return np.zeros(1000 * KB // 8)


ARRAY = np.zeros(100 * KB // 8)


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (ARRAY, 100 * KB),
        (ARRAY[:3], 100 * KB),  # a view keeps the whole
        (ARRAY.reshape(2, -1).T, 100 * KB),
        (bytes(50 * KB), 50 * KB),
        ("x" * 50 * KB, 50 * KB),
        ([ARRAY, ARRAY[1:], bytes(50 * KB)], 150 * KB),  # the same memory counts once
        ({"a": ARRAY, "b": np.ones(10 * KB // 8)}, 110 * KB),
        (Holder(ARRAY, (bytes(20 * KB),)), 120 * KB),
        (Holder, 0),
        (None, 0),
        (np.array(["a", "b"] * 500, dtype=object), 72 * KB),  # a pointer and a short text each
        (tuple(bytes(KB) for _ in range(5 * KB)), 5000 * KB),
    ],
)
def test_what_holds_memory_counts(value: object, size: int) -> None:
    assert size <= size_of(value) <= 1.1 * size + 3 * KB


def test_what_is_worked_out_later_counts_once_it_is_there() -> None:
    holder = Holder(ARRAY)
    before = size_of(holder)
    assert holder.later.nbytes <= size_of(holder) - before < holder.later.nbytes + KB


def test_a_result_is_its_matrix_and_little_more(held_out: Analysis) -> None:
    matrix = held_out.interactions.matrix.nbytes
    assert matrix < size_of(held_out) < matrix + 1000 * held_out.n


def test_judged_test_points_count_with_the_result_they_hold_on_to(held_out: Analysis) -> None:
    assert size_of(judging_points(held_out)) > size_of(held_out)
