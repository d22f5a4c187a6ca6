"""Which index, with parameters as fractions: the weight of a set by its size, by definition.

The same as ``stiknn_core.games`` has in floating point; a name is written as it is there.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb, factorial
from typing import Final, Literal, NamedTuple, TypeAlias

from stiknn_core.errors import ParameterError

Family: TypeAlias = Literal[
    "STII", "SII", "BII", "weighted_banzhaf", "beta", "calibrated", "leave_two_out"
]

PAPER: Final = "STII"
MAX_SHAPE: Final = 16
"""The largest parameter of beta."""

_CALL: Final = re.compile(r"([A-Za-z_]+)(?:\(([\d., ]*)\))?", re.ASCII)
_TENTH: Final = re.compile(r"0\.[1-9]", re.ASCII)
_WHOLE: Final = re.compile(r"0|[1-9]\d?", re.ASCII)
_KNOWN: Final = (
    "The index must be STII, SII, BII, weighted_banzhaf(q) with q a tenth from 0.1 to 0.9, "
    f"beta(α, β) with whole numbers from 1 to {MAX_SHAPE}, calibrated(T) or leave_two_out()"
)
_PARAMETERS: Final[dict[str, int]] = {
    "STII": 0,
    "SII": 0,
    "BII": 0,
    "weighted_banzhaf": 1,
    "beta": 2,
    "calibrated": 1,
    "leave_two_out": 0,
}


class Index(NamedTuple):
    """An index and its numbers, in the order of its name."""

    family: str
    numbers: tuple[Fraction, ...] = ()

    @property
    def name(self) -> str:
        """Return "beta(4, 1)", which ``index_of`` and the package read again."""
        if self.family in ("STII", "SII", "BII"):
            return self.family
        return f"{self.family}({', '.join(f'{float(one):g}' for one in self.numbers)})"

    @property
    def paper(self) -> bool:
        """Whether it is the paper's, whose pairs and main terms add up to v(N)."""
        return self.family == PAPER


def index_of(text: str) -> Index:
    """Return the index of a name; a ParameterError says which there are."""
    call = _CALL.fullmatch(text)
    if call is None or call[1] not in _PARAMETERS:
        raise ParameterError(f"{_KNOWN}; got {text:.40}.")
    numbers = [part.strip() for part in (call[2] or "").split(",") if part.strip()]
    form = _TENTH if call[1] == "weighted_banzhaf" else _WHOLE
    if len(numbers) != _PARAMETERS[call[1]] or not all(map(form.fullmatch, numbers)):
        raise ParameterError(f"{_KNOWN}; got {text:.40}.")
    found = Index(call[1], tuple(map(Fraction, numbers)))
    if found.family == "beta" and not all(1 <= one <= MAX_SHAPE for one in found.numbers):
        raise ParameterError(f"{_KNOWN}; got {text:.40}.")
    return found


def too_large(text: str, n: int) -> str:
    """Return a sentence where an index asks for larger sets than n points have beside a pair."""
    index = index_of(text)
    if index.family != "calibrated" or index.numbers[0] <= n - 2:
        return ""
    return (
        f"T of calibrated(T) must be a whole number from 0 to {n - 2}, as beside a pair there are "
        f"{n - 2} other points; got {index.numbers[0]}."
    )


def fitted_to(text: str, n: int) -> str:
    """Return the index with a T that n points have room for."""
    return f"calibrated({n - 2})" if too_large(text, n) else text


def pair_weight(index: Index, n: int, s: int) -> Fraction:
    """Return p_s, the weight of one set of s of the n - 2 points beside a pair."""
    if index.paper:
        return Fraction(2, n * comb(n - 1, s))
    return _weight(index, n - 2, s)


def value_weight(index: Index, n: int, s: int) -> Fraction:
    """Return p_s of the value that belongs to the index: of s of the n - 1 points beside one.

    That of STII is the Shapley value.
    """
    return _weight(index, n - 1, s)


def _weight(index: Index, others: int, s: int) -> Fraction:
    numbers = index.numbers
    match index.family:
        case "BII":
            return Fraction(1, 2**others)
        case "weighted_banzhaf":
            return numbers[0] ** s * (1 - numbers[0]) ** (others - s)
        case "beta":
            alpha, beta = map(int, numbers)
            return _beta(s + beta, others - s + alpha) / _beta(alpha, beta)
        case "calibrated":
            least = int(numbers[0])
            sizes = others + 1 - least
            return Fraction(1, sizes * comb(others, s)) if s >= least else Fraction(0)
        case "leave_two_out":
            return Fraction(s == others)
    return Fraction(1, (others + 1) * comb(others, s))


def _beta(a: int, b: int) -> Fraction:
    return Fraction(factorial(a - 1) * factorial(b - 1), factorial(a + b - 1))


def pair_weights(index: Index, n: int, k: int) -> tuple[Fraction, ...]:
    """Return w_j at place j, for j = 0 .. n + 1: what the theorem needs of an index for pairs.

    w_j weighs all sets that hold exactly k - 1 of j - 3 points; it is 0 up to j = k + 1.
    """
    return tuple(
        sum(
            (
                pair_weight(index, n, s) * comb(j - 3, k - 1) * comb(n - j + 1, s - k + 1)
                for s in range(k - 1, n - 1)
            ),
            Fraction(0),
        )
        if j >= 3
        else Fraction(0)
        for j in range(n + 2)
    )


def value_weights(index: Index, n: int, k: int) -> tuple[Fraction, ...]:
    """Return g_m at place m, for m = 0 .. n, for values: fewer than k of m - 1 points are there."""
    return tuple(
        sum(
            (
                value_weight(index, n, s) * comb(m - 1, a) * comb(n - m, s - a)
                for s in range(n)
                for a in range(min(k, s + 1))
            ),
            Fraction(0),
        )
        if m
        else Fraction(1)
        for m in range(n + 1)
    )
