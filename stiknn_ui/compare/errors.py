"""Standard errors of a matrix and how many test points are enough, kept small. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stiknn_core.comparing.agreement import pair_vector
from stiknn_core.comparing.standard_error import (
    SplitHalves,
    StandardErrors,
    split_halves,
    standard_errors,
)
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.inputs import Keep, prepare
from stiknn_ui.results.result import result_key
from stiknn_ui.work.progress import Progress, share_of

REPEATS = 10

# Measured on a two-core machine: pairs times test points a second, and the same of the halves.
_MOMENTS = 1.5e9


@dataclass(frozen=True, eq=False)
class ErrorSummary:
    """How sure the pairs of one matrix are.

    Attributes
    ----------
    whole : StandardErrors
        Its matrices left out.
    median, high : float
        Standard error that half, and 95 %, of the pairs stay below, in units of utility.
    clear : float
        Share of the pairs that are more than two standard errors from 0.
    halves : SplitHalves
        Measured on test points that were drawn apart.
    """

    whole: StandardErrors
    median: float
    high: float
    clear: float
    halves: SplitHalves


def errors_key(data: DataSpec, compute: ComputeSpec) -> str:
    """Return the key of the standard errors of a result."""
    return f"errors|{result_key(data, compute)}"


def error_seconds(n: int, t: int) -> float:
    """Estimate how long the standard errors of a result take, without a forest."""
    m = min(n, 400)
    pairs = n * n / 2 + REPEATS * 2 * m * m / 2
    return 0.2 + t * pairs / _MOMENTS


def measure_errors(
    dataset: Dataset,
    compute: ComputeSpec,
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> ErrorSummary:
    """Compute the standard errors of all pairs, exactly, and draw the test points apart.

    Raises
    ------
    StiknnError
        If the data do not fit the settings, or there is one test point alone.
    """
    given = prepare(dataset, compute, keep=keep, progress=share_of(progress, 0.0, 0.2))
    k, _ = given.parts.usable_k(compute.k)
    asked = {**given.arguments, "k": k, "index": given.index}
    found = standard_errors(**asked, progress=share_of(progress, 0.2, 0.7))
    errors, means = pair_vector(found.errors), np.abs(pair_vector(found.mean))
    median, high = float(np.median(errors)), float(np.quantile(errors, 0.95))
    clear = float((means > 2 * errors).mean())
    nothing = np.empty((0, 0))
    whole = replace(found, mean=nothing, errors=nothing)
    del found, errors, means  # the halves need memory of their own
    halves = split_halves(**asked, repeats=REPEATS, progress=share_of(progress, 0.7, 1.0))
    return ErrorSummary(whole, median, high, clear, halves)
