"""Problems on which the distributed engine is held against the local one."""

from __future__ import annotations

from typing import Any

import numpy as np

from stiknn_core import block_interactions, interactions, label_support

close: dict[str, Any] = {"rtol": 0, "atol": 1e-12}


def table(n: int, seed: int = 0, decimals: int = 1) -> tuple[Any, Any]:
    """Return features with ties among them (many with few decimals) and text labels."""
    rng = np.random.default_rng(seed)
    labels = np.array(["left", "right", "up"])
    return rng.normal(size=(n, 2)).round(decimals), labels[rng.integers(0, 3, n)]


def cases() -> dict[str, dict[str, Any]]:
    """Return the keyword arguments of problems of every kind."""
    X, y = table(41)
    X_test, y_test = table(23, seed=1)
    smooth, _ = table(41, decimals=12)
    weights = np.random.default_rng(2).random(23) + 0.1
    far = np.random.default_rng(3).random((41, 41)).round(2)
    held_out = {"X": X, "y": y, "X_test": X_test, "y_test": y_test}
    return {
        "ties": held_out,
        "no ties": held_out | {"X": smooth},
        "ties by index": held_out | {"ties": "index", "index": "BII"},
        "leave-one-out": {"X": X, "y": y, "k": 3},
        "leave-one-out SII": {"X": smooth, "y": y, "index": "SII", "k": 1},
        "leave-one-out by index": {"X": X, "y": y, "ties": "index"},
        "k > n": held_out | {"k": 100},
        "weights": held_out | {"sample_weight": weights, "index": "SII"},
        "cosine": held_out | {"metric": "cosine", "index": "BII", "X": X + 5},
        "precomputed": {"X": far[:23], "y": y, "y_test": y_test, "metric": "precomputed"},
        "precomputed leave-one-out": {"X": far, "y": y, "metric": "precomputed", "index": "BII"},
    }


def local(case: dict[str, Any]) -> Any:
    """Return what the local engine says."""
    return interactions(**case)


def local_block_sums(case: dict[str, Any], blocks: Any) -> Any:
    """Return the block sums of the local engine."""
    return block_interactions(**case, blocks=blocks).sums


def local_support(case: dict[str, Any]) -> Any:
    """Return the label support of the local engine."""
    return label_support(**{name: value for name, value in case.items() if name != "index"})
