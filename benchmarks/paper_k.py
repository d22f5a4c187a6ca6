"""What k does to the matrix: correlation between matrices, and their standard deviation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.paper_data import Split
from benchmarks.paper_findings import DataSetRow, Finding, number
from stiknn_core import interactions
from stiknn_core.types import FloatArray, Ties

#: The paper's range.
KS = tuple(range(3, 21))
CLAIMED = 0.99
#: The pairs of k in the paper's appendix, by title in its table.
APPENDIX = {"Circle": (9, 20), "Moon": (3, 7), "Click": (5, 15), "MonksV2": (3, 4)}


@dataclass(frozen=True)
class Sweep:
    """Pearson correlations and standard deviations (likelihood) of matrices over a range of k.

    ``pairs`` is of the interactions of pairs (i < j), ``whole`` of matrices with their diagonal.
    """

    ks: tuple[int, ...]
    pairs: FloatArray
    whole: FloatArray
    pairs_deviation: FloatArray
    whole_deviation: FloatArray

    def between(self, first: int, second: int) -> tuple[float, float]:
        """Return the correlation of two k: of pairs alone, and of whole matrices."""
        a, b = self.ks.index(first), self.ks.index(second)
        return float(self.pairs[a, b]), float(self.whole[a, b])


def sweep(split: Split, ks: Sequence[int] = KS, *, as_given: bool = False) -> Sweep:
    """Compute the matrix for every k and compare all of them; O(len(ks) t n²).

    ``as_given`` leaves the columns in their own units and breaks ties by row order, as a plain
    reading of the paper would.
    """
    X, X_test = (split.X, split.X_test) if as_given else split.scaled()
    ties: Ties = "index" if as_given else "expected"
    rows, cols = np.triu_indices(len(X))
    upper = np.empty((len(ks), len(rows)))
    for place, k in enumerate(ks):
        matrix = interactions(X, split.y, X_test, split.y_test, k=k, ties=ties).matrix
        upper[place] = matrix[rows, cols]
    is_pair = rows < cols
    # A whole matrix has each pair twice, in both triangles.
    whole = np.cov(upper, fweights=1 + is_pair, ddof=0)
    pairs = np.cov(upper[:, is_pair], ddof=0)
    deviations = [np.sqrt(np.diag(moments)) for moments in (pairs, whole)]
    correlations = [
        moments / np.outer(deviation, deviation)
        for moments, deviation in zip((pairs, whole), deviations, strict=True)
    ]
    return Sweep(tuple(ks), *correlations, *deviations)


def exponent(ks: Sequence[int], deviation: FloatArray) -> float:
    """Return the slope of log deviation over log k; -1 is inversely proportional."""
    return float(np.polyfit(np.log(ks), np.log(deviation), 1)[0])


def data_set_row(split: Split, found: Sweep, plain: Sweep) -> DataSetRow:
    """Return the line of one data set."""
    return DataSetRow(
        title=split.title,
        source=split.source if split.listed else f"{split.source}; not in the paper",
        listed=split.listed,
        train=len(split.X),
        test=len(split.X_test),
        features=split.X.shape[1],
        classes=len(np.unique(split.y)),
        pairs=_rounded(found.pairs.min()),
        ends=_rounded(found.between(found.ks[0], found.ks[-1])[0]),
        whole=_rounded(found.whole.min()),
        as_given=_rounded(plain.pairs.min()),
        slope=round(exponent(found.ks, found.pairs_deviation), 2),
    )


def findings(rows: Sequence[DataSetRow], sweeps: dict[str, Sweep]) -> list[Finding]:
    """Return what the sweeps say of the paper's three claims about k."""
    measured = [row for row in rows if row.present and row.listed]
    above = sum(row.pairs > CLAIMED for row in measured if row.pairs is not None)
    least = min(measured, key=lambda row: row.pairs or 0.0)
    whole = min(measured, key=lambda row: row.whole or 0.0)
    slopes = [row.slope for row in measured if row.slope is not None]
    of_listed = [sweeps[row.title] for row in measured]
    whole_slopes = [exponent(found.ks, found.whole_deviation) for found in of_listed]
    shown = {title: ks for title, ks in APPENDIX.items() if title in sweeps}
    pairs_r, whole_r = zip(
        *(sweeps[title].between(*ks) for title, ks in shown.items()), strict=True
    )
    looked_at = ", ".join(
        f"{title} {first} and {second} r = {r:.3f}"
        for (title, (first, second)), r in zip(shown.items(), pairs_r, strict=True)
    )
    circle = sweeps["Circle"]
    before, after = (circle.pairs_deviation[circle.ks.index(k)] for k in APPENDIX["Circle"])
    return [
        Finding(
            "k hardly matters: pairs",
            f"for all k from {KS[0]} to {KS[-1]}, any two matrices correlate with r > {CLAIMED}",
            f"r > {CLAIMED} for every two k on {above} of {len(measured)} data sets; the least is "
            f"{least.pairs:.3f} ({least.title})",
            "yes" if above == len(measured) else "in part" if above else "no",
        ),
        Finding(
            "k hardly matters: flattened matrices",
            "the same, of matrices flattened as they are",
            f"with the diagonal, which outweighs all pairs, the least r is {whole.whole:.3f} "
            f"({whole.title})",
            "yes" if (whole.whole or 0.0) > CLAIMED else "in part",
        ),
        Finding(
            "k of the appendix",
            "matrices for two k are alike to the eye, r > 0.99",
            f"pairs: {looked_at}; whole matrices: at least {min(whole_r):.3f}",
            "yes" if min(pairs_r) > CLAIMED else "in part",
        ),
        Finding(
            "standard deviation",
            "inversely proportional to k",
            f"pairs: between k^{max(slopes):.2f} and k^{min(slopes):.2f}; whole matrices: between "
            f"k^{max(whole_slopes):.2f} and k^{min(whole_slopes):.2f}",
            "in part",
        ),
        Finding(
            "scale of circle",
            "from k = 9 to k = 20 only the scale changes",
            f"deviation of pairs {number(before)} and {number(after)}, a factor of "
            f"{before / after:.2f} where 20/9 = {20 / 9:.2f}",
            "in part",
        ),
    ]


def _rounded(value: float) -> float:
    return round(float(value), 3)
