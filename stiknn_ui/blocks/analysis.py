"""Everything that is known of a large data set without its matrix. Pure: no streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from stiknn_core.ordering import Order
from stiknn_core.quiet import without_warnings
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.results import BlockInteractions
from stiknn_core.sampling import strata_of, stratified_positions
from stiknn_core.types import Dataset, FloatArray, IntArray
from stiknn_ui.asked.spec import USUAL_TESTS, ComputeSpec, DataSpec
from stiknn_ui.results.found import found_in
from stiknn_ui.results.inputs import FOREST_SHARE, Inputs, Keep, prepare
from stiknn_ui.results.result import Result, found_of, result_key
from stiknn_ui.work.progress import Progress, share_of


class MatrixParts(Protocol):
    """What answers for parts of a matrix: a `RankedNeighbors`, or a store."""

    @property
    def n_test(self) -> int:
        """Number of test points."""

    @property
    def k(self) -> int:
        """Neighbours that vote."""

    @property
    def keeps(self) -> bool:
        """Whether a further part takes little time."""

    @property
    def nbytes(self) -> int:
        """Bytes held."""

    def pairs(self, points: Any, progress: Progress | None = None) -> FloatArray:
        """Return all interactions among some points."""

    def block_sums(self, blocks: Any, progress: Progress | None = None) -> BlockInteractions:
        """Return the sums of all interactions between blocks."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BlockAnalysis(Result):
    """A large data set, ranked, with what is known of its single points.

    Copies are not looked for among so many points.

    Attributes
    ----------
    ranked : RankedNeighbors or StoredMatrix
        Answers for any part of the matrix.
    tests : (t,) int64 or None
        The training points that test the picture; see `drawn_tests`. None for all test points.
    fixed_order : Order or None
        The only order of all points there is, with its blocks; None where any can be made.
    """

    ranked: MatrixParts
    tests: IntArray | None = None
    fixed_order: Order | None = None

    @property
    def key(self) -> str:
        """Text that is the same exactly for the same numbers."""
        return block_key(self.data, self.compute)

    @property
    def n_test(self) -> int:
        """Number of test points."""
        return self.ranked.n_test

    @property
    def k(self) -> int:
        """Neighbours that vote: k as asked for, or as many as there are."""
        return self.ranked.k

    @property
    def size_bytes(self) -> int:
        """Bytes of the large arrays, for bounding caches."""
        arrays = (self.given.X, self.dataset.X, self.plane.xy)
        held = self.doubt.nbytes + sum(array.nbytes for array in arrays)
        return self.ranked.nbytes + held + 80 * self.n


def block_key(data: DataSpec, compute: ComputeSpec) -> str:
    """Return the cache key of a block analysis; never that of a full matrix."""
    return f"blocks|{result_key(data, compute)}"


def analyse_blocks(
    dataset: Dataset,
    data: DataSpec,
    compute: ComputeSpec,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> BlockAnalysis:
    """Rank everything, keep the rankings where they fit, and score every single point.

    Parameters
    ----------
    dataset, data, compute, progress, keep
        As in `results.analysis.analyse`.

    Raises
    ------
    StiknnError
        If the data do not fit the settings; the message names what to change.
    """
    start = FOREST_SHARE if compute.space == "forest" else 0.0
    given = prepare(dataset, compute, keep=keep, progress=share_of(progress, 0.0, start))
    tests = drawn_tests(given)
    k, _ = given.parts.usable_k(compute.k)
    with without_warnings():
        # What the engine warns of, a page says beside the picture.
        ranked = RankedNeighbors(**given.arguments, k=k, index=given.index, test_rows=tests)
    working = share_of(progress, start, 1.0)
    found = (
        found_in(given, k, working, index=given.index, tests=tests)
        if given.measured
        else ranked.overview(progress=working)
    )
    told = found_of(dataset, data, compute, given, found, *_kept_notice(ranked))
    return BlockAnalysis(**told, ranked=ranked, tests=tests)


def drawn_tests(given: Inputs) -> IntArray | None:
    """Return the training points that test the picture, (t,) int64; None for all test points.

    Where all training points are test points, some are enough for pairs: drawn from a fixed seed,
    of every class in proportion. Each is tested by all the others.
    """
    n = len(given.X)
    if given.parts.test is not None or n <= USUAL_TESTS:
        return None
    return stratified_positions(strata_of(given.y, given.measured), USUAL_TESTS, seed=0)


def _kept_notice(ranked: RankedNeighbors) -> list[str]:
    if ranked.keeps:
        return []
    return [
        f"The rankings of {ranked.n_train:,} points by {ranked.n_test:,} are too many to keep, so "
        "each new part of the matrix takes as long as the first picture. Fewer test points make "
        "it faster."
    ]
