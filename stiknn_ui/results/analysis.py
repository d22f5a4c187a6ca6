"""One computed result with everything the pages draw from it. Pure: no streamlit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stiknn_core import Interactions, RankedNeighbors, interactions
from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.quiet import without_warnings
from stiknn_core.types import Dataset, FloatArray, IntArray, read_only
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.inputs import Keep, prepare
from stiknn_ui.results.notices import data_notices, result_notices
from stiknn_ui.results.result import Result, plane_of, removal_of
from stiknn_ui.work.progress import Progress, share_of

# The matrix takes nearly all of the time; what is asked of single points is one pass more.
_MATRIX_SHARE = 0.9
# Growing the forest and comparing its leaves takes longer than the matrix of a small set.
_FOREST_SHARE = 0.7

N_NEAREST = 8
"""Nearest points that are shown of one point."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis(Result):
    """A full matrix of interactions.

    Attributes
    ----------
    interactions : Interactions
    leave_one_out : (n,) float64
        What removing each training point alone takes from the utility; see `removal_of`.
    nearest : (t, m) int64 or None
        In the forest's space, the training points nearest to each test point.
    """

    interactions: Interactions
    leave_one_out: FloatArray
    nearest: IntArray | None = None

    @cached_property
    def digest(self) -> str:
        """Twelve characters that name the result; fit for widget keys."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    @property
    def n_test(self) -> int:
        """Number of test points."""
        return self.interactions.n_test

    @property
    def k(self) -> int:
        """Neighbours that vote: k as asked for, or as many as there are."""
        return self.interactions.k

    @property
    def remark(self) -> str:
        """What belongs beside any picture of these data; empty if nothing does."""
        return self.duplicates.conflict_note

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """What a person calls each training point, as text."""
        return tuple(self.names(slice(None)))

    @property
    def judged_by_itself(self) -> bool:
        """Whether the training points are the test points: leave-one-out testing."""
        return self.interactions.evaluation == "leave-one-out"

    @cached_property
    def duplicates(self) -> Duplicates:
        """Training points that are exact copies of each other, by point id."""
        return find_duplicates(self.dataset.X[self.rows], self.dataset.y[self.rows])

    @property
    def size_bytes(self) -> int:
        """Bytes of the large arrays, for bounding caches."""
        return self.interactions.matrix.nbytes + self.dataset.X.nbytes + 64 * self.n


def analyse(
    dataset: Dataset,
    data: DataSpec,
    compute: ComputeSpec,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> Analysis:
    """Compute everything the pages show of one data set.

    Parameters
    ----------
    dataset : Dataset
    data : DataSpec
        What ``dataset`` was built from.
    compute : ComputeSpec
    progress : callable or None
        Called with (done, total); an exception it raises stops the work.
    keep : callable or None
        What keeps the forest's distances, which are the same for every k; see `inputs.Keep`.

    Raises
    ------
    StiknnError
        If the data do not fit the settings; the message names what to change.
    """
    start = _FOREST_SHARE if compute.space == "forest" else 0.0
    middle = start + _MATRIX_SHARE * (1.0 - start)
    given = prepare(dataset, compute, keep=keep, progress=share_of(progress, 0.0, start))
    parts, far = given.parts, given.far
    train, test = parts.train, parts.test
    k, capped = parts.usable_k(compute.k)
    with without_warnings():
        # What the engine warns of, a page says beside the picture: see ``result_notices``.
        working = share_of(progress, start, middle)
        result = interactions(**given.arguments, k=k, index=compute.index, progress=working)
        working = share_of(progress, middle, 1.0)
        points = RankedNeighbors(**given.arguments, k=k, max_bytes=0).overview(progress=working)
    nearest = None if far is None else _nearest(far, alone=test is None)
    plane = plane_of(dataset.X[train], given.X, dataset.feature_names)
    notices = (
        *dataset.notices,
        *([capped] if capped else []),
        *parts.notices,
        *data_notices(dataset, train, test, compute),
        *result_notices(result, compute),
    )
    return Analysis(
        data=data,
        compute=compute,
        dataset=dataset,
        rows=read_only(train),
        interactions=result,
        support=points.support,
        leave_one_out=removal_of(points),
        plane=plane,
        notices=notices,
        nearest=nearest,
    )


def _nearest(distances: FloatArray, *, alone: bool) -> IntArray:
    """Return the training points nearest to each test point, nearest first, (t, m) int64."""
    far = distances.copy()
    if alone:
        np.fill_diagonal(far, np.inf)
    found = np.argsort(far, axis=1, kind="stable")[:, : min(N_NEAREST, far.shape[1] - alone)]
    return read_only(found.astype(np.int64, copy=False))
