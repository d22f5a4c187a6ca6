"""How much the matrix hangs on k: every pair for many k, ranked once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from stiknn_core.engine.coefficients import value_sum
from stiknn_core.engine.dividing import refuse_divided
from stiknn_core.engine.memory import RememberingRanker
from stiknn_core.engine.neighbors import blocks
from stiknn_core.engine.pairs import Chunk, Taken
from stiknn_core.engine.passes import sums_over_test_points
from stiknn_core.engine.threads import Progress, ThreadMap, silent, spans, thread_map
from stiknn_core.errors import ParameterError
from stiknn_core.games import AnyIndex, AnyScore, PairIndex, index_of
from stiknn_core.types import AnyArray, FloatArray, IntArray, Metric, Ties, read_only
from stiknn_core.validation import Problem, check_problem, check_whole

KEEP_BYTES = 1_000_000_000
"""Rankings are kept up to this size; where they do not fit, each k ranks anew."""
MAX_BYTES = 250_000_000
"""Bytes that the pairs of all k may take at a time, unless the caller says otherwise."""

# Bands of rows begin where the kernels' own begin.
_ROWS = 64
# What differs by less than this share of the mean square is rounding, and no spread.
_NOISE = 1e-13


@dataclass(frozen=True, eq=False)
class KSweep:
    """How alike the matrices of different k are.

    Attributes
    ----------
    ks : (K,) int64, read-only, ascending
        The k that were computed.
    correlation : (K, K) float64, read-only, symmetric
        Pearson correlation of the pairs of two k, in [-1, 1]; NaN where all pairs of one are
        alike, as they are from k = n on, where all are 0.
    value_correlation : (K, K) float64, read-only, symmetric
        The same for the values of the points.
    spread : (K,) float64, read-only
        Standard deviation of the pairs, in units of utility; about proportional to 1 / k.
    mean : (K,) float64, read-only
        Mean of the pairs.
    n_pairs : int
        Pairs behind each number: n (n - 1) / 2, all there are.
    """

    ks: IntArray
    correlation: FloatArray
    value_correlation: FloatArray
    spread: FloatArray
    mean: FloatArray
    n_pairs: int


def sweep_k(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    ks: Sequence[int] = tuple(range(1, 31)),
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    max_bytes: int = MAX_BYTES,
) -> KSweep:
    """Compute the interactions for many k, and how alike they are, without keeping the matrices.

    Parameters
    ----------
    X, y, X_test, y_test
        As in `stiknn_core.interactions`.
    ks : sequence of int, default 1 to 30
        Each at least 1, each once; they come back ascending.
    index, score, metric, ties, sample_weight, n_jobs, progress
        As in `stiknn_core.interactions`; ``progress`` counts steps of a k and a chunk of test
        points.
    max_bytes : int, default 250 MB
        Most memory for the pairs of all k together, at least enough for 64 rows of them. The rows
        of the matrices are taken in as many bands as that needs.

    Returns
    -------
    KSweep

    Raises
    ------
    ParameterError
        If ``ks`` is empty, holds a k twice, or one is not a whole number of at least 1.
    StiknnError
        As `stiknn_core.interactions`.

    Notes
    -----
    O(t n (d + log n)) to rank once, and O(K t n²) for K matrices and O(K² n²) for their
    correlations; with b bands of rows, coefficients are made b times. Memory: one matrix and
    ``max_bytes``. In a single band all is float64; else pairs are held as float32, which moves a
    correlation by about 1e-7.

    The standard deviation falls as 1 / k since a neighbour is worth 1 / k: the paper's corollary,
    which holds as closely as the pattern stays the same.
    """
    game = index_of(index)
    chosen = sorted(check_whole("k", k, least=1) for k in ks)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ParameterError(f"ks must hold different numbers, at least one; got {list(ks)}.")
    problems = [
        check_problem(
            X,
            y,
            X_test,
            y_test,
            k=k,
            metric=metric,
            ties=ties,
            sample_weight=sample_weight,
            n_jobs=n_jobs,
            score=score,
        )
        for k in chosen
    ]
    first = problems[0]
    refuse_divided(first, "A sweep over k")
    ranker = RememberingRanker(first, KEEP_BYTES)
    values = sums_over_test_points(first, ranker, [value_sum(one, game) for one in problems], None)
    n = first.n_train
    bands = _cut(n, len(chosen), max_bytes)
    kind = np.float64 if len(bands) == 1 else np.float32
    matrix: AnyArray = np.zeros((n, n), dtype=kind)
    gram = np.zeros((len(chosen), len(chosen)))
    sums = np.zeros(len(chosen))
    report = progress or silent
    steps = itertools.count()
    n_steps = len(bands) * len(chosen) * len(spans(first.n_test))

    def step() -> None:
        report(next(steps), n_steps)

    step()
    with thread_map(first.n_jobs) as run:
        for rows in bands:
            held: AnyArray = np.empty((len(chosen), _pairs_of(rows, n)), dtype=kind)
            for place, problem in enumerate(problems):
                _fill(matrix, rows, problem, game, ranker, run, step)
                for part, row in zip(_cuts(rows, n), rows, strict=True):
                    held[place, part] = matrix[row, row + 1 :]
            _add_products(held, gram, sums)
    n_pairs = n * (n - 1) // 2
    mean = sums / max(1, n_pairs)
    spread, correlation = _correlated(gram / max(1, n_pairs), mean)
    table = np.array(values)
    centre = table.mean(axis=1)
    _, alike = _correlated(table @ table.T / n, centre)
    return KSweep(
        ks=read_only(np.array(chosen, dtype=np.int64)),
        correlation=read_only(correlation),
        value_correlation=read_only(alike),
        spread=read_only(spread),
        mean=read_only(mean),
        n_pairs=n_pairs,
    )


def _cut(n: int, n_ks: int, max_bytes: int) -> list[range]:
    """Cut the rows into bands whose pairs, for all k, fit the memory; the first rows are longest.

    One band if all of it fits in float64.
    """
    if 8 * n_ks * (n * (n - 1) // 2) <= max_bytes:
        return [range(n)]
    bands, start = [], 0
    while start < n:
        stop = start
        while stop < n:
            longer = min(n, stop + _ROWS)
            if stop > start and 4 * n_ks * _pairs_of(range(start, longer), n) > max_bytes:
                break
            stop = longer
        bands.append(range(start, stop))
        start = stop
    return bands


def _pairs_of(rows: range, n: int) -> int:
    """Return how many pairs of the upper triangle are in these rows."""
    return sum(n - 1 - row for row in rows)


def _cuts(rows: range, n: int) -> Iterator[slice]:
    """Yield where the pairs of each row are, one after the other."""
    start = 0
    for row in rows:
        yield slice(start, start + n - 1 - row)
        start += n - 1 - row


def _fill(
    matrix: AnyArray,
    rows: range,
    problem: Problem,
    index: PairIndex,
    ranker: RememberingRanker,
    run: ThreadMap,
    step: Callable[[], None],
) -> None:
    """Put the pairs of one k into some rows of the upper triangle of ``matrix``."""
    matrix[rows.start : rows.stop] = 0.0
    w = index.pair_weights(problem.n_ranked, problem.voters)
    for start, stop in spans(problem.n_test):
        chunk = Chunk(problem, w, start, stop)
        members = run(partial(_pack, chunk, ranker), blocks(start, stop))
        chunk.add_to(matrix, members, run, rows)
        step()


def _pack(chunk: Chunk, ranker: RememberingRanker, block: tuple[int, int]) -> Taken:
    return chunk.take(ranker.rank(*block))


def _add_products(held: AnyArray, gram: FloatArray, sums: FloatArray) -> None:
    """Add the sums of all products of two k, and of each, over the pairs of a band."""
    for start in range(0, held.shape[1], 100_000):
        part = held[:, start : start + 100_000].astype(np.float64)
        gram += part @ part.T
        sums += part.sum(axis=1)


def _correlated(products: FloatArray, mean: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return standard deviations and correlations from mean products and means."""
    covariance = products - np.outer(mean, mean)
    variance = np.diag(covariance).copy()
    variance[variance <= _NOISE * np.diag(products)] = 0.0
    spread = np.sqrt(variance)
    both = np.outer(spread, spread)
    correlation = np.full_like(covariance, np.nan)
    np.divide(covariance, both, out=correlation, where=both > 0)
    np.clip(correlation, -1.0, 1.0, out=correlation)
    known = np.flatnonzero(spread)
    correlation[known, known] = 1.0
    return spread, correlation
