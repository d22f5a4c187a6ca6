"""Points that change their place, and who is suspected in one result alone. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from stiknn_core.comparing.agreement import TopOverlap, top_overlap
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_ui.compare.matching import Common
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.suspects import ranking

MOVERS = 25
"""Points that the table of movers holds."""

Scores = dict[str, FloatArray]


def places_of(order: IntArray) -> IntArray:
    """Return the place of each position in an order, 1 = first."""
    return 1 + np.argsort(order)


def value_places(a: Analysis, b: Analysis, common: Common) -> tuple[IntArray, IntArray]:
    """Return each common point's place by value in A and in B, 1 = lowest = most suspicious.

    Equal values stand in the order of the rows.
    """
    values = a.values[common.in_a], b.values[common.in_b]
    places_a, places_b = (places_of(np.argsort(one, kind="stable")) for one in values)
    return places_a, places_b


def movers(a: Analysis, b: Analysis, common: Common, most: int = MOVERS) -> pd.DataFrame:
    """Return the points whose place by value changes most, the largest moves first.

    Returns
    -------
    DataFrame
        Columns "point" (its id in A), "id", "class", "place A", "place B", "moved" (places up in
        B, so a positive number means worth more in B), "value A", "value B".
    """
    places_a, places_b = value_places(a, b, common)
    moved = places_b - places_a
    first = np.argsort(-np.abs(moved), kind="stable")[:most]
    first = first[moved[first] != 0]
    values = {
        "value A": a.values[common.in_a[first]],
        "value B": b.values[common.in_b[first]],
    }
    return _placed(a, common, first, (places_a, places_b), {"moved": moved[first], **values})


@dataclass(frozen=True, eq=False)
class Suspected:
    """Who is suspected most in either result, among the common points.

    Attributes
    ----------
    overlap : TopOverlap
        In places of ``Common.in_a``.
    places_a, places_b : (m,) int64
        Place of each common point in either ranking, 1 = most suspicious.
    """

    overlap: TopOverlap
    places_a: IntArray
    places_b: IntArray


def suspected(scores_a: Scores, scores_b: Scores, common: Common, by: str, m: int) -> Suspected:
    """Compare the first ``m`` of two rankings of the common points.

    Each result has scores of all its training points, low = suspicious; ``by`` names the one
    that ranks, and ``m`` is at most the number of common points.
    """
    order_a = ranking({name: score[common.in_a] for name, score in scores_a.items()}, by)
    order_b = ranking({name: score[common.in_b] for name, score in scores_b.items()}, by)
    return Suspected(top_overlap(order_a, order_b, m), places_of(order_a), places_of(order_b))


def usual_top(a: Analysis, common: Common) -> int:
    """Return how many points to look at first: those with another class suggested, or 5 %."""
    doubted = int((a.suggested[common.in_a] != a.codes[common.in_a]).sum())
    return min(common.n, max(1, doubted or round(0.05 * common.n)))


def one_sided(
    a: Analysis, common: Common, found: Suspected, places: IntArray, by: Scores
) -> pd.DataFrame:
    """Return a table of points that are in one list alone, or in both.

    Parameters
    ----------
    a : Analysis
    common : Common
    found : Suspected
    places : (m,) int64
        Places of ``Common.in_a``, such as ``found.overlap.only_a``.
    by : dict of "A" and "B" to (n,) float64
        The score that ranks, of all training points of either.
    """
    scores = {"score A": by["A"][common.in_a[places]], "score B": by["B"][common.in_b[places]]}
    return _placed(a, common, places, (found.places_a, found.places_b), scores)


def _placed(
    a: Analysis,
    common: Common,
    shown: IntArray,
    places: tuple[IntArray, IntArray],
    more: dict[str, AnyArray],
) -> pd.DataFrame:
    """Return a table of the common points ``shown``: who they are, their places, and more."""
    points = common.in_a[shown]
    return pd.DataFrame(
        {
            "point": points,
            "id": [a.ids[point] for point in points],
            a.label_title: [a.doubt.told(point)[0] for point in points.tolist()],
            "place A": places[0][shown],
            "place B": places[1][shown],
            **more,
        }
    )
