"""How many bits of a 64-bit key hold the rank of a point, and what the others count in."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stiknn_core.engine.threads import CHUNK
from stiknn_core.types import FloatArray

#: A key, seen as a double, must be a finite positive number: below the bits of infinity.
_INFINITY = 0x7FF << 52


@dataclass(frozen=True)
class Packing:
    """The fixed-point numbers in which coefficients of some test points are added up.

    Attributes
    ----------
    bits : int
        Low bits of a key, which hold half of what fits them more than the coefficient.
    step : float
        Worth of one unit of them, a power of two, in units of utility. Rounding moves a
        coefficient by half a step at most.
    """

    bits: int
    step: float


def packing(n_train: int, largest: float) -> Packing:
    """Choose the finest packing that holds ranks up to n_train + 1 and all coefficients.

    ``largest`` bounds the absolute value of a coefficient, weight of the test point included. A
    step is between 2^-51 and 2^-50 of it up to n = 2,044, and twice as much with each doubling.
    """
    # The low bits of a chunk's keys are added up in 63.
    bits = 62 - (CHUNK - 1).bit_length()
    while (n_train + 2) << bits >= _INFINITY:
        bits -= 1
    # Two units are left for rounding. In doubles, more than 52 bits would be wasted.
    units = min(1 << (bits - 1), 1 << 52) - 2
    if largest == 0.0:
        return Packing(bits, 1.0)
    exponent = max(math.frexp(largest / units)[1] - 1, -1000)
    while largest > units * 2.0**exponent:
        exponent += 1
    return Packing(bits, 2.0**exponent)


def largest_coefficient(w: FloatArray) -> float:
    """Return a bound on the coefficients that pair weights ``w`` can give, for u in [0, 1].

    And for u in [a, a + 1] with 0 in it: what is above 0 and what is below have one each.

    The coefficient of rank m is ``-w[m+1] u[m] + sum over l > m of (w[l] - w[l+1]) u[l]``:
    largest where u is 1 exactly at the positive terms, smallest at the negative ones. Means
    over the orders of tied points stay between.
    """
    falls = -np.diff(w)
    above = np.cumsum(np.maximum(falls, 0.0)[::-1])[::-1]
    below = np.cumsum(np.maximum(-falls, 0.0)[::-1])[::-1]
    return float(max(above.max(), (w[:-1] + below).max()))
