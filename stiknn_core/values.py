"""Values of single points without the matrix."""

from __future__ import annotations

from typing import Any

from stiknn_core.engine.points import point_sums
from stiknn_core.engine.threads import Progress
from stiknn_core.games import AnyScore, PairIndex
from stiknn_core.games.indices import value_of
from stiknn_core.types import FloatArray, Metric, Ties, ValueKind
from stiknn_core.validation import check_problem


def values(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    kind: ValueKind | PairIndex = "shapley",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    test_rows: Any = None,
    nearest: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Compute the exact KNN-Shapley, KNN-Banzhaf or another value of every training point.

    Parameters
    ----------
    X, y, X_test, y_test, k
        As in `stiknn_core.interactions`.
    kind : {"shapley", "banzhaf", "leave_one_out"} or games.PairIndex
        Which value. ``"leave_one_out"`` is what removing the point alone takes from the utility,
        v(N) - v(N without it), and has nothing to do with how test points are chosen. An index of
        `stiknn_core.games` stands for its value, as ``games.beta(4, 1)`` for Beta Shapley.
    score
        As in `stiknn_core.interactions`.
    metric, ties, sample_weight, test_rows
        As in `stiknn_core.interactions`; ``X`` may be a `stiknn_core.Forest`, with
        ``metric="precomputed"``.
    nearest : int, optional
        As in `stiknn_core.label_support`; only the plain score can do with lists.
    n_jobs, progress
        As in `stiknn_core.interactions`.

    Returns
    -------
    (n_train,) float64
        In units of utility, with the plain score the likelihood; high = the point helps. A
        negative Shapley or Banzhaf value says that it lowers the utility on average over sets of
        the others; only a negative leave-one-out value says that the utility would rise without
        it. Shapley values sum to the utility of the whole training set, less that of nobody, which
        is 0 but where `games.normalised` says otherwise.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time and O(n) memory beside the input; O(t n) of it after the ranking. For
    one test point the leave-one-out value is ``u[m] - u[k + 1]`` for a point of rank m <= k, whose
    place the next one takes, and 0 for all others. With ties it is the exact mean over all orders
    of tied points.

    References
    ----------
    Jia et al. (2019), "Efficient task-specific data valuation for nearest neighbor
    algorithms", Theorem 1; the mean over tied orders is our own. That signs of the Shapley value
    say little about removal: Yang et al. (2024), "On the inflation of KNN-Shapley value",
    arXiv:2405.17489.
    """
    index = value_of(kind)
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
        score=score,
    )
    found = point_sums(problem, (index,), support=False, nearest=nearest, progress=progress)
    return found.values[0]
