"""What single points are worth, from short lists of near rows instead of whole rankings.

All that is not listed of a test point is one group of ties, whose members of one class earn the
same: so a pass takes the time of the lists, and memory of single points, never of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stiknn_core._kernels import near as kernels
from stiknn_core.engine.threads import Progress, cut, silent, thread_map
from stiknn_core.games import SII, PairIndex
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation import Problem
from stiknn_core.validation.nearby import Lists, NearRows

#: Test points whose lists one thread makes at a time; progress is told after one block of each.
BLOCK = 256


class NearProblem:
    """A problem with its near rows, and what the loops need to know of both.

    Attributes
    ----------
    problem : Problem
    near : NearRows
    kinds : tuple of arrays
        Rows with a label: where those of each row begin, class and count of each.
    kind_of : (n,) int64
        The kind of each training point.
    row_class : (n_rows,) int64
        The class of all copies of a row; -1 where they differ.
    own : (t,) int64
        Which training point each test point is, or -1.
    class_count : (n_classes,) int64
        Training points of each class.
    """

    def __init__(self, problem: Problem, near: NearRows) -> None:
        self.problem, self.near = problem, near
        n_classes = len(problem.classes)
        keys, self.kind_of, counts = np.unique(
            near.row_of * n_classes + problem.codes, return_inverse=True, return_counts=True
        )
        begins = np.searchsorted(keys // n_classes, np.arange(len(near.copies) + 1))
        self.kinds: tuple[IntArray, IntArray, IntArray] = begins, keys % n_classes, counts
        first = keys[begins[:-1]] % n_classes
        self.row_class: IntArray = np.where(np.diff(begins) == 1, first, -1)
        alone = problem.leave_one_out
        self.own: IntArray = problem.own if alone else np.full(problem.n_test, -1, dtype=np.int64)
        self.class_count: IntArray = np.bincount(problem.codes, minlength=n_classes)

    def blocks(self) -> list[IntArray]:
        """Return the test points, cut into those that are asked for at a time."""
        order = self.near.order
        return [order[start:stop] for start, stop in cut(0, len(order), BLOCK)]


class _Values:
    """Values of some kinds, added up over lists."""

    def __init__(self, given: NearProblem, kinds: Sequence[PairIndex]) -> None:
        problem = given.problem
        self._given = given
        self._g = np.stack(
            [index.value_weights(problem.n_ranked, problem.voters) for index in kinds]
        )
        self._summed = np.stack([_summed(g) for g in self._g])
        self._by_row = np.zeros((len(given.near.copies), len(kinds)))
        self._by_kind = np.zeros((len(given.kinds[1]), len(kinds)))
        self._by_class = np.zeros((len(problem.classes) + 1, len(kinds)))
        self._taken_back = np.zeros((problem.n_train, len(kinds)))

    def add(self, tests: IntArray, lists: Lists) -> None:
        given, problem = self._given, self._given.problem
        kernels.near_values(
            *lists[:3],
            given.own[tests],
            given.near.row_of,
            given.near.copies,
            given.row_class,
            *given.kinds,
            given.class_count,
            problem.n_ranked,
            problem.test_codes[tests],
            problem.weights[tests],
            problem.unit,
            self._g,
            self._summed,
            self._by_row,
            self._by_kind,
            self._by_class,
            self._taken_back,
        )

    def total(self) -> list[FloatArray]:
        """Return the values of each kind, (n,)."""
        given = self._given
        mixed = (given.row_class < 0)[given.near.row_of]
        found = self._by_row[given.near.row_of] - self._taken_back
        found[mixed] += self._by_kind[given.kind_of[mixed]]
        found += self._by_class[given.problem.codes] + self._by_class[-1]
        return [np.ascontiguousarray(column) for column in found.T]


class _Support:
    """Label support, added up over lists."""

    def __init__(self, given: NearProblem) -> None:
        problem = given.problem
        n_classes = len(problem.classes)
        self._given = given
        self._summed = _summed(SII.value_weights(problem.n_ranked, problem.voters))
        # A class in one piece: a test point adds to its own alone.
        self._by_row = np.zeros((len(given.near.copies), n_classes), order="F")
        self._by_class = np.zeros(n_classes)
        self._taken_back = np.zeros(problem.n_train)

    def add(self, tests: IntArray, lists: Lists) -> None:
        given, problem = self._given, self._given.problem
        kernels.near_support(
            *lists[:3],
            given.own[tests],
            given.near.row_of,
            problem.n_ranked,
            problem.test_codes[tests],
            problem.weights[tests],
            self._summed,
            self._by_row,
            self._by_class,
            self._taken_back,
        )

    def total(self) -> FloatArray:
        given, problem = self._given, self._given.problem
        alone = len(self._by_row) == problem.n_train
        found = self._by_row if alone else self._by_row[given.near.row_of]
        found += self._by_class
        if problem.leave_one_out:
            found[problem.own, problem.test_codes] -= self._taken_back[problem.own]
        # What was added for all and taken from one may leave a rounding below nothing.
        return np.maximum(found, 0.0, out=found)


def near_sums(
    problem: Problem,
    near: NearRows,
    kinds: Sequence[PairIndex],
    *,
    support: bool,
    progress: Progress | None,
) -> tuple[list[FloatArray], FloatArray, int]:
    """Return the values of some kinds, each (n,), and the label support (n, n_classes).

    Without ``support`` the latter has no class. The last number is how many points are listed of
    every test point, at least.

    O(t m) time for lists of m rows, of which threads make several at a time; they are added up
    one after the other, so that the number of threads cannot change a sum.
    """
    given = NearProblem(problem, near)
    values = _Values(given, kinds) if kinds else None
    supported = _Support(given) if support else None
    sums: list[_Values | _Support] = [one for one in (values, supported) if one is not None]
    blocks = given.blocks()
    report, done, least = progress or silent, 0, problem.n_ranked
    report(0, problem.n_test)
    step = problem.n_jobs
    groups = [blocks[first : first + step] for first in range(0, len(blocks), step)]
    with thread_map(problem.n_jobs) as run:
        ahead = run.start(near.lists, groups[0])
        for group, upcoming in zip(groups, [*groups[1:], []], strict=True):
            found, ahead = ahead(), run.start(near.lists, upcoming)
            for tests, lists in zip(group, found, strict=True):
                for one in sums:
                    one.add(tests, lists)
                done += len(tests)
                least = min(least, lists.least)
            report(done, problem.n_test)
    total = np.empty((problem.n_train, 0)) if supported is None else supported.total()
    return [] if values is None else values.total(), total, least


def near_test_support(problem: Problem, near: NearRows, progress: Progress | None) -> FloatArray:
    """Return the support of test labels by the training points, (t, n_classes). O(t (m + c))."""
    given = NearProblem(problem, near)
    summed = _summed(SII.value_weights(problem.n_ranked, problem.voters))
    support = np.empty((problem.n_test, len(problem.classes)))

    def fill(tests: IntArray) -> int:
        lists = near.lists(tests)
        out = np.empty((len(tests), support.shape[1]))
        kernels.near_test_support(
            *lists[:3], *given.kinds, given.class_count, problem.n_ranked, summed, out
        )
        support[tests] = out
        return len(tests)

    blocks = given.blocks()
    report, done = progress or silent, 0
    report(0, problem.n_test)
    step = problem.n_jobs
    with thread_map(problem.n_jobs) as run:
        for first in range(0, len(blocks), step):
            done += sum(run(fill, blocks[first : first + step]))
            report(done, problem.n_test)
    return support


def _summed(g: FloatArray) -> FloatArray:
    """Return the sums of g up to each rank, (n + 1,); the first, of no rank, is 0."""
    return np.concatenate([[0.0], np.cumsum(g[1:])])
