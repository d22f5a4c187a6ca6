"""Scores of single points by which wrong labels are looked for. Low is always suspicious."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from stiknn_core.types import FloatArray, IntArray

ScoreName = Literal["quality", "confusion", "value", "in_out", "row", "rarity"]


@dataclass(frozen=True)
class ScoreInfo:
    """What to say about a score on screen.

    Attributes
    ----------
    title : str
        Its name in a list of choices.
    meaning : str
        One sentence or two: what it measures, its range, and which way is bad.
    """

    title: str
    meaning: str


SCORES: Mapping[ScoreName, ScoreInfo] = MappingProxyType(
    {
        "quality": ScoreInfo(
            "label quality",
            "Share of the given label in the support, classes divided by the square root of their "
            "frequency, 0 to 1. Low = suspicious.",
        ),
        "confusion": ScoreInfo(
            "one class mistaken for another",
            "Joins the support, trees that did not see the row and a linear model, and corrects "
            "for classes whose rows are often given the label of another, 0 to 1. Low = "
            "suspicious; a rank and no probability, most numbers lie near 1.",
        ),
        "value": ScoreInfo(
            "KNN-Shapley value",
            "What the point adds to the utility on average over all sets of the others. Low = "
            "suspicious; negative does not mean that the data are better without it.",
        ),
        "in_out": ScoreInfo(
            "in-class against out-of-class",
            "Mean interaction with the other classes minus that with its own class, whose points "
            "are substitutes for a point that belongs to it. Low = suspicious.",
        ),
        "row": ScoreInfo(
            "row likeness",
            "How much more its matrix row resembles the mean row of its own class than that of "
            "the nearest other class, -2 to 2. Low = suspicious; negative = looks like another "
            "class.",
        ),
        "rarity": ScoreInfo(
            "rarity of the label alone",
            "Share of all points that have its label, 0 to 1, without a look at the features: "
            "what any score has to beat. Low = suspicious.",
        ),
    }
)
"""Every score by name, the default first."""

LEAVE_ONE_OUT = ScoreInfo(
    "leave-one-out value",
    "What removing this point alone takes from the utility, the likelihood of the right label; "
    "negative = it would rise.",
)
"""What is told beside the value of a point; no score of its label."""


def in_out(matrix: FloatArray, codes: IntArray, n_classes: int) -> FloatArray:
    """Return the mean interaction with other classes minus that with the own class; O(n^2).

    Points of one class are mostly the strongest substitutes, their interactions the most
    negative: a point that belongs to its class has a high score, and one that stands among
    another class, whose substitute it is instead, a low one. The diagonal plays no part.

    Meant for STII and SII. Banzhaf pairs (BII) fade so quickly with distance that their
    means over whole classes tell nothing.

    Parameters
    ----------
    matrix : (n, n) float64
        Symmetric interactions, in units of utility.
    codes : (n,) int64
        Given class of each point, 0..n_classes-1.
    n_classes : int

    Returns
    -------
    (n,) float64
        In units of utility; low = suspicious. A point that is alone in its class has a
        mean of 0 with it, and where there is one class alone all scores are 0.
    """
    n = len(matrix)
    sizes = np.bincount(codes, minlength=n_classes)
    own = np.zeros(n)
    for members in _members(codes, n_classes):
        own[members] = matrix[np.ix_(members, members)].sum(axis=1)
    diagonal = np.diag(matrix)
    others = matrix.sum(axis=1) - own
    n_own = sizes[codes] - 1
    n_others = n - sizes[codes]
    score = others / np.maximum(n_others, 1) - (own - diagonal) / np.maximum(n_own, 1)
    return np.where(n_others > 0, score, 0.0)


def _members(codes: IntArray, n_classes: int) -> list[IntArray]:
    """Return the positions of the points of each class."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes, minlength=n_classes))[:-1])


def row_likeness(matrix: FloatArray, codes: IntArray, n_classes: int) -> FloatArray:
    """Return how much each row looks like its own class rather than another; O(n^2 c).

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
    everyone = np.arange(n)
    totals = np.array([rows[members].sum(axis=0) for members in _members(codes, n_classes)])
    dots = rows @ totals.T
    sizes = np.bincount(codes, minlength=n_classes)
    others = np.repeat(sizes[None], n, axis=0)  # how many rows a mean is made of
    norms = np.repeat((totals**2).sum(axis=1)[None], n, axis=0)
    # Of the mean of the own class the point itself is left out.
    others[everyone, codes] -= 1
    norms[everyone, codes] += (length > 0) - 2 * dots[everyone, codes]
    dots[everyone, codes] -= length > 0
    norms = np.sqrt(np.maximum(norms, 0.0))
    some = (others > 0) & (norms > 1e-12)
    likeness = np.full((n, n_classes), -np.inf)
    likeness[some] = dots[some] / norms[some]
    own = likeness[everyone, codes]
    likeness[everyone, codes] = -np.inf
    best_other = likeness.max(axis=1, initial=-np.inf)
    known = np.isfinite(own) & np.isfinite(best_other)
    return np.where(known, np.where(known, own, 0.0) - np.where(known, best_other, 0.0), 0.0)


def rarity(codes: IntArray) -> FloatArray:
    """Return the share of all points that have a point's label; O(n).

    It knows nothing of the features, and so tells what a score that does must beat.

    Parameters
    ----------
    codes : (n,) int64
        Given class of each point, 0 or more.

    Returns
    -------
    (n,) float64
        In (0, 1]; low = suspicious.
    """
    return np.asarray(np.bincount(codes)[codes] / len(codes))
