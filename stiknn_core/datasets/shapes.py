"""The point clouds: one function per shape, all with the same signature.

Each takes the number of points per class and a generator, and returns
``(X, codes)`` sorted by class, without jitter: X (n, 2) float64, codes (n,) int64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons

from stiknn_core.types import FloatArray, IntArray

Shape = Callable[[list[int], np.random.Generator], tuple[FloatArray, IntArray]]

_BLOB_SPREAD = 0.4
_SPIRAL_RADIUS = 2.0


def circles(sizes: list[int], rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Two rings around the origin: class 0 of radius 1, class 1 of radius 0.5."""
    X, codes = make_circles(n_samples=(sizes[0], sizes[1]), factor=0.5, shuffle=False)
    return X, codes.astype(np.int64)


def moons(sizes: list[int], rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Two interleaved half circles of radius 1; class 0 is the upper one."""
    X, codes = make_moons(n_samples=(sizes[0], sizes[1]), shuffle=False)
    return X, codes.astype(np.int64)


def blobs(sizes: list[int], rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Gaussian clouds of standard deviation 0.4; neighbouring centres are 2 apart."""
    angles = 2 * np.pi * np.arange(len(sizes)) / len(sizes)
    radius = 1 / np.sin(np.pi / len(sizes))
    centers = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    X, codes = make_blobs(
        n_samples=sizes,
        centers=centers,
        cluster_std=_BLOB_SPREAD,
        shuffle=False,
        random_state=int(rng.integers(2**32)),
    )
    return X, codes.astype(np.int64)


def xor(sizes: list[int], rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Draw points evenly from a square of side 2; class 1 where the signs differ."""
    codes = np.repeat(np.arange(2), sizes)
    X = rng.uniform(0, 1, size=(len(codes), 2))
    # Two opposite quadrants per class, filled alternately: signs (+,+)/(-,-) or (+,-)/(-,+).
    first = np.where(np.concatenate([np.arange(size) for size in sizes]) % 2, -1.0, 1.0)
    second = np.where(codes == 1, -first, first)
    return X * np.column_stack([first, second]), codes


def spirals(sizes: list[int], rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """One arm per class, turned against each other, out to radius 2.

    The arms turn 3 / n_classes times, which keeps them 2/3 apart for any number of
    classes.
    """
    codes = np.repeat(np.arange(len(sizes)), sizes)
    # The root spreads points evenly over the length of an arm, not over its radius.
    along = np.sqrt(rng.uniform(0.02, 1, size=len(codes)))
    angle = 2 * np.pi * (3 * along + codes) / len(sizes)
    radius = _SPIRAL_RADIUS * along
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), codes


SHAPES: dict[str, Shape] = {
    "circles": circles,
    "moons": moons,
    "blobs": blobs,
    "xor": xor,
    "spirals": spirals,
}
MANY_CLASSES = frozenset({"blobs", "spirals"})
