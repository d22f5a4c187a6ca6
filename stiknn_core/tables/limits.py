"""How much may come in, what a full matrix costs, and samples that keep class shares."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.phrases import counted
from stiknn_core.types import AnyArray, Dataset, IntArray, read_only

MEGABYTE = 1024 * 1024

MAX_FILE_BYTES = 200 * MEGABYTE
"""Largest file that is read."""

MAX_UNPACKED_BYTES = 512 * MEGABYTE
"""Largest content of a packed file (gzip, zip, workbook); more looks like a zip bomb."""

MAX_CELLS = 60_000_000
"""Most cells (rows times columns) that are kept in memory."""

MAX_COLUMNS = 20_000
"""Most columns; beyond that a table is more likely lying on its side."""

MAX_MATRIX_BYTES = 2 * 1024 * MEGABYTE
"""Largest full interaction matrix that is offered without a sample."""

# Rough throughput of the pair kernel and of the distances on a two-core machine. They set
# expectations ("about 3 minutes"), so the right order of magnitude is enough.
_PAIRS_PER_SECOND = 4e9
_DISTANCE_TERMS_PER_SECOND = 4e8
_RANKED_PER_SECOND = 8e6
_TEST_POINTS_PER_CHUNK = 256


def describe_bytes(count: float) -> str:
    """Return a size in the unit a person would choose, such as ``"3.2 GB"``."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            number = count / size
            return f"{number:.1f} {unit}" if number < 10 else f"{number:,.0f} {unit}"
    return f"{count:.0f} bytes"


def describe_seconds(seconds: float) -> str:
    """Return a duration in the unit a person would choose, such as ``"4 minutes"``."""
    if seconds < 1:
        return "less than a second"
    for unit, size in (
        ("year", 3.15e7),
        ("day", 86400.0),
        ("hour", 3600.0),
        ("minute", 60.0),
        ("second", 1.0),
    ):
        if seconds >= size:
            return counted(round(seconds / size), unit)
    raise AssertionError("seconds >= 1 matches one of the units")


@dataclass(frozen=True)
class Estimate:
    """What the full matrix of a data set would take.

    Attributes
    ----------
    bytes : int
        Memory at the peak, in bytes: the result and the working chunks.
    seconds : float
        Time on two cores, in seconds; right to a factor of about three.
    n, t, d : int
        Training rows, test rows and features it was made for.
    """

    bytes: int
    seconds: float
    n: int
    t: int
    d: int

    @property
    def sentence(self) -> str:
        """Say memory and time in one sentence."""
        return (
            f"The full matrix of {self.n:,} rows needs about {describe_bytes(self.bytes)} of "
            f"memory and {describe_seconds(self.seconds)}."
        )

    def fits(self, limit: int = MAX_MATRIX_BYTES) -> bool:
        """Tell whether the memory stays within ``limit`` bytes."""
        return self.bytes <= limit


def estimate(n: int, t: int, d: int) -> Estimate:
    """Estimate memory and time of the full interaction matrix.

    Parameters
    ----------
    n : int
        Training rows, at least 1.
    t : int
        Test rows, at least 1; ``n`` for leave-one-out.
    d : int
        Features, at least 0.

    Returns
    -------
    Estimate

    Raises
    ------
    ParameterError
        If a count is not a whole number in its range.

    Notes
    -----
    Memory is O(n^2 + n chunk + (n + t) d), time O(t n (n + d + log n)).
    """
    for name, count, least in (("n", n, 1), ("t", t, 1), ("d", d, 0)):
        whole = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
        if not whole or count < least:
            raise ParameterError(f"{name} must be an integer of at least {least}; got {count!r}.")
    chunk = min(t, _TEST_POINTS_PER_CHUNK)
    memory = 8 * n * n + 4 * 8 * n * chunk + 8 * (n + t) * d
    pairs = t * n * n / 2
    seconds = (
        pairs / _PAIRS_PER_SECOND
        + t * n * d / _DISTANCE_TERMS_PER_SECOND
        + t * n / _RANKED_PER_SECOND
    )
    return Estimate(bytes=int(memory), seconds=float(seconds), n=int(n), t=int(t), d=int(d))


def largest_sample(limit: int = MAX_MATRIX_BYTES) -> int:
    """Return how many rows a matrix of at most ``limit`` bytes can have."""
    chunk_bytes = 4 * 8 * _TEST_POINTS_PER_CHUNK
    n = int((-chunk_bytes + np.sqrt(chunk_bytes**2 + 4 * 8 * limit)) / 16)
    return max(n, 1)


def shares(counts: IntArray, total: int) -> IntArray:
    """Split ``total`` over classes in proportion, one each where there is room."""
    if total < len(counts):
        few: IntArray = np.zeros(len(counts), dtype=np.int64)
        few[np.argsort(-counts, kind="stable")[:total]] = 1
        return few
    ideal = counts * (total / counts.sum())
    take: IntArray = np.minimum(np.maximum(np.floor(ideal).astype(np.int64), 1), counts)
    while take.sum() < total:
        room = np.where(take < counts, ideal - take, -np.inf)
        take[int(np.argmax(room))] += 1
    while take.sum() > total:
        spare = np.where(take > 1, take - ideal, -np.inf)
        take[int(np.argmax(spare))] -= 1
    return take


def stratified_positions(y: AnyArray, m: int, seed: int) -> IntArray:
    """Draw ``m`` positions of ``y``, seeded, keeping the shares of the classes.

    Returns
    -------
    (m,) int64, sorted
        Every class keeps at least one row as long as ``m`` allows it.
    """
    _, codes = np.unique(np.asarray(y).astype(str), return_inverse=True)
    counts = np.bincount(codes)
    rng = np.random.default_rng(seed)
    take = shares(counts, m)
    parts = [
        rng.choice(np.flatnonzero(codes == code), size=int(size), replace=False)
        for code, size in enumerate(take)
    ]
    return read_only(np.sort(np.concatenate(parts)).astype(np.int64))


def take_rows(dataset: Dataset, positions: IntArray, notice: str | None = None) -> Dataset:
    """Return the rows at ``positions`` with what is known of each moved along.

    Parameters
    ----------
    dataset : Dataset
    positions : (m,) int64
        Distinct 0-based rows to keep, in the wanted order.
    notice : str or None
        A sentence to add.

    Notes
    -----
    A copy whose original is not kept counts as an ordinary row (``copy_of`` -1).
    """
    new_place = np.full(dataset.n, -1, dtype=np.int64)
    new_place[positions] = np.arange(len(positions))
    copy_of = np.asarray(dataset.copy_of)[positions]
    moved = new_place[dataset.flipped]
    far = new_place[dataset.outliers]
    return dataclasses.replace(
        dataset,
        X=dataset.X[positions],
        y=dataset.y[positions],
        ids=dataset.ids[positions],
        y_true=None if dataset.y_true is None else dataset.y_true[positions],
        flipped=np.sort(moved[moved >= 0]),
        copy_of=np.where(copy_of >= 0, new_place[copy_of], -1),
        outliers=np.sort(far[far >= 0]),
        source_rows=None if dataset.source_rows is None else dataset.source_rows[positions],
        notices=dataset.notices if notice is None else (*dataset.notices, notice),
    )


def sample_rows(dataset: Dataset, m: int, seed: int = 0) -> Dataset:
    """Draw a sample of ``m`` rows that keeps the shares of the classes.

    Parameters
    ----------
    dataset : Dataset
    m : int
        Rows to keep, at least 1. With ``m >= n`` the data set comes back unchanged.
    seed : int
        Seed of the draw; the same seed gives the same rows. It is kept in ``params``.

    Returns
    -------
    Dataset
        Rows in their old order; ids, truth and noise positions moved along.

    Raises
    ------
    ParameterError
        If ``m`` is not an integer of at least 1, or ``seed`` of at least 0.
    ShapeError
        If the data set is empty.
    """
    for what, value, least in (("m", m, 1), ("seed", seed, 0)):
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if not whole or value < least:
            raise ParameterError(f"{what} must be an integer of at least {least}; got {value!r}.")
    if dataset.n == 0:
        raise ShapeError("There are no rows to draw a sample from; load a table with rows first.")
    if m >= dataset.n:
        return dataset
    positions = stratified_positions(dataset.y, int(m), seed)
    sentence = (
        f"A sample of {m:,} of {dataset.n:,} rows (seed {seed}) that keeps the shares of classes."
    )
    params = {**dataset.params, "sample_rows": int(m), "sample_seed": seed}
    return dataclasses.replace(take_rows(dataset, positions, sentence), params=params)
