"""Distances in the space of a random forest, where neighbours are what trees hold alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stiknn_core._kernels.leaves import list_members, near_in_leaves
from stiknn_core.cost import check_memory, free_bytes
from stiknn_core.duplicates import different_rows
from stiknn_core.engine.threads import Progress, cut, silent, thread_map
from stiknn_core.errors import ShapeError
from stiknn_core.labels.growing import Grown, grow, plans
from stiknn_core.phrases import counted
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only
from stiknn_core.validation import check_n_jobs, check_whole
from stiknn_core.validation.nearby import Lists
from stiknn_core.validation.positions import check_positions
from stiknn_core.validation.rows import check_rows, check_same_features
from stiknn_core.validation.settings import check_seed

#: Leaves of a tree that two bytes tell apart; a million rows have as many, or a few less.
_FEW_LEAVES = 2**16

#: Test points whose distances are filled in at a time.
_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Forest:
    """A grown forest: who shares leaves with whom, without any distance held.

    May stand wherever distances may: ``label_support(forest, y, metric="precomputed")``. The
    numbers are those of `forest_distances`; memory grows with the points, not with their pairs.

    Attributes
    ----------
    n_train, n_test : int
    leave_one_out : bool
        Whether it was grown without ``X_test``: then a test point asks only trees that did not
        see it.
    confidence : (n_train,) float64, read-only
        Out-of-bag self-confidence: the mean probability of the given label by the trees that did
        not see the point, 0 to 1, low = suspicious; 0.5 where every tree saw it. With more than 64
        classes, of the group of classes that a tree sees the label in.
    n_trees : int
    """

    n_train: int
    n_test: int
    leave_one_out: bool
    confidence: FloatArray
    n_trees: int
    row_of: IntArray = field(repr=False)
    copies: IntArray = field(repr=False)
    _members: NDArray[np.int32] = field(repr=False)
    _begins: NDArray[np.int32] = field(repr=False)
    _first: IntArray = field(repr=False)
    _test_leaf: AnyArray = field(repr=False)
    _test_row: IntArray = field(repr=False)
    _unseen: NDArray[np.uint8] = field(repr=False)

    @property
    def nbytes(self) -> int:
        """Bytes of all that is held."""
        held = (self._members, self._begins, self._test_leaf, self._unseen, self.row_of)
        return sum(array.nbytes for array in held) + 40 * self.n_train

    def lists(self, tests: IntArray) -> Lists:
        """Return who shares a leaf with some test points, (b,) of them, nearest first.

        All others are at distance 1. O(n_trees) for each that shares a leaf.
        """
        return Lists(
            *near_in_leaves(
                np.asarray(tests, dtype=np.int64),
                self._test_leaf,
                self._test_row,
                self._own_row,
                self._unseen,
                self._members,
                self._begins,
                self._first,
                self.copies,
            )
        )

    def distances(self, tests: IntArray) -> FloatArray:
        """Return the rows (b, n_train) of `forest_distances` of some test points."""
        found = self.lists(tests)
        out = np.empty((len(tests), self.n_train))
        line = np.empty(len(self.copies))
        for place, test in enumerate(tests):
            line[:] = 1.0
            listed = slice(found.start[place], found.start[place + 1])
            line[found.rows[listed]] = found.far[listed]
            np.take(line, self.row_of, out=out[place])
            if self.leave_one_out:
                out[place, test] = 0.0
        return out

    def nearest(self, tests: Any, m: int) -> tuple[IntArray, FloatArray]:
        """Return the training points nearest to some test points.

        Parameters
        ----------
        tests : (b,) array of int
            Positions of test points: of training points, where the forest was grown without
            ``X_test``, and these are left out themselves.
        m : int
            How many, at most.

        Returns
        -------
        (b, min(m, n_ranked)) int64
            Nearest first; equally near ones by position.
        (b, min(m, n_ranked)) float64
            Their distances, 0 to 1.
        """
        asked = check_positions("tests", tests, self.n_test)
        width = min(check_whole("m", m, least=1), self.n_train - self.leave_one_out)
        near = np.empty((len(asked), width), dtype=np.int64)
        far = np.empty((len(asked), width))
        for start, stop in cut(0, len(asked), _BLOCK):
            some = asked[start:stop]
            lines = self.distances(some)
            if self.leave_one_out:
                lines[np.arange(len(some)), some] = np.inf
            order = np.argsort(lines, axis=1, kind="stable")[:, :width]
            near[start:stop] = order
            far[start:stop] = np.take_along_axis(lines, order, axis=1)
        return near, far

    @cached_property
    def _own_row(self) -> IntArray:
        return self.row_of if self.leave_one_out else np.full(self.n_test, -1, dtype=np.int64)


def grow_forest(
    X: Any,
    y: Any,
    X_test: Any = None,
    *,
    n_trees: int = 200,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Forest:
    """Grow a random forest, in whose space neighbours are what its trees hold alike.

    Half of the trees look for the best split, half draw splits at random (extremely
    randomised trees), all of them on bootstrap samples.

    Parameters
    ----------
    X : (n, d) array or DataFrame
        Training features: finite numbers. Units and scale do not matter, since every column
        is replaced by its ranks.
    y : (n,) labels
        Of any one kind, as in `stiknn_core.interactions`.
    X_test : (t, d) array or DataFrame, optional
        Test features; None for leave-one-out testing, where t = n.
    n_trees : int, default 200
        Trees of both kinds together, at least 1. A training point is out of bag in about 37 %
        of them, and in more where there are more than 5,000 rows.
    seed : int, default 0
        0 to 2**32 - 1; the same seed gives the same bits for any ``n_jobs``.
    n_jobs : int or None
        Threads; None and -1 for all cores.
    progress : callable or None
        Called with (done, total) of trees; what it raises stops the work.

    Returns
    -------
    Forest

    Raises
    ------
    StiknnError
        If features or labels are not usable, or a setting is impossible.

    Notes
    -----
    The distance of two points is the share of trees in which they fall into different leaves. In
    leave-one-out testing only those trees are asked in whose bootstrap sample p does not occur.
    None of them has seen the label of p, so that p cannot choose neighbours that agree with
    its label, and changing that label changes nothing in what is near to p. (The other points'
    neighbours do change: p is one of their training points.) A point that is in every sample, which
    takes very few trees, is equally far from all. The distances are not symmetric.
    Usually an out-of-bag proximity asks only trees in whose samples neither of both points is.

    With more than 64 classes every 25 trees see them in other groups, 64 of them, so that time does
    not grow with the number of classes. A tree is grown on at most 5,000 rows and looks at no more
    than 32 columns at a split, and leaves of more than 25 different rows are cut at random
    columns.

    O(n_trees (m log m + n)) time for trees on m rows, and O(n_trees n) memory, some 6 bytes for
    each point and tree.

    References
    ----------
    Breiman (2001), "Random forests": out-of-bag samples and proximities. Geurts, Ernst and
    Wehenkel (2006), "Extremely randomized trees". The mix of both is our own.
    """
    n_trees = check_whole("n_trees", n_trees, least=1)
    seed = check_seed(seed)
    n_jobs = check_n_jobs(n_jobs)
    train, labels = check_rows(X, y)
    if len(labels.values) < 2:
        raise ShapeError("A forest needs at least 2 rows; got 1. Add rows.")
    codes = labels.codes(labels.classes)
    test = None if X_test is None else check_same_features(X_test, train).X
    points, asked = _ranks(train.X, test)
    rows, row_of, copies = different_rows(points)
    test_rows, test_row = (None, row_of) if asked is None else different_rows(asked)[:2]
    wanted = plans(n_trees, len(labels.classes), seed)
    n, n_rows = len(codes), len(rows)
    n_test = n if test is None else len(test)
    n_asked = n_rows if test_rows is None else len(test_rows)
    needed = n_trees * (4.0 * n_rows + 2.0 * n_asked)
    fitting = int(n_trees * min(1.0, free_bytes() / needed))
    check_memory(
        f"A forest of {counted(n_trees, 'tree')} on {n + n_test * (test is not None):,} points",
        needed,
        f"Grow {fitting:,} trees, or use a sample of the rows." if fitting else "Use a sample.",
    )
    members = np.empty((n_trees, n_rows), dtype=np.int32)
    test_leaf: AnyArray = np.empty((n_trees, n_asked), dtype=np.uint16)
    unseen = np.full((n_trees, -(-n_test // 8)), 255, dtype=np.uint8)
    begins: list[NDArray[np.int32]] = []
    trusted, heard = np.zeros(n), np.zeros(n)
    report = progress or silent
    report(0, n_trees)

    def made(tree: int) -> Grown:
        return grow(wanted[tree], points, codes, row_of, rows, test_rows)

    with thread_map(n_jobs) as run:
        for start, stop in cut(0, n_trees, n_jobs):
            for tree, grown in enumerate(run(made, range(start, stop)), start):
                begins.append(np.empty(grown.n_leaves + 1, dtype=np.int32))
                list_members(grown.leaf, grown.n_leaves, begins[-1], members[tree])
                if grown.n_leaves > _FEW_LEAVES and test_leaf.dtype == np.uint16:
                    test_leaf = test_leaf.astype(np.int32)
                test_leaf[tree] = grown.leaf if grown.test_leaf is None else grown.test_leaf
                out = ~grown.in_bag
                trusted[out] += grown.share[out]
                heard += out
                if test is None:
                    unseen[tree] = np.packbits(out)
            report(stop, n_trees)
    sizes = [len(one) for one in begins]
    return Forest(
        n_train=n,
        n_test=n_test,
        leave_one_out=test is None,
        confidence=read_only(np.divide(trusted, heard, out=np.full(n, 0.5), where=heard > 0)),
        n_trees=n_trees,
        row_of=row_of,
        copies=copies,
        _members=members,
        _begins=np.concatenate(begins),
        _first=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
        _test_leaf=test_leaf,
        _test_row=test_row,
        _unseen=unseen,
    )


def forest_distances(
    X: Any,
    y: Any,
    X_test: Any = None,
    *,
    n_trees: int = 200,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Return how often the trees of a random forest part two points, as an array.

    Parameters
    ----------
    X, y, X_test, n_trees, seed, n_jobs
        As in `grow_forest`.
    progress : callable or None
        Called with (done, total) of trees grown and rows compared; what it raises stops the
        work.

    Returns
    -------
    (t, n) float64
        In [0, 1], row p for test point p: the share of trees in which p and training point i
        fall into different leaves. Low = alike. To be passed to other functions as ``X`` with
        ``metric="precomputed"``. The matrix is not symmetric; in leave-one-out testing its
        diagonal is 0.

    Raises
    ------
    StiknnError
        As `grow_forest`; if so many distances do not fit into memory.

    Notes
    -----
    O(t n) memory: where that is too much pass the forest itself. What the trees are asked is told
    in `grow_forest`.
    """
    total = [0]

    def report(done: int, _: int) -> None:
        if progress is not None:
            progress(done, total[0])

    n_trees = check_whole("n_trees", n_trees, least=1)
    train, _ = check_rows(X, y)
    n_test = len(train.X) if X_test is None else len(check_same_features(X_test, train).X)
    total[0] = n_trees + n_test
    forest = grow_forest(X, y, X_test, n_trees=n_trees, seed=seed, n_jobs=n_jobs, progress=report)
    out = _empty(n_test, forest.n_train)

    def fill(block: tuple[int, int]) -> None:
        out[slice(*block)] = forest.distances(np.arange(*block))

    n_jobs = check_n_jobs(n_jobs)
    with thread_map(n_jobs) as run:
        for start, stop in cut(0, n_test, 4 * n_jobs * _BLOCK):
            run(fill, cut(start, stop, _BLOCK))
            report(n_trees + stop, 0)
    return out


def _ranks(
    train: FloatArray, test: FloatArray | None
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    """Return the columns as places among the different training values, for both.

    Trees only ask on which side of a value a point lies, but scikit-learn does so in single
    precision and takes values closer than 1e-7 for equal. Ranks survive both, whatever the
    offset or unit of a column. A value between two training values gets a place between theirs.
    """
    points = np.empty(train.shape, dtype=np.float32)
    asked = None if test is None else np.empty(test.shape, dtype=np.float32)
    for column in range(train.shape[1]):
        values, points[:, column] = np.unique(train[:, column], return_inverse=True)
        if asked is not None and test is not None:
            asked[:, column] = np.interp(test[:, column], values, np.arange(len(values)))
    return points, asked


def _empty(n_test: int, n_train: int) -> FloatArray:
    check_memory(
        f"An array of distances from {n_test:,} to {n_train:,} points",
        8.0 * n_test * n_train,
        "Pass the forest itself (grow_forest), or use a sample of the rows.",
    )
    return np.empty((n_test, n_train))
