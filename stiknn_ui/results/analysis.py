"""One computed result with everything the pages draw from it. Pure: no streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from stiknn_core import Interactions, interactions
from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.quiet import without_warnings
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.found import found_in
from stiknn_ui.results.inputs import FOREST_SHARE, Keep, prepare
from stiknn_ui.results.notices import result_notices
from stiknn_ui.results.result import Result, found_of
from stiknn_ui.work.progress import Progress, share_of

# The matrix takes nearly all of the time; what is asked of single points is one pass more.
_MATRIX_SHARE = 0.9


@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis(Result):
    """A full matrix of interactions.

    Attributes
    ----------
    interactions : Interactions
    """

    interactions: Interactions

    @property
    def remark(self) -> str:
        """What belongs beside any picture of these data; empty if nothing does."""
        return self.duplicates.conflict_note

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
        What keeps the forest, which is the same for every k; see `inputs.Keep`.

    Raises
    ------
    StiknnError
        If the data do not fit the settings; the message names what to change.
    """
    start = FOREST_SHARE if compute.space == "forest" else 0.0
    middle = start + _MATRIX_SHARE * (1.0 - start)
    given = prepare(dataset, compute, keep=keep, progress=share_of(progress, 0.0, start))
    k, _ = given.parts.usable_k(compute.k)
    with without_warnings():
        # What the engine warns of, a page says beside the picture: see ``result_notices``.
        working = share_of(progress, start, middle)
        result = interactions(**given.arguments, k=k, index=given.index, progress=working)
        working = share_of(progress, middle, 1.0)
        found = found_in(given, k, working)
    found = replace(found, values=result.values)  # the same to the last bit as in the matrix
    notices = result_notices(result, compute)
    return Analysis(**found_of(dataset, data, compute, given, found, *notices), interactions=result)
