"""By what labels are doubted: the support of classes, or what neighbours say of a target. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from stiknn_core.labels.targets import TargetSupport
from stiknn_core.sampling import band_names, bands_of
from stiknn_core.scores import rarity
from stiknn_core.types import AnyArray, FloatArray, IntArray, LabelSupport, read_only
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.words.numbers import number


class Doubt(Protocol):
    """What pages ask about the labels of the training points, n of them.

    Points belong to *groups*: the classes, or bands of targets of about equally many points.
    """

    usual: RankBy
    """The score that ranks unless another is chosen."""

    @property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups, in their order."""

    @property
    def codes(self) -> IntArray:
        """(n,) int64: each point's group, by its given label."""

    @property
    def suggested(self) -> IntArray:
        """(n,) int64: its group by what is suggested."""

    @property
    def quality(self) -> FloatArray:
        """(n,) float64: label quality; NaN where labels are no classes."""

    @property
    def nbytes(self) -> int:
        """Bytes of the large arrays."""

    def scores(self) -> dict[RankBy, FloatArray]:
        """Return what ranks, (n,) each, low = suspicious; the usual one comes first."""

    def columns(self, points: IntArray) -> dict[str, Any]:
        """Return the columns of tables of points: the given label, and what is suggested."""

    def told(self, point: int) -> tuple[str, str]:
        """Return the given and the suggested label of a point as text."""


@dataclass(frozen=True, eq=False)
class ClassDoubt:
    """Doubts about classes.

    Attributes
    ----------
    support : LabelSupport
    labels : (n,) array
        The given ones.
    """

    support: LabelSupport
    labels: AnyArray
    usual: RankBy = "quality"

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Class names as text, in the engine's order."""
        return tuple(str(name) for name in self.support.classes)

    @cached_property
    def codes(self) -> IntArray:
        """See `Doubt`."""
        return self._coded(self.labels)

    @cached_property
    def suggested(self) -> IntArray:
        """See `Doubt`."""
        return self._coded(self.support.suggested)

    @property
    def quality(self) -> FloatArray:
        """See `Doubt`."""
        return self.support.quality

    @property
    def nbytes(self) -> int:
        """See `Doubt`."""
        return self.support.support.nbytes

    def scores(self) -> dict[RankBy, FloatArray]:
        """See `Doubt`."""
        return {"quality": self.quality, "rarity": rarity(self.codes)}

    def columns(self, points: IntArray) -> dict[str, Any]:
        """See `Doubt`."""
        names = np.array(self.groups, dtype=object)
        return {"label": names[self.codes[points]], "suggested": names[self.suggested[points]]}

    def told(self, point: int) -> tuple[str, str]:
        """See `Doubt`."""
        return self.groups[self.codes[point]], self.groups[self.suggested[point]]

    def _coded(self, labels: AnyArray) -> IntArray:
        # By class, not by point: the labels of very many points are few.
        _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
        number_of = {name: code for code, name in enumerate(self.support.classes)}
        codes = np.array([number_of[name] for name in np.asarray(labels)[first].tolist()])
        return read_only(codes.astype(np.int64)[inverse])


@dataclass(frozen=True, eq=False)
class TargetDoubt:
    """Doubts about measured targets.

    Attributes
    ----------
    said : TargetSupport
    """

    said: TargetSupport
    usual: RankBy = "distance"

    @cached_property
    def _bands(self) -> tuple[IntArray, FloatArray]:
        return bands_of(self.said.targets)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Bands from low to high, "25–60": from the first number on, up to the next band."""
        return band_names(self._bands[1].tolist())

    @property
    def codes(self) -> IntArray:
        """See `Doubt`."""
        return self._bands[0]

    @cached_property
    def suggested(self) -> IntArray:
        """See `Doubt`; the given band where nothing is suggested."""
        starts = self._bands[1][:-1]
        # A test set may suggest what no training point has.
        found = np.searchsorted(starts, self.said.suggested, side="right") - 1
        found = np.where(np.isnan(self.said.suggested), self.codes, found)
        return read_only(np.clip(found, 0, len(starts) - 1).astype(np.int64))

    @cached_property
    def quality(self) -> FloatArray:
        """See `Doubt`."""
        return read_only(np.full(len(self.said.targets), np.nan))

    @property
    def nbytes(self) -> int:
        """See `Doubt`."""
        return 5 * self.said.targets.nbytes

    def scores(self) -> dict[RankBy, FloatArray]:
        """See `Doubt`; the distance is negative, so that low is suspicious here too."""
        return {"distance": -self.said.distance}

    def columns(self, points: IntArray) -> dict[str, Any]:
        """See `Doubt`."""
        said = self.said
        return {
            "label": said.targets[points],
            "suggested": said.suggested[points],
            "low": said.low[points],
            "high": said.high[points],
        }

    def told(self, point: int) -> tuple[str, str]:
        """See `Doubt`."""
        said = self.said
        known = not np.isnan(said.suggested[point])
        suggested = f"{said.suggested[point]:.6g}" if known else "unknown"
        return f"{said.targets[point]:.6g}", suggested


def label_told(label: object) -> str:
    """Return a label of the data as text, a measured one with all its digits and no more."""
    return repr(label).removesuffix(".0") if isinstance(label, float) else str(label)


def distance_line(said: TargetSupport, point: int) -> str:
    """Say how far the target of a point is from what its neighbours say."""
    if np.isnan(said.suggested[point]):
        return "No test point says anything of its target."
    share = f"{said.coverage:.0%}"
    return (
        f"Its target {said.targets[point]:.6g} is {number(said.distance[point])} from "
        f"{said.suggested[point]:.6g}, the middle of what the test points around it have; {share} "
        f"of their weight lies between {said.low[point]:.6g} and {said.high[point]:.6g}."
    )
