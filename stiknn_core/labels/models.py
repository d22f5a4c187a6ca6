"""What a model that has not seen a row says of its label: a straight line between the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from stiknn_core.engine.threads import Progress, cut, silent
from stiknn_core.preparation import scale_features
from stiknn_core.types import FloatArray, IntArray
from stiknn_core.validation.rows import check_rows
from stiknn_core.validation.settings import check_seed

FOLDS = 5
#: Steps of the optimiser in one fold; it mostly stops earlier.
MOST_STEPS = 100
#: Numbers that one step may read, rows x classes x (columns + 20): a tenth of a second or so.
WORK = 20_000_000
FEWEST_ROWS = 2_000
#: More classes are put into so many groups, other ones in every fold, so that neither time nor
#: memory grows with them. A wrong label falls into the group of the right one in 1 of 64 cases.
MOST_CLASSES = 64
#: Rows whose scores of all classes are held at once.
_BLOCK = 4096


def model_confidence(
    X: Any, y: Any, *, seed: int = 0, progress: Progress | None = None
) -> FloatArray:
    """Return the probability of each given label by a model trained without its row.

    Logistic regression on standardised columns, in five folds that hold the same share of every
    class: a smooth model, which a few wrong labels beside each other do not bend.

    Parameters
    ----------
    X : (n, d) array or DataFrame
        Features: finite numbers in any units.
    y : (n,) labels
        Of any one kind, as in `stiknn_core.interactions`.
    seed : int, default 0
        0 to 2**32 - 1: which rows form a fold.
    progress : callable or None
        Called with (done, total) of steps after every step, tenths of a second apart; what it
        raises stops the work.

    Returns
    -------
    (n,) float64
        In [0, 1]; low = suspicious. 0 for a class that the other folds have no row of, 1 where
        there is one class alone.

    Raises
    ------
    StiknnError
        If features or labels are not usable, or the seed is impossible.

    Notes
    -----
    The penalty is half the squared length of the coefficients, scikit-learn's default. Where rows
    times classes times columns are many, a fold is trained on a sample of the rows. With more than
    64 classes a fold tells 64 random groups of them apart, and the probability is that of the
    group.

    O(d) time a row and class for each of at most 100 steps a fold, bounded for training, and
    O(n d) memory.

    References
    ----------
    Out-of-sample probability of the given label: Northcutt, Jiang and Chuang (2021), "Confident
    learning", there called self-confidence.
    """
    seed = check_seed(seed)
    rows, labels = check_rows(X, y)
    codes = labels.codes(labels.classes)
    confidence = np.ones(len(codes))
    report, total = progress or silent, FOLDS * MOST_STEPS
    report(0, total)
    if len(labels.classes) > 1:
        # Numbers near the largest there are have no square.
        largest = np.abs(rows.X).max(axis=0)
        scaled, _ = scale_features(rows.X / np.where(largest > 0, largest, 1.0))
        rng = np.random.default_rng(seed)
        fold = _folds(codes, rng)
        for one in range(FOLDS):
            held = np.flatnonzero(fold == one)
            told = _groups(codes, rng)
            seen = _sample(np.flatnonzero(fold != one), scaled.shape[1], told, rng)
            classes, seen_codes = np.unique(told[seen], return_inverse=True)
            done = one * MOST_STEPS

            def step(taken: int, done: int = done) -> None:
                report(done + taken, total)

            weights = _logistic(scaled[seen], seen_codes, len(classes), step)
            confidence[held] = _own_probability(scaled, held, told, weights, classes)
            report(done + MOST_STEPS, total)
    report(total, total)
    return confidence


def _folds(codes: IntArray, rng: np.random.Generator) -> IntArray:
    """Deal the rows of every class in turn to the folds, in random order."""
    order = rng.permutation(len(codes))
    by_class = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(len(codes), dtype=np.int64)
    fold[by_class] = np.arange(len(codes)) % FOLDS
    return fold


def _groups(codes: IntArray, rng: np.random.Generator) -> IntArray:
    n_classes = int(codes.max()) + 1
    if n_classes <= MOST_CLASSES:
        return codes
    return rng.permutation(n_classes)[codes] % MOST_CLASSES


def _sample(seen: IntArray, n_columns: int, told: IntArray, rng: np.random.Generator) -> IntArray:
    most = WORK // ((n_columns + 20) * (int(told.max()) + 1))
    most = max(FEWEST_ROWS, most)
    return seen if len(seen) <= most else np.sort(rng.choice(seen, most, replace=False))


def _logistic(X: FloatArray, codes: IntArray, n_classes: int, step: Any) -> FloatArray:
    """Return the weights (n_classes, d + 1) of logistic regression, the last one the intercept.

    Two classes share one vector of coefficients, of which each here has half: so the penalty counts
    twice.
    """
    n, d = X.shape
    if n_classes == 1:
        return np.zeros((1, d + 1))
    rows = np.arange(n)
    strength = (2.0 if n_classes == 2 else 1.0) / n
    taken = 0

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        weights = flat.reshape(n_classes, d + 1)
        scores = X @ weights[:, :d].T + weights[:, d]
        logs = scores - logsumexp(scores, axis=1, keepdims=True)
        value = -logs[rows, codes].mean() + strength / 2 * (weights[:, :d] ** 2).sum()
        apart = np.exp(logs)
        apart[rows, codes] -= 1.0
        slope = np.empty_like(weights)
        slope[:, :d] = apart.T @ X / n + strength * weights[:, :d]
        slope[:, d] = apart.mean(axis=0)
        return float(value), slope.ravel()

    def told(_: FloatArray) -> None:
        nonlocal taken
        taken += 1
        step(taken)

    # The stubs of scipy know no function that returns value and slope together.
    run: Any = minimize
    found = run(
        loss,
        np.zeros(n_classes * (d + 1)),
        jac=True,
        method="L-BFGS-B",
        callback=told,
        options={"maxiter": MOST_STEPS, "gtol": 1e-4},
    )
    return np.asarray(found.x).reshape(n_classes, d + 1)


def _own_probability(
    X: FloatArray, held: IntArray, told: IntArray, weights: FloatArray, classes: IntArray
) -> FloatArray:
    """Return the probability of the given class, some rows at a time; 0 for one not seen."""
    own = np.zeros(len(held))
    for start, stop in cut(0, len(held), _BLOCK):
        rows = held[start:stop]
        scores = X[rows] @ weights[:, :-1].T + weights[:, -1]
        place = np.searchsorted(classes, told[rows])
        known = np.isin(told[rows], classes)
        place[~known] = 0
        logs = scores[np.arange(len(rows)), place] - logsumexp(scores, axis=1)
        own[start:stop] = np.where(known, np.exp(logs), 0.0)
    return own
