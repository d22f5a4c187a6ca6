"""Before computing: splitting off a test set and bringing columns to one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stiknn_core.duplicates import count_repeats
from stiknn_core.errors import FeatureError, ParameterError, ShapeError
from stiknn_core.phrases import counted, listed
from stiknn_core.plane import Plane, project_2d
from stiknn_core.types import Block, FloatArray, IntArray, Notice, Scaling, read_only
from stiknn_core.validation.features import check_features
from stiknn_core.validation.labels import encode_labels
from stiknn_core.validation.settings import check_choice, check_real, check_seed

__all__ = [
    "SCALINGS",
    "Plane",
    "Split",
    "holdout_split",
    "project_2d",
    "repeats_notice",
    "scale_features",
    "spread_notice",
]

SCALINGS: tuple[Scaling, ...] = get_args(Scaling)

_WIDE_SPREAD = 100.0
# Beyond this the squares that a standard deviation needs overflow.
_LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows.

    Attributes
    ----------
    train, test : (n_train,), (n_test,) int64, read-only, sorted
        Positions; together each row once.
    notices : tuple of str
        Plain sentences a person should see.
    """

    train: IntArray
    test: IntArray
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        object.__setattr__(self, "train", read_only(np.asarray(self.train, dtype=np.int64)))
        object.__setattr__(self, "test", read_only(np.asarray(self.test, dtype=np.int64)))


def holdout_split(y: ArrayLike, share: float, seed: int) -> Split:
    """Draw a test set that holds about the same share of every class.

    ``round(share * n)`` rows become test rows, spread over the classes by largest
    remainder. Every class keeps at least one training row, so a class of a single row goes
    to training, with a notice; classes without test rows are named.

    Parameters
    ----------
    y : (n,) labels of any one kind
    share : float
        Share of test rows, above 0 and below 1.
    seed : int
        0 to 2**32 - 1. The same input gives the same split.

    Returns
    -------
    Split

    Raises
    ------
    ParameterError
        If share or seed is impossible, or the share leaves one side empty.
    ShapeError
        If there are fewer than two rows, or every class has a single row.
    LabelError
        If labels are missing.

    Notes
    -----
    O(n log n).
    """
    share = check_real("share", share, 0, 1)
    seed = check_seed(seed)
    classes, codes = encode_labels(np.asarray(y))
    n = len(codes)
    if n < 2:
        raise ShapeError(f"a split needs at least 2 rows; got {n}. Add rows.")
    wanted = int(share * n + 0.5)
    if not 0 < wanted < n:
        side = "test" if wanted == 0 else "training"
        raise ParameterError(
            f"share = {share:g} of {n} rows leaves no {side} row; "
            f"choose a share between {0.5 / n:.2g} and {1 - 0.5 / n:.2g}."
        )
    counts = np.bincount(codes, minlength=len(classes))
    test_counts = _test_counts(counts, wanted)
    if not test_counts.any():
        raise ShapeError(
            f"every one of the {n} classes has a single row, so no row can be spared for "
            "testing; use leave-one-out testing, or other labels."
        )
    rng = np.random.default_rng(seed)
    test = [
        rng.permutation(np.flatnonzero(codes == code))[: test_counts[code]]
        for code in range(len(classes))
    ]
    chosen = np.sort(np.concatenate(test))
    return Split(
        train=np.setdiff1d(np.arange(n), chosen),
        test=chosen,
        notices=_split_notices(classes, counts, test_counts),
    )


def scale_features(
    X_train: ArrayLike,
    X_test: ArrayLike | None = None,
    scaling: Scaling = "standard",
    blocks: Sequence[Block] = (),
) -> tuple[FloatArray, FloatArray | None]:
    """Bring columns to one scale, measured on the training rows alone.

    Columns of one block mean nothing alone, so that a block is shifted to mean 0 and divided by
    one number; distances within it keep their proportions. A block of words then weighs as much
    as one single column (their mean variance; 1 where there is none), every other block as much
    as all single columns and blocks of words together, so that neither drowns the other in
    Euclidean distances.

    Parameters
    ----------
    X_train : (n, d) numbers
        Not changed.
    X_test : (t, d) numbers or None
        Scaled with what was learnt from ``X_train``. Not changed.
    scaling : {"none", "standard", "robust", "minmax"}
        "standard": mean 0, standard deviation 1. "robust": median 0, interquartile range
        1. "minmax": training rows in [0, 1]. Columns without any spread are only shifted,
        never divided by zero.
    blocks : sequence of Block
        Columns that belong together, as in ``Dataset.blocks``; none twice. With "none" they are
        left as they are too.

    Returns
    -------
    X_train, X_test : float64 copies
        None for ``X_test`` if None was given.

    Raises
    ------
    ParameterError
        If ``scaling`` is unknown.
    FeatureError
        If cells are missing, infinite, not numeric, or too large to be scaled.
    ShapeError
        If a set is empty, the numbers of columns differ, or blocks do not fit the columns.

    Notes
    -----
    O(n d); for medians and quartiles O(d n log n).
    """
    check_choice("scaling", scaling, SCALINGS)
    train = check_features(X_train, "X_train").X
    single = _single_columns(train.shape[1], blocks)
    test = None if X_test is None else check_features(X_test, "X_test").X
    if test is not None and test.shape[1] != train.shape[1]:
        raise ShapeError(
            f"training and test rows must have the same columns; got {train.shape[1]} "
            f"and {test.shape[1]}."
        )
    if scaling == "none":
        return train.copy(), None if test is None else test.copy()
    if max(np.abs(part).max() for part in (train, test) if part is not None) > _LARGEST:
        raise FeatureError(
            f"features above {_LARGEST:g} cannot be scaled; divide those columns first."
        )
    # Imported here, as everything of scikit-learn that reading a table does not need.
    from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

    scaler: Any = {"standard": StandardScaler, "robust": RobustScaler, "minmax": MinMaxScaler}[
        scaling
    ]()
    if not blocks:
        train = scaler.fit_transform(train)
        return train, None if test is None else scaler.transform(test)
    parts = [train.copy()] if test is None else [train.copy(), test.copy()]
    if single.any():
        parts[0][:, single] = scaler.fit_transform(train[:, single])
        if test is not None:
            parts[1][:, single] = scaler.transform(test[:, single])
    varies = single & (train.min(axis=0) < train.max(axis=0))
    varying = int(varies.sum())
    unit = float(parts[0][:, varies].var(axis=0).mean()) if varying else 1.0
    columns = varying + sum(block.kind == "words" for block in blocks)
    for block in blocks:
        place = slice(block.start, block.stop)
        mean, spread = train[:, place].mean(axis=0), _spread(train[:, place])
        wanted = unit if block.kind == "words" else unit * max(columns, 1)
        for part in parts:
            part[:, place] -= mean
            part[:, place] *= np.sqrt(wanted) / spread if spread > 0 else 1.0
    return parts[0], None if test is None else parts[1]


def _single_columns(width: int, blocks: Sequence[Block]) -> NDArray[np.bool_]:
    """Tell which columns are in no block; refuse blocks that overlap or leave the table."""
    single: NDArray[np.bool_] = np.ones(width, dtype=bool)
    for block in blocks:
        if not 0 <= block.start < block.stop <= width or not single[block.start : block.stop].all():
            raise ShapeError(
                f"blocks must lie apart from each other within {counted(width, 'column')}; got "
                f"columns {block.start} to {block.stop - 1} of {block.column!r}. Take the blocks "
                "of the data set that the features come from."
            )
        single[block.start : block.stop] = False
    return single


def _spread(values: FloatArray) -> float:
    """Return the square root of the total variance; 0 where all rows are equal."""
    if (values == values[0]).all():
        return 0.0  # where the variance may be one rounding error
    largest = float(np.abs(values).max())
    return float(np.sqrt((values / largest).var(axis=0).sum()) * largest)  # no square overflows


def spread_notice(
    X: ArrayLike, feature_names: Sequence[str] | None = None, blocks: Sequence[Block] = ()
) -> str | None:
    """Warn if one column's spread is more than 100 times another's.

    Parameters
    ----------
    X : (n, d) numbers
        Raw features.
    feature_names : sequence of d str, optional
        Names for the sentence; "column 1", ... if left out.
    blocks : sequence of Block
        Columns that belong together, as in ``Dataset.blocks``: one column each, with their
        spreads as one.

    Returns
    -------
    str or None
        One sentence, or None if all is well. Constant columns do not count.

    Raises
    ------
    FeatureError
        If cells are missing, infinite or not numeric.
    ShapeError
        If X is empty, or names or blocks do not fit.
    """
    features = check_features(X, "X").X
    names = feature_names or [f"column {i + 1}" for i in range(features.shape[1])]
    if len(names) != features.shape[1]:
        raise ShapeError(f"expected {features.shape[1]} feature names; got {len(names)}.")
    # A constant column may get a standard deviation of one rounding error, so it is
    # recognised by its range.
    single = _single_columns(len(names), blocks)
    varies = np.flatnonzero(single & (features.min(axis=0) < features.max(axis=0)))
    largest = np.abs(features[:, varies]).max(axis=0)
    spread = (features[:, varies] / largest).std(axis=0) * largest  # no square overflows
    told = [(float(width), names[at]) for width, at in zip(spread, varies.tolist(), strict=True)]
    together = [(_spread(features[:, block.start : block.stop]), block.column) for block in blocks]
    told += [(width, column) for width, column in together if width > 0]
    if len(told) < 2:
        return None
    (least, low), (most, high) = (find(told, key=lambda one: one[0]) for find in (min, max))
    if not most > _WIDE_SPREAD * least:
        return None
    return (
        f"Column spreads differ by more than {_WIDE_SPREAD:g} times "
        f"({high}: {most:.3g}, {low}: {least:.3g}), so the widest columns decide who is near; "
        "consider scaling the features."
    )


def repeats_notice(X_train: FloatArray, X_test: FloatArray) -> Notice | None:
    """Warn of test rows that equal a training row in every feature.

    Parameters
    ----------
    X_train, X_test : (n, d), (t, d) float64

    Returns
    -------
    Notice or None
        Of the kind "repeated rows"; None if there are none. O((n + t) d).
    """
    repeats = count_repeats(X_train, X_test)
    if not repeats:
        return None
    rows = counted(repeats, "test row repeats", "test rows repeat")
    said = f"{rows} a training row, so the test set knows some answers already."
    return Notice(said, "repeated rows")


def _test_counts(counts: IntArray, wanted: int) -> IntArray:
    """Spread ``wanted`` test rows over classes, leaving each at least one row."""
    exact = wanted * counts / counts.sum()
    spare = counts - 1
    chosen: IntArray = np.minimum(np.floor(exact).astype(np.int64), spare)
    short = min(wanted, int(spare.sum())) - int(chosen.sum())
    while short > 0:
        # The class furthest below its exact share comes next; the first one on a draw.
        gap = np.where(chosen < spare, exact - chosen, -np.inf)
        chosen[int(np.round(gap, 9).argmax())] += 1
        short -= 1
    return chosen


def _split_notices(
    classes: tuple[Any, ...], counts: IntArray, test_counts: IntArray
) -> tuple[str, ...]:
    single = [name for name, count in zip(classes, counts, strict=True) if count == 1]
    untested = [
        name
        for name, count, test in zip(classes, counts, test_counts, strict=True)
        if test == 0 and count > 1
    ]
    notices = []
    if single:
        notices.append(
            f"Classes with a single row went to training and have no test rows: {listed(single)}."
        )
    if untested:
        notices.append(
            f"Classes without test rows at this share: {listed(untested)}; "
            "their points are tested only against other classes."
        )
    return tuple(notices)
