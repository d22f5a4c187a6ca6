"""What the test points around a row say of its target, where targets are numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stiknn_core._kernels import coefficients
from stiknn_core.engine.memory import RememberingRanker
from stiknn_core.engine.neighbors import Ranking, blocks
from stiknn_core.engine.points import MOST_RANKED
from stiknn_core.engine.threads import Progress, chunks, thread_map
from stiknn_core.errors import ParameterError
from stiknn_core.games import AnyIndex, calibrated, index_of, measured
from stiknn_core.games.gains import Losses
from stiknn_core.types import AnyArray, FloatArray, Metric, Ties, read_only
from stiknn_core.validation import Problem, check_problem
from stiknn_core.validation.settings import check_real

MOST_TARGETS: Final = MOST_RANKED
"""Rows that the dashboard and the command rank at most: each test point ranks all of them."""

KEEP_BYTES = 1_000_000_000
"""Rankings are kept up to this size; beyond, the test points are ranked twice."""

#: A share that rounding has put just short of a quantile has reached it.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class TargetSupport:
    """What test points say of the target of each training point.

    Each test point says its own target, with the weight that the training point has for it.

    Attributes
    ----------
    suggested : (n,) float64, read-only
        Weighted median of these targets; NaN where no test point has any weight.
    low, high : (n,) float64, read-only
        Quantiles that leave out equal shares below and above; NaN likewise.
    distance : (n,) float64, read-only
        How far the given target is from the median, in its units; high = suspicious. 0 where
        nothing is known.
    targets : (n,) float64, read-only
        The given ones.
    ids : (n,) array, read-only
    coverage : float
        Share of the weight between ``low`` and ``high``.
    """

    suggested: FloatArray
    low: FloatArray
    high: FloatArray
    distance: FloatArray
    targets: FloatArray
    ids: AnyArray
    coverage: float


def too_many_targets(n: int) -> str:
    """Say that ``n`` measured targets are more than are ranked."""
    return (
        f"Measured targets of {n:,} rows are more than the {MOST_TARGETS:,} whose neighbours are "
        "all ranked. Use a sample."
    )


def target_support(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    index: AnyIndex | None = None,
    coverage: float = 0.8,
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    test_rows: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> TargetSupport:
    """Say for every training point which target the test points around it have.

    Parameters
    ----------
    X, y, X_test, y_test, k
        As in `stiknn_core.interactions` with ``score=games.measured()``: targets are numbers.
    index : str or games.PairIndex, optional
        Whose value weights test points have; ``games.calibrated(4 * k)`` by default, or the
        nearest to that which there are points for. Those of the Shapley value, "SII", fall so
        slowly that the far points of a table outweigh the near ones.
    coverage : float, default 0.8
        Share of the weight between ``low`` and ``high``, in [0, 1].
    metric, ties, sample_weight, test_rows, n_jobs, progress
        As in `stiknn_core.interactions`; ``progress`` runs to its total twice.

    Returns
    -------
    TargetSupport
        ``distance``, high = suspicious, is the score to rank by.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    Test point p has the weight ``g(rank of i)`` for training point i, in expectation over tied
    orders, as in the label support of classes (`stiknn_core.label_support`). O(t n (d + log n))
    time and O(n) memory beside the rankings, which are kept up to 1 GB: test points are asked in
    the order of their targets, so that quantiles are found without an array of all weights.
    """
    coverage = check_real("coverage", coverage, 0.0, 1.0)
    problem = check_problem(
        X,
        y,
        X_test,
        y_test,
        k=k,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        test_rows=test_rows,
        n_jobs=n_jobs,
        score=measured(),
    )
    if coverage == 1.0:
        raise ParameterError("coverage must be below 1, where every target counts; got 1.")
    if index is None:
        g = usual_weights(problem)
    else:
        g = index_of(index).value_weights(problem.n_ranked, problem.voters)
    return _quantiles(problem, g, coverage, progress)


def usual_weights(problem: Problem) -> FloatArray:
    """Return the weight of each rank, those of the value of ``games.calibrated(4 * k)``."""
    index = calibrated(min(4 * problem.k, problem.n_ranked - 1))
    return index.value_weights(problem.n_ranked, problem.voters)


def _quantiles(
    problem: Problem, g: FloatArray, coverage: float, progress: Progress | None
) -> TargetSupport:
    gains = problem.gains
    assert isinstance(gains, Losses)
    order = np.argsort(gains.test_targets, kind="stable")
    told = gains.test_targets[order]
    asked = problem.in_order(order)
    ranker = RememberingRanker(asked, KEEP_BYTES)
    shares = np.array([0.5 * (1 - coverage), 0.5, 0.5 * (1 + coverage)])
    found = np.full((len(shares), problem.n_train), np.nan)
    total, so_far = np.zeros(problem.n_train), np.zeros(problem.n_train)

    def weights(block: tuple[int, int]) -> FloatArray:
        return said_in(asked, ranker.rank(*block), g)

    with thread_map(problem.n_jobs) as run:
        for start, stop in chunks(problem.n_test, progress):
            for part in run(weights, blocks(start, stop)):
                total += part.sum(axis=1)
        wanted = shares[:, None] * total * (1 - _ROUNDING)
        for start, stop in chunks(problem.n_test, progress):
            waiting = blocks(start, stop)
            for (first, last), part in zip(waiting, run(weights, waiting), strict=True):
                reached = np.cumsum(part, axis=1) + so_far[:, None]
                for row, most in zip(found, wanted, strict=True):
                    new = np.flatnonzero(np.isnan(row) & (reached[:, -1] >= most) & (total > 0))
                    row[new] = told[first:last][(reached[new] >= most[new, None]).argmax(axis=1)]
                so_far = reached[:, -1].copy()
    low, suggested, high = found
    return TargetSupport(
        suggested=read_only(suggested),
        low=read_only(low),
        high=read_only(high),
        distance=read_only(np.where(total > 0, np.abs(gains.targets - suggested), 0.0)),
        targets=read_only(gains.targets),
        ids=read_only(problem.ids),
        coverage=coverage,
    )


def said_in(problem: Problem, ranking: Ranking, g: FloatArray) -> FloatArray:
    """Return the weight (n, b) of each of some test points for each training point."""
    b = ranking.stop - ranking.start
    out = np.zeros((problem.n_train, b), order="F")  # as the loop is compiled
    coefficients.label_support(
        ranking.order,
        ranking.ends,
        problem.n_ranked,
        np.arange(b),
        problem.weights[ranking.tests],
        g,
        out,
    )
    return out
