"""One computed result with everything the pages draw from it. Pure: no streamlit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from stiknn_core import Interactions, interactions, label_support
from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.preparation import Plane, project_2d
from stiknn_core.quiet import without_warnings
from stiknn_core.types import Dataset, FloatArray, IntArray, LabelSupport, read_only
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.inputs import Keep, prepare
from stiknn_ui.results.notices import data_notices, result_notices
from stiknn_ui.work.progress import Progress, share_of

# The matrix takes nearly all of the time; the label support is one pass more.
_MATRIX_SHARE = 0.9
# Growing the forest and comparing its leaves takes longer than the matrix of a small set.
_FOREST_SHARE = 0.7

N_NEAREST = 8
"""Nearest points that are shown of one point."""


class Computed(Protocol):
    """What lines and files need to know of a result, of a full matrix or of blocks."""

    @property
    def data(self) -> DataSpec:
        """What was computed on."""

    @property
    def compute(self) -> ComputeSpec:
        """How."""

    @property
    def dataset(self) -> Dataset:
        """The data."""

    @property
    def plane(self) -> Plane:
        """The usual plane."""

    @property
    def n(self) -> int:
        """Number of training points."""

    @property
    def n_test(self) -> int:
        """Number of points that judge."""

    @property
    def k(self) -> int:
        """Neighbours that vote."""

    @property
    def remark(self) -> str:
        """What belongs beside any picture."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """A result, the data and settings it belongs to, and the plane it is drawn in.

    A *point id* is a position among the training points, 0..n-1; ``rows`` leads back to
    the data set. For leave-one-out the two are the same.

    Attributes
    ----------
    data : DataSpec
    compute : ComputeSpec
        As asked for; ``interactions.k`` is the k that was used.
    dataset : Dataset
    rows : (n,) int64, read-only
        Row of the data set of each training point.
    interactions : Interactions
    support : LabelSupport
    plane : Plane
        Where the scatter puts each training point.
    notices : tuple of str
        Plain sentences a person should see.
    nearest : (t, m) int64 or None
        In the forest's space, the training points nearest to each point that judges.
    """

    data: DataSpec
    compute: ComputeSpec
    dataset: Dataset
    rows: IntArray
    interactions: Interactions
    support: LabelSupport
    plane: Plane
    notices: tuple[str, ...] = ()
    nearest: IntArray | None = None

    @property
    def key(self) -> str:
        """Text that is the same exactly for the same numbers."""
        return result_key(self.data, self.compute)

    @cached_property
    def digest(self) -> str:
        """Twelve characters that name the result; fit for widget keys."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    @property
    def scope(self) -> str:
        """Text that is the same exactly where point ids mean the same points."""
        return selection_scope(self.data, self.compute)

    @property
    def n(self) -> int:
        """Number of training points."""
        return len(self.rows)

    @property
    def n_test(self) -> int:
        """Number of points that judge."""
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
    def classes(self) -> tuple[str, ...]:
        """Class names as text, in the engine's order."""
        return tuple(str(name) for name in self.interactions.classes)

    @cached_property
    def codes(self) -> IntArray:
        """(n,) int64, read-only: each point's given label as a position in ``classes``."""
        return self._coded(self.dataset.y[self.rows])

    @cached_property
    def suggested(self) -> IntArray:
        """(n,) int64, read-only: the suggested class as a position in ``classes``."""
        return self._coded(self.support.suggested)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """What a person calls each training point, as text."""
        return tuple(str(name) for name in self.dataset.ids[self.rows].tolist())

    @property
    def judged_by_itself(self) -> bool:
        """Whether the training points judge each other."""
        return self.interactions.evaluation == "leave-one-out"

    @cached_property
    def duplicates(self) -> Duplicates:
        """Training points that are exact copies of each other, by point id."""
        return find_duplicates(self.dataset.X[self.rows], self.dataset.y[self.rows])

    @property
    def truth_known(self) -> bool:
        """Whether labels are known to be wrong, so that findings can be checked."""
        return self.dataset.y_true is not None and len(self.dataset.flipped) > 0

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """Point ids whose label is known to be wrong, sorted."""
        if self.dataset.y_true is None:
            return ()
        wrong = self.dataset.y[self.rows] != self.dataset.y_true[self.rows]
        return tuple(int(position) for position in np.flatnonzero(wrong))

    @property
    def size_bytes(self) -> int:
        """Bytes of the large arrays, for bounding caches."""
        return self.interactions.matrix.nbytes + self.dataset.X.nbytes + 64 * self.n

    def _coded(self, labels: Any) -> IntArray:
        number = {name: code for code, name in enumerate(self.interactions.classes)}
        codes = np.array([number[name] for name in labels.tolist()], dtype=np.int64)
        return read_only(codes)


def result_key(data: DataSpec, compute: ComputeSpec) -> str:
    """Return the cache key of a result."""
    return f"{data.key}|{compute!r}"


def selection_scope(data: DataSpec, compute: ComputeSpec) -> str:
    """Return what selections belong to: the data and which rows are training rows."""
    return f"{data.key}|{compute.split!r}"


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
        support = label_support(**given.arguments, k=k, progress=working)
    nearest = None if far is None else _nearest(far, alone=test is None)
    plane = plane_of(dataset.X[train], given.X, dataset.feature_names)
    notices = (
        *dataset.notices,
        *([capped] if capped else []),
        *parts.notices,
        *data_notices(dataset, train, test, compute),
        *result_notices(result, compute),
        *plane.notices,
    )
    return Analysis(
        data, compute, dataset, read_only(train), result, support, plane, notices, nearest
    )


def _nearest(distances: FloatArray, *, alone: bool) -> IntArray:
    """Return the training points nearest to each that judges, nearest first, (t, m) int64."""
    far = distances.copy()
    if alone:
        np.fill_diagonal(far, np.inf)
    found = np.argsort(far, axis=1, kind="stable")[:, : min(N_NEAREST, far.shape[1] - alone)]
    return read_only(found.astype(np.int64, copy=False))


def plane_of(X_raw: FloatArray, X_scaled: FloatArray, names: tuple[str, ...]) -> Plane:
    """Return the scatter's plane: two features as they are, more of them as scaled.

    A projection is made from what distances are measured on, so that neighbours in the
    picture are neighbours in the computation as far as two dimensions allow.
    """
    X = X_raw if X_raw.shape[1] <= 2 else X_scaled
    return project_2d(X, names, method="auto")
