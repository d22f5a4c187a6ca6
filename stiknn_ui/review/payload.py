"""All that the card shows of the points under review, packed for the browser once. Pure."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stiknn_core.plane import Plane
from stiknn_ui.linked_view.packing import ViewContent, pack
from stiknn_ui.results.pixels import range_of
from stiknn_ui.results.suspects import COLUMNS, ranking
from stiknn_ui.review.subject import Subject

MOST_CLASSES: Final = 6
"""Classes whose support is shown of one point."""


def build(subject: Subject, plane: Plane) -> ViewContent:
    """Pack the points of a review: no decision, no line, nothing that changes while deciding.

    ``plane`` is where the training points are drawn. The layout is that of `packing`; numbers
    that are compared with others here and there travel whole, as float64.
    """
    analysis = subject.analysis
    dataset, m = analysis.dataset, len(subject)
    labels = [*analysis.classes, *sorted(set(subject.given) - set(analysis.classes))]
    code_of = {name: code for code, name in enumerate(labels)}
    top = np.argsort(-subject.shares, axis=1, kind="stable")[:, :MOST_CLASSES]
    near, far = subject.around
    X = dataset.X[subject.rows].astype("<f4")
    sections: dict[str, NDArray[Any]] = {
        "scores": np.stack([subject.scores[name] for name in subject.scores]).astype("<f8"),
        "orders": np.stack([ranking(subject.scores, by) for by in subject.scores]).astype("<i4"),
        "given": np.array([code_of[name] for name in subject.given], dtype="<i4"),
        "suggested": np.array([code_of[str(one)] for one in subject.suggested], dtype="<i4"),
        "groups": subject.copies.group_of.astype("<i4"),
        "topClasses": top.astype("<i4"),
        "topShares": np.take_along_axis(subject.shares, top, axis=1).astype("<f8"),
        "near": near.astype("<i4"),
        "far": far.astype("<f4"),
        "xy": plane.xy.astype("<f4"),
        "codes": analysis.codes.astype("<i4"),
        "features": X,
    }
    if subject.side == "test":
        sections["trainFeatures"] = dataset.X[analysis.rows].astype("<f4")
    pixels = range_of(dataset)
    header: dict[str, Any] = {
        "n": m,
        "side": subject.side,
        "names": list(subject.names),
        "trainNames": list(analysis.ids) if subject.side == "test" else None,
        "classes": list(analysis.classes),
        "labels": labels,
        "scoreNames": list(subject.scores),
        "scoreTitles": [COLUMNS[name].title for name in subject.scores],
        "scoreMeanings": [COLUMNS[name].help for name in subject.scores],
        "featureNames": [str(name) for name in dataset.feature_names],
        "axisTitles": [str(title) for title in plane.axis_titles],
        "pixels": None if pixels is None else list(pixels),
    }
    return pack(header, sections, ("side", "names"), ("given",))
