"""Sum up what ranking found of single points, once all parts are there."""

from __future__ import annotations

import numpy as np
import zarr

from stiknn_core.distributed._coefficients import diagonal_is_summed
from stiknn_core.distributed._format import array_of, put
from stiknn_core.engine.coefficients import has_support, singletons
from stiknn_core.games import PairIndex
from stiknn_core.labels.support import judged
from stiknn_core.types import FloatArray
from stiknn_core.validation import Problem


def summarise(group: zarr.Group, problem: Problem, index: PairIndex) -> None:
    """Write values, label quality, block sums, and the diagonal of the matrix."""
    values = _sum(group, "work/values")
    put(group, "values", values)
    if has_support(problem):
        support = judged(problem, _sum(group, "work/support"))
        put(group, "quality", support.quality)
        code_of = {name: code for code, name in enumerate(support.classes)}
        suggested = [code_of[c] for c in support.suggested.tolist()]
        put(group, "suggested", np.array(suggested, np.int64))
    if diagonal_is_summed(problem, index):
        put(group, "diagonal", _sum(group, "work/diagonal"))
    else:
        put(group, "diagonal", values if index.diagonal is index else singletons(problem))
    if "work/blocks" in group:
        half = _sum(group, "work/blocks")
        put(group, "block_sums", half + half.T)
    totals = _sum(group, "work/totals").tolist()
    group.attrs.update(
        {"likelihood": totals[0], "tied_test_points": round(totals[1]), "summarised": True}
    )


def _sum(group: zarr.Group, name: str) -> FloatArray:
    """Add the parts of an array in their order."""
    parts = array_of(group, name)
    total = np.zeros(parts.shape[1:])
    for part in range(parts.shape[0]):
        total += np.asarray(parts[part])
    return total
