"""Two matrices and their difference, in one order, small enough to send. Pure.

Above 400 points a cell is the exact mean of a block of pairs, the diagonal left out.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stiknn_core.ordering import Order
from stiknn_core.types import AnyArray, FloatArray, IntArray, read_only
from stiknn_ui.compare.comparison import Compared
from stiknn_ui.compare.matching import named
from stiknn_ui.results.analysis import Analysis

MAX_CELLS: Final = 400
"""Most cells along one side of a picture."""

_LONGEST: Final = 60


@dataclass(frozen=True, eq=False)
class Pictures:
    """What both matrices look like in one order.

    Attributes
    ----------
    a, b : (c, c) float32, read-only
        Mean interaction of each block of pairs, in units of utility; NaN where a block holds
        nothing but the diagonal.
    step : int
        Points along the side of a cell.
    names : tuple of c str
        What each row is: one point, or the places from one to another.
    blocks : tuple of (str, float, float)
        What the blocks of the order are called, and the cells they reach from and to.
    """

    a: AnyArray
    b: AnyArray
    step: int
    names: tuple[str, ...]
    blocks: tuple[tuple[str, float, float], ...]


def make_pictures(a: Analysis, b: Analysis, compared: Compared, order: Order) -> Pictures:
    """Bring both matrices into one order and average them to at most 400 cells a side; O(n²).

    ``order`` is that of the common points.
    """
    in_a, in_b = compared.common.in_a[order.positions], compared.common.in_b[order.positions]
    step = max(1, -(-len(in_a) // MAX_CELLS))
    names = [_name(a, in_a[at : at + step], at) for at in range(0, len(in_a), step)]
    return Pictures(
        read_only(block_means(a.interactions.matrix, in_a, step).astype(np.float32)),
        read_only(block_means(b.interactions.matrix, in_b, step).astype(np.float32)),
        step,
        tuple(names),
        tuple((one.label, one.start / step, one.stop / step) for one in order.blocks),
    )


def block_means(matrix: AnyArray, points: IntArray, step: int) -> FloatArray:
    """Return the means of blocks of ``step`` by ``step`` pairs, without the diagonal.

    Parameters
    ----------
    matrix : (n, n) float
    points : (m,) int
        Which rows and columns, in which order.
    step : int
        At least 1; the last block may be smaller.

    Returns
    -------
    (c, c) float64
        NaN where a block holds no pair of different points.
    """
    starts = np.arange(0, len(points), step)
    means = np.empty((len(starts), len(starts)))
    sizes = np.diff([*starts, len(points)])
    for row, start in enumerate(starts):
        members = points[start : start + step]
        band = matrix[np.ix_(members, points)].astype(np.float64)
        band[np.arange(len(members)), start + np.arange(len(members))] = 0.0
        means[row] = np.add.reduceat(band.sum(axis=0), starts)
    pairs = np.outer(sizes, sizes) - np.diag(sizes)
    found: FloatArray = np.full_like(means, np.nan)
    np.divide(means, pairs, out=found, where=pairs > 0)
    return found


def payload(
    pictures: Pictures,
    compared: Compared,
    words: dict[str, Any],
    *,
    quantile: float,
    own_scale: bool,
) -> bytes:
    """Return everything the three pictures need, as one block of bytes.

    A JSON header behind its length (uint32, little endian), filled up to a multiple of four, and
    then the cells of A, of B and of what the third picture shows, as float32.

    Parameters
    ----------
    pictures : Pictures
    compared : Compared
    words : dict
        Titles and sentences for the screen.
    quantile : float
        Share of the pairs that the colours cover.
    own_scale : bool
        Whether each picture has the colour range of its own pairs. Then the third one shows the
        difference of the standardised matrices: each minus the mean of its pairs, divided by
        their standard deviation.
    """
    if own_scale:
        third = _standardised(pictures.a, compared.means[0], compared.pairs.spread_a)
        third -= _standardised(pictures.b, compared.means[1], compared.pairs.spread_b)
    else:
        third = pictures.a - pictures.b
    header = {
        "cells": len(pictures.names),
        "step": pictures.step,
        "names": pictures.names,
        "blocks": pictures.blocks,
        "limits": limits_of(compared, quantile, own_scale=own_scale),
        "own": own_scale,
        **words,
    }
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 4)
    cells = b"".join(one.astype("<f4").tobytes() for one in (pictures.a, pictures.b, third))
    return struct.pack("<I", len(head)) + head + cells


def limits_of(
    compared: Compared, quantile: float, *, own_scale: bool
) -> tuple[float, float, float]:
    """Return the ends of the colour ranges of the three pictures; positive."""
    a, b = compared.limit(0, quantile), compared.limit(1, quantile)
    if own_scale:
        return a, b, compared.limit(3, quantile)
    return max(a, b), max(a, b), compared.limit(2, quantile)


def _standardised(cells: AnyArray, mean: float, spread: float) -> FloatArray:
    return (cells.astype(np.float64) - mean) / (spread or 1.0)


def _name(a: Analysis, points: IntArray, start: int) -> str:
    if len(points) == 1:
        point = int(points[0])
        return _short(f"point {named(a, point)}, {a.label_title} {a.doubt.told(point)[0]}")
    counts = np.bincount(a.codes[points], minlength=len(a.classes))
    most = np.argsort(-counts, kind="stable")[:2]
    here = [f"{counts[code]} of {a.group} {a.classes[code]}" for code in most if counts[code]]
    return _short(f"places {start + 1}-{start + len(points)}, {', '.join(here)}")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
