"""Settings in words. Pure."""

from __future__ import annotations

from typing import Final

from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.types import Dataset
from stiknn_ui.asked import game, paper_sets, plane_choice
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.inputs import Inputs
from stiknn_ui.results.result import Result
from stiknn_ui.results.scoring import WIDE
from stiknn_ui.words import games, wording

_USUAL_SCORE: Final = "the usual score"
_USUAL_SCORES: Final = (_USUAL_SCORE, "matching labels")


def data_line(data: DataSpec, made: Dataset | None = None) -> str:
    """Return the data set and everything done to it, in a few words.

    Parameters
    ----------
    data : DataSpec
    made : Dataset or None
        What was built from it, which knows the classes that were meant by name.
    """
    parts = [paper_sets.title(data.name) if data.source == "paper" else data.name]
    if data.source == "generated":
        parts += [f"n = {data.n:,}", f"noise {data.noise:g}"]
        if data.n_classes != 2:
            parts.append(f"{data.n_classes} classes")
        if data.imbalance:
            parts.append(f"imbalance {data.imbalance:g}")
    steps = {} if made is None else {step["step"]: step for step in made.params.get("steps", ())}
    thinned = steps.get("thin", {}).get("class", data.thin_of)
    flipped = "labels flipped"
    if steps.get("flip", {}).get("kind") == "targets":
        flipped = "targets of other rows"
    elif data.flip_kind == "asymmetric":
        source = steps.get("flip", {}).get("source", data.flip_from)
        target = steps.get("flip", {}).get("target", data.flip_to)
        flipped = f"of {_class(source, 'first')} flipped to {_class(target, 'next')}"
    changes = {
        f"of {_class(thinned, 'last')} removed": data.thin,
        flipped: data.flip,
        "copies": data.copies,
        "outliers": data.outliers,
    }
    parts += [f"{share:.3g} % {what}" for what, part in changes.items() if (share := 100 * part)]
    if data.sample:
        parts.append(f"sample of {data.sample:,} rows")
    if paper_sets.drawn(data) or data.sample or data.noisy:
        parts.append(f"seed {data.seed}")
    return " · ".join(parts)


def _class(name: object, otherwise: str) -> str:
    return f"class {name}" if str(name) else f"the {otherwise} class"


def compute_line(compute: ComputeSpec, k: int | None = None, given: Inputs | None = None) -> str:
    """Return the settings of a computation in a few words.

    Parameters
    ----------
    compute : ComputeSpec
    k : int or None
        The one in use; None where that is not known.
    given : Inputs or None
        Knows what was found from the data: bandwidths, and which score the labels are made for.
    """
    parts = _compute_parts(compute, k, given)
    return " · ".join(part for part in parts if part not in _USUAL_SCORES)


def _compute_parts(
    compute: ComputeSpec, k: int | None = None, given: Inputs | None = None
) -> list[str]:
    evaluation = "leave-one-out testing"
    if compute.evaluation == "hold-out":
        evaluation = f"hold-out {100 * compute.share:.3g} % (seed {compute.split_seed})"
    elif compute.evaluation == "test-file":
        evaluation = f"test file {compute.test_name}"
    elif compute.evaluation == "split-column":
        evaluation = f"split by column {compute.split_column}"
    return [
        f"k = {compute.k if k is None else k}",
        _score_part(compute) if given is None else games.score_line(given.score),
        game.title_of(compute.index) if given is None else games.index_line(given.index),
        "in a random forest" if compute.space == "forest" else compute.metric,
        f"ties: {wording.TIES[compute.ties].lower()}",
        evaluation,
        f"scaling: {wording.SCALING[compute.scaling].lower()}",
    ]


def _score_part(compute: ComputeSpec) -> str:
    if compute.score == "usual":
        return _USUAL_SCORE
    said = games.SCORES_BY_NAME[compute.score]
    said = f"{said[0].lower()}{said[1:]}" if not said.startswith("Huber") else said
    if not compute.width:
        return said
    return f"{said}, width {compute.width:g}" if compute.score in WIDE else said


def result_line(analysis: Result, order: Order, plane: Plane | None = None) -> str:
    """Return everything that is needed to get the same picture again, in one line.

    Parameters
    ----------
    analysis : Result
    order : Order
    plane : Plane or None
        What the scatter shows; None for the usual one.
    """
    parts = [
        data_line(analysis.data, analysis.dataset),
        f"{analysis.n:,} training points",
        compute_line(analysis.compute, analysis.k, analysis.given),
        f"order: {order.title}",
    ]
    parts += _found(analysis.given)
    shown = plane_choice.named(plane or analysis.plane)
    if shown:
        parts.append(f"plane: {shown}")
    if analysis.remark:
        parts.append(analysis.remark)
    return " · ".join(parts)


def _found(given: Inputs) -> list[str]:
    """Say how a width was found where none was chosen."""
    if given.compute.width or len(given.score.options) != 2:
        return []
    if given.score.kind == "kernel":
        forest = given.compute.space == "forest"
        how = "half of a forest's largest distance" if forest else "a quarter quantile of distances"
        return [f"bandwidth: {how}"]
    if given.score.options[0] == "huber":
        return ["straight beyond: the median distance of targets from their median"]
    return []


def differences(
    data: DataSpec,
    compute: ComputeSpec,
    wanted_data: DataSpec,
    wanted: ComputeSpec,
    given: tuple[Inputs, Inputs] | None = None,
) -> str:
    """Say how what is shown (the first two) differs from what is asked for.

    Only settings of the shown result are named, as the controls show the others. ``given`` knows
    of both what was found from the data, where both have been computed.
    """
    if data != wanted_data:
        return f"{data_line(data)}, {compute_line(compute)}"
    first, second = (None, None) if given is None else given
    shown = _compute_parts(compute, given=first)
    asked = _compute_parts(wanted, given=second)
    return ", ".join(one for one, other in zip(shown, asked, strict=True) if one != other)
