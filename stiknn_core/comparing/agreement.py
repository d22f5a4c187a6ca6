"""How far two results on the same points agree: pairs, values, and who is suspected."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import hypergeom, rankdata

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only
from stiknn_core.validation import check_whole
from stiknn_core.validation.positions import as_array

# What is smaller than this share of the largest number is rounding noise, and has no sign.
_NOISE = 1e-12


@dataclass(frozen=True)
class Agreement:
    """How far two lists of numbers on the same things agree.

    Attributes
    ----------
    n : int
        Numbers in each list.
    pearson, spearman : float
        Correlation of the numbers and of their ranks, in [-1, 1]; 1 = the same up to scale and
        shift, and the same order. NaN where one of the lists is constant.
    slope, intercept : float
        Of the straight line ``b = slope * a + intercept`` with the least squared error; NaN
        where ``a`` is constant.
    spread_a, spread_b : float
        Standard deviation of each list, in its own units.
    same_sign : float
        Share of numbers with the same sign in both, in [0, 1]; NaN for empty lists. Numbers
        within 1e-12 of the largest of their list count as 0, which is a sign of its own.
    same_sign_by_chance : float
        What that share would be if the signs of the two lists had nothing to do with each
        other: the sum, over the three signs, of the products of their shares.
    """

    n: int
    pearson: float
    spearman: float
    slope: float
    intercept: float
    spread_a: float
    spread_b: float
    same_sign: float
    same_sign_by_chance: float


def compare_numbers(a: Any, b: Any) -> Agreement:
    """Compare two lists of numbers on the same things, such as the values of the same points.

    Parameters
    ----------
    a, b : (m,) float
        Finite; the same place means the same thing.

    Returns
    -------
    Agreement

    Raises
    ------
    ShapeError
        If they are not two lists of one length.
    ParameterError
        If something is no number, or not finite.

    Notes
    -----
    O(m log m) time, for the ranks, and O(m) memory. Equal numbers share their mean rank.
    """
    first, second = _list("a", a), _list("b", b)
    if len(first) != len(second):
        raise ShapeError(
            f"a and b must be of one length; got {len(first):,} and {len(second):,} numbers."
        )
    if not len(first):
        nan = float("nan")
        return Agreement(0, nan, nan, nan, nan, nan, nan, nan, nan)
    mean_a, mean_b = float(first.mean()), float(second.mean())
    spread_a, spread_b = _spread(first), _spread(second)
    pearson = _correlation(first, second, spread_a, spread_b)
    slope = pearson * spread_b / spread_a if spread_a and spread_b else 0.0
    if not spread_a:
        slope = float("nan")
    same, chance = _signs(first, second)
    ranks_a, ranks_b = rankdata(first), rankdata(second)
    return Agreement(
        n=len(first),
        pearson=pearson,
        spearman=_correlation(ranks_a, ranks_b, _spread(ranks_a), _spread(ranks_b)),
        slope=slope,
        intercept=mean_b - slope * mean_a,
        spread_a=spread_a,
        spread_b=spread_b,
        same_sign=same,
        same_sign_by_chance=chance,
    )


def compare_matrices(a: Any, b: Any) -> Agreement:
    """Compare the pairs of two interaction matrices of the same points.

    Parameters
    ----------
    a, b : (n, n) float
        Symmetric, with rows and columns for the same points in the same order, such as
        ``Interactions.matrix``. Their diagonals, which are no pairs, take no part.

    Returns
    -------
    Agreement
        Over the n (n - 1) / 2 pairs of different points.

    Raises
    ------
    ShapeError
        If they are not two square matrices of one size.
    ParameterError
        If a pair is not finite.

    Notes
    -----
    O(n² log n) time and O(n²) memory.
    """
    first, second = pair_vector(a), pair_vector(b)
    if len(first) != len(second):
        raise ShapeError(
            f"a and b must be of one size; got {len(np.asarray(a)):,} and "
            f"{len(np.asarray(b)):,} points."
        )
    return compare_numbers(first, second)


def pair_vector(matrix: Any, points: Any = None) -> FloatArray:
    """Return the pairs of different points of a symmetric matrix, each once.

    ShapeError if it is not square. The result (m (m - 1) / 2,) is a copy of the upper triangle,
    row by row: (0, 1), (0, 2), ..., (1, 2), ... in places of ``points``, (m,) positions, all by
    default. O(m²) time; beside the result, O(m) memory.
    """
    square = _numbers("matrix", matrix)
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise ShapeError(f"A matrix must be square, n by n; got the shape {square.shape}.")
    chosen = np.arange(len(square)) if points is None else np.asarray(points, dtype=np.int64)
    m = len(chosen)
    pairs = np.empty(m * (m - 1) // 2)
    start = 0
    for place, point in enumerate(chosen[:-1]):
        stop = start + m - 1 - place
        pairs[start:stop] = square[point, chosen[place + 1 :]]
        start = stop
    return pairs


@dataclass(frozen=True, eq=False)
class TopOverlap:
    """How many of the first points of two rankings are the same.

    Attributes
    ----------
    m : int
        Points looked at of each ranking.
    both, only_a, only_b : (any,) int64, read-only
        Points among the first m of both rankings, and of one alone, in the order of the
        (first) ranking they are in.
    share : float
        ``len(both) / m``, in [0, 1]; 1 = the same points.
    jaccard : float
        Points in both over points in either, in [0, 1].
    chance_share, chance_jaccard : float
        What two rankings that have nothing to do with each other would give on average.
    """

    m: int
    both: IntArray
    only_a: IntArray
    only_b: IntArray
    share: float
    jaccard: float
    chance_share: float
    chance_jaccard: float


def top_overlap(ranking_a: Any, ranking_b: Any, m: int) -> TopOverlap:
    """Compare who comes first in two rankings of the same points.

    Parameters
    ----------
    ranking_a, ranking_b : (n,) int
        The same point ids in two orders, the first ones foremost, such as the most suspicious.
    m : int
        How many of the first to look at, 1 to n.

    Returns
    -------
    TopOverlap

    Raises
    ------
    ShapeError
        If the rankings are not of the same points, each once.
    ParameterError
        If ``m`` is out of range, or a ranking holds no whole numbers.

    Notes
    -----
    Chance is exact: the number in common follows the hypergeometric distribution, with mean
    m² / n. O(n log n).
    """
    a, b = _numbers("ranking_a", ranking_a), _numbers("ranking_b", ranking_b)
    if not all(found.dtype.kind in "iu" or not found.size for found in (a, b)):
        raise ParameterError("Rankings must be positions of points, whole numbers; got others.")
    a, b = a.astype(np.int64), b.astype(np.int64)
    n = len(a)
    known = np.unique(a)
    if a.ndim != 1 or a.shape != b.shape or len(known) < n or not np.array_equal(known, np.sort(b)):
        raise ShapeError("Two rankings must hold the same points, each of them once.")
    m = check_whole("m", m, least=1)
    if m > n:
        raise ParameterError(f"m must be at most the number of points, {n:,}; got {m:,}.")
    first, second = a[:m], b[:m]
    shared = np.isin(first, second)
    common = np.arange(m + 1)
    chances = hypergeom(n, m, m).pmf(common)
    return TopOverlap(
        m=m,
        both=read_only(first[shared]),
        only_a=read_only(first[~shared]),
        only_b=read_only(second[~np.isin(second, first)]),
        share=float(shared.mean()),
        jaccard=float(shared.sum() / (2 * m - shared.sum())),
        chance_share=m / n,
        chance_jaccard=float((chances * common / (2 * m - common)).sum()),
    )


def _numbers(name: str, numbers: Any) -> AnyArray:
    found = as_array(numbers)
    if found.dtype.kind == "O":
        with suppress(TypeError, ValueError):
            found = np.asarray(numbers, dtype=np.float64)
    if found.dtype.kind not in "biuf":
        raise ParameterError(f"{name} must hold numbers; got {found.dtype} values.")
    return found


def _list(name: str, numbers: Any) -> FloatArray:
    found = _numbers(name, numbers).astype(np.float64)
    if found.ndim != 1:
        raise ShapeError(f"{name} must be one list of numbers; got the shape {found.shape}.")
    if not np.isfinite(found).all():
        raise ParameterError(f"{name} must be finite; got missing or infinite numbers.")
    return found


def _spread(numbers: FloatArray) -> float:
    """Return the standard deviation; exactly 0 for numbers that differ by rounding alone."""
    spread = float(numbers.std())
    largest = float(np.abs(numbers).max(initial=0.0))
    return spread if spread > _NOISE * largest else 0.0


def _correlation(a: FloatArray, b: FloatArray, spread_a: float, spread_b: float) -> float:
    if not spread_a or not spread_b:
        return float("nan")
    both = float(np.dot((a - a.mean()) / spread_a, (b - b.mean()) / spread_b) / len(a))
    return min(1.0, max(-1.0, both))


def _signs(a: FloatArray, b: FloatArray) -> tuple[float, float]:
    """Return the share of equal signs, and what it would be by chance."""
    signs = []
    for numbers in (a, b):
        small = np.abs(numbers) <= _NOISE * np.abs(numbers).max(initial=0.0)
        signs.append(np.where(small, 0.0, np.sign(numbers)))
    one, other = signs
    chance = sum(float((one == sign).mean() * (other == sign).mean()) for sign in (-1, 0, 1))
    return float((one == other).mean()), chance
