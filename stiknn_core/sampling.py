"""Samples of rows that keep the shares of the classes, or the spread of measured targets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from stiknn_core.errors import ShapeError
from stiknn_core.types import AnyArray, Dataset, FloatArray, IntArray, read_only
from stiknn_core.validation.settings import check_whole

MOST_BANDS: Final = 10
"""Bands that measured targets are put into, of about equally many rows each."""


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


def bands_of(targets: AnyArray, most: int = MOST_BANDS) -> tuple[IntArray, FloatArray]:
    """Return in which band of about equally many rows each measured target lies.

    Parameters
    ----------
    targets : (n,) float64
        Finite.
    most : int
        Bands there are at most; equal targets are in one band, so that there may be fewer.

    Returns
    -------
    (n,) int64, read-only
        From the band of the lowest targets, 0, upwards; none is empty.
    (b + 1,) float64, read-only
        Where bands begin, ascending; the last is the highest target.
    """
    ordered = np.sort(targets)
    places = (np.arange(1, most) * len(ordered)) // most
    starts = np.unique(np.concatenate([ordered[:1], ordered[places[places > 0]]]))
    codes = np.searchsorted(starts, targets, side="right") - 1
    return read_only(codes.astype(np.int64)), read_only(np.append(starts, ordered[-1:]))


def band_names(edges: Sequence[float]) -> tuple[str, ...]:
    """Return what bands are called, from where they begin and the highest target.

    With as many digits as it takes to tell them apart.
    """
    for digits in range(3, 17):
        told = [_told(edge, digits) for edge in edges]
        # Narrow, as they stand along a picture; a minus needs room beside the dash.
        dash = " – " if any("−" in one for one in told) else "–"
        names = tuple(low if low == high else f"{low}{dash}{high}" for low, high in pairwise(told))
        if len(set(names)) == len(names):
            return names
    return tuple(f"band {place}" for place in range(1, len(edges)))


def _told(number: float, digits: int) -> str:
    short = f"{number:.{digits}g}"
    if "e+0" in short:  # 1.25e+03: up to nine zeros are read more easily than a power
        short = f"{float(short):.0f}"
    return short.replace("-", "−")


def strata_of(y: AnyArray, measured: bool) -> AnyArray:
    """Return what a draw keeps the shares of: classes, or bands of measured targets; (n,)."""
    return bands_of(np.asarray(y, dtype=np.float64))[0] if measured else y


def take_rows(dataset: Dataset, positions: IntArray) -> Dataset:
    """Return the rows at different ``positions`` with what is known of each moved along.

    They come in the given order, test points behind the others. Where an original is not kept,
    the first of its copies that are takes its place.
    """
    new = np.full(dataset.n, -1, dtype=np.int64)
    new[positions] = np.arange(len(positions))
    copy_of = np.full(len(positions), -1, dtype=np.int64)
    heirs: dict[int, int] = {}
    for row, source in enumerate(np.asarray(dataset.copy_of)[positions].tolist()):
        if source >= 0 and new[source] >= 0:
            copy_of[row] = new[source]
        elif source >= 0:
            copy_of[row] = heirs.get(source, -1)
            heirs.setdefault(source, row)
    flipped, outliers = (np.sort(new[rows]) for rows in (dataset.flipped, dataset.outliers))
    start = dataset.test_from
    return dataclasses.replace(
        dataset,
        X=dataset.X[positions],
        y=dataset.y[positions],
        ids=dataset.ids[positions],
        y_true=None if dataset.y_true is None else dataset.y_true[positions],
        flipped=flipped[flipped >= 0],
        copy_of=copy_of,
        outliers=outliers[outliers >= 0],
        source_rows=None if dataset.source_rows is None else dataset.source_rows[positions],
        test_from=start if start is None else int((positions < start).sum()),
        votes=None if dataset.votes is None else dataset.votes.of(positions),
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
    m, seed = check_whole("m", m, least=1), check_whole("seed", seed, least=0)
    if dataset.n == 0:
        raise ShapeError("There are no rows to draw a sample from; load a table with rows first.")
    if m >= dataset.n:
        return dataset
    positions = stratified_positions(strata_of(dataset.y, dataset.measured), m, seed)
    kept = "spread of the targets" if dataset.measured else "shares of classes"
    sentence = f"A sample of {m:,} of {dataset.n:,} rows (seed {seed}) that keeps the {kept}."
    return dataclasses.replace(
        take_rows(dataset, positions),
        params={**dataset.params, "sample_rows": m, "sample_seed": seed},
        notices=(*dataset.notices, sentence),
    )
