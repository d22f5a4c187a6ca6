"""Adding rows to a Dataset while its truth stays right, and recording what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from stiknn_core.types import AnyArray, Dataset, FloatArray, IntArray, Votes


def record(dataset: Dataset, step: Mapping[str, Any]) -> dict[str, Any]:
    """Return the params of ``dataset`` with one more entry under ``"steps"``."""
    return dict(dataset.params) | {"steps": (*dataset.params.get("steps", ()), dict(step))}


def repeats(dataset: Dataset, step: str) -> int:
    """Count how often a kind of step was applied already."""
    return sum(past["step"] == step for past in dataset.params.get("steps", ()))


def changed_positions(y: AnyArray, y_true: AnyArray) -> IntArray:
    """Return the sorted positions where two label arrays differ."""
    pairs = zip(y.tolist(), y_true.tolist(), strict=True)
    return np.array([row for row, (a, b) in enumerate(pairs) if a != b], dtype=np.int64)


def grown(
    dataset: Dataset,
    X: FloatArray,
    like: IntArray,
    *,
    copy_of: IntArray | None,
    word: str,
    step: Mapping[str, Any],
) -> Dataset:
    """Append rows ``X`` whose labels are those of the rows ``like``.

    Parameters
    ----------
    X : (m, d) float64
    like : (m,) int64
        Positions the labels are taken from.
    copy_of : (m,) int64 or None
        Positions the rows are copies of; None marks them as outliers, whose given
        label is their true one.
    word : str
        What new rows are called where ids are not whole numbers.
    step : mapping
        What to record in ``params``.
    """
    y = dataset.y[like]
    y_true = dataset.y_true
    if y_true is not None:
        y_true = np.concatenate([y_true, y if copy_of is None else y_true[like]])
    all_y = np.concatenate([dataset.y, y])
    marks = np.full(len(like), -1) if copy_of is None else copy_of
    added = np.arange(dataset.n, dataset.n + len(like))
    from_table = dataset.source_rows
    if from_table is not None:
        from_table = np.concatenate([from_table, np.full(len(like), -1)])
    return replace(
        dataset,
        X=np.concatenate([dataset.X, X]),
        y=all_y,
        y_true=y_true,
        ids=np.concatenate([dataset.ids, _new_ids(dataset.ids, len(like), word)]),
        flipped=dataset.flipped if y_true is None else changed_positions(all_y, y_true),
        copy_of=np.concatenate([np.asarray(dataset.copy_of), marks]),
        outliers=np.concatenate([dataset.outliers, added if copy_of is None else added[:0]]),
        source_rows=from_table,
        votes=_votes_with(dataset, like if copy_of is not None else np.full(len(like), -1)),
        params=record(dataset, step),
    )


def _votes_with(dataset: Dataset, like: IntArray) -> Votes | None:
    """Return the votes with those of added rows: as of the rows they copy, or none."""
    if dataset.votes is None:
        return None
    return dataset.votes.of(np.concatenate([np.arange(dataset.n), like]))


def _new_ids(ids: AnyArray, count: int, word: str) -> AnyArray:
    if np.issubdtype(ids.dtype, np.integer):
        start = int(ids.max()) + 1 if len(ids) else 0
        if start + count <= np.iinfo(ids.dtype).max:
            return np.arange(start, start + count, dtype=ids.dtype)
    taken = {str(one) for one in ids.tolist()}
    names: list[str] = []
    number = 0
    while len(names) < count:
        number += 1
        if (name := f"{word} {number}") not in taken:
            names.append(name)
    # Object, since an id column of dates or floats must keep its old entries as they are.
    return np.array(names, dtype=object if ids.dtype.kind not in "U" else str)
