"""Every row of a large data set by itself, without a matrix of pairs. Pure: no streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from stiknn_core import Overview
from stiknn_core.engine.points import USUAL_NEAREST
from stiknn_core.labels.overview import TargetOverview
from stiknn_core.quiet import without_warnings
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.found import found_in
from stiknn_ui.results.inputs import FOREST_SHARE, Keep, prepare
from stiknn_ui.results.result import Result, found_of, result_key
from stiknn_ui.words.numbers import number
from stiknn_ui.work.progress import Progress, share_of


@dataclass(frozen=True, eq=False, kw_only=True)
class AllRows(Result):
    """What is known of every training point, of up to a million, without their pairs."""

    @property
    def key(self) -> str:
        """Text that is the same exactly for the same numbers."""
        return rows_key(self.data, self.compute)


def rows_key(data: DataSpec, compute: ComputeSpec) -> str:
    """Return the cache key of all rows; never that of a full matrix."""
    return f"rows|{result_key(data, compute)}"


def analyse_rows(
    dataset: Dataset,
    data: DataSpec,
    compute: ComputeSpec,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> AllRows:
    """Compute what is known of every row.

    Parameters
    ----------
    dataset, data, compute, progress, keep
        As in `analysis.analyse`.

    Raises
    ------
    StiknnError
        If the data do not fit the settings; the message names what to change.
    """
    start = FOREST_SHARE if compute.space == "forest" else 0.0
    given = prepare(dataset, compute, keep=keep, progress=share_of(progress, 0.0, start))
    k, _ = given.parts.usable_k(compute.k)
    with without_warnings():
        # What the engine warns of, a page says beside the picture.
        found = found_in(given, k, share_of(progress, start, 1.0), index=given.index)
    return AllRows(**found_of(dataset, data, compute, given, found, *_bound_notice(found)))


def _bound_notice(found: Overview | TargetOverview) -> list[str]:
    if isinstance(found, TargetOverview) or not found.bound:
        return []
    return [
        f"Of so many rows each test point ranks its nearest {USUAL_NEAREST} one by one and takes "
        "the others for equally far: no support of a label is off by more than "
        f"{number(found.bound)}."
    ]
