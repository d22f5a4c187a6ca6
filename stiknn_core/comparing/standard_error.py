"""How far the entries of a matrix would move with other test points, and how many are enough.

An entry is a mean over test points. Were others drawn from the same source, it would come out
differently, by about its standard error. Pairs share their test points, so the errors of a matrix
hang together; what they do to the picture as a whole is told by its *reliability*: the correlation
to expect between this matrix and one made with as many other test points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from stiknn_core._kernels import moments
from stiknn_core._kernels.pairs import mirror
from stiknn_core.comparing.agreement import pair_vector
from stiknn_core.engine.bands import TASK_ROWS, TILE, Bands
from stiknn_core.engine.coefficients import coefficients_of_each
from stiknn_core.engine.dividing import refuse_divided
from stiknn_core.engine.neighbors import NeighborRanker, blocks
from stiknn_core.engine.threads import Progress, chunks, cut, silent, thread_map
from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.games import AnyIndex, AnyScore, index_of
from stiknn_core.types import FloatArray, IntArray, Metric, Ties, read_only
from stiknn_core.validation import check_problem, check_whole


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Means over test points, how far they may be off, and what that does to the picture.

    Attributes
    ----------
    mean : (n, n) float64, read-only, symmetric
        ``Interactions.matrix`` off the diagonal, which is NaN.
    errors : (n, n) float64, read-only, symmetric
        Standard error of each mean, in units of utility: s / sqrt(t), with s the standard
        deviation over the t test points (t - 1 in its denominator). The diagonal is NaN.
    n_test : int
        Test points, t; those of leave-one-out testing are the training points themselves.
    spread : float
        Standard deviation of the pairs of ``mean``.
    noise : float
        What part of ``spread`` is due to which test points were drawn: the square root of the
        mean squared error of a pair once the shift that is common to all pairs is taken off.
    """

    mean: FloatArray
    errors: FloatArray
    n_test: int
    spread: float
    noise: float

    @property
    def reliability(self) -> float:
        """Correlation to expect with a matrix from as many other test points; see below."""
        return self.expected_correlation(self.n_test)

    def expected_correlation(self, n_test: float) -> float:
        """Return the correlation to expect between two matrices on different test points.

        Parameters
        ----------
        n_test : float
            Test points that each of the two would have, more than 0.

        Returns
        -------
        float
            In [0, 1]; NaN where all pairs are alike. That with the matrix of endless test points
            is its square root.

        Notes
        -----
        With the variance V of the true pairs, and N of one test point's pairs around them (their
        common shift taken off), two matrices of t test points each correlate by V / (V + N / t):
        the Spearman-Brown formula. V + N / t is estimated by the variance of the means, and N by
        the pooled variance over test points, as in an analysis of variance of pairs by test
        points; of t test points the result is Cronbach's alpha.
        """
        if not self.spread:
            return float("nan")
        total, error = self.spread**2, self.noise**2
        true = max(0.0, total - error)
        return true / (true + error * self.n_test / n_test) if true else 0.0

    def needed(self, correlation: float = 0.95) -> float:
        """Return how many test points make two matrices correlate so well.

        Parameters
        ----------
        correlation : float, default 0.95
            In (0, 1).

        Returns
        -------
        float
            Test points, not rounded; infinite where no pattern shows above the noise, NaN where
            all pairs are alike.

        Raises
        ------
        ParameterError
            If the correlation is not between 0 and 1.
        """
        if not 0 < correlation < 1:
            raise ParameterError(f"correlation must be above 0 and below 1; got {correlation!r}.")
        reached = self.reliability
        if reached == 0:
            return float("inf")
        odds = correlation / (1 - correlation)
        return self.n_test * odds * (1 - reached) / reached


def standard_errors(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> StandardErrors:
    """Compute the standard error of every interaction over the test points, exactly.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`. In leave-one-out testing the test points are the training
        points themselves; a pair counts as 0 with either of its own two.
    k, index, score, metric, ties, n_jobs, progress
        As in `stiknn_core.interactions`. With ``ties="expected"`` a test point gives each pair its
        expectation over the orders of tied points, so that these orders add no error.

    Returns
    -------
    StandardErrors

    Raises
    ------
    ShapeError
        If there is only one test point, which has no spread.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t (n d + n log n + n²)) time and O(n²) memory, in one pass: for each test point a pair takes
    its number from the farther of its points, so the sum of squares is as cheap as the sum. It is
    the spread over *these* test points, taken as drawn one by one: where some are copies of each
    other, the true error is larger.
    """
    game = index_of(index)
    problem = check_problem(
        X, y, X_test, y_test, k=k, metric=metric, ties=ties, n_jobs=n_jobs, score=score
    ).unweighted()
    refuse_divided(problem, "The error of a pair")
    n, t = problem.n_train, problem.n_test
    if t < 2:
        raise ShapeError("A standard error needs at least 2 test points; got 1. Add some.")
    w = game.pair_weights(problem.n_ranked, problem.voters)
    ranker = NeighborRanker(problem)
    sums, squares = np.zeros((n, n)), np.zeros((n, n))
    totals = np.zeros(t)

    with thread_map(problem.n_jobs) as run:
        for start, stop in chunks(t, progress):
            bands = Bands(problem, w, start, stop)

            def fill(block: tuple[int, int], bands: Bands = bands) -> None:
                for one, farther, same, rank in coefficients_of_each(
                    problem, ranker.rank(*block), w
                ):
                    bands.put(one, farther, same, rank)
                    totals[one.start] = moments.pair_total(
                        farther, same, one.order[0], one.ends[0], problem.n_ranked
                    )

            def add(i0: int, bands: Bands = bands) -> None:
                i1 = min(i0 + TASK_ROWS, n)
                if bands.tied:
                    moments.add_tied_moments(
                        bands.farther, bands.same, bands.rank, i0, i1, TILE, sums, squares
                    )
                else:
                    moments.add_moments(bands.farther, bands.rank, i0, i1, TILE, sums, squares)

            run(fill, blocks(start, stop))
            run(add, range(0, n, TASK_ROWS))
    return _errors_of(sums, squares, totals)


def _errors_of(sums: FloatArray, squares: FloatArray, totals: FloatArray) -> StandardErrors:
    """Turn sums over test points, in the upper triangles, into means and errors; in place."""
    n, t = len(sums), len(totals)
    sums /= t
    squares /= t
    variance = squares
    for start in range(0, n, 256):  # in bands, so that nothing of the matrix's size is held beside
        band, mean = variance[start : start + 256], sums[start : start + 256]
        # A difference of two nearly equal numbers: below this it is rounding, and not a spread.
        smallest = 1e-14 * band
        band -= mean * mean
        band[band < smallest] = 0.0
    variance *= t / (t - 1)
    pairs = pair_vector(sums)
    spread = float(pairs.std()) if len(pairs) else 0.0
    if spread <= 1e-12 * float(np.abs(pairs).max(initial=0.0)):
        spread = 0.0
    shift = float((totals / max(1, len(pairs))).var(ddof=1))
    pooled = float(pair_vector(variance).mean()) if len(pairs) else 0.0
    noise = np.sqrt(max(0.0, pooled - shift) / t)
    np.sqrt(np.divide(variance, t, out=variance), out=variance)
    for square in (sums, variance):
        mirror(square, 0, n)
        np.fill_diagonal(square, np.nan)
    return StandardErrors(read_only(sums), read_only(variance), t, spread, float(noise))


@dataclass(frozen=True, eq=False)
class SplitHalves:
    """Correlations of matrices that were made with different test points.

    Attributes
    ----------
    sizes : (s,) int64, read-only
        Test points that each of the two matrices has, ascending.
    correlations : (s, repeats) float64, read-only
        Pearson correlation of their pairs, one column for each way of drawing them.
    n_points : int
        Training points whose pairs were looked at; all, or as many as were asked for.
    """

    sizes: IntArray
    correlations: FloatArray
    n_points: int


def split_halves(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    repeats: int = 10,
    max_points: int = 400,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> SplitHalves:
    """Measure how well matrices on different test points agree, by drawing them apart.

    Parameters
    ----------
    X, y, X_test, y_test, k, index, score, metric, ties
        As in `stiknn_core.interactions`.
    repeats : int, default 10
        How often the test points are drawn, at least 1.
    max_points : int, default 400
        Most training points whose pairs are compared, at least 3; more are sampled. All of them
        stay players of the game.
    seed : int
        Decides all that is drawn.
    n_jobs, progress
        As in `stiknn_core.interactions`; ``progress`` is told of ranking and of draws.

    Returns
    -------
    SplitHalves
        For test sets of t / 2, t / 4, ... down to 8 points (or 1, where there are fewer).

    Raises
    ------
    ShapeError
        If there is only one test point.
    ParameterError
        If a number is out of range.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t (n (d + log n) + r m²)) time for r repeats and m compared points, O(t m) memory. The two
    test sets of a pair have no point in common, so nothing is known twice: what
    `StandardErrors.expected_correlation` says can be checked by it.
    """
    game = index_of(index)
    repeats = check_whole("repeats", repeats, least=1)
    max_points = check_whole("max_points", max_points, least=3)
    problem = check_problem(
        X, y, X_test, y_test, k=k, metric=metric, ties=ties, n_jobs=n_jobs, score=score
    ).unweighted()
    refuse_divided(problem, "The error of a pair")
    n, t = problem.n_train, problem.n_test
    if t < 2:
        raise ShapeError("Test points are drawn apart into two sets; got only 1. Add some.")
    rng = np.random.default_rng(check_whole("seed", seed, least=0))
    points = np.arange(n) if n <= max_points else np.sort(rng.permutation(n)[:max_points])
    w = game.pair_weights(problem.n_ranked, problem.voters)
    ranker = NeighborRanker(problem)
    bands = Bands(problem, w, 0, t, points)
    sizes = _halves(t)
    steps = len(sizes) * repeats
    report = progress or silent
    report(0, 2 * steps)
    draws = [rng.permutation(t) for _ in range(repeats)]
    found = np.empty((len(sizes), repeats))
    with thread_map(problem.n_jobs) as run:
        waiting = blocks(0, t)
        for first, last in cut(0, len(waiting), 16):
            run(partial(bands.fill, ranker), waiting[first:last])
            report(steps * last // len(waiting), 2 * steps)
        for column, drawn in enumerate(draws):
            for row, size in enumerate(sizes):
                apart = drawn[:size], drawn[size : 2 * size]
                one, other = run(partial(_pairs_over, bands), apart)
                found[row, column] = _correlation(one, other)
                report(steps + column * len(sizes) + row + 1, 2 * steps)
    return SplitHalves(read_only(np.array(sizes)), read_only(found), len(points))


def _pairs_over(bands: Bands, columns: IntArray) -> FloatArray:
    """Return the sums of all pairs over some of the test points, as from `pair_vector`."""
    some = bands.over(columns)
    out = np.zeros((some.size, some.size))
    for i0 in range(0, some.size, TASK_ROWS):
        some.add_pairs(i0, out)
    return pair_vector(out)


def _halves(t: int) -> list[int]:
    """Return t / 2, t / 4, ..., ascending, as long as they are 8 or more; at least one."""
    sizes = [t // 2]
    while sizes[-1] >= 16:
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def _correlation(a: FloatArray, b: FloatArray) -> float:
    if len(a) < 2 or not a.std() or not b.std():
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])
