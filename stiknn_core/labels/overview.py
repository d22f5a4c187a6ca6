"""Everything that is known of single points, in one pass over all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stiknn_core.engine.points import point_sums
from stiknn_core.engine.threads import Progress
from stiknn_core.games import SII, AnyScore, leave_two_out
from stiknn_core.labels.support import judged
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
    X, y, X_test, y_test, k, score, metric, ties
        As in `stiknn_core.label_support`.
    sample_weight, test_rows, nearest, n_jobs, progress
        As in `stiknn_core.label_support`.

    Returns
    -------
    Overview
        Without blocks. Values are KNN-Shapley values.

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
    found = point_sums(problem, (SII, leave_two_out()), nearest=nearest, progress=progress)
    values, removal = found.values
    return Overview(
        values=read_only(values),
        leave_one_out=read_only(removal),
        support=judged(problem, found.support, found.bound),
    )
