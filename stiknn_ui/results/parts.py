"""Which rows of a data set are training points, and which test points. Pure: no streamlit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stiknn_core.errors import ParameterError
from stiknn_core.preparation import holdout_split
from stiknn_core.sampling import strata_of
from stiknn_core.types import Dataset, IntArray
from stiknn_ui.asked.spec import ComputeSpec


@dataclass(frozen=True, eq=False)
class Parts:
    """Which rows are training points and which test points.

    Attributes
    ----------
    train : (n,) int64
        Rows of the data set that are explained.
    test : (t,) int64 or None
        Rows of the test points; None for leave-one-out testing, where they are the same.
    notices : tuple of str
    """

    train: IntArray
    test: IntArray | None
    notices: tuple[str, ...] = ()

    @property
    def test_rows(self) -> IntArray:
        """(t,) int64: row of the data set of each test point."""
        return self.train if self.test is None else self.test

    @property
    def n_test(self) -> int:
        """Number of test points."""
        return len(self.test_rows)

    @property
    def ranked(self) -> int:
        """Training points that each test point ranks: all, or all others."""
        return len(self.train) - (self.test is None)

    def usable_k(self, k: int) -> tuple[int, str]:
        """Return k capped to the points there are, and the sentence that says so.

        A point is no neighbour of its own, so leave-one-out testing has one point fewer.
        """
        alone = self.test is None
        available = max(1, self.ranked)
        if k <= available:
            return k, ""
        points = f"{available} training point{'s' if available != 1 else ''}"
        for_each = " to test each point with" if alone else ""
        return available, f"k = {k}, but only {points}{for_each}: k = {available} is used."


def parts_of(dataset: Dataset, compute: ComputeSpec) -> Parts:
    """Return the rows of the training points and of the test points.

    Parameters
    ----------
    dataset : Dataset
        An upload with a test side was split when it was built: medians and levels may come
        from training rows only.
    compute : ComputeSpec

    Raises
    ------
    StiknnError
        If the rows are too few to be split, or a forest is asked for measured targets.
    """
    if dataset.measured and compute.space == "forest":
        raise ParameterError(
            "Neighbours in a random forest are for classes, and this label is a measured number; "
            "look for them among the features."
        )
    rows = np.arange(dataset.n, dtype=np.int64)
    start = dataset.test_from
    if start is not None:
        return Parts(rows[:start], rows[start:])
    if compute.evaluation != "hold-out":
        return Parts(rows, None)
    strata = strata_of(dataset.y, dataset.measured)
    split = holdout_split(strata, compute.share, compute.split_seed)
    # Bands of targets serve the draw alone.
    return Parts(split.train, split.test, () if dataset.measured else split.notices)
