"""How far two results agree, against SciPy and against counting by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from stiknn_core.comparing.agreement import (
    compare_matrices,
    compare_numbers,
    pair_vector,
    top_overlap,
)
from stiknn_core.errors import ParameterError, ShapeError


def test_numbers_are_compared_as_scipy_does(rng: np.random.Generator) -> None:
    a = np.round(rng.normal(size=200), 1)  # many equal numbers
    b = np.round(0.3 * a + rng.normal(size=200), 1)
    assert len(np.unique(a)) < 100
    found = compare_numbers(a, b)
    line = stats.linregress(a, b)
    assert found.n == 200
    assert found.pearson == pytest.approx(stats.pearsonr(a, b).statistic)
    assert found.spearman == pytest.approx(stats.spearmanr(a, b).statistic)
    assert (found.slope, found.intercept) == pytest.approx((line.slope, line.intercept))
    assert (found.spread_a, found.spread_b) == pytest.approx((np.std(a), np.std(b)))
    assert found.same_sign == np.mean([np.sign(x) == np.sign(z) for x, z in zip(a, b, strict=True)])


def test_signs_by_chance_are_those_of_all_combinations() -> None:
    a, b = [1.0, 2.0, -3.0, 0.0], [-1.0, 5.0, 2.0, 1e-15]
    found = compare_numbers(a, b)
    assert found.same_sign == 2 / 4  # the second, and the zeros; 1e-15 is rounding noise
    signs_b = [-1, 1, 1, 0]
    every = [np.sign(x) == z for x in a for z in signs_b]
    assert found.same_sign_by_chance == pytest.approx(np.mean(every))


def test_what_is_constant_correlates_with_nothing(rng: np.random.Generator) -> None:
    b = rng.normal(size=50)
    found = compare_numbers(np.full(50, 0.1), b)
    assert np.isnan([found.pearson, found.spearman, found.slope]).all()
    assert found.spread_a == 0.0
    assert compare_numbers(b, np.full(50, 0.1)).slope == 0.0
    assert compare_numbers([], []).n == 0


def test_a_matrix_is_the_list_of_its_pairs(rng: np.random.Generator) -> None:
    square = rng.normal(size=(7, 7))
    a = square + square.T
    b = a**3
    points = [5, 0, 3]
    assert pair_vector(a).tolist() == [a[i, j] for i, j in combinations(range(7), 2)]
    assert pair_vector(a, points).tolist() == [a[i, j] for i, j in combinations(points, 2)]
    found = compare_matrices(a, b)
    assert found.n == 21
    assert found.spearman == pytest.approx(1.0)
    np.fill_diagonal(b, np.nan)  # no pair
    assert compare_matrices(a, b) == found


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ShapeError, match="of one length; got 2 and 3 numbers"):
        compare_numbers([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ShapeError, match="of one size; got 3 and 4 points"):
        compare_matrices(np.eye(3), np.eye(4))
    with pytest.raises(ShapeError, match=r"square, n by n; got the shape \(2, 3\)"):
        pair_vector(np.zeros((2, 3)))
    with pytest.raises(ParameterError, match="a must be finite"):
        compare_numbers([np.nan], [1.0])
    with pytest.raises(ShapeError, match="b must be one list"):
        compare_numbers([1.0], [[1.0]])
    for no_numbers in (["a"], [[1], [2, 3]], [object()]):
        with pytest.raises(ParameterError, match="a must hold numbers; got"):
            compare_numbers(no_numbers, [1.0])
    with pytest.raises(ParameterError, match="matrix must hold numbers; got <U1"):
        compare_matrices([["a", "b"], ["c", "d"]], np.eye(2))
    with pytest.raises(ParameterError, match="positions of points, whole numbers"):
        top_overlap([0.5, 1.2], [0, 1], 1)


def test_top_points_are_counted_and_chance_is_that_of_all_draws() -> None:
    a, b = [4, 2, 0, 1, 3], [0, 4, 3, 2, 1]
    found = top_overlap(a, b, 3)
    assert found.both.tolist() == [4, 0]
    assert found.only_a.tolist() == [2]
    assert found.only_b.tolist() == [3]
    assert (found.share, found.jaccard) == (2 / 3, 2 / 4)
    draws = [set(one) for one in combinations(range(5), 3)]
    first = {4, 2, 0}
    shares = [len(first & one) / 3 for one in draws]
    jaccards = [len(first & one) / len(first | one) for one in draws]
    assert found.chance_share == pytest.approx(np.mean(shares))
    assert found.chance_jaccard == pytest.approx(np.mean(jaccards))


def test_all_points_overlap_in_full() -> None:
    found = top_overlap([1, 0], [0, 1], 2)
    assert (found.share, found.jaccard, found.chance_jaccard) == (1.0, 1.0, pytest.approx(1.0))


@pytest.mark.parametrize(
    ("a", "b", "m", "error", "said"),
    [
        ([0, 1], [0, 2], 1, ShapeError, "same points"),
        ([0, 0], [0, 0], 1, ShapeError, "each of them once"),
        ([0, 1], [0, 1], 3, ParameterError, "at most the number of points, 2; got 3"),
        ([0, 1], [0, 1], 0, ParameterError, "at least 1; got 0"),
    ],
)
def test_impossible_rankings_are_refused(
    a: list[int], b: list[int], m: int, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        top_overlap(a, b, m)
