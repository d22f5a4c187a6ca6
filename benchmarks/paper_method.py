"""The paper's claims about the method: examples, algorithm, and what holds for any matrix."""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from benchmarks.paper_discussion import Study
from benchmarks.paper_exact import Pair, pair_index, printed_algorithm, terms, worth
from benchmarks.paper_findings import Finding, number
from stiknn_core import interactions
from stiknn_core.datasets import REGISTRY
from stiknn_core.errors import StiknnWarning
from stiknn_core.sampling import take_rows
from stiknn_core.types import FloatArray

#: Labels of the two worked examples, nearest point first: does it have the test label?
SCORE_EXAMPLE = (True, False, True, True)
PAIR_EXAMPLE = (False, True, False, True)
#: What the paper prints for the four subsets of its pair example, and as their result.
PRINTED_TERMS = {
    (): Fraction(0), (3,): Fraction(0), (4,): Fraction(1, 2), (3, 4): Fraction(1, 2)
}  # fmt: skip
PRINTED_PAIR = Fraction(1, 6)
#: Games of up to this many points are gone through one by one.
MAX_POINTS = 6


def exact_findings(max_points: int = MAX_POINTS) -> list[Finding]:
    """Return what exact fractions say of the examples and of Algorithm 1.

    All games of two to ``max_points`` points are gone through, for k = 1 to two more than those.
    """
    return [
        _score_example(),
        _pair_example(),
        *_algorithm(max_points),
        _sii(max_points),
        _openml_numbers(),
    ]


def matrix_findings(circle: Study) -> list[Finding]:
    """Return what the matrix of the balanced circle says of the general claims."""
    pairs = circle.result.matrix[np.triu_indices(circle.train.n, 1)]
    return [
        _independence(circle),
        _efficiency(circle, pairs),
        _centred(circle, pairs),
        _main_terms(circle, pairs),
        _knn_shapley(circle),
    ]


def _score_example() -> Finding:
    found = {S: worth(SCORE_EXAMPLE, S, 3) for S in ((1, 2, 3, 4), (1,), (2,), (1, 3, 4))}
    printed = (Fraction(2, 3), Fraction(1, 3), Fraction(0), Fraction(1))
    return Finding(
        "worked example of the score",
        "v(N) = 2/3, and 1/3, 0/3, 3/3 for {1}, {2}, {1, 3, 4}",
        ", ".join(map(str, found.values())),
        "yes" if tuple(found.values()) == printed else "no",
    )


def _pair_example() -> Finding:
    found = terms(PAIR_EXAMPLE, 1, 2, 2)
    value = pair_index(PAIR_EXAMPLE, 1, 2, 2)
    wrong = [S for S, term in PRINTED_TERMS.items() if term != found[S]]
    slips = "; ".join(
        f"the term of S = {{{', '.join(map(str, S))}}} is {found[S]}, not {PRINTED_TERMS[S]}"
        for S in wrong
    )
    return Finding(
        "worked example of a pair",
        f"φ(1, 2) = {PRINTED_PAIR}",
        f"{value}: {slips}",
        "yes" if value == PRINTED_PAIR else "no",
    )


def _algorithm(max_points: int) -> list[Finding]:
    inside, largest = 0, 0.0
    beyond = []  # of each game with k > n: whether the algorithm fails, and the farthest is right
    for n in range(2, max_points + 1):
        for right, k in product(product((False, True), repeat=n), range(1, n + 3)):
            exact = {pair: pair_index(right, *pair, k) for pair in combinations(range(1, n + 1), 2)}
            printed, outside = printed_algorithm(right, k)
            largest = max(largest, _package_error(right, k, exact))
            if k > n:
                beyond.append((printed != exact, right[-1]))
            elif printed == exact:
                inside += 1
            else:
                raise RuntimeError(f"Algorithm 1 is wrong for k <= n: {right}, k = {k}.")
    wrong, last_right = (sum(column) for column in zip(*beyond, strict=True))
    both = beyond.count((True, True))
    start = printed_algorithm((True,) * 4, 6)[0][3, 4]
    return [
        Finding(
            "Algorithm 1 is exact",
            "it gives the index of the definition",
            f"equal as fractions in all {inside} games with n = 2 to {max_points} and k <= n; this "
            f"package, for every k, within {number(largest, 1)} of all {inside + len(beyond)}",
            "yes",
        ),
        Finding(
            "Algorithm 1 for k > n",
            "no restriction on k is named",
            f"wrong in {wrong} of {len(beyond)} games, all those where the farthest label is right "
            f"({both} of {last_right}): with n = 4, k = 6 it starts at {start}, "
            f"the definition at {pair_index((True,) * 4, 3, 4, 6)}",
            "no" if wrong else "yes",
        ),
        Finding(
            "loop of Algorithm 1",
            "j runs from n down to 1",
            f"writes to the pairs {' and '.join(map(str, outside))}, which do not exist; j = 3 is "
            "the last it needs",
            "no" if outside else "yes",
        ),
    ]


def _package_error(right: tuple[bool, ...], k: int, exact: dict[Pair, Fraction]) -> float:
    n = len(right)
    # Points on a line, the test point at its end: so rank m is position m - 1.
    X = np.arange(1.0, n + 1)[:, None]
    with warnings.catch_warnings():
        # A game without a right label is one too.
        warnings.simplefilter("ignore", StiknnWarning)
        matrix = interactions(X, np.array(right), [[0.0]], [True], k=k).matrix
    return max(float(abs(matrix[i - 1, j - 1] - float(value))) for (i, j), value in exact.items())


def _sii(max_points: int) -> Finding:
    checked = beyond = 0
    for n in range(2, max_points + 1):
        for k in range(1, n + 3):
            value = pair_index((True,) * n, n - 1, n, k, "SII")
            if k >= n:
                beyond += value == 0
            elif value == -Fraction(1, n - 1) * Fraction(1, k):
                checked += 1
            else:
                raise RuntimeError(f"The start of SII differs for n = {n}, k = {k}.")
    return Finding(
        "start of SII",
        "only the coefficient differs: φ(n−1, n) = −u(n) / (n−1)",
        f"equal as fractions in all {checked} cases with n = 2 to {max_points} and k < n; 0 in the "
        f"{beyond} with k >= n, where no pair can interact",
        "yes",
    )


def _openml_numbers() -> Finding:
    numbers = {key: REGISTRY[key].openml for key in ("phoneme", "transfusion")}
    return Finding(
        "source of Transfusion",
        "OpenML 1489",
        f"1489 is Phoneme, as the table itself has it; Transfusion is {numbers['transfusion']}",
        "yes" if numbers["transfusion"] == 1489 else "no",
    )


def _independence(circle: Study) -> Finding:
    train, result = circle.train, circle.result
    first = slice(0, 20)
    spreads = []
    for x, label in zip(circle.test.X[first], circle.test.y[first], strict=True):
        one = interactions(train.X, train.y, x[None], np.array([label]), k=result.k).matrix
        order = np.argsort(((train.X - x) ** 2).sum(axis=1))
        spreads.append(column_spread(one[np.ix_(order, order)]))
    order = np.argsort(((train.X - circle.test.X[0]) ** 2).sum(axis=1))
    averaged = column_spread(result.matrix[np.ix_(order, order)])
    return Finding(
        "independence of the nearer point",
        "for one test point φ(i, j) is the same for all i nearer than j; averaged, no more",
        f"largest difference within a column {number(max(spreads))} ({len(spreads)} test points, "
        f"one by one), {number(averaged)} in the mean over {result.n_test}",
        "yes" if max(spreads) < 1e-12 < averaged else "no",
    )


def column_spread(matrix: FloatArray) -> float:
    """Return the largest difference within a column above the diagonal; O(n²)."""
    above = np.triu(np.ones(matrix.shape, dtype=bool), 1)
    high = np.where(above, matrix, -np.inf).max(axis=0)[1:]
    low = np.where(above, matrix, np.inf).min(axis=0)[1:]
    return float((high - low).max())


def _efficiency(circle: Study, pairs: FloatArray) -> Finding:
    result = circle.result
    trace = float(np.trace(result.matrix))
    return Finding(
        "efficiency",
        "all entries of the matrix add up to the test accuracy",
        f"diagonal and one triangle add up to {trace + pairs.sum():.4f} = v(N) = "
        f"{result.likelihood:.4f}, the likelihood; the whole matrix to "
        f"{result.matrix.sum():.2f}; the accuracy is {circle.accuracy:.4f}",
        "in part",
    )


def _centred(circle: Study, pairs: FloatArray) -> Finding:
    result = circle.result
    n = result.n_train
    whole, claimed = float(result.matrix.mean()), circle.accuracy / n**2
    half = (np.trace(result.matrix) + pairs.sum()) / (n * (n + 1) / 2)
    return Finding(
        "centred values",
        f"the mean is accuracy / n², here {number(claimed)}, so about 0",
        f"mean of the matrix {number(whole)}, of diagonal and one triangle {number(float(half))}, "
        f"of the pairs {number(float(pairs.mean()))}: {abs(pairs.mean()) / pairs.std():.1f} times "
        f"their standard deviation of {number(float(pairs.std()))}",
        "in part",
    )


def _main_terms(circle: Study, pairs: FloatArray) -> Finding:
    train, test = circle.train, circle.test
    diagonal = np.diag(circle.result.matrix)
    blue = diagonal[train.y == 0]
    blue_ones = take_rows(test, np.flatnonzero(test.y == 0))
    other = Study(train, blue_ones).result.matrix
    return Finding(
        "main terms",
        "always positive",
        f"{number(float(blue.mean()))} for every point of class 0 (they differ by "
        f"{number(float(np.ptp(blue)))}), {diagonal.mean() / np.abs(pairs).mean():.0f} times the "
        f"mean size of a pair; {number(float(np.diag(other).min()))} for a class without a test "
        "point: never negative, but not always positive",
        "in part",
    )


def _knn_shapley(circle: Study) -> Finding:
    matrix = circle.result.matrix
    off = matrix - np.diag(np.diag(matrix))
    from_matrix = np.diag(matrix) + off.sum(axis=1) / 2
    theirs = knn_shapley(circle)
    return Finding(
        "KNN-Shapley (Jia et al. 2019)",
        "the baseline gives one value a point; the link to the matrix is not drawn",
        f"φ(i, i) + ½ Σ φ(i, j) equals the value of their recursion within "
        f"{number(float(np.abs(from_matrix - theirs).max()), 1)}, where values reach "
        f"{number(float(np.abs(theirs).max()))}",
        "yes",
    )


def knn_shapley(circle: Study) -> FloatArray:
    """Return the KNN-Shapley values (n,) by the recursion of Jia et al.; O(t n log n)."""
    train, k = circle.train, circle.result.k
    n = len(train.X)
    total = np.zeros(n)
    for x, label in zip(circle.test.X, circle.test.y, strict=True):
        order = np.argsort(((train.X - x) ** 2).sum(axis=1), kind="stable")
        right = train.y[order] == label
        value = np.empty(n)
        value[-1] = right[-1] * min(k, n) / (n * k)
        for m in range(n - 1, 0, -1):
            step = int(right[m - 1]) - int(right[m])
            value[m - 1] = value[m] + step / k * min(k, m) / m
        total[order] += value
    return total / len(circle.test.X)
