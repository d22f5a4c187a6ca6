"""Which index: how much a set of other points counts, by its size alone.

For one test point the training points are ranked by distance, nearest first. Every index here
depends on the data only through two sequences of numbers over ranks:

``w``
    Pair weights. The interaction of two points whose farther one has rank m is
    ``-w[m+1] u[m] + sum over l > m of (w[l] - w[l+1]) u[l]``, where ``u[l]`` is what the point of
    rank l brings: 1/k if it has the label of the test point, else 0, or any other score. For
    STII this is the recursion of the paper (Algorithm 1) summed up, and unlike the recursion it
    also holds for k > n.
``g``
    Value weights. The value of the point of rank m is
    ``g[m] u[m] + sum over l > m of (g[l] - g[l-1]) u[l]``
    (Jia et al. 2019, Theorem 1, for the Shapley value).

``docs/games.md`` has the proof, for all indices and scores at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stiknn_core.errors import ParameterError
from stiknn_core.games import chances
from stiknn_core.games.checks import check_number, written
from stiknn_core.types import FloatArray, Index, ValueKind

Family = Literal[
    "STII", "SII", "BII", "weighted_banzhaf", "beta", "calibrated", "leave_two_out", "alone"
]

INDICES: tuple[Index, ...] = ("STII", "SII", "BII")

_FORMULAS: dict[Family, str] = {
    "STII": "p(s) = 2 / (n C(n - 1, s))",
    "SII": "p(s) = 1 / ((n - 1) C(n - 2, s))",
    "BII": "p(s) = 2^-(n - 2)",
    "weighted_banzhaf": "p(s) = q^s (1 - q)^(n - 2 - s), q = {}",
    "beta": "p(s) = B(s + β, n - 2 - s + α) / B(α, β), α = {}, β = {}",
    "calibrated": "p(s) = 1 / ((n - 1 - T) C(n - 2, s)) for s >= T, else 0, T = {}",
    "leave_two_out": "p(s) = 1 for s = n - 2, else 0",
    "alone": "p(s) = 1 for s = 0, else 0",
}


@dataclass(frozen=True)
class PairIndex:
    """An index of pairs, with the value of single points that belongs to it.

    Made by the functions of `stiknn_core.games`; equal ones are equal, and may be keys.

    Attributes
    ----------
    family : str
        Which index: "STII", "SII", "BII", "weighted_banzhaf", "beta", "calibrated" or
        "leave_two_out".
    parameters : tuple of float
        Its numbers, in the order of the function that makes it.
    """

    family: Family
    parameters: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        """How it is written: "STII", "beta(4, 1)". `index_of` reads it again."""
        if self.family in INDICES:
            return self.family
        return f"{self.family}({', '.join(map(written, self.parameters))})"

    @property
    def formula(self) -> str:
        """The weight p(s) of a set of s other points, of n - 2, in its sum over all sets."""
        return _FORMULAS[self.family].format(*map(written, self.parameters))

    @property
    def diagonal(self) -> PairIndex:
        """Whose values stand on the diagonal of the matrix: its own, or for STII v of one alone."""
        return ALONE if self.family == "STII" else self

    def pair_weights(self, n: int, k: int) -> FloatArray:
        """Return w, (n + 2,), indexed by rank, for pairs among ``n`` ranked points. O(n).

        ``w[j]`` is zero for j <= k+1, because a coalition that small is never full and a further
        point changes nothing about the others. It is the weight of all sets that hold exactly k-1
        of the j-3 points before the farther one of a pair.
        """
        w = np.zeros(n + 2)
        if self.family == "calibrated" and n > 1:
            self._least(n - 2)
        if k + 2 > n + 1 or n < 2:
            return w
        j = np.arange(k + 2, n + 2, dtype=np.float64)
        if self.family == "STII":
            w[k + 2 :] = 2.0 * (j - k - 1.0) / ((j - 1.0) * (j - 2.0))
        elif self.family == "SII":
            w[k + 2 :] = 1.0 / (j - 2.0)
        elif self.family == "leave_two_out":
            w[k + 2] = 1.0
        elif self.family == "calibrated":
            least = self._least(n - 2)
            fewer = chances.fewer_drawn(k, n - 1, least)
            w[k + 2 :] = (n - 1.0) / (n - 1.0 - least) / (j - 2.0) * fewer[k:]
        else:
            w[k + 2 :] = chances.exactly(k - 1, n - 2, self._joining())[k - 1 :]
        return w

    def value_weights(self, n: int, k: int) -> FloatArray:
        """Return g, (n + 1,), indexed by rank, for the values of single points. O(n).

        ``g[m]`` is the weight of all sets in which the point of rank m, joining last, finds fewer
        than k nearer ones. ``g[0]`` is 1 and never used as a rank.
        """
        m = np.arange(n + 1, dtype=np.float64)
        if self.family in ("STII", "SII"):
            m[0] = 1.0
            return np.asarray(np.minimum(k, m) / m)
        if self.family == "leave_two_out":
            return np.asarray(m <= k, dtype=np.float64)
        g = np.ones(n + 1)
        if self.family == "calibrated":
            self._least(n - 1)
        if self.family == "alone" or n <= k:
            return g
        if self.family == "calibrated":
            g[k + 1 :] = self._calibrated_values(n, k)
        else:
            g[1:] = chances.fewer(k, n - 1, self._joining())
        return g

    def pair_sizes(self, n: int, most: int) -> FloatArray:
        """Return the weight of all sets of s points beside a pair, for s = 0 .. min(n - 2, most).

        ``C(n - 2, s) p(s)``; over all s they add up to 1 for each index.
        """
        s = np.arange(min(n - 2, most) + 1, dtype=np.float64)
        if self.family == "STII":
            return np.asarray(2.0 * (n - 1.0 - s) / (n * (n - 1.0)))
        return self._sizes(n - 2, s)

    def value_sizes(self, n: int, most: int) -> FloatArray:
        """Return the same for the value: sets of s points beside one, s = 0 .. min(n - 1, most)."""
        return self._sizes(n - 1, np.arange(min(n - 1, most) + 1, dtype=np.float64))

    def _sizes(self, others: int, s: FloatArray) -> FloatArray:
        if self.family in ("STII", "SII"):
            return np.full(len(s), 1.0 / (others + 1.0))
        if self.family == "leave_two_out":
            return np.asarray(s == others, dtype=np.float64)
        if self.family == "alone":
            return np.asarray(s == 0, dtype=np.float64)
        if self.family == "calibrated":
            least = self._least(others)
            return np.asarray((s >= least) / (others + 1.0 - least))
        return chances.sizes(others, len(s) - 1, self._joining())

    def _calibrated_values(self, n: int, k: int) -> FloatArray:
        """Return g of the ranks behind k.

        Of ``least`` drawn points X are among the m first; g is the mean of what k exceeds X by,
        n / ((n - least) m) times. It falls with m where the next one is drawn before the k-th.
        """
        least = self._least(n - 1)
        m = np.arange(k + 1, n + 1, dtype=np.float64)
        falls = np.zeros(n)
        if least:
            falls = least / n * chances.fewer_drawn(k, n - 1, least - 1)
        room = chances.sums_behind(falls, max(0.0, k - least))
        return np.asarray(n / (n - least) / m * room[k + 1 :])

    def _joining(self) -> chances.Joining:
        if self.family == "beta":
            return chances.by_beta(*self.parameters)
        return chances.each_with(0.5 if self.family == "BII" else self.parameters[0])

    def _least(self, others: int) -> int:
        least = int(self.parameters[0])
        if least > others:
            raise ParameterError(
                f"calibrated(at_least) counts sets of the other points, of which there are "
                f"{others:,} here; got at_least={least:,}. Choose at most {others:,}."
            )
        return least


AnyIndex = Index | PairIndex

STII, SII, BII = PairIndex("STII"), PairIndex("SII"), PairIndex("BII")

ALONE = PairIndex("alone")
"""Values v({i}) - v(nobody); no index of pairs."""


def weighted_banzhaf(q: float) -> PairIndex:
    """Return the weighted Banzhaf index: every other point is there with the chance q.

    Parameters
    ----------
    q : float
        In (0, 1); 0.5 is BII. A small one looks at small sets.

    Returns
    -------
    PairIndex
        Its value is the weighted Banzhaf value.

    Raises
    ------
    ParameterError
        If q is not in (0, 1).

    References
    ----------
    Values of data: Li and Yu (2023), "Robust data valuation with weighted Banzhaf values".
    """
    return PairIndex(
        "weighted_banzhaf", (check_number("q", q, "a number in (0, 1)", lambda v: 0 < v < 1),)
    )


def beta(alpha: float, beta: float) -> PairIndex:
    """Return the index of Beta(alpha, beta): weighted Banzhaf with q drawn from Beta(beta, alpha).

    Parameters
    ----------
    alpha, beta : float
        In (0, 10000]; beta(1, 1) is SII. A larger alpha looks at smaller sets.

    Returns
    -------
    PairIndex
        Its value is the Beta Shapley value.

    Raises
    ------
    ParameterError
        If one of them is out of range.

    References
    ----------
    Values of data: Kwon and Zou (2022), "Beta Shapley", arXiv:2110.14049.
    """
    allowed = "a number in (0, 10000]"
    return PairIndex(
        "beta",
        (
            check_number("alpha", alpha, allowed, lambda v: 0 < v <= 1e4),
            check_number("beta", beta, allowed, lambda v: 0 < v <= 1e4),
        ),
    )


def calibrated(at_least: int) -> PairIndex:
    """Return SII over sets of a certain size and larger alone.

    Parameters
    ----------
    at_least : int
        Fewest other points of a set, T; 0 is SII. At most the number of others, which is said
        when the data are known.

    Returns
    -------
    PairIndex
        Its value is the Shapley value of the same sets. With T >= k every set is full, so that a
        value is negative exactly where the point brings less than those whose place it takes.

    Raises
    ------
    ParameterError
        If ``at_least`` is no whole number of at least 0.

    References
    ----------
    Values of data: Yang et al. (2024), "On the inflation of KNN-Shapley value", arXiv:2405.17489.
    """
    least = check_number("at_least", at_least, "a whole number of at least 0", _is_size)
    return PairIndex("calibrated", (least,))


def _is_size(value: float) -> bool:
    return value >= 0 and value.is_integer()


def leave_two_out() -> PairIndex:
    """Return the index that asks all other points alone: what v(N) says of a pair.

    Returns
    -------
    PairIndex
        Its value is the leave-one-out value, v(N) - v(N without it).
    """
    return PairIndex("leave_two_out")


#: Which index a kind of value belongs to; that of SII is that of STII.
INDEX_OF_VALUE: dict[ValueKind, PairIndex] = {
    "shapley": SII,
    "banzhaf": BII,
    "leave_one_out": leave_two_out(),
}

_MAKERS: dict[str, tuple[Any, int]] = {
    "weighted_banzhaf": (weighted_banzhaf, 1),
    "beta": (beta, 2),
    "calibrated": (calibrated, 1),
    "leave_two_out": (leave_two_out, 0),
}
_CALL = re.compile(r"(\w+)\(([^()]*)\)")


def index_of(index: Any) -> PairIndex:
    """Return the index that is meant by a `PairIndex` or by its name, such as "beta(4, 1)".

    Parameters
    ----------
    index : str or PairIndex

    Returns
    -------
    PairIndex

    Raises
    ------
    ParameterError
        If there is no such index, or a number of it is out of range.
    """
    if isinstance(index, PairIndex):
        return index
    if isinstance(index, str):
        if index in INDICES:
            return PairIndex(index)
        call = _CALL.fullmatch(index)
        if call is not None and call[1] in _MAKERS:
            maker, count = _MAKERS[call[1]]
            try:
                numbers = [float(text) for text in call[2].split(",") if text.strip()]
            except ValueError:
                numbers = []
            if len(numbers) == count:
                made: PairIndex = maker(*numbers)
                return made
    raise ParameterError(
        "index must be one of 'STII', 'SII', 'BII', or an index of stiknn_core.games such as "
        f"games.beta(4, 1); got {index!r:.60}."
    )


def value_of(kind: Any) -> PairIndex:
    """Return the index whose value is meant by a kind of value or by an index."""
    if isinstance(kind, str) and kind in INDEX_OF_VALUE:
        return INDEX_OF_VALUE[kind]
    if isinstance(kind, PairIndex):
        return kind
    known = ", ".join(map(repr, INDEX_OF_VALUE))
    raise ParameterError(
        f"kind must be one of {known}, or an index of stiknn_core.games; got {kind!r:.60}."
    )
