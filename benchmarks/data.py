"""What is measured on: two noisy circles, one inside the other, and files of others."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stiknn_core.tables import read_table
from stiknn_core.types import Dataset

Sample = tuple[NDArray[np.float64], NDArray[np.int64]]


def circles(n: int, seed: int, noise: float = 0.1) -> Sample:
    """Return features (n, 2) and labels (n,), 0 outside and 1 inside, in random order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = np.where(y == 0, 1.0, 0.5)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + rng.normal(0, noise, (n, 2)), y


def problem(n: int, t: int) -> tuple[Sample, Sample]:
    """Return n training and t test points.

    The seeds give no test point that is as far from a point of one class as from one of
    the other, within the tolerance for ties, at n = 2000 and t = 500: there every way to
    order the points has to give the same matrix.
    """
    return circles(n, seed=1), circles(t, seed=4)


def read_csv(path: Path) -> Dataset:
    """Return the columns of numbers of a table, or without any what `read_table` proposes.

    Its label is in the column ``y``.
    """
    with warnings.catch_warnings():
        # Told on screen where people choose columns; here the proposal is taken as it is.
        warnings.simplefilter("ignore")
        table = read_table(path).with_label("y")
        return table.to_dataset(features=table.columns_with("feature") or None)
