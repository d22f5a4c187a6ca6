"""Before computing: splitting off a test set and bringing columns to one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from stiknn_core.duplicates import count_repeats
from stiknn_core.errors import FeatureError, ParameterError, ShapeError
from stiknn_core.phrases import counted, listed
from stiknn_core.plane import Plane, project_2d
from stiknn_core.types import FloatArray, IntArray, Notice, Scaling, read_only
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
            "testing; use leave-one-out, or other labels."
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
    X_train: ArrayLike, X_test: ArrayLike | None = None, scaling: Scaling = "standard"
) -> tuple[FloatArray, FloatArray | None]:
    """Bring columns to one scale, measured on the training rows alone.

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
        If a set is empty, or the numbers of columns differ.
    """
    check_choice("scaling", scaling, SCALINGS)
    train = check_features(X_train, "X_train").X
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
    scaler: Any = {"standard": StandardScaler, "robust": RobustScaler, "minmax": MinMaxScaler}[
        scaling
    ]()
    train = scaler.fit_transform(train)
    return train, None if test is None else scaler.transform(test)


def spread_notice(X: ArrayLike, feature_names: Sequence[str] | None = None) -> str | None:
    """Warn if one column's spread is more than 100 times another's.

    Parameters
    ----------
    X : (n, d) numbers
        Raw features.
    feature_names : sequence of d str, optional
        Names for the sentence; "column 1", ... if left out.

    Returns
    -------
    str or None
        One sentence, or None if all is well. Constant columns do not count.

    Raises
    ------
    FeatureError
        If cells are missing, infinite or not numeric.
    ShapeError
        If X is empty or names do not fit.
    """
    features = check_features(X, "X").X
    names = feature_names or [f"column {i + 1}" for i in range(features.shape[1])]
    if len(names) != features.shape[1]:
        raise ShapeError(f"expected {features.shape[1]} feature names; got {len(names)}.")
    # A constant column may get a standard deviation of one rounding error, so it is
    # recognised by its range.
    varies = np.flatnonzero(features.min(axis=0) < features.max(axis=0))
    if len(varies) < 2:
        return None
    largest = np.abs(features[:, varies]).max(axis=0)
    spread = (features[:, varies] / largest).std(axis=0) * largest  # no square overflows
    low, high = int(spread.argmin()), int(spread.argmax())
    if not spread[high] > _WIDE_SPREAD * spread[low]:
        return None
    return (
        f"Column spreads differ by more than {_WIDE_SPREAD:g} times "
        f"({names[varies[high]]}: {spread[high]:.3g}, {names[varies[low]]}: "
        f"{spread[low]:.3g}), so the widest columns decide who is near; "
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
