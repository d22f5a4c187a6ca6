"""Compile every loop ahead of its first use: `python -m stiknn_core.precompile`.

What is compiled is kept (see `stiknn_core._kernels.compiled`), and only loaded from then on: run
once when the package is installed, so that no visitor ever waits for a compiler.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal

import numba
import numpy as np
from numba.core.registry import cpu_target

from stiknn_core._kernels.compiled import compiled_folder
from stiknn_core.blocks import block_interactions, interaction_rows
from stiknn_core.comparing.standard_error import split_halves, standard_errors
from stiknn_core.comparing.sweep import sweep_k
from stiknn_core.engine.threads import Progress, silent
from stiknn_core.interactions import interactions
from stiknn_core.labels.effect import relabel_effect
from stiknn_core.labels.forest import forest_distances, grow_forest
from stiknn_core.labels.overview import overview
from stiknn_core.labels.support import judge_test_labels, label_support
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import MatrixType, Metric
from stiknn_core.values import values

Call = Callable[[], object]
Part = Literal["all", "forest", "forest pairs", "features"]


def precompile(progress: Progress | None = None, part: Part = "all") -> float:
    """Compile what is not compiled yet, load the rest; return the seconds that it took.

    Parameters
    ----------
    progress : callable, optional
        Called with the calls that are done and their number.
    part : {"all", "forest", "forest pairs", "features"}, default "all"
        For what: all that the package does, or ranking suspects in one of the two spaces, in the
        forest's without the matrix of pairs or with it. "features" does for matrix and values too.

    Notes
    -----
    Every public function is called on a few points, in every way that leads to other loops or
    to numbers of other kinds. About half a minute where nothing is compiled, a second otherwise.
    """
    start = time.perf_counter()
    report = progress or silent
    calls = _PARTS[part]()
    report(0, len(calls))
    for done, call in enumerate(calls, 1):
        call()
        report(done, len(calls))
    if not _uncompiled():
        with suppress(OSError):  # then it is found out anew each time
            _mark(part).touch()
    return time.perf_counter() - start


def ready(part: Part = "all") -> bool:
    """Tell whether that was compiled here before, by `precompile`, from the sources as they are."""
    return _uncompiled() or _mark("all").exists() or _mark(part).exists()


def _uncompiled() -> bool:
    """Whether loops run as Python, as they do for a debugger."""
    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def _forest_calls(pairs: bool) -> list[Call]:
    apart = _table(80, 2, grid=False)
    given = grow_forest(*apart, n_trees=2, n_jobs=1), apart[1]
    calls: list[Call] = [partial(overview, *given, metric="precomputed")]
    return [*calls, partial(interactions, *given, metric="precomputed")] if pairs else calls


def _feature_calls() -> list[Call]:
    both = _table(80, 2, grid=False), _table(80, 2, grid=True)
    made: list[Call] = [partial(make, *data) for data in both for make in (overview, interactions)]
    return [*made, *(partial(values, *data) for data in both)]


def _all_calls() -> list[Call]:
    apart, tied = _table(80, 2, grid=False), _table(80, 2, grid=True)
    calls = [*_forest_calls(pairs=True), *_feature_calls()]
    dtypes: tuple[MatrixType, ...] = ("float64", "float32")
    for dtype in dtypes:
        calls += [
            partial(interactions, *apart, dtype=dtype),
            partial(interactions, *tied, dtype=dtype),
            # A single pair of equal points is put right afterwards.
            partial(
                interactions,
                np.append(np.arange(80.0) ** 2, 0.0)[:, None],
                [0, 1] * 40 + [1],
                dtype=dtype,
            ),
            # Each test point has much weight.
            partial(interactions, *_table(20, 2, grid=False), dtype=dtype),
        ]
    calls += [
        partial(interactions, *tied, ties="index"),
        partial(interactions, *_table(20, 9, grid=False)),
        partial(values, *apart),
        partial(values, 1e200 * apart[0], apart[1]),
        partial(label_support, *apart),
        partial(judge_test_labels, *apart, *tied),
        partial(block_interactions, *tied, blocks=tied[1]),
        partial(interaction_rows, *tied, rows=[0]),
        partial(relabel_effect, *apart, np.roll(apart[1], 1)),
        partial(forest_distances, *apart, n_trees=2, n_jobs=1),
    ]
    forest = grow_forest(*apart, apart[0], n_trees=2, n_jobs=1)
    for given in (apart, (forest, apart[1])):
        metric: Metric = "euclidean" if given is apart else "precomputed"
        nearest = 5 if given is apart else None
        test = () if given is apart else (None, apart[1])
        calls += [
            partial(label_support, *given, *test, metric=metric, nearest=nearest),
            partial(values, *given, *test, metric=metric, nearest=nearest),
        ]
    calls.append(partial(judge_test_labels, forest, apart[1], None, apart[1], metric="precomputed"))
    for data in (apart, tied):
        calls += [
            partial(standard_errors, *data),
            partial(split_halves, *data, repeats=1),
            partial(sweep_k, *data, ks=(1, 2)),
        ]
    calls += [partial(_rankings, tied)]
    if all(find_spec(name) for name in ("dask", "distributed", "zarr")):
        calls += [partial(_tiles, data) for data in (apart, tied)]
    return calls


def _rankings(tied: tuple[Any, Any]) -> None:
    ranked = RankedNeighbors(*tied)
    ranked.overview(tied[1])
    ranked.pairs([0, 1, 2])
    RankedNeighbors(*tied, ties="index").pairs([0, 1, 2])


def _tiles(data: tuple[Any, Any]) -> None:
    from stiknn_core.distributed import interaction_array

    interaction_array(*data).compute(scheduler="synchronous")


def _mark(part: Part) -> Path:
    """Return the empty file that says so; with the sources or the machine its name changes."""
    folder = Path(__file__).parent / "_kernels"
    sources = [(path.name, path.stat()) for path in sorted(folder.glob("*.py"))]
    told = [(name, about.st_mtime_ns, about.st_size) for name, about in sources]
    machine = cpu_target.target_context.codegen().magic_tuple()
    here = numba.__version__, np.__version__, sys.version, machine, told
    # A package that was installed later may bring loops of its own use.
    extras = [find_spec(name) is not None for name in ("dask", "distributed", "zarr")]
    digest = hashlib.sha256(repr((part, here, extras)).encode()).hexdigest()[:16]
    return compiled_folder() / f"ready-{digest}"


def _table(n: int, n_features: int, grid: bool) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, n_features))
    return (np.round(X) if grid else X), rng.integers(0, 2, size=n)


_PARTS: Final[Mapping[Part, Callable[[], list[Call]]]] = {
    "all": _all_calls,
    "forest": partial(_forest_calls, pairs=False),
    "forest pairs": partial(_forest_calls, pairs=True),
    "features": _feature_calls,
}


if __name__ == "__main__":
    print(f"Compiled loops are ready, after {precompile():.1f} s.")
