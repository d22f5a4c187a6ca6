"""What is known of single points, whatever is known of pairs. Pure: no streamlit."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from stiknn_core import Overview
from stiknn_core.labels.overview import TargetOverview
from stiknn_core.preparation import Plane, project_2d
from stiknn_core.types import (
    Block,
    Dataset,
    FloatArray,
    IntArray,
    LabelSupport,
    read_only,
)
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.doubt import ClassDoubt, TargetDoubt
from stiknn_ui.results.inputs import Inputs
from stiknn_ui.results.notices import data_notices, game_notices
from stiknn_view.options import ColorBy

_NOTHING: Final = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """Every training point by itself, and the data and settings it belongs to.

    A *point id* is a position among the training points, 0..n-1; ``rows`` leads back to
    the data set. For leave-one-out testing the two are the same.

    Attributes
    ----------
    data : DataSpec
    compute : ComputeSpec
        As asked for; ``k`` is the k that was used.
    dataset : Dataset
    rows : (n,) int64, read-only
        Row of the data set of each training point.
    given : Inputs
        The data as the engine takes them: scaled, or with their forest.
    values : (n,) float64, read-only
        The values that belong to the index, see ``words.games``; low = suspicious.
    leave_one_out : (n,) float64, read-only
        What removing each training point alone takes from the utility; see `removal_of`. NaN
        where nobody can tell.
    doubt : ClassDoubt or TargetDoubt
        By what labels are doubted.
    plane : Plane
        Where the scatter puts each training point, unless another plane is chosen.
    notices : tuple of str
        Plain sentences a person should see; what is to be said of the plane is in ``plane``.
    """

    data: DataSpec
    compute: ComputeSpec
    dataset: Dataset
    rows: IntArray
    given: Inputs
    values: FloatArray
    leave_one_out: FloatArray
    doubt: ClassDoubt | TargetDoubt
    plane: Plane
    notices: tuple[str, ...] = ()

    @property
    def n_test(self) -> int:
        """Number of test points."""
        return self.given.parts.n_test

    @property
    def k(self) -> int:
        """Neighbours that vote: k as asked for, or as many as there are."""
        return self.given.parts.usable_k(self.compute.k)[0]

    @property
    def judged_by_itself(self) -> bool:
        """Whether the training points are the test points: leave-one-out testing."""
        return self.given.parts.test is None

    @property
    def key(self) -> str:
        """Text that is the same exactly for the same numbers."""
        return result_key(self.data, self.compute)

    @cached_property
    def digest(self) -> str:
        """Twelve characters that name the result; fit for widget keys."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    @property
    def scope(self) -> str:
        """Text that is the same exactly where point ids mean the same points."""
        return selection_scope(self.data, self.compute)

    @property
    def n(self) -> int:
        """Number of training points."""
        return len(self.rows)

    @property
    def remark(self) -> str:
        """What belongs beside any picture of these data; empty if nothing does."""
        return ""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, or of the bands that measured targets lie in; see `Doubt`."""
        return self.doubt.groups

    @property
    def codes(self) -> IntArray:
        """(n,) int64, read-only: each point's given label as a position in ``classes``."""
        return self.doubt.codes

    @property
    def suggested(self) -> IntArray:
        """(n,) int64, read-only: the suggested label as a position in ``classes``."""
        return self.doubt.suggested

    @property
    def support(self) -> LabelSupport:
        """What supports each class; only where labels are classes."""
        assert isinstance(self.doubt, ClassDoubt)
        return self.doubt.support

    @property
    def targets(self) -> FloatArray | None:
        """(n,) float64: measured targets; None where labels are classes."""
        return self.doubt.said.targets if isinstance(self.doubt, TargetDoubt) else None

    @property
    def label_title(self) -> str:
        """What a given label is called in tables."""
        return "class" if self.targets is None else "target"

    def target_columns(self, points: Any) -> dict[str, Any]:
        """Return measured targets and suggested ones for a view; nothing where there are none."""
        if not isinstance(self.doubt, TargetDoubt):
            return {}
        said = self.doubt.said
        return {"targets": said.targets[points], "proposed": said.suggested[points]}

    def colored(self, by: ColorBy) -> ColorBy:
        """Return what colours the points: the label where label quality is not known."""
        return "class" if by == "quality" and self.targets is not None else by

    @property
    def group(self) -> Literal["class", "band"]:
        """What the groups of points are: "class", or "band" of targets."""
        return "band" if isinstance(self.doubt, TargetDoubt) else "class"

    @property
    def truth_known(self) -> bool:
        """Whether labels are known to be wrong, so that findings can be checked."""
        return self.dataset.y_true is not None and len(self.dataset.flipped) > 0

    @cached_property
    def changed(self) -> IntArray:
        """Point ids whose label is known to be wrong, sorted, read-only."""
        if self.dataset.y_true is None:
            return read_only(np.empty(0, dtype=np.int64))
        wrong = self.dataset.y[self.rows] != self.dataset.y_true[self.rows]
        return read_only(np.flatnonzero(wrong).astype(np.int64))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """What a person calls each training point, as text."""
        return tuple(self.names(slice(None)))

    def names(self, points: Any) -> list[str]:
        """Return what a person calls these points, as text."""
        return [str(name) for name in self.dataset.ids[self.rows[points]].tolist()]

    def shares_of(self, points: IntArray) -> FloatArray:
        """Return `LabelSupport.shares` of some points, (m, n_classes)."""
        return replace(self.support, support=self.support.support[points]).shares


def found_of(
    dataset: Dataset,
    data: DataSpec,
    compute: ComputeSpec,
    given: Inputs,
    found: Overview | TargetOverview,
    *notices: str,
) -> dict[str, Any]:
    """Return the arguments of a `Result`: what was found of each point, and what is to be said.

    Parameters
    ----------
    dataset, data, compute, given
        See `Result`.
    found : Overview or TargetOverview
    *notices : str
        What else a person should know of this result.
    """
    train, test = given.parts.train, given.parts.test
    _, capped = given.parts.usable_k(compute.k)
    said = (
        *dataset.notices,
        *([capped] if capped else []),
        *given.parts.notices,
        *data_notices(dataset, train, test, compute),
        *game_notices(given),
        *notices,
    )
    return {
        "data": data,
        "compute": compute,
        "dataset": dataset,
        "rows": read_only(train),
        "given": given,
        "values": found.values,
        "leave_one_out": removal_of(found),
        "doubt": (
            TargetDoubt(found.targets)
            if isinstance(found, TargetOverview)
            else ClassDoubt(found.support, dataset.y[train])
        ),
        "plane": plane_of(dataset.X[train], given.X, dataset.feature_names, dataset.blocks),
        "notices": said,
    }


def removal_of(found: Overview | TargetOverview) -> FloatArray:
    """Return the leave-one-out values, (n,), with 0 where gains and losses cancel.

    Sums of as much for as against leave some 1e-18, which would be shown as a change.
    """
    values = found.leave_one_out
    return read_only(np.where(np.abs(values) < _NOTHING, 0.0, values))


def result_key(data: DataSpec, compute: ComputeSpec) -> str:
    """Return the cache key of a result."""
    return f"{data.key}|{compute!r}"


def selection_scope(data: DataSpec, compute: ComputeSpec) -> str:
    """Return what selections belong to: the data and which rows are training rows."""
    return f"{data.key}|{compute.split!r}"


def plane_of(
    X_raw: FloatArray,
    X_scaled: FloatArray,
    names: tuple[str, ...],
    blocks: Sequence[Block] = (),
) -> Plane:
    """Return the scatter's plane: two features as they are, more of them as scaled.

    Columns of a projection are standardised, whatever the distances are measured on, so that one
    wide column is not the whole picture; `data_notices` says where the two differ. Features of
    blocks are not: each component of a text would count as much as the first.
    """
    X = X_raw if X_raw.shape[1] <= 2 else X_scaled
    return project_2d(X, names, method="auto", standardise=not blocks)
