"""Noise with known truth, for any data set: flips, copies, outliers, thinning.

All four take a ``Dataset`` and return a new one. They compose in any order, and the
truth stays right through it: ``flipped`` always holds exactly the rows whose label
differs from ``y_true``; ``copy_of`` and ``outliers`` follow their rows.

Every call draws from a stream of its own purpose. A larger share with the same seed
keeps what a smaller one drew and adds to it; a second call of the same kind draws
anew, even with the same seed. A share that comes to no row changes nothing. Shares
turn into counts by rounding half up.
"""

from __future__ import annotations

from dataclasses import replace
from math import floor
from typing import Any, Literal, get_args

import numpy as np

from stiknn_core.datasets._geometry import far_rows, nearest_other_class
from stiknn_core.datasets._rows import (
    changed_positions,
    grown,
    record,
    repeats,
)
from stiknn_core.datasets._streams import stream
from stiknn_core.errors import LabelError, ParameterError, ShapeError
from stiknn_core.phrases import listed
from stiknn_core.sampling import take_rows
from stiknn_core.types import Dataset, IntArray
from stiknn_core.validation.labels import encode_labels
from stiknn_core.validation.settings import check_choice, check_real, check_seed

FlipKind = Literal["uniform", "nearest", "asymmetric"]

FLIP_KINDS: tuple[FlipKind, ...] = get_args(FlipKind)
MAX_FLIP = 0.5
MAX_COPIES = 1.0
MAX_OUTLIERS = 0.5


def flip_labels(
    dataset: Dataset,
    share: float,
    seed: int,
    kind: FlipKind = "uniform",
    source: Any = None,
    target: Any = None,
) -> Dataset:
    """Change some labels to another class that occurs in the data.

    Parameters
    ----------
    dataset : Dataset
        Not changed.
    share : float
        0 to 0.5. For "asymmetric" the share of the rows of ``source``, else of all.
    seed : int
        0 to 2**32 - 1.
    kind : {"uniform", "nearest", "asymmetric"}, default "uniform"
        "uniform": any row, to any other class, all equally likely.
        "nearest": rows by the border, to the class of the nearest row of another
        class (features standardised); drawn from the ``2 * share`` of all rows that
        lie nearest to another class. The confusions a person would make.
        "asymmetric": only rows of ``source``, all to ``target``.
    source, target : label or None
        For "asymmetric" only: default the first class in sorted order, and the first
        other one.

    Returns
    -------
    Dataset
        With ``y_true`` the labels before any noise and ``flipped`` the rows where
        ``y`` differs from it. A row flipped back to its true class is not in
        ``flipped``.

    Raises
    ------
    ParameterError
        If a setting is impossible, or source or target is not a class of the data.
    LabelError
        If labels are missing, or there is only one class.

    Notes
    -----
    O(n), and a nearest-neighbour search per class for "nearest".
    """
    share = check_real("share", share, 0, MAX_FLIP)
    seed = check_seed(seed)
    check_choice("kind", kind, FLIP_KINDS)
    classes, codes = encode_labels(dataset.y)
    pair = _flip_pair(classes, kind, source, target)
    if share == 0:
        return dataset
    if len(classes) < 2:
        raise LabelError(
            f"flipping needs at least two classes; got {len(classes)} "
            f"({listed(classes)}). Choose other data or leave the flips at 0."
        )
    rng = stream(seed, "flip", repeats(dataset, "flip"))
    order = rng.permutation(dataset.n)
    shift = rng.integers(1, len(classes), size=dataset.n)
    if kind == "uniform":
        new_codes = (codes + shift) % len(classes)
        rows = order[: _count(share, dataset.n)]
    elif kind == "nearest":
        distance, new_codes = nearest_other_class(dataset.X, codes)
        near = np.argsort(distance, kind="stable")[: _count(2 * share, dataset.n)]
        rows = order[np.isin(order, near)][: _count(share, dataset.n)]
    else:
        of_source = order[codes[order] == pair[0]]
        new_codes = np.full(dataset.n, pair[1])
        rows = of_source[: _count(share, len(of_source))]

    # Labels are taken from rows that carry them, so any dtype keeps its own kind.
    carrier = np.array([np.flatnonzero(codes == code)[0] for code in range(len(classes))])
    y = dataset.y.copy()
    y[rows] = dataset.y[carrier[new_codes[rows]]]
    y_true = dataset.y if dataset.y_true is None else dataset.y_true
    step: dict[str, Any] = {"step": "flip", "share": share, "seed": seed, "kind": kind}
    if kind == "asymmetric":
        step |= {"source": classes[pair[0]], "target": classes[pair[1]]}
    return replace(
        dataset,
        y=y,
        y_true=y_true,
        flipped=changed_positions(y, y_true),
        params=record(dataset, step),
    )


def swap_targets(dataset: Dataset, share: float, seed: int) -> Dataset:
    """Give some rows the measured target of another row.

    Parameters
    ----------
    dataset : Dataset
        With ``measured``; not changed.
    share : float
        0 to 0.5, of all rows.
    seed : int
        0 to 2**32 - 1.

    Returns
    -------
    Dataset
        With ``y_true`` the targets before and ``flipped`` the rows where ``y`` differs.

    Raises
    ------
    ParameterError
        If a setting is impossible.

    Notes
    -----
    O(n). A row that gets an equal target is not in ``flipped``.
    """
    share = check_real("share", share, 0, MAX_FLIP)
    seed = check_seed(seed)
    if share == 0 or dataset.n < 2:
        return dataset
    rng = stream(seed, "flip", repeats(dataset, "flip"))
    order = rng.permutation(dataset.n)
    shift = rng.integers(1, dataset.n, size=dataset.n)
    rows = order[: _count(share, dataset.n)]
    y = dataset.y.copy()
    y[rows] = dataset.y[(rows + shift[rows]) % dataset.n]
    y_true = dataset.y if dataset.y_true is None else dataset.y_true
    return replace(
        dataset,
        y=y,
        y_true=y_true,
        flipped=changed_positions(y, y_true),
        params=record(dataset, {"step": "flip", "share": share, "seed": seed, "kind": "targets"}),
    )


def add_copies(dataset: Dataset, share: float, seed: int) -> Dataset:
    """Append exact copies of randomly drawn rows, labels included.

    Parameters
    ----------
    dataset : Dataset
        Not changed.
    share : float
        Copies to add, as a share of the rows there are, 0 to 1.
    seed : int
        0 to 2**32 - 1.

    Returns
    -------
    Dataset
        The old rows, then the copies. Copies and outliers are not copied again, so
        ``copy_of`` always points to an original. Up to one copy of each original
        before any gets a second. The copy of a flipped row is flipped too.

    Raises
    ------
    ParameterError
        If share or seed is impossible.
    """
    share = check_real("share", share, 0, MAX_COPIES)
    seed = check_seed(seed)
    count = _count(share, dataset.n)
    if count == 0:
        return dataset
    originals = _originals(dataset)
    drawn = stream(seed, "copies", repeats(dataset, "copies")).permutation(originals)
    rows = np.resize(drawn, count)
    step = {"step": "copies", "share": share, "seed": seed}
    return grown(dataset, dataset.X[rows], rows, copy_of=rows, word="copy", step=step)


def add_outliers(dataset: Dataset, share: float, seed: int) -> Dataset:
    """Append rows that lie far from all others, with labels drawn from the data.

    In units of each column's standard deviation, R is the distance from the centre to
    the farthest row; outliers lie in random directions at 1.5 R to 2 R, so at least
    R / 2 away from every row that is no outlier. Constant columns stay constant.

    Parameters
    ----------
    dataset : Dataset
        Not changed.
    share : float
        Outliers to add, as a share of the rows there are, 0 to 0.5.
    seed : int
        0 to 2**32 - 1.

    Returns
    -------
    Dataset
        The old rows, then the outliers, whose positions are in ``outliers``. Their
        labels count as true: they are odd in X, not in y.

    Raises
    ------
    ParameterError
        If share or seed is impossible.
    FeatureError
        If features are missing or infinite, or too large to go further out.
    """
    share = check_real("share", share, 0, MAX_OUTLIERS)
    seed = check_seed(seed)
    count = _count(share, dataset.n)
    if count == 0:
        return dataset
    rng = stream(seed, "outliers", repeats(dataset, "outliers"))
    originals = _originals(dataset)
    like = rng.choice(originals, size=count)
    X = far_rows(dataset.X[originals], count, rng)
    step = {"step": "outliers", "share": share, "seed": seed}
    return grown(dataset, X, like, copy_of=None, word="outlier", step=step)


def thin_class(dataset: Dataset, cls: Any, keep_share: float, seed: int) -> Dataset:
    """Drop part of one class at random, which makes the data unbalanced.

    Parameters
    ----------
    dataset : Dataset
        Not changed.
    cls : label
        The class to thin, by its given label.
    keep_share : float
        Share of its rows to keep, above 0, at most 1; one row always stays.
    seed : int
        0 to 2**32 - 1.

    Returns
    -------
    Dataset
        The rows that stay, in their old order, with their ids. Positions in
        ``flipped``, ``copy_of`` and ``outliers`` are renumbered. Where an original is
        gone, the first copy of it that stays takes its place.

    Raises
    ------
    ParameterError
        If a setting is impossible or no row has that label.
    """
    keep_share = check_real("keep_share", keep_share, 0, 1)
    if keep_share == 0:
        raise ParameterError("keep_share must be above 0; got 0. Drop the class from the file.")
    seed = check_seed(seed)
    classes, codes = encode_labels(dataset.y)
    code = _class_code(classes, "cls", cls)
    members = np.flatnonzero(codes == code)
    kept = max(1, _count(keep_share, len(members)))
    if kept == len(members):
        return dataset
    dropped = stream(seed, "thin", repeats(dataset, "thin")).permutation(members)[kept:]
    keep = np.setdiff1d(np.arange(dataset.n), dropped)
    step = {"step": "thin", "class": classes[code], "keep_share": keep_share, "seed": seed}
    return replace(take_rows(dataset, keep), params=record(dataset, step))


def _count(share: float, n: int) -> int:
    # 0.29 * 50 is 14.499999999999998: the tiny lift makes "half up" mean it.
    return min(n, floor(share * n + 0.5 + 1e-9))


def _originals(dataset: Dataset) -> IntArray:
    if dataset.n == 0:
        raise ShapeError("the data set has no rows; load or generate one with at least one row.")
    assert dataset.copy_of is not None  # filled in when a Dataset is made
    first = dataset.copy_of < 0
    first[dataset.outliers] = False
    rows = np.flatnonzero(first)
    return rows if len(rows) else np.arange(dataset.n)


def _class_code(classes: tuple[Any, ...], name: str, label: Any) -> int:
    if label not in classes:
        raise ParameterError(f"{name} must be one of the classes {listed(classes)}; got {label!r}.")
    return classes.index(label)


def _flip_pair(
    classes: tuple[Any, ...], kind: FlipKind, source: Any, target: Any
) -> tuple[int, int]:
    if kind != "asymmetric":
        if source is not None or target is not None:
            raise ParameterError(
                f"source and target belong to asymmetric flips; got kind={kind!r}. "
                "Leave them out or choose kind='asymmetric'."
            )
        return 0, 0
    if source is not None:
        first = _class_code(classes, "source", source)
    else:  # the first class, unless that one is the target
        first = int(target is not None and classes[0] == target and len(classes) > 1)
    if target is not None:
        second = _class_code(classes, "target", target)
    else:
        second = int(first == 0 and len(classes) > 1)
    if first == second and len(classes) > 1:
        raise ParameterError(f"source and target must differ; got {classes[first]!r} for both.")
    return first, second
