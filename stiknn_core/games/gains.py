"""What each training point brings to each test point: a score, bound to the data.

In *places*: one full place among the k nearest is 1, of which the utility counts 1 / k. Every
form holds plain arrays and settings alone, so that a store can keep it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import numpy as np

from stiknn_core.types import AnyArray, FloatArray, IntArray

Kernel = Literal["inverse", "rbf", "tricube"]
Loss = Literal["absolute", "squared", "huber"]


@dataclass(frozen=True, eq=False)
class Gains:
    """The plain score: one place for the label of the test point.

    Attributes
    ----------
    near : bool
        Whether distances are asked for.
    """

    near: ClassVar[bool] = False

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return the gains (b, n) of all training points for some test points. O(b n).

        ``codes`` (n,) and ``test_codes`` (b,) are classes, -1 for one that training lacks;
        ``distances`` (b, n) are there where they are asked for.
        """
        return np.asarray(codes == test_codes[:, None], dtype=np.float64)

    @property
    def plain(self) -> bool:
        """Whether this is the plain score, for which everything has a shorter way."""
        return type(self) is Gains


PLACES = Gains()
"""What all points bring by the plain score."""


@dataclass(frozen=True, eq=False)
class ByClass(Gains):
    """Test points with a share of every class: table (t, n_classes)."""

    table: FloatArray

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return the share of the class of each training point."""
        return np.asarray(np.take(self.table[tests], codes, axis=1))


@dataclass(frozen=True, eq=False)
class ByPoint(Gains):
    """Training points with a share of every class: table (n_classes, n)."""

    table: FloatArray

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return each training point's share of the class of the test point."""
        return np.where(test_codes[:, None] < 0, 0.0, self.table[test_codes])


@dataclass(frozen=True, eq=False)
class Weighted(Gains):
    """The plain score times a given weight of each pair: table (t, n)."""

    table: FloatArray

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return the weights of the points with the right label."""
        return np.where(codes == test_codes[:, None], self.table[tests], 0.0)


@dataclass(frozen=True, eq=False)
class Nearness(Gains):
    """The plain score times a falling function of the distance."""

    near: ClassVar[bool] = True
    kernel: Kernel
    bandwidth: float

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return the kernel at the distances of the points with the right label."""
        assert distances is not None
        return np.where(codes == test_codes[:, None], self.at(distances), 0.0)

    def at(self, distances: FloatArray) -> FloatArray:
        """Return the kernel at distances, in [0, 1]."""
        with np.errstate(over="ignore", under="ignore"):
            x = distances / self.bandwidth
            if self.kernel == "inverse":
                return np.asarray(1.0 / (1.0 + x))
            if self.kernel == "rbf":
                return np.asarray(np.exp(-0.5 * x * x))
            return np.asarray((1.0 - np.minimum(x, 1.0) ** 3) ** 3)


@dataclass(frozen=True, eq=False)
class SharedLabels(Gains):
    """Several labels a row, as numbers: rows (n, L), test_rows (t, L)."""

    rows: IntArray
    test_rows: IntArray

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return the share of labels that are alike. O(b n L)."""
        wanted = self.test_rows[tests]
        alike = np.zeros((len(wanted), len(self.rows)))
        for own, other in zip(self.rows.T, wanted.T, strict=True):
            alike += own == other[:, None]
        return np.asarray(alike / self.rows.shape[1])


@dataclass(frozen=True, eq=False)
class Losses(Gains):
    """Measured targets (n,) and (t,): the loss of each, negative."""

    loss: Loss
    delta: float
    targets: FloatArray
    test_targets: FloatArray

    def of(
        self, tests: slice, codes: IntArray, test_codes: IntArray, distances: FloatArray | None
    ) -> FloatArray:
        """Return minus the loss of the target of each training point."""
        off = np.abs(self.targets - self.test_targets[tests, None])
        if self.loss == "absolute":
            return np.asarray(-off)
        if self.loss == "squared":
            return np.asarray(-off * off)
        small = np.minimum(off, self.delta)
        return np.asarray(-small * (off - 0.5 * small))


FORMS: dict[str, type[Gains]] = {
    form.__name__: form
    for form in (Gains, ByClass, ByPoint, Weighted, Nearness, SharedLabels, Losses)
}


def taken_apart(gains: Gains) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return settings and arrays from which `put_together` makes the same gains."""
    held = {one.name: getattr(gains, one.name) for one in fields(gains)}
    arrays = {name: value for name, value in held.items() if isinstance(value, np.ndarray)}
    settings = {name: value for name, value in held.items() if name not in arrays}
    return {"form": type(gains).__name__, **settings}, arrays


def put_together(settings: dict[str, Any], arrays: dict[str, AnyArray]) -> Gains:
    """Return the gains of which `taken_apart` gave settings and arrays."""
    form = FORMS[settings["form"]]
    return form(**{name: settings[name] for name in settings if name != "form"}, **arrays)
