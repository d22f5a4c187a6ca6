"""Check that rows belong together: features with labels, test features with training features."""

from __future__ import annotations

from typing import Any

import pandas as pd

from stiknn_core.errors import FeatureError, LabelError, ShapeError
from stiknn_core.phrases import counted
from stiknn_core.validation.features import Features, check_features
from stiknn_core.validation.frames import is_bunch
from stiknn_core.validation.labels import Labels, check_labels


def check_rows(X: Any, y: Any) -> tuple[Features, Labels]:
    """Return checked features and labels of a training set."""
    labels = check_labels(labels_for(X, y), "y")
    refuse_other_index(X, y, "X", "y")
    train = check_features(X, "X")
    same_length(train, labels, "X", "y")
    return train, labels


def labels_for(X: Any, y: Any) -> Any:
    """Return the labels that were given, or else those that a Bunch brings with its features."""
    return X if y is None and is_bunch(X) else y


def same_length(features: Features, labels: Labels, x_name: str, y_name: str) -> None:
    """Refuse features and labels of different numbers of rows."""
    if len(features.X) != len(labels.values):
        raise ShapeError(
            f"There must be one label per row; {x_name} has {counted(len(features.X), 'row')} and "
            f"{y_name} has {counted(len(labels.values), 'label')}."
        )


def refuse_other_index(X: Any, y: Any, x_name: str, y_name: str) -> None:
    """Refuse to guess whether rows pair by index or by position."""
    if not (isinstance(X, pd.DataFrame) and isinstance(y, pd.Series | pd.DataFrame)):
        return
    if len(X) == len(y) and not X.index.equals(y.index):
        raise LabelError(
            f"{x_name} and {y_name} must have the same index in the same order; they differ. "
            f"Pass {y_name}.loc[{x_name}.index] to pair rows by index, or {y_name}.to_numpy() "
            "to pair them by position."
        )


def check_same_features(X_test: Any, train: Features) -> Features:
    """Return checked features of a test set, which are those of the training set."""
    test = check_features(X_test, "X_test", train.columns, train.X.shape[1])
    if test.X.shape[1] != train.X.shape[1]:
        raise FeatureError(
            "X and X_test must have the same features; X has "
            f"{counted(train.X.shape[1], 'column')} and X_test has {test.X.shape[1]:,}."
        )
    return test
