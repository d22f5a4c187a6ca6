"""What the browser holds of the points under review, in pieces that are packed once. Pure.

All points travel with what queue and histogram need of them, a few bytes each; what only a card
shows comes for a window of points, by need.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stiknn_core.plane import Plane
from stiknn_core.sampling import stratified_positions
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_ui.results.contents import Contents, telling_features
from stiknn_ui.results.crowd import said_of
from stiknn_ui.results.doubt import distance_line
from stiknn_ui.results.suspects import score_info
from stiknn_ui.review import reading
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.subject import Subject
from stiknn_view.packing import ViewContent, joined, pack_typed

MOST_CLASSES: Final = 6
"""Classes whose support is shown of one point."""
MOST_DOTS: Final = 10_000
"""Training points that the plane of the card draws at most; of more, a sample."""
MOST_ROWS: Final = 48
"""Points of one window."""
_DISTANCES: Final = 2_000_000  # measured for one window, so that more rows take no longer
_NUMBERS: Final = 200_000
_MOST_READ: Final = 16  # points of one window where each comes with texts or pictures
_LONGEST_NAME: Final = 60  # of a name in the queue; the card has it whole


def points(subject: Subject, plane: Plane, contents: Contents | None = None) -> ViewContent:
    """Pack what there is one of for each point, and what they have in common.

    Parameters
    ----------
    subject : Subject
    plane : Plane
        Where the training points are drawn.
    contents : Contents or None
        What cards will show of the rows.
    """
    analysis = subject.analysis
    dataset = analysis.dataset
    drawn = np.arange(analysis.n)
    if analysis.n > MOST_DOTS:
        drawn = stratified_positions(analysis.codes, MOST_DOTS, seed=0)
    xy = plane.xy
    names, ends = _texts(subject.names())
    sections: dict[str, NDArray[Any]] = {
        "given": subject.given_codes.astype("<i4"),
        "suggested": subject.suggested_codes.astype("<i4"),
        "groups": subject.group_of.astype("<i4"),
        "nameEnds": ends,
        "nameBytes": names,
        "cloudXy": xy[drawn].astype("<f4"),
        "cloudCodes": _label_codes(subject, drawn).astype("<i4"),
    }
    header: dict[str, Any] = {
        "n": len(subject),
        "nTrain": analysis.n,
        "side": subject.side,
        "classes": [] if subject.said is not None else list(analysis.classes),
        "shades": _shades(subject),
        "labels": list(subject.labels),
        "scoreNames": list(subject.scores),
        "scoreTitles": [score_info(analysis, name).title for name in subject.scores],
        "scoreMeanings": [score_info(analysis, name).meaning for name in subject.scores],
        "opinionNames": list(subject.opinions),
        "annotated": dataset.votes is not None,
        "featureNames": [str(dataset.feature_names[f]) for f in telling_features(dataset)],
        "axisTitles": [str(title) for title in plane.axis_titles],
        "bounds": [*xy.min(axis=0).tolist(), *xy.max(axis=0).tolist()],
        # Other files may give the same numbers beside other texts.
        "read": f"{analysis.data.digest}{analysis.compute.test_digest}",
        **reading.kinds(contents),
    }
    return pack_typed("points", header, sections)


def order(subject: Subject, by: str) -> ViewContent:
    """Pack one score of all points and their order by it; numbers travel whole, as float64."""
    sections = {"scores": subject.scores[by].astype("<f8"), "order": subject.order(by)}
    return pack_typed("order", {"n": len(subject), "by": by}, sections)


def decided(subject: Subject, found: Decided) -> ViewContent:
    """Pack all decisions on the points."""
    codes = found.codes[subject.rows]
    those = np.flatnonzero(codes)
    kinds, code = np.unique(codes[those], return_inverse=True)
    told = [found.kinds[kind - 1] for kind in kinds.tolist()]
    header = {"n": len(subject), "kinds": [[one.action, one.label, one.note] for one in told]}
    sections = {"points": those.astype("<i4"), "codes": (code + 1).astype("<i4")}
    return pack_typed("decided", header, sections)


def window(
    subject: Subject,
    plane: Plane,
    asked: IntArray,
    content: str,
    cells: list[Any] | None = None,
    contents: Contents | None = None,
    *,
    whole: bool = False,
) -> ViewContent:
    """Pack all that the cards of a few points show.

    Parameters
    ----------
    subject : Subject
    plane : Plane
    asked : (m,) int64
        Points; see `affordable`.
    content : str
        Id of `points`, which they belong to.
    cells : list or None
        Of each the row in the file, as pairs of column and cell; None where nobody looks at it.
    contents : Contents or None
        What the rows say and show.
    whole : bool
        Whether texts come whole, however long.
    """
    analysis = subject.analysis
    dataset = analysis.dataset
    near, far = subject.nearest(asked)
    shares = subject.shares(asked)
    top = np.argsort(-shares, axis=1, kind="stable")[:, :MOST_CLASSES]
    scores, opinions = subject.scores, subject.opinions
    known = [subject.given_codes[asked], subject.suggested_codes[asked]]
    most = len(analysis.classes if subject.said is None else subject.labels)
    codes = [code for code in np.unique(known).tolist() if code < most]
    statistics = [subject.class_statistics(code) for code in codes]
    told, said = telling_features(dataset), subject.said
    sections: dict[str, NDArray[Any]] = {
        "points": asked.astype("<i4"),
        "features": dataset.X[np.ix_(subject.rows[asked], told)].astype("<f4"),
        "topClasses": top.astype("<i4"),
        "topShares": np.take_along_axis(shares, top, axis=1).astype("<f8"),
        "scores": _columns([scores[name][asked] for name in scores]).astype("<f8"),
        "ranks": _columns([subject.rank(name, asked) for name in scores]).astype("<i4"),
        "opinions": _columns([opinions[name][asked] for name in opinions]).astype("<f8"),
        "near": near.astype("<i4"),
        "far": far.astype("<f4"),
        "nearCodes": _label_codes(subject, near).astype("<i4"),
        "nearXy": plane.xy[near].astype("<f4"),
        "classCodes": np.array(codes, dtype="<i4"),
        "classCounts": np.array([count for count, _, _ in statistics], dtype="<i4"),
        "classMeans": _of_classes([mean[told] for _, mean, _ in statistics], len(told)),
        "classSpreads": _of_classes([spread[told] for _, _, spread in statistics], len(told)),
    }
    if subject.side == "train":
        sections["xy"] = plane.xy[asked].astype("<f4")
    rows, beside = subject.rows[asked], analysis.rows[near]
    sections |= reading.pictures(contents, rows, beside)
    header = {
        "n": len(asked),
        "content": content,
        "names": subject.names(asked),
        "nearNames": [analysis.names(those) for those in near],
        "cells": cells,
        "around": [] if said is None else [distance_line(said, int(point)) for point in asked],
        "said": said_of(dataset, subject.rows[asked]),
        "texts": reading.texts(contents, rows, beside, whole=whole),
    }
    return pack_typed("window", header, sections)


def affordable(subject: Subject, contents: Contents | None = None) -> int:
    """Return how many points a window can have, so that it is made in some ten milliseconds."""
    d = int(subject.analysis.dataset.X.shape[1])
    most = _MOST_READ if contents is not None and contents.any else MOST_ROWS
    return max(4, min(most, _DISTANCES // subject.analysis.n, _NUMBERS // d))


def _label_codes(subject: Subject, points: IntArray) -> IntArray:
    """Return the place in ``labels`` of the given label of some training points."""
    return subject.analysis.codes[points] if subject.said is None else subject.given_codes[points]


def _shades(subject: Subject) -> list[float]:
    """Return where on the colour bar each label lies, from 0 to 1; nothing for classes."""
    if subject.said is None:
        return []
    numbers = np.array([float(label) for label in subject.labels])
    low, high = np.quantile(subject.said.targets, (0.02, 0.98)).tolist()
    shades: list[float] = np.clip((numbers - low) / ((high - low) or 1.0), 0, 1).round(4).tolist()
    return shades


def _of_classes(rows: list[FloatArray], d: int) -> AnyArray:
    return np.array(rows, dtype="<f8").reshape(len(rows), d)


def _columns(columns: list[AnyArray]) -> AnyArray:
    return np.stack(columns, axis=1) if columns else np.empty((0, 0))


def _texts(names: list[str]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return names one after the other in UTF-8, and where each ends."""
    if any(len(name) > _LONGEST_NAME for name in names):
        names = [n if len(n) <= _LONGEST_NAME else f"{n[: _LONGEST_NAME - 1]}…" for n in names]
    return joined([name.encode("utf-8", "replace") for name in names])
