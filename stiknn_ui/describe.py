"""Settings in words. Pure."""

from __future__ import annotations

from stiknn_core.ordering import Order
from stiknn_ui import wording
from stiknn_ui.analysis import Analysis
from stiknn_ui.spec import ComputeSpec, DataSpec


def data_line(data: DataSpec) -> str:
    """Return the data set and everything done to it, in a few words."""
    parts = [data.name]
    if data.source == "generated":
        parts += [f"n = {data.n:,}", f"noise {data.noise:g}"]
        if data.n_classes != 2:
            parts.append(f"{data.n_classes} classes")
        if data.imbalance:
            parts.append(f"imbalance {data.imbalance:g}")
    changes = {
        "labels flipped": data.flip,
        "copies": data.copies,
        "outliers": data.outliers,
        "of the last class removed": data.thin,
    }
    parts += [f"{share:.3g} % {what}" for what, part in changes.items() if (share := 100 * part)]
    if data.source == "generated" or any(changes.values()):
        parts.append(f"seed {data.seed}")
    return " · ".join(parts)


def compute_line(compute: ComputeSpec, k: int | None = None) -> str:
    """Return the settings of a computation in a few words; ``k`` is the one in use."""
    evaluation = "leave-one-out"
    if compute.evaluation == "hold-out":
        evaluation = f"hold-out {100 * compute.share:.3g} % (seed {compute.split_seed})"
    return " · ".join(
        [
            f"k = {compute.k if k is None else k}",
            compute.index,
            compute.metric,
            f"ties: {wording.TIES[compute.ties].lower()}",
            evaluation,
            f"scaling: {wording.SCALING[compute.scaling].lower()}",
        ]
    )


def result_line(analysis: Analysis, order: Order) -> str:
    """Return everything that is needed to get the same picture again, in one line."""
    parts = [
        data_line(analysis.data),
        f"{analysis.n:,} training points",
        compute_line(analysis.compute, analysis.interactions.k),
        f"order: {order.title}",
    ]
    return " · ".join(parts)


def differences(
    data: DataSpec, compute: ComputeSpec, wanted_data: DataSpec, wanted: ComputeSpec
) -> str:
    """Say how what is shown (the first two) differs from what is asked for.

    Only settings of the shown result are named, as the controls show the others.
    """
    if data != wanted_data:
        return f"{data_line(data)}, {compute_line(compute)}"
    shown = compute_line(compute).split(" · ")
    asked = compute_line(wanted).split(" · ")
    return ", ".join(one for one, other in zip(shown, asked, strict=True) if one != other)
