"""The small tables of one point: complements, substitutes, and the test points' parts. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.point.ground import Ground, copies_of
from stiknn_ui.point.split import Split

Kind = Literal["complements", "substitutes"]
OF = "point"
"""Column of point ids, by which a ticked row is recognised."""


@dataclass(frozen=True, eq=False)
class Partners:
    """How the other training points stand to one.

    Attributes
    ----------
    row : (n,) float64
        Interactions with the point; its own place holds what it earns alone.
    far : (n,) float64 or None
        Distance of each.
    nearness : (n,) int64 or None
        1 = the nearest other point; equal distances share a place. 0 for the point itself.
    copies : (m,) int64
        All points with the same features, itself included.
    """

    row: FloatArray
    far: FloatArray | None
    nearness: IntArray | None
    copies: IntArray


def partners_of(ground: Ground, point: int, row: FloatArray) -> Partners:
    """Return how the other points stand to a point, with its row of the matrix.

    O(n (d + log n)).
    """
    far = ground.distances(point)
    nearness = None
    if far is not None:
        others = np.delete(np.arange(len(far)), point)
        nearness = np.zeros(len(far), dtype=np.int64)
        nearness[others] = 1 + np.searchsorted(np.sort(far[others]), far[others])
    return Partners(row, far, nearness, copies_of(ground.analysis, point))


def partner_table(
    ground: Ground, point: int, partners: Partners, kind: Kind, *, most: int = 8
) -> pd.DataFrame:
    """Return the complements or the substitutes of a point, the strongest first.

    Complements have positive interactions, substitutes negative ones; there are fewer than
    ``most`` where fewer have that sign.

    Returns
    -------
    DataFrame
        Columns "point", "id", "class", "interaction", then "distance" and "nearness" where they
        are known, and "copy" where the point has copies at all.
    """
    amounts = partners.row.copy()
    amounts[point] = 0.0  # what it earns alone is no interaction
    chosen = _strongest(amounts, most, positive=kind == "complements")
    analysis = ground.analysis
    table = pd.DataFrame(
        {
            OF: chosen,
            "id": ground.names(chosen),
            analysis.label_title: [analysis.doubt.told(one)[0] for one in chosen.tolist()],
            "interaction": partners.row[chosen],
        }
    )
    if partners.far is not None and partners.nearness is not None:
        table["distance"] = partners.far[chosen]
        table["nearness"] = partners.nearness[chosen]
    if len(partners.copies) > 1:
        table["copy"] = np.isin(chosen, partners.copies)
    return table


def split_table(split: Split) -> pd.DataFrame:
    """Return one row per part of a value, in the order of the figure.

    Returns
    -------
    DataFrame
        Columns "part", "points", "mean", "sum"; where the split is exact also "adds", whose sum
        is the value: the own term and half of each sum.
    """
    rows = [("alone", 1, split.own, split.own, split.own)] if split.exact else []
    for share in split.shares:
        name = f"with class {share.name}" + (" (its own)" if share.own else "")
        rows.append((name, share.count, share.mean, share.total, share.half))
    table = pd.DataFrame(rows, columns=["part", "points", "mean", "sum", "adds"])
    return table if split.exact else table.drop(columns="adds")


def table_of_tests(
    ground: Ground, parts: FloatArray, places: IntArray, *, up: bool, most: int = 6
) -> pd.DataFrame:
    """Return the test points that pull a value or an interaction up or down most.

    Parameters
    ----------
    ground : Ground
    parts : (t,) float64
        The part of each.
    places : (t,) int64
        How near the point is to each, 1 = nearest; 0 = itself.
    up : bool
        Whether for the largest positive parts or for the most negative ones.
    most : int

    Returns
    -------
    DataFrame
        Columns "id", "class", "place", "part"; its index is the place of each among the tests.
    """
    chosen = _strongest(parts, most, positive=up)
    return pd.DataFrame(
        {
            "id": ground.names_of_tests(chosen),
            ground.analysis.label_title: [ground.labels_of_tests[test] for test in chosen],
            "place": places[chosen],
            "part": parts[chosen],
        },
        index=chosen,
    )


def _strongest(amounts: FloatArray, most: int, *, positive: bool) -> IntArray:
    """Return the places of the largest amounts, or of the most negative, the strongest first."""
    signed = amounts if positive else -amounts
    first = np.argsort(-signed, kind="stable")[:most]
    return first[signed[first] > 0]
