"""The ranked table of points whose label deserves a second look. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.analysis import Analysis
from stiknn_ui.spec import RankBy

POINT = "point"
"""Column of point ids; it survives sorting and is how a ticked row is recognised."""


@dataclass(frozen=True)
class ColumnMeaning:
    """One line about a column: title, meaning, unit and direction."""

    title: str
    help: str


COLUMNS = {
    POINT: ColumnMeaning("point", "Position among the training points, from 0."),
    "id": ColumnMeaning("id", "What the data call this row."),
    "label": ColumnMeaning("given label", "The label as it stands in the data."),
    "suggested": ColumnMeaning("suggested", "The class that is backed best; may be the given one."),
    "quality": ColumnMeaning(
        "label quality",
        "Share of the backing that goes to the given label, 0 to 1. Low = suspicious.",
    ),
    "value": ColumnMeaning(
        "value",
        "What the point adds to the likelihood of right answers, signed, in shares of 1. "
        "Negative = harmful.",
    ),
    "row_fit": ColumnMeaning(
        "row likeness",
        "How much more the point's matrix row resembles the mean row of its own class than that "
        "of the nearest other class, -2 to 2. Negative = looks like another class.",
    ),
    "support": ColumnMeaning(
        "support, given",
        "What the point earns from its label over all test points, 0 to 1. Low = little backing.",
    ),
    "support_suggested": ColumnMeaning(
        "support, suggested",
        "What it would earn with the suggested label, 0 to 1. High = much backing.",
    ),
    "known_flip": ColumnMeaning("wrong", "Whether the label differs from the true one."),
}

_RANK_COLUMN: dict[RankBy, str] = {"quality": "quality", "value": "value", "row": "row_fit"}


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


def suspects_table(analysis: Analysis, row_fit: FloatArray, rank_by: RankBy) -> pd.DataFrame:
    """Return one row per training point, most suspicious first.

    Parameters
    ----------
    analysis : Analysis
    row_fit : (n,) float64
        From ``row_likeness``.
    rank_by : {"quality", "value", "row"}
        Draws are settled by quality, then value, then position.
    """
    names = np.array(analysis.classes, dtype=object)
    everyone = np.arange(analysis.n)
    support = analysis.support.support
    columns = {str(name): place for place, name in enumerate(analysis.support.classes)}
    place = np.array([columns[name] for name in analysis.classes])
    table = pd.DataFrame(
        {
            POINT: everyone,
            "id": analysis.ids,
            "label": names[analysis.codes],
            "suggested": names[analysis.suggested],
            "quality": analysis.support.quality,
            "value": analysis.interactions.values,
            "row_fit": row_fit,
            "support": support[everyone, place[analysis.codes]],
            "support_suggested": support[everyone, place[analysis.suggested]],
        }
    )
    if analysis.truth_known:
        table["known_flip"] = np.isin(everyone, analysis.changed)
    first = _RANK_COLUMN[rank_by]
    rest = [name for name in ("quality", "value", POINT) if name != first]
    return table.sort_values([first, *rest], kind="stable", ignore_index=True)


def row_likeness(matrix: FloatArray, codes: IntArray, n_classes: int) -> FloatArray:
    """Return how much each row looks like its own class rather than another; O(n^2).

    The paper's reading of the picture: a mislabeled point's row looks like the rows of the
    class it belongs to. Rows are compared by correlation with the mean row of each class,
    from which the point itself is left out; the diagonal plays no part.

    Parameters
    ----------
    matrix : (n, n) float64
        Symmetric interactions.
    codes : (n,) int64
        Given class of each point, 0..n_classes-1.
    n_classes : int

    Returns
    -------
    (n,) float64
        Correlation with the own class minus the best correlation with another class, in
        [-2, 2]; low = suspicious. 0 where there is nothing to compare with.
    """
    n = len(matrix)
    rows = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(rows, (rows.sum(axis=1) - np.diag(rows)) / max(1, n - 1))
    rows -= rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(rows, axis=1)
    rows /= np.where(length > 0, length, 1.0)[:, None]
    likeness = np.full((n, n_classes), -np.inf)
    for code in range(n_classes):
        members = codes == code
        size = int(members.sum())
        if not size:
            continue
        total = rows[members].sum(axis=0)
        others = size - members  # how many rows the mean is made of, the point itself left out
        dots = rows @ total - members * (length > 0)
        norms = total @ total - members * (2 * (rows @ total) - (length > 0))
        norms = np.sqrt(np.maximum(norms, 0.0))
        some = (others > 0) & (norms > 1e-12)
        likeness[some, code] = dots[some] / norms[some]
    own = likeness[np.arange(n), codes]
    likeness[np.arange(n), codes] = -np.inf
    best_other = likeness.max(axis=1, initial=-np.inf)
    known = np.isfinite(own) & np.isfinite(best_other)
    return np.where(known, np.where(known, own, 0.0) - np.where(known, best_other, 0.0), 0.0)


def score_ranking(order: IntArray, changed: tuple[int, ...]) -> Score | None:
    """Score a ranking against the labels that are known to be changed.

    Parameters
    ----------
    order : (n,) int64
        Point ids, most suspicious first.
    changed : tuple of int
        Point ids with a changed label.

    Returns
    -------
    Score or None
        None if nothing was changed.
    """
    if not changed:
        return None
    hit = np.isin(order, changed)
    precision = np.cumsum(hit) / np.arange(1, len(order) + 1)
    m = len(changed)
    return Score(m, float(precision[hit].mean()), float(hit[:m].mean()), m / len(order))
