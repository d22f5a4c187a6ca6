"""How a problem is cut: bands of training points, tiles of pairs, parts of test points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from stiknn_core.validation import check_whole

#: Side of a tile: 8 MB in float64, some tenths of a second of work for a thousand test points.
TILE = 1024

#: Most test points ranked by one task, and the length of the inner loop over a tile.
PART = 256

#: Bytes that the coefficients of one part may take: three numbers per training and test point.
_PART_BYTES = 2**28
_BYTES_PER_COEFFICIENT = 24

#: Training points that one task of block sums ranks, over all its test points: some seconds.
_RANKED_PER_TASK = 2**25

#: Fewest test points of such a task: each stores numbers for every training point.
_LEAST_PART = 16

#: Cells that can be read alone inside a tile of a store have about this side.
_CELL = 256


@dataclass(frozen=True)
class Layout:
    """The cuts of one problem.

    Attributes
    ----------
    n_train, n_test : int
    tile : int
        Training points of a band, the last one excepted.
    part : int
        Test points of a part, the last one excepted.
    """

    n_train: int
    n_test: int
    tile: int
    part: int

    @property
    def n_bands(self) -> int:
        """Number of bands, and of tiles along one side of the matrix."""
        return -(-self.n_train // self.tile)

    @property
    def n_parts(self) -> int:
        """Number of parts of the test points."""
        return -(-self.n_test // self.part)

    def band(self, i: int) -> slice:
        """Return the places of band ``i``."""
        return slice(i * self.tile, min((i + 1) * self.tile, self.n_train))

    def band_sizes(self) -> tuple[int, ...]:
        """Return the number of places of each band."""
        bands = (self.band(i) for i in range(self.n_bands))
        return tuple(band.stop - band.start for band in bands)

    def tests(self, part: int) -> tuple[int, int]:
        """Return the first test point of a part, and one past its last."""
        return part * self.part, min((part + 1) * self.part, self.n_test)

    def tiles(self) -> Iterator[tuple[int, int]]:
        """Yield the tiles on and above the diagonal, row by row."""
        for i in range(self.n_bands):
            for j in range(i, self.n_bands):
                yield i, j


def lay_out(n_train: int, n_test: int, tile: Any, test_chunk: Any, *, matrix: bool) -> Layout:
    """Check the sizes a caller gave, choose those left out, and return the cuts.

    Sizes depend on the problem alone, never on who computes it: so neither do the sums.
    """
    tile = min(check_whole("tile", tile, least=1), n_train)
    if test_chunk is not None:
        part = check_whole("test_chunk", test_chunk, least=1)
    elif matrix:
        part = rows_at_once(n_train, PART)
    else:
        part = min(PART, max(_LEAST_PART, _RANKED_PER_TASK // n_train))
    return Layout(n_train, n_test, tile, min(part, n_test))


def cell_of(tile: int) -> int:
    """Return the side of the cells of a tile: the largest near 256 that divides it."""
    near = [side for side in range(_CELL, _CELL // 4, -1) if tile % side == 0]
    return near[0] if near and tile > _CELL else tile


def rows_at_once(n_train: int, most: int) -> int:
    """Return how many test points to rank at a time so that they fit the budget of a part."""
    return min(most, max(1, _PART_BYTES // (_BYTES_PER_COEFFICIENT * n_train)))
