"""Which training points two results have in common, and in what their settings differ. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stiknn_core.ordering import Block, Order
from stiknn_core.types import IntArray, read_only
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.describe import differences
from stiknn_ui.results.inputs import Inputs


@dataclass(frozen=True, eq=False)
class Common:
    """Training points that are in both results.

    Attributes
    ----------
    in_a, in_b : (m,) int64, read-only
        Their point ids in either, place by place the same row of the data.
    n_a, n_b : int
        Training points of either.
    relabelled : int
        How many of them have another label in B: noise is drawn anew on other training rows.
    """

    in_a: IntArray
    in_b: IntArray
    n_a: int
    n_b: int
    relabelled: int = 0

    @property
    def n(self) -> int:
        """Number of common points."""
        return len(self.in_a)

    @property
    def sentence(self) -> str:
        """Say what is compared where not all points are in both; empty where they are."""
        if self.n == self.n_a == self.n_b:
            return ""
        said = (
            f"A explains {self.n_a:,} training points and B {self.n_b:,}; compared are the "
            f"{self.n:,} that are in both. All the others stay players of their own game."
        )
        if self.relabelled:
            said += (
                f" {self.relabelled:,} of them have another label in B, as noise is drawn on the "
                "training rows."
            )
        return said


def common_points(a: Analysis, b: Analysis) -> Common:
    """Return the training points that two results on the same data have in common.

    Both of equal ``data``. Points are known by their row of the data set; of an upload, whose
    rows stand in another order once some of them are test points, by their row of the table.
    """
    keys_a, keys_b = a.rows, b.rows
    if a.compute.split != b.compute.split:
        read_from_a, read_from_b = a.dataset.source_rows, b.dataset.source_rows
        if a.data.source == "upload" and read_from_a is not None and read_from_b is not None:
            keys_a, keys_b = read_from_a[a.rows], read_from_b[b.rows]
    known_a, known_b = np.flatnonzero(keys_a >= 0), np.flatnonzero(keys_b >= 0)
    _, first, second = np.intersect1d(keys_a[known_a], keys_b[known_b], return_indices=True)
    in_a, in_b = known_a[first], known_b[second]
    in_turn = np.argsort(in_a)
    in_a, in_b = in_a[in_turn], in_b[in_turn]
    names_a = np.array(a.classes, dtype=object)[a.codes[in_a]]
    names_b = np.array(b.classes, dtype=object)[b.codes[in_b]]
    relabelled = int((names_a != names_b).sum())
    return Common(read_only(in_a), read_only(in_b), a.n, b.n, relabelled)


def common_order(order: Order, common: Common) -> Order:
    """Return an order of A's points as one of the common points, with what is left of its blocks.

    The positions of that are places of ``common.in_a``.
    """
    place = np.full(common.n_a, -1, dtype=np.int64)
    place[common.in_a] = np.arange(common.n)
    placed = place[order.positions]
    kept = np.concatenate([[0], np.cumsum(placed >= 0)])
    blocks = tuple(
        Block(block.label, int(kept[block.start]), int(kept[block.stop]))
        for block in order.blocks
        if kept[block.start] < kept[block.stop]
    )
    return Order(placed[placed >= 0], order.name, order.title, blocks, order.notices)


def named(a: Analysis, point: int) -> str:
    """Return the number of a point, and what a person calls it where that is something else."""
    name = a.ids[point]
    return name if name == str(point) else f"{point} ({name})"


Sides = tuple[Inputs, Inputs] | None
"""What A and B were computed on, where they have been."""


def told_apart(
    data: DataSpec, a: ComputeSpec, b: ComputeSpec, given: Sides = None
) -> dict[str, str]:
    """Say in what A differs from B, and B from A; empty where they do not."""
    turned = None if given is None else given[::-1]
    return {"A": differences(data, a, data, b, given), "B": differences(data, b, data, a, turned)}


def difference_line(data: DataSpec, a: ComputeSpec, b: ComputeSpec, given: Sides = None) -> str:
    """Say in one line in what two ways to compute differ; empty where they do not."""
    told = told_apart(data, a, b, given)
    return (
        " · ".join(f"{side}: {said}" for side, said in told.items()) if any(told.values()) else ""
    )
