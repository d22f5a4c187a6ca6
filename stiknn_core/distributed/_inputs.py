"""The data of a run, kept in its store: written once, read once by every process."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import zarr

from stiknn_core.distributed._coefficients import TestPoints
from stiknn_core.distributed._format import (
    StoredArray,
    Target,
    array_of,
    get,
    open_for_writing,
    put,
)
from stiknn_core.distributed._layout import Layout
from stiknn_core.engine.neighbors import BLOCK
from stiknn_core.games import PairIndex, index_of
from stiknn_core.games.gains import put_together, taken_apart
from stiknn_core.types import AnyArray, FloatArray, IntArray
from stiknn_core.validation import Problem

_ARRAYS = ("X", "X_test", "distances", "codes", "test_codes", "weights")
_GAINS = "gains_"
_SETTINGS = ("k", "metric", "ties", "leave_one_out", "total_weight")


@dataclass(frozen=True, eq=False)
class Inputs:
    """What every task of a run needs.

    Attributes
    ----------
    group : zarr.Group
        The run, open for writing.
    tests : TestPoints
    index : PairIndex
    layout : Layout
    order : (n,) int64
        The training position at each stored place.
    blocks : ((n,) int64, int) or None
        The block of each training point, and how many there are.
    """

    group: zarr.Group
    tests: TestPoints
    index: PairIndex
    layout: Layout
    order: IntArray
    blocks: tuple[IntArray, int] | None
    _opened: dict[str, StoredArray] = field(default_factory=dict)

    def array(self, name: str) -> StoredArray:
        """Return an array of the run, opened once: every opening asks the store anew."""
        if name not in self._opened:
            self._opened[name] = array_of(self.group, name)
        return self._opened[name]


def fingerprint(
    problem: Problem, settings: dict[str, Any], arrays: dict[str, AnyArray | None]
) -> str:
    """Return the SHA-256 of all that the numbers and the cuts of a run depend on."""
    digest = hashlib.sha256()
    told, bound = taken_apart(problem.gains)
    if not problem.gains.plain:  # a plain run is known by what it was known by
        settings = settings | {"gains": sorted(told.items())}
    given = {name: getattr(problem, name) for name in _ARRAYS} | {"ids": problem.ids} | arrays
    given |= {f"gains {name}": array for name, array in bound.items()}
    for name, array in given.items():
        if array is None or (name == "X_test" and problem.leave_one_out):
            continue
        digest.update(repr((name, array.shape, array.dtype.kind)).encode())
        if array.dtype.kind in "iufb":
            digest.update(np.ascontiguousarray(array).tobytes())
        else:
            digest.update(repr(array.tolist()).encode("utf-8", "surrogatepass"))
    known = {name: getattr(problem, name) for name in (*_SETTINGS, "classes", "absent_classes")}
    digest.update(repr(sorted((known | settings).items())).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def write_inputs(work: zarr.Group, problem: Problem) -> None:
    """Store what `read_inputs` needs below ``work``."""
    for name in _ARRAYS:
        array = getattr(problem, name)
        if array is not None and not (name == "X_test" and problem.leave_one_out):
            # Distances are read by blocks of test points, all others whole.
            put(work, name, array, rows=BLOCK if name == "distances" else None)
    told, bound = taken_apart(problem.gains)
    for name, array in bound.items():
        put(work, f"{_GAINS}{name}", array)
    settings = {name: getattr(problem, name) for name in _SETTINGS}
    settings |= {"n_classes": len(problem.classes), "gains": told, "gain_arrays": list(bound)}
    work.attrs.update(settings)


class _StoredRows:
    """Stands for an (n_test, n_train) array of distances of which rows are read when asked."""

    def __init__(self, stored: StoredArray) -> None:
        self._stored = stored
        self.shape = stored.shape

    def __getitem__(self, rows: slice) -> FloatArray:
        return np.asarray(self._stored[rows], dtype=np.float64)


def _read_problem(work: zarr.Group) -> Problem:
    settings = {name: work.attrs[name] for name in _SETTINGS}
    X = get(work, "X") if "X" in work else None
    distances = _StoredRows(array_of(work, "distances")) if X is None else None
    codes = get(work, "codes")
    bound = {
        name: get(work, f"{_GAINS}{name}") for name in cast(list[str], work.attrs["gain_arrays"])
    }
    return Problem(
        X=X,
        X_test=X if X is None or settings["leave_one_out"] else get(work, "X_test"),
        distances=cast(FloatArray, distances),
        codes=codes,
        test_codes=get(work, "test_codes"),
        # Tasks only count classes; their names stay with the run.
        classes=tuple(range(cast(int, work.attrs["n_classes"]))),
        absent_classes=(),
        ids=np.arange(len(codes)),
        weights=get(work, "weights"),
        n_jobs=1,
        gains=put_together(cast(dict[str, Any], work.attrs["gains"]), bound),
        **cast(dict[str, Any], settings),
    )


def _read(target: Target) -> Inputs:
    group = open_for_writing(target)
    attributes = dict(group.attrs)
    problem = _read_problem(cast(zarr.Group, group["work"]))
    sizes = (problem.n_train, problem.n_test, attributes["tile"], attributes["test_chunk"])
    names = cast(list[Any] | None, attributes["block_names"])
    index = index_of(attributes["index"])
    return Inputs(
        group=group,
        tests=TestPoints(problem, index),
        index=index,
        layout=Layout(*cast(tuple[int, int, int, int], sizes)),
        order=get(group, "order"),
        blocks=None if names is None else (get(group, "block_of"), len(names)),
    )


_kept: OrderedDict[tuple[str, str], Inputs] = OrderedDict()
_lock = threading.Lock()


def inputs_of(target: Target, run: str) -> Inputs:
    """Return the inputs of a run in a store; a process keeps those of the last two."""
    key = (str(target), run)
    with _lock:
        if key not in _kept:
            _kept[key] = _read(target)
            while len(_kept) > 2:
                _kept.popitem(last=False)
        return _kept[key]


def forget(target: Target, run: str) -> None:
    """Let go of the inputs of a run in a store."""
    with _lock:
        _kept.pop((str(target), run), None)
