"""Made-up data sets in the plane, with known truth about every kind of noise."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from stiknn_core.datasets._streams import stream
from stiknn_core.datasets.noise import (
    FLIP_KINDS,
    MAX_COPIES,
    MAX_FLIP,
    MAX_OUTLIERS,
    FlipKind,
    add_copies,
    add_outliers,
    flip_labels,
)
from stiknn_core.datasets.shapes import MANY_CLASSES, SHAPES
from stiknn_core.errors import ParameterError
from stiknn_core.types import Dataset
from stiknn_core.validation.settings import check_between, check_choice, check_real, check_seed

Kind = Literal["circles", "moons", "blobs", "xor", "spirals"]

KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_ROWS = 100_000
MAX_CLASSES = 10
MAX_NOISE = 10.0
MAX_IMBALANCE = 0.95


def make_dataset(
    kind: Kind,
    n: int = 300,
    noise: float = 0.1,
    seed: int = 0,
    *,
    n_classes: int = 2,
    imbalance: float = 0.0,
    flip: float = 0.0,
    flip_kind: FlipKind = "uniform",
    flip_source: int | None = None,
    flip_target: int | None = None,
    copies: float = 0.0,
    outliers: float = 0.0,
) -> Dataset:
    """Generate a labelled data set with two features.

    The points come first, then labels are flipped, then copies are added, then
    outliers. Each step has a random stream of its own: changing ``flip`` moves no
    point, and changing ``noise`` moves every point along its own line. The result is
    what ``add_outliers(add_copies(flip_labels(make_dataset(...), ...)))`` gives with
    the same seed.

    Parameters
    ----------
    kind : {"circles", "moons", "blobs", "xor", "spirals"}
        Shape of the classes.
    n : int, default 300
        Rows before copies and outliers are added; from ``2 * n_classes`` to 100,000.
        The result has exactly ``n + round(copies * n) + round(outliers * m)`` rows,
        m being the number of rows after the copies.
    noise : float, default 0.1
        Standard deviation of the Gaussian jitter on both features, in their units
        (the shapes are 1 to 2 units wide), 0 to 10.
    seed : int, default 0
        0 to 2**32 - 1. The same settings give the same bits in any process.
    n_classes : int, default 2
        2 to 10 for blobs and spirals; the others have two classes.
    imbalance : float, default 0.0
        How much smaller class 0 is than the last class: 0 = all equal, 0.9 = a tenth
        of its size. Classes between them are spaced evenly. 0 to 0.95; every class
        keeps at least one row.
    flip : float, default 0.0
        Share of labels to change, 0 to 0.5; see ``flip_labels``.
    flip_kind : {"uniform", "nearest", "asymmetric"}, default "uniform"
        How the new labels are chosen; see ``flip_labels``.
    flip_source, flip_target : int or None
        For ``flip_kind="asymmetric"``: the class to take from (default the first) and
        the class to put in its place (default the first other one).
    copies : float, default 0.0
        Exact copies to add, as a share of n, 0 to 1; see ``add_copies``.
    outliers : float, default 0.0
        Far-off rows to add, as a share, 0 to 0.5; see ``add_outliers``.

    Returns
    -------
    Dataset
        Labels are int64 codes 0..n_classes-1. ``y_true`` holds the labels before the
        flips; ``params`` all the settings above and, under ``"steps"``, the noise.

    Raises
    ------
    ParameterError
        If a setting is impossible; the message names it and its value.
    """
    check_choice("kind", kind, KINDS)
    n_classes = check_between("n_classes", n_classes, 2, MAX_CLASSES)
    if n_classes > 2 and kind not in MANY_CLASSES:
        raise ParameterError(
            f"n_classes must be 2 for {kind}; got {n_classes}. "
            "Choose blobs or spirals for more classes."
        )
    n = check_between("n", n, 2 * n_classes, MAX_ROWS)
    noise = check_real("noise", noise, 0, MAX_NOISE)
    imbalance = check_real("imbalance", imbalance, 0, MAX_IMBALANCE)
    seed = check_seed(seed)
    flip = check_real("flip", flip, 0, MAX_FLIP)
    check_choice("flip_kind", flip_kind, FLIP_KINDS)
    copies = check_real("copies", copies, 0, MAX_COPIES)
    outliers = check_real("outliers", outliers, 0, MAX_OUTLIERS)

    rng = stream(seed, "points")
    X, codes = SHAPES[kind](class_sizes(n, n_classes, imbalance), rng)
    X = X + noise * rng.standard_normal(X.shape)
    shuffled = rng.permutation(n)
    y = codes[shuffled]
    settings: dict[str, Any] = {
        "generator": kind,
        "n": n,
        "noise": noise,
        "seed": seed,
        "n_classes": n_classes,
        "imbalance": imbalance,
        "flip": flip,
        "flip_kind": flip_kind,
        "flip_source": flip_source,
        "flip_target": flip_target,
        "copies": copies,
        "outliers": outliers,
    }
    made = Dataset(
        X=X[shuffled],
        y=y,
        name=kind,
        feature_names=("x1", "x2"),
        ids=np.arange(n),
        y_true=y.copy(),
        params=settings,
    )
    made = flip_labels(made, flip, seed, kind=flip_kind, source=flip_source, target=flip_target)
    return add_outliers(add_copies(made, copies, seed), outliers, seed)


def class_sizes(n: int, n_classes: int, imbalance: float) -> list[int]:
    """Split n rows over the classes so that they add up to n exactly.

    Class c gets a share proportional to ``1 - imbalance * (C - 1 - c) / (C - 1)``,
    rounded by largest remainder (lower class first on a draw), and at least one row.
    """
    weights = 1 - imbalance * np.linspace(1, 0, n_classes)
    exact = n * weights / weights.sum()
    sizes = np.floor(exact).astype(np.int64)
    remainder = np.round(exact - sizes, 9)
    short = n - int(sizes.sum())
    sizes[np.argsort(-remainder, kind="stable")[:short]] += 1
    while sizes.min() < 1:
        sizes[sizes.argmin()] += 1
        sizes[sizes.argmax()] -= 1
    return [int(size) for size in sizes]
