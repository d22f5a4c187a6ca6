"""Compile every loop ahead of its first use: `python -m stiknn_core.precompile`.

What is compiled is kept (see `stiknn_core._kernels.compiled`), and only loaded from then on: run
once when the package is installed, so that no visitor ever waits for a compiler.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import numpy as np

from stiknn_core.blocks import block_interactions, interaction_rows
from stiknn_core.comparing.standard_error import split_halves, standard_errors
from stiknn_core.comparing.sweep import sweep_k
from stiknn_core.interactions import interactions
from stiknn_core.labels.effect import relabel_effect
from stiknn_core.labels.forest import forest_distances, grow_forest
from stiknn_core.labels.support import judge_test_labels, label_support
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import MatrixType, Metric
from stiknn_core.values import values


def precompile() -> float:
    """Compile what is not compiled yet, load the rest; return the seconds that it took.

    Notes
    -----
    Every public function is called on a few points, in every way that leads to other loops or
    to numbers of other kinds. About half a minute where nothing is compiled, a second otherwise.
    """
    start = time.perf_counter()
    apart, tied = _table(80, 2, grid=False), _table(80, 2, grid=True)
    dtypes: tuple[MatrixType, ...] = ("float64", "float32")
    for dtype in dtypes:
        interactions(*apart, dtype=dtype)
        interactions(*tied, dtype=dtype)
        # A single pair of equal points is put right afterwards.
        interactions(np.append(np.arange(80.0) ** 2, 0.0)[:, None], [0, 1] * 40 + [1], dtype=dtype)
        interactions(*_table(20, 2, grid=False), dtype=dtype)  # each test point has much weight
    interactions(*tied, ties="index")
    interactions(*_table(20, 9, grid=False))
    values(*apart)
    values(1e200 * apart[0], apart[1])
    label_support(*apart)
    judge_test_labels(*apart, *tied)
    block_interactions(*tied, blocks=tied[1])
    interaction_rows(*tied, rows=[0])
    relabel_effect(*apart, np.roll(apart[1], 1))
    forest_distances(*apart, n_trees=2, n_jobs=1)
    forest = grow_forest(*apart, apart[0], n_trees=2, n_jobs=1)
    for given in (apart, (forest, apart[1])):
        metric: Metric = "euclidean" if given is apart else "precomputed"
        nearest = 5 if given is apart else None
        test = () if given is apart else (None, apart[1])
        label_support(*given, *test, metric=metric, nearest=nearest)
        values(*given, *test, metric=metric, nearest=nearest)
    judge_test_labels(forest, apart[1], None, apart[1], metric="precomputed")
    for data in (apart, tied):
        standard_errors(*data)
        split_halves(*data, repeats=1)
        sweep_k(*data, ks=(1, 2))
    ranked = RankedNeighbors(*tied)
    ranked.overview(tied[1])
    ranked.pairs([0, 1, 2])
    RankedNeighbors(*tied, ties="index").pairs([0, 1, 2])
    if all(find_spec(name) for name in ("dask", "distributed", "zarr")):
        from stiknn_core.distributed import interaction_array

        for data in (apart, tied):
            interaction_array(*data).compute(scheduler="synchronous")
    return time.perf_counter() - start


def _table(n: int, n_features: int, grid: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, n_features))
    return (np.round(X) if grid else X), rng.integers(0, 2, size=n)


if __name__ == "__main__":
    print(f"Compiled loops are ready, after {precompile():.1f} s.")
