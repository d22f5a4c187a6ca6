"""The kinds of wrong labels that scores are measured under, each a function of clean data.

All take standardised features (n, d), codes (n,) of the true classes and a generator, and return
the codes given instead. Where two classes do not exist nothing can be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MappingProxyType

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from benchmarks.quietly import quietly
from stiknn_core.types import FloatArray, IntArray

Noise = Callable[[FloatArray, IntArray, np.random.Generator], IntArray]

#: Share of the rows whose label is wrong, but for uniform noise, which comes in several.
SHARE = 0.1
#: More of one class would not be "some of them are mistaken".
MOST_OF_A_CLASS = 0.3
#: Rows of a cluster whose labels are wrong together.
RUN = 10


def uniform(
    X: FloatArray, codes: IntArray, rng: np.random.Generator, *, share: float = SHARE
) -> IntArray:
    """Take any rows, to any other class, all equally likely."""
    given = codes.copy()
    rows = rng.permutation(len(codes))[: _count(share, len(codes))]
    n_classes = int(codes.max()) + 1
    given[rows] = (codes[rows] + rng.integers(1, n_classes, size=len(rows))) % n_classes
    return given


def one_pair(X: FloatArray, codes: IntArray, rng: np.random.Generator) -> IntArray:
    """Take rows of one class, at most 30 % of it, all to one other class."""
    source, target = rng.permutation(int(codes.max()) + 1)[:2]
    members = rng.permutation(np.flatnonzero(codes == source))
    most = _count(MOST_OF_A_CLASS, len(members))
    given = codes.copy()
    given[members[: min(most, _count(SHARE, len(codes)))]] = target
    return given


def boundary(X: FloatArray, codes: IntArray, rng: np.random.Generator) -> IntArray:
    """Take rows that a forest trained on the other folds' true labels is unsure of, to its next.

    A row's weight is 1.02 minus the absolute margin, the probability of its class minus that
    of the likeliest other one.
    """
    model = RandomForestClassifier(100, min_samples_leaf=2, random_state=int(rng.integers(2**31)))
    folds = StratifiedKFold(5, shuffle=True, random_state=int(rng.integers(2**31)))
    with quietly():
        shares = cross_val_predict(model, X, codes, cv=folds, method="predict_proba")
    everyone = np.arange(len(codes))
    own = shares[everyone, codes]
    shares[everyone, codes] = -1.0
    # Where a forest knows of no other class, any is next.
    following = (shares + 1e-6 * rng.random(shares.shape)).argmax(axis=1)
    weight = 1.02 - np.abs(own - shares.max(axis=1))
    rows = rng.choice(len(codes), _count(SHARE, len(codes)), replace=False, p=weight / weight.sum())
    given = codes.copy()
    given[rows] = following[rows]
    return given


def clusters(X: FloatArray, codes: IntArray, rng: np.random.Generator) -> IntArray:
    """Take runs of the ten nearest rows of one class, each run to one wrong class."""
    n_classes = int(codes.max()) + 1
    given = codes.copy()
    left = _count(SHARE, len(codes))
    while left > 0:
        start = rng.choice(np.flatnonzero(given == codes))
        peers = np.flatnonzero((codes == codes[start]) & (given == codes))
        apart = ((X[peers] - X[start]) ** 2).sum(axis=1)
        run = peers[np.argsort(apart, kind="stable")[: min(RUN, left)]]
        given[run] = (codes[start] + rng.integers(1, n_classes)) % n_classes
        left -= len(run)
    return given


NOISES: MappingProxyType[str, Noise] = MappingProxyType(
    {
        "uniform 2 %": partial(uniform, share=0.02),
        "uniform 5 %": partial(uniform, share=0.05),
        "uniform 10 %": uniform,
        "uniform 20 %": partial(uniform, share=0.2),
        "one pair": one_pair,
        "boundary": boundary,
        "clusters": clusters,
    }
)
"""Every made kind by its name in the tables."""

REAL = "real"
"""The kind of sets that came with errors people made."""


def _count(share: float, n: int) -> int:
    """Return a share as a number of rows, at least one."""
    return max(1, round(share * n))
