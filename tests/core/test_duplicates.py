from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from stiknn_core.duplicates import count_repeats, find_duplicates, find_near_duplicates
from stiknn_core.errors import ParameterError, ShapeError

X = np.array([[1, 2], [1, 2], [1, 2], [1.00001, 2], [5, 5], [5, 5], [9, 1]])
Y = np.array(["a", "a", "b", "a", "b", "b", "a"])


def test_exact_copies_and_those_that_disagree() -> None:
    found = find_duplicates(X, Y)
    assert [group.tolist() for group in found.groups] == [[0, 1, 2], [4, 5]]
    assert found.conflicts == (0,)
    assert found.group_of.tolist() == [0, 0, 0, -1, 1, 1, -1]
    assert (found.n_rows, found.n_extra) == (5, 3)
    assert found.sentence == (
        "5 rows form 2 groups of identical rows; 1 of them has different labels."
    )


def test_near_copies_need_a_tolerance() -> None:
    found = find_near_duplicates(X, Y, tolerance=1e-4)
    assert [group.tolist() for group in found.groups] == [[0, 1, 2, 3], [4, 5]]
    assert "nearly identical" in found.sentence
    exact = find_near_duplicates(X, Y, tolerance=0)
    assert [group.tolist() for group in exact.groups] == [[0, 1, 2], [4, 5]]


def test_nothing_to_find() -> None:
    assert find_duplicates([[1.0], [2.0]]).sentence == "No two rows are identical."
    assert find_duplicates([[1.0], [1.0]], ["a", "a"]).sentence.endswith("each with one label.")
    assert find_duplicates(np.empty((0, 2))).groups == ()


def test_the_two_zeros_are_one_place() -> None:
    assert len(find_duplicates([[0.0, 1.0], [-0.0, 1.0]]).groups) == 1


def test_test_rows_that_repeat_training_rows_are_counted() -> None:
    assert count_repeats(X, [[5, 5], [1, 2], [1, 2], [0, 0]]) == 3


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=12),
              elements=st.sampled_from([0.0, 1.0, 2.5])))  # fmt: skip
def test_groups_are_those_of_comparing_all_pairs(matrix: np.ndarray) -> None:
    group_of = find_duplicates(matrix).group_of
    for i, row in enumerate(matrix):
        others = [j for j, other in enumerate(matrix) if np.array_equal(row, other)]
        assert [
            j for j in range(len(matrix)) if j == i or group_of[j] == group_of[i] != -1
        ] == others


def test_what_cannot_be_compared_is_named() -> None:
    with pytest.raises(ShapeError, match="the shape"):
        find_duplicates([1.0, 2.0])
    with pytest.raises(ShapeError, match="2 rows but y has 1 labels"):
        find_duplicates([[1.0], [2.0]], ["a"])
    with pytest.raises(ParameterError, match="tolerance must be"):
        find_near_duplicates(X, tolerance=-1)


def test_contradicting_copies_are_noted_by_number() -> None:
    X = np.array([[1.0], [1.0], [2.0], [3.0], [3.0], [3.0]])
    assert find_duplicates(X[:4], ["a", "b", "a", "a"]).conflict_note == (
        "1 pair of identical points with different labels"
    )
    both = find_duplicates(X, ["a", "b", "a", "c", "c", "a"])
    assert both.conflict_note == "2 groups of identical points with different labels"
    assert find_duplicates(X, ["a"] * 6).conflict_note == ""
