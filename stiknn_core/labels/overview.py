"""Everything that is known of single points, in one pass over all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stiknn_core.engine.points import point_sums
from stiknn_core.engine.threads import Progress
from stiknn_core.games import SII, AnyIndex, AnyScore, index_of, leave_two_out
from stiknn_core.labels.support import judged
from stiknn_core.labels.targets import TargetSupport, target_support
from stiknn_core.results import BlockInteractions
from stiknn_core.types import FloatArray, LabelSupport, Metric, Ties, read_only
from stiknn_core.validation import check_problem


@dataclass(frozen=True, eq=False)
class Overview:
    """What is known of single points, and of all blocks where these were asked for.

    Attributes
    ----------
    values : (n_train,) float64, read-only
        KNN-Shapley values, or those of the index that was asked for; low = suspicious.
    leave_one_out : (n_train,) float64, read-only
        What removing each point alone takes from the utility; negative = it would rise.
    support : LabelSupport
        As from `stiknn_core.label_support`.
    blocks : BlockInteractions or None
        None if no blocks were asked for.
    """

    values: FloatArray
    leave_one_out: FloatArray
    support: LabelSupport
    blocks: BlockInteractions | None = None

    @property
    def bound(self) -> float:
        """How far an entry of the support can be off; 0 where it is exact."""
        return self.support.bound


def overview(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    index: AnyIndex = SII,
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    test_rows: Any = None,
    nearest: int | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Overview:
    """Compute both values and the label support of every training point in one pass.

    For data of any size: no matrix is made, and no array of n_test by n_train.

    Parameters
    ----------
    X, y, X_test, y_test, k
        As in `stiknn_core.label_support`.
    index : str or games.PairIndex
        Of the values; by default they are KNN-Shapley values.
    score, metric, ties
        As in `stiknn_core.label_support`.
    sample_weight, test_rows, nearest, n_jobs, progress
        As in `stiknn_core.label_support`.

    Returns
    -------
    Overview
        Without blocks.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time, and O(t m) after the search where lists of m near rows are used; see
    `stiknn_core.label_support`.
    """
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
    found = point_sums(
        problem, (index_of(index), leave_two_out()), nearest=nearest, progress=progress
    )
    values, removal = found.values
    return Overview(
        values=read_only(values),
        leave_one_out=read_only(removal),
        support=judged(problem, found.support, found.bound),
    )


@dataclass(frozen=True, eq=False)
class TargetOverview:
    """What is known of single points whose targets were measured.

    Attributes
    ----------
    values : (n_train,) float64, read-only
        Values of the index that was asked for; low = suspicious.
    leave_one_out : (n_train,) float64, read-only
        What removing each point alone takes from the utility, minus the mean loss.
    targets : TargetSupport
        As from `stiknn_core.target_support`.
    """

    values: FloatArray
    leave_one_out: FloatArray
    targets: TargetSupport


def target_overview(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    score: AnyScore,
    k: int = 5,
    index: AnyIndex = SII,
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    test_rows: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> TargetOverview:
    """Compute values and what neighbours say of the target of every training point.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.target_support`.
    score : games.Score
        ``games.measured(...)``.
    k : int
        As there.
    index : str or games.PairIndex
        Of the values; that of what neighbours say is the usual one of `target_support`.
    metric, ties, sample_weight, test_rows, n_jobs
        As there.
    progress : callable, optional
        Runs to its total three times, as the test points are ranked.

    Returns
    -------
    TargetOverview

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) time.
    """
    where = {"metric": metric, "ties": ties, "sample_weight": sample_weight}
    where |= {"test_rows": test_rows, "n_jobs": n_jobs}
    problem = check_problem(X, y, X_test, y_test, k=k, score=score, **where)
    kinds = index_of(index), leave_two_out()
    found = point_sums(problem, kinds, support=False, progress=progress)
    values, removal = found.values
    said = target_support(X, y, X_test, y_test, k=k, progress=progress, **where)
    return TargetOverview(read_only(values), read_only(removal), said)
