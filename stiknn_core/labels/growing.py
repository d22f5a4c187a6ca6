"""Grow the trees of a forest one by one, and keep of each only which rows fall together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from stiknn_core._kernels import leaves as kernels
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_core.validation.settings import MAX_SEED

#: How trees are grown, chosen by the measurements in docs/detection.md. Every split sees half
#: of the columns, and no point has a leaf of its own, where a wrong label could hide.
_GROWTH: dict[str, Any] = {"min_samples_leaf": 2}

#: Most columns that a split looks at: time would grow with their number.
MOST_COLUMNS = 32

#: Every split is tried for each class: time and memory would grow with their number. Of two
#: classes taken together in some trees, the others tell them apart.
_MOST_CLASSES = 64
_TREES_OF_ONE_GROUPING = 25

#: Most rows that a tree is grown on, drawn with replacement as always: what it costs on more rows
#: is told in docs/detection.md.
MOST_DRAWN = 5_000

#: Leaves that hold more different rows are cut at random columns. Where classes are clean a leaf
#: could hold half of all rows, and time would grow with their square.
MOST_IN_A_LEAF = 25


@dataclass(frozen=True)
class Plan:
    """How one tree is grown.

    Attributes
    ----------
    random : bool
        Whether splits are drawn at random (extremely randomised), or the best is looked for.
    seed : int
    grouping : (n_classes,) int64 or None
        Which classes the tree takes together; None for none.
    """

    random: bool
    seed: int
    grouping: IntArray | None


class Cuts(NamedTuple):
    """How large leaves are cut; see `_kernels.leaves.cut_leaves`."""

    feature: IntArray
    limit: AnyArray
    child: AnyArray


@dataclass(frozen=True, eq=False)
class Grown:
    """What is kept of a tree.

    Attributes
    ----------
    leaf : (n_rows,) int32
        The leaf of each different training row, from 0 without gaps.
    n_leaves : int
    test_leaf : (n_test_rows,) int32 or None
        That of each different test row.
    in_bag : (n,) bool
        Which training points it was grown on.
    share : (n,) float64
        Share of each point's own class in its leaf, by the points that the tree was grown on.
    """

    leaf: AnyArray
    n_leaves: int
    test_leaf: NDArray[np.int32] | None
    in_bag: NDArray[np.bool_]
    share: FloatArray


def plans(n_trees: int, n_classes: int, seed: int) -> list[Plan]:
    """Return how each tree is grown: half of them look for the best split, half draw splits.

    The trees are those of scikit-learn's forests with the same seed, where no more than
    `MOST_DRAWN` rows are drawn for each.
    """
    groupings = np.random.default_rng(seed)
    n_extra = n_trees // 2
    found: list[Plan] = []
    # Another seed for the second kind, or both would draw the same bootstrap samples.
    for random, wanted, start in (
        (False, n_trees - n_extra, seed),
        (True, n_extra, (seed + 1) % (MAX_SEED + 1)),
    ):
        seeds = np.random.RandomState(start)
        grouping = None
        for tree in range(wanted):
            if n_classes > _MOST_CLASSES and tree % _TREES_OF_ONE_GROUPING == 0:
                grouping = groupings.permutation(n_classes) % _MOST_CLASSES
            found.append(Plan(random, int(seeds.randint(np.iinfo(np.int32).max)), grouping))
    return found


def grow(
    plan: Plan,
    X: NDArray[np.float32],
    codes: IntArray,
    row_of: IntArray,
    rows: NDArray[np.float32],
    test_rows: NDArray[np.float32] | None,
) -> Grown:
    """Grow one tree.

    Parameters
    ----------
    plan : Plan
    X : (n, d) float32
        Training points.
    codes : (n,) int64
    row_of : (n,) int64
        Which of the different rows each point is.
    rows, test_rows : (n_rows, d) and (n_test_rows, d) float32
        The different rows among the training points and the test points.
    """
    n = len(X)
    told = codes if plan.grouping is None else plan.grouping[codes]
    drawn = np.random.RandomState(plan.seed).randint(0, n, min(n, MOST_DRAWN))
    counts = np.bincount(drawn, minlength=n)
    in_bag = counts > 0
    kind = ExtraTreeClassifier if plan.random else DecisionTreeClassifier
    columns = min(max(1, X.shape[1] // 2), MOST_COLUMNS)
    tree = kind(max_features=columns, random_state=plan.seed, **_GROWTH)
    tree.fit(X[in_bag], told[in_bag], sample_weight=counts[in_bag], check_input=False)
    node = tree.tree_.apply(rows)
    share = _own_share(tree, node[row_of], told)
    names, leaf = np.unique(node, return_inverse=True)
    test_leaf = None
    if test_rows is not None:
        asked = tree.tree_.apply(test_rows)
        names, leaf = np.unique(np.concatenate([node, asked]), return_inverse=True)
        leaf, test_leaf = leaf[: len(rows)], leaf[len(rows) :].astype(np.int32)
    leaf = leaf.astype(np.int32)
    n_leaves = len(names)
    room = n_leaves + 2 * len(rows)
    cuts = Cuts(np.empty(room, np.int64), np.empty(room, np.float32), np.empty((room, 2), np.int64))
    _, n_leaves = kernels.cut_leaves(rows, leaf, n_leaves, MOST_IN_A_LEAF, plan.seed, *cuts)
    if test_leaf is not None and test_rows is not None:
        kernels.follow_cuts(test_rows, test_leaf, *cuts)
    return Grown(leaf, n_leaves, test_leaf, in_bag, share)


def _own_share(tree: Any, node: IntArray, told: IntArray) -> FloatArray:
    """Return the share of the own class in the leaf of each point, (n,)."""
    place = np.searchsorted(tree.classes_, told)
    known = np.minimum(place, len(tree.classes_) - 1)
    found = tree.tree_.value[node, 0, known]
    return np.where(tree.classes_[known] == told, found, 0.0)
