"""The sweep over k of one side. Pure."""

from __future__ import annotations

from typing import Final

from stiknn_core.comparing.sweep import KSweep, sweep_k
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.inputs import Keep, prepare
from stiknn_ui.results.parts import Parts
from stiknn_ui.results.result import result_key
from stiknn_ui.work.progress import Progress, share_of

LARGEST_K: Final = 30

# Measured on a two-core machine: pairs times test points a second, all k together.
_PAIRS: Final = 1.2e10


def ks_of(parts: Parts, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the k of a sweep: 1 to 30 as far as pairs are not all zero, and those in use.

    ``wanted`` are the k of both sides, which the sweep shall hold.
    """
    most = max(1, min(LARGEST_K, parts.ranked - 1))
    used = {parts.usable_k(k)[0] for k in wanted}
    return tuple(sorted({*range(1, most + 1), *used}))


def sweep_key(data: DataSpec, compute: ComputeSpec, ks: tuple[int, ...]) -> str:
    """Return the key of a sweep."""
    return f"sweep|{ks!r}|{result_key(data, compute)}"


def sweep_seconds(parts: Parts, ks: tuple[int, ...]) -> float:
    """Estimate how long a sweep takes, without a forest."""
    n, t = len(parts.train), parts.n_test
    return 0.2 + len(ks) * (t * n * n / 2 / _PAIRS + t * n * 2e-8 + n * n * 5e-9)


def make_sweep(
    dataset: Dataset,
    compute: ComputeSpec,
    ks: tuple[int, ...],
    progress: Progress | None = None,
    keep: Keep | None = None,
) -> KSweep:
    """Compute the matrices of all these k, with all else as in ``compute``.

    Raises
    ------
    StiknnError
        If the data do not fit the settings.
    """
    given = prepare(dataset, compute, keep=keep, progress=share_of(progress, 0.0, 0.1))
    working = share_of(progress, 0.1, 1.0)
    return sweep_k(**given.arguments, index=given.index, ks=ks, progress=working)
