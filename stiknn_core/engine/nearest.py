"""The nearest rows of each test point among features, found by a library."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from sklearn.cluster import MiniBatchKMeans
from sklearn.neighbors import NearestNeighbors

from stiknn_core._kernels.near import group_lists
from stiknn_core.duplicates import different_rows
from stiknn_core.engine.neighbors import TIE_TOLERANCE, prepared
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem
from stiknn_core.validation.nearby import Lists

#: Up to so many columns a tree finds neighbours faster than all distances do, measured at 100,000
#: rows: 2 columns 8 s against 57 s, 10 columns the same, 20 columns 247 s against 65 s.
_FEW_COLUMNS = 9

#: From so many different rows on, and with more columns than that, they are looked for in the cells
#: around a test point alone: all distances among a million rows would take more than half an hour.
_MANY_ROWS = 250_000
_ROWS_OF_A_CELL = 1_000
_CELLS_LOOKED_AT = 24

_NAMES = {"euclidean": "euclidean", "manhattan": "manhattan", "chebyshev": "chebyshev"}


class NearestRows:
    """Lists the m nearest different rows of each test point; see `validation.nearby.NearRows`.

    The last group of tied rows may go on behind the m-th one; it is left to the others. Distances
    are measured anew, one by one, so that copies and ties are those of a whole ranking.

    ``exact`` says whether the nearest rows are found for certain; where there are many rows and
    columns, a few may be missed.
    """

    def __init__(self, problem: Problem, m: int) -> None:
        self._problem = problem
        train, self._test = prepared(problem)
        self._rows, self.row_of, self.copies = different_rows(train)
        # One more, since a test point's own row may be among them, and one for the group's end.
        self._width = min(m + 2, len(self._rows))
        self.exact = len(self._rows) < _MANY_ROWS or train.shape[1] <= _FEW_COLUMNS

    @property
    def order(self) -> IntArray:
        """An order of the test points in which neighbours of one another are near."""
        if self.exact:
            return np.arange(self._problem.n_test)
        return np.argsort(self._cells[1], kind="stable").astype(np.int64)

    def lists(self, tests: IntArray) -> Lists:
        """Return the nearest rows of some test points, with their ranks. O(b n d) at most."""
        found = self._near(tests)
        far = self._distances(tests, found)
        # Equal distances by row, whatever the library did.
        order = np.lexsort((found, far), axis=1)
        found, far = np.take_along_axis(found, order, 1), np.take_along_axis(far, order, 1)
        own = np.full(len(tests), -1, dtype=np.int64)
        if self._problem.leave_one_out:
            own = self.row_of[self._problem.own[tests]]
        return Lists(*group_lists(found, far, own, self.copies, len(self._rows), TIE_TOLERANCE))

    def _near(self, tests: IntArray) -> IntArray:
        """Return the rows that are nearest to some test points, (b, width), in any order."""
        if self.exact:
            return np.asarray(
                self._index.kneighbors(self._test[tests], return_distance=False), dtype=np.int64
            )
        centers, cell_of_test, members = self._cells
        found = np.empty((len(tests), self._width), dtype=np.int64)
        for cell in np.unique(cell_of_test[tests]):
            asking = np.flatnonzero(cell_of_test[tests] == cell)
            nearby = np.argsort(((centers - centers[cell]) ** 2).sum(axis=1))
            counts = np.cumsum([len(members[one]) for one in nearby])
            enough = max(_CELLS_LOOKED_AT, int(np.searchsorted(counts, self._width)) + 1)
            rows = np.concatenate([members[one] for one in nearby[:enough]])
            index = self._library("brute").fit(self._rows[rows])
            places = index.kneighbors(self._test[tests[asking]], return_distance=False)
            found[asking] = rows[places]
        return found

    def _library(self, algorithm: str) -> NearestNeighbors:
        return NearestNeighbors(
            n_neighbors=self._width,
            algorithm=algorithm,
            metric=_NAMES.get(self._problem.metric, "euclidean"),
        )

    @cached_property
    def _index(self) -> NearestNeighbors:
        few = self._rows.shape[1] <= _FEW_COLUMNS
        return self._library("kd_tree" if few else "brute").fit(self._rows)

    @cached_property
    def _cells(self) -> tuple[FloatArray, IntArray, list[IntArray]]:
        """Centres of cells, the cell of each test point, and the rows of each cell."""
        n_cells = len(self._rows) // _ROWS_OF_A_CELL
        means = MiniBatchKMeans(
            n_cells, batch_size=4096, n_init=1, max_iter=3, random_state=0, compute_labels=False
        ).fit(self._rows[:: max(1, len(self._rows) // (50 * n_cells))])
        cell = means.predict(self._rows)
        order = np.argsort(cell, kind="stable")
        cuts = np.cumsum(np.bincount(cell, minlength=n_cells))[:-1]
        tests = cell[self.row_of][self._problem.own] if self._problem.leave_one_out else None
        if tests is None:
            tests = means.predict(self._test)
        return means.cluster_centers_, tests, np.split(order, cuts)

    def _distances(self, tests: IntArray, rows: IntArray) -> FloatArray:
        """Return the distances (b, width) from test points to rows, by single differences."""
        far = np.zeros(rows.shape)
        metric = self._problem.metric
        for column in range(self._rows.shape[1]):
            gap = self._rows[:, column][rows] - self._test[tests, column][:, None]
            if metric == "manhattan":
                far += np.abs(gap)
            elif metric == "chebyshev":
                np.maximum(far, np.abs(gap), out=far)
            else:
                far += gap * gap
        return np.asarray(np.sqrt(far)) if metric == "euclidean" else far
