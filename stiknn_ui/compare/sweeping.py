"""The sweep over k of one side. Pure."""

from __future__ import annotations

from typing import Final

from stiknn_core.sweep import KSweep, sweep_k
from stiknn_core.types import Dataset
from stiknn_ui.analysis import Parts, Progress, result_key
from stiknn_ui.compare.errors import share_of
from stiknn_ui.compare.inputs import engine_inputs
from stiknn_ui.spec import ComputeSpec, DataSpec

LARGEST_K: Final = 30

# Measured on a two-core machine: pairs times test points a second, all k together.
_PAIRS: Final = 1.2e10
_FOREST_SECONDS: Final = 2.0


def ks_of(parts: Parts, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the k of a sweep: 1 to 30 as far as pairs are not all zero, and those in use.

    Parameters
    ----------
    parts : Parts
    wanted : tuple of int
        The k of both sides, which the sweep shall hold.
    """
    ranked = len(parts.train) - (parts.test is None)
    most = max(1, min(LARGEST_K, ranked - 1))
    used = {parts.usable_k(k)[0] for k in wanted}
    return tuple(sorted({*range(1, most + 1), *used}))


def sweep_key(data: DataSpec, compute: ComputeSpec, ks: tuple[int, ...]) -> str:
    """Return the key of a sweep."""
    return f"sweep|{ks!r}|{result_key(data, compute)}"


def sweep_seconds(parts: Parts, ks: tuple[int, ...], compute: ComputeSpec) -> float:
    """Estimate how long a sweep takes."""
    n, t = len(parts.train), parts.n_test
    forest = _FOREST_SECONDS if compute.space == "forest" else 0.0
    return 0.2 + len(ks) * (t * n * n / 2 / _PAIRS + t * n * 2e-8 + n * n * 5e-9) + forest


def make_sweep(
    dataset: Dataset, compute: ComputeSpec, ks: tuple[int, ...], progress: Progress | None = None
) -> KSweep:
    """Compute the matrices of all these k, with all else as in ``compute``.

    Raises
    ------
    StiknnError
        If the data do not fit the settings.
    """
    inputs = engine_inputs(dataset, compute, share_of(progress, 0.0, 0.1))
    return sweep_k(**inputs, ks=ks, progress=share_of(progress, 0.1, 1.0))
