"""Data sets, forests and results of all visitors, and the jobs that make them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from stiknn_core.duplicates import Duplicates, find_duplicates
from stiknn_core.labels.ties import tied_test_points
from stiknn_core.quiet import without_warnings
from stiknn_core.types import Dataset, FloatArray, IntArray, read_only
from stiknn_ui.asked import paper_sets
from stiknn_ui.asked.spec import (
    EXAMPLE_COMPUTE,
    EXAMPLE_DATA,
    HOME_DATA,
    ComputeSpec,
    DataSpec,
    RankBy,
)
from stiknn_ui.results.all_rows import AllRows, analyse_rows
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.estimate import forest_seconds
from stiknn_ui.results.inputs import Keep, prepare
from stiknn_ui.results.opinions import opinion_key
from stiknn_ui.results.parts import Parts, parts_of
from stiknn_ui.results.result import Result, result_key, selection_scope
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import ranking, usable
from stiknn_ui.results.suspects import scores_of as every_score
from stiknn_ui.work import shelves
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import ComputeQueue, Lane
from stiknn_ui.work.shelves import Shelf

if TYPE_CHECKING:
    from stiknn_core import Forest
    from stiknn_core.labels.opinions import SecondOpinion

results: Final = Shelf[Analysis]("results", entries=500, megabytes=600)
rows: Final = Shelf[AllRows]("all rows", entries=20, megabytes=2400)
"""What is known of every row of large data sets."""
_datasets: Final = Shelf[Dataset]("data sets", entries=200, megabytes=200)
fetched: Final = Shelf[Dataset]("fetched", entries=4, megabytes=600)
"""Whole data sets from OpenML."""
forests: Final[Shelf[Forest]] = Shelf("forests", entries=50, megabytes=1200)
"""Random forests, the same for every k and index."""
opinions: Final[Shelf[SecondOpinion]] = Shelf("second opinions", entries=100, megabytes=300)
"""Second opinions on the labels of results."""


def kept_forest(data: DataSpec, compute: ComputeSpec) -> Keep:
    """Return what keeps the forest, which is the same for every k and index."""
    return partial(forests().obtain, selection_scope(data, compute))


def has_forest(data: DataSpec, compute: ComputeSpec) -> bool:
    """Whether the forest of these settings has been grown."""
    wanted = compute.space == "forest"
    return wanted and forests().get(selection_scope(data, compute)) is not None


def growing_seconds(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> float:
    """Return about how long a forest takes that is still to be grown; 0 if none is."""
    if compute.space != "forest" or has_forest(data, compute):
        return 0.0
    return forest_seconds(dataset.n, dataset.X.shape[1])


def parts(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Parts:
    """Return which rows are on which side; a draw by class takes a while for very many rows.

    Raises
    ------
    StiknnError
        If the rows are too few to be split.
    """
    key = f"parts|{selection_scope(data, compute)}"
    found: Parts = shelves.derived().obtain(key, lambda: parts_of(dataset, compute))
    return found


def public_dataset(spec: DataSpec) -> Dataset:
    """Return a data set that everyone may see; never an upload.

    Raises
    ------
    LookupError
        If it is from OpenML and nobody has fetched it yet.
    """
    whole = fetched().get(spec.name) if spec.source == "paper" else None
    return _datasets().obtain(spec.key, lambda: build(spec, whole))


def fetching(name: str) -> Callable[[Progress], Dataset]:
    """Return what fetches a data set from OpenML."""
    return lambda _: paper_sets.load(name)


def downloads() -> ComputeQueue:
    """Return the line of downloads: they wait for another server, not for a core."""
    return shelves.one("downloads", lambda: ComputeQueue([Lane(float("inf"), 4)]))


def making(
    dataset: Dataset, data: DataSpec, compute: ComputeSpec
) -> Callable[[Progress], Analysis]:
    """Return what computes a result."""
    keep = kept_forest(data, compute)
    return lambda progress: analyse(dataset, data, compute, progress, keep)


def making_rows(
    dataset: Dataset, data: DataSpec, compute: ComputeSpec
) -> Callable[[Progress], AllRows]:
    """Return what computes everything that is known of every row."""
    keep = kept_forest(data, compute)
    return lambda progress: analyse_rows(dataset, data, compute, progress, keep)


def start_job(
    dataset: Dataset,
    data: DataSpec,
    compute: ComputeSpec,
    *,
    seconds: float = 0.0,
    owner: str = "",
) -> Job[Analysis]:
    """Compute in the background when it is its turn; the result goes on the shelf.

    Parameters
    ----------
    dataset : Dataset
    data : DataSpec
    compute : ComputeSpec
    seconds : float
        About how long it will take.
    owner : str
        Who asks: visitors take turns.

    Raises
    ------
    BusyError
        If the line is full.
    """
    shelf, make = results(), making(dataset, data, compute)

    def work(progress: Progress) -> Analysis:
        analysis = make(progress)
        shelf.put(analysis.key, analysis)
        return analysis

    job = Job(result_key(data, compute), work, owner)
    return shelves.computations().submit(job, seconds=seconds)


def warm_up() -> None:
    """Compute what the first page shows, and what the others begin with; this loads the loops."""
    for data in (HOME_DATA, EXAMPLE_DATA):
        if results().get(result_key(data, EXAMPLE_COMPUTE)) is None:
            start_job(public_dataset(data), data, EXAMPLE_COMPUTE)


def duplicates_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Duplicates:
    """Return the groups of identical rows of all rows of a data set."""
    key = f"duplicates|{selection_scope(data, compute)}"
    found: Duplicates = shelves.derived().obtain(key, lambda: find_duplicates(dataset.X, dataset.y))
    return found


def tied_rows_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> IntArray:
    """Return the rows of test points that see different labels at one distance, sorted.

    Raises
    ------
    StiknnError
        If the settings do not fit the data.
    """
    key = f"tied|{compute.metric}|{compute.scaling}|{selection_scope(data, compute)}"
    found: IntArray = shelves.derived().obtain(key, lambda: _tied_rows(dataset, compute))
    return found


def _tied_rows(dataset: Dataset, compute: ComputeSpec) -> IntArray:
    given = prepare(dataset, replace(compute, space="features"))
    with without_warnings():  # told with the result
        tied = tied_test_points(given.X, given.y, given.X_test, given.y_test, metric=compute.metric)
    found: IntArray = read_only(given.parts.test_rows[tied])
    return found


def opinion_of(analysis: Result, by: RankBy = "confusion") -> SecondOpinion | None:
    """Return the second opinion, where it is what ranks and has been computed."""
    return opinions().get(opinion_key(analysis)) if by == "confusion" else None


def scores_of(analysis: Result, by: RankBy = "quality") -> dict[str, FloatArray]:
    """Return the scores of the training points of ``analysis``, (n,) each, read-only.

    That of the second opinion is among them where it is to rank and has been computed.
    """

    def make() -> dict[str, FloatArray]:
        return {name: read_only(score) for name, score in every_score(analysis).items()}

    found: dict[str, FloatArray] = shelves.derived().obtain(f"scores|{analysis.key}", make)
    opinion = opinion_of(analysis, by)
    return found if opinion is None else {"confusion": opinion.score, **found}


def ranked(analysis: Result, by: RankBy) -> tuple[RankBy, IntArray]:
    """Return the score that ranks, and point ids, most suspicious first; see ``usable``."""
    scores = scores_of(analysis, by)
    used = usable(by, scores)
    found: IntArray = shelves.derived().obtain(
        f"ranking|{used}|{analysis.key}", lambda: read_only(ranking(scores, used))
    )
    return used, found
