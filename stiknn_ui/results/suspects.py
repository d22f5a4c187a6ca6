"""The ranked table of points whose label deserves a second look. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Final, cast

import numpy as np
import pandas as pd

from stiknn_core.scores import SCORES, ScoreInfo, in_out, row_likeness
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.crowd import given_share
from stiknn_ui.results.result import Result
from stiknn_ui.words import games

POINT = "point"
"""Column of point ids; it survives sorting and is how a ticked row is recognised."""


@dataclass(frozen=True)
class ColumnMeaning:
    """One line about a column: title, meaning, unit and direction."""

    title: str
    help: str


SCORE_INFO: Final[Mapping[RankBy, ScoreInfo]] = {
    **dict[RankBy, ScoreInfo](SCORES.items()),
    "distance": ScoreInfo(
        "minus the distance of the target",
        "How far the given target is from the weighted median of those that the test points "
        "around it have, in its units, with a minus. Low = suspicious.",
    ),
}
"""Every score that ranks, those of measured targets among them."""

_COLUMNS = {
    POINT: ColumnMeaning("point", "Position among the training points, from 0."),
    "id": ColumnMeaning("id", "What the data call this row."),
    "label": ColumnMeaning("given label", "The label as it stands in the data."),
    "suggested": ColumnMeaning(
        "suggested",
        "The class with the largest share of the support, or the weighted median of the targets "
        "that the test points around it have; may be the given one.",
    ),
    "low": ColumnMeaning("low", "A tenth of the weight of what its neighbours say lies below."),
    "high": ColumnMeaning("high", "A tenth of the weight of what its neighbours say lies above."),
    "distance": ColumnMeaning(
        "distance",
        "How far the given target is from the suggested one, in its units. High = suspicious.",
    ),
    **{str(name): ColumnMeaning(info.title, info.meaning) for name, info in SCORES.items()},
    "quality_suggested": ColumnMeaning(
        "label quality, suggested",
        "The same share for the suggested class: what the label quality would be with that label.",
    ),
    "annotators": ColumnMeaning(
        "annotators for it", "Share of the row's annotators that gave the given label, from 0 to 1."
    ),
    "known_flip": ColumnMeaning("wrong", "Whether the label differs from the true one."),
}


def score_info(analysis: Result, name: str) -> ScoreInfo:
    """Return what to say about a score, or about the leave-one-out value, of a result's game."""
    if name == "value":
        return games.value_info(analysis.given.index, analysis.k)
    if name == "leave_one_out":
        return games.removal_info(analysis.given.score)
    return SCORE_INFO[cast(RankBy, name)]


def columns_of(analysis: Result) -> dict[str, ColumnMeaning]:
    """Return what to say about each column of `suspects_table`."""
    found = {}
    for name, meaning in _COLUMNS.items():
        found[name] = meaning
        if name in SCORES:
            found[name] = ColumnMeaning(*astuple(score_info(analysis, name)))
        if name == "value":
            removal = score_info(analysis, "leave_one_out")
            found["leave_one_out"] = ColumnMeaning(*astuple(removal))
    return found


@dataclass(frozen=True)
class Score:
    """How well a ranking finds the labels that are known to be changed.

    Attributes
    ----------
    n_changed : int
        Labels known to be changed, m.
    average_precision : float
        Mean of the precision at each changed label found, in (0, 1]; 1 = all come first.
    precision_at_m : float
        Share of changed labels among the first m, in [0, 1].
    chance : float
        What either number is near when the ranking is random: m / n.
    """

    n_changed: int
    average_precision: float
    precision_at_m: float
    chance: float


def scores_of(analysis: Result) -> dict[str, FloatArray]:
    """Return every score of the training points, by name, low = suspicious; O(n^2) with a matrix.

    The leave-one-out value, which ranks nothing, stands beside the value it is read with. Scores
    that are read from the matrix are there where there is one.
    """
    codes, n_classes = analysis.codes, len(analysis.classes)
    (usual, doubted), *others = analysis.doubt.scores().items()
    scores: dict[str, FloatArray] = {
        usual: doubted,
        "value": analysis.values,
        "leave_one_out": analysis.leave_one_out,
    }
    if isinstance(analysis, Analysis) and analysis.targets is None:
        matrix = analysis.interactions.matrix
        scores |= {
            "in_out": in_out(matrix, codes, n_classes),
            "row": row_likeness(matrix, codes, n_classes),
        }
    return scores | dict(others)


def usable(by: RankBy, scores: Mapping[str, FloatArray]) -> RankBy:
    """Return the score to rank by: the usual one in place of one that is not there."""
    if by in scores:
        return by
    return "quality" if "quality" in scores else "distance"


def ranking(scores: Mapping[str, FloatArray], by: str) -> IntArray:
    """Return positions, most suspicious first; draws by quality, then value, then position.

    Parameters
    ----------
    scores : mapping of name to (m,) float64
    by : str
        The score that decides.
    """
    keys = [scores[name] for name in (by, "quality", "distance", "value") if name in scores]
    # The last key of lexsort decides, and it keeps the positions of draws in order.
    return np.lexsort(keys[::-1]).astype(np.int64, copy=False)


def suspects_table(
    analysis: Result, scores: Mapping[str, FloatArray], points: IntArray
) -> pd.DataFrame:
    """Return one row for each of some training points.

    Parameters
    ----------
    analysis : Result
    scores : mapping of name to (n,) float64
        From ``scores_of``.
    points : (m,) int64
        Point ids in the order of the rows: all or the first of ``ranking``.
    """
    told = {name: score[points] for name, score in scores.items()}
    if "distance" in told:
        told["distance"] = -told["distance"] + 0.0  # the score is negative; no negative zero
    else:
        given, suggested = analysis.codes[points], analysis.suggested[points]
        told["quality_suggested"] = np.where(
            suggested == given,  # the same label, also where nothing is known
            analysis.doubt.quality[points],
            analysis.shares_of(points)[np.arange(len(points)), suggested],
        )
    about = {POINT: points, "id": analysis.names(points)}
    table = pd.DataFrame({**about, **analysis.doubt.columns(points), **told})
    if analysis.dataset.votes is not None:
        table["annotators"] = given_share(analysis.dataset, analysis.rows[points])
    if analysis.truth_known:
        table["known_flip"] = np.isin(points, analysis.changed)
    return table


def score_ranking(order: IntArray, changed: IntArray) -> Score | None:
    """Score a ranking against the labels that are known to be changed.

    Parameters
    ----------
    order : (n,) int64
        Point ids, most suspicious first.
    changed : (m,) int64
        Point ids with a changed label.

    Returns
    -------
    Score or None
        None if nothing was changed.
    """
    if not len(changed):
        return None
    hit = np.isin(order, changed)
    precision = np.cumsum(hit) / np.arange(1, len(order) + 1)
    m = len(changed)
    return Score(m, float(precision[hit].mean()), float(hit[:m].mean()), m / len(order))
