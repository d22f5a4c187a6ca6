"""All pairwise interactions, exactly: check, rank, coefficients, pairs, result."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from stiknn_core.engine.coefficients import add_values, singletons, values_of
from stiknn_core.engine.dividing import PairChange
from stiknn_core.engine.neighbors import NeighborRanker, Ranking, blocks
from stiknn_core.engine.pairs import Chunk, Taken, mirror
from stiknn_core.engine.threads import Progress, ThreadMap, chunks, spans, thread_map
from stiknn_core.errors import ShapeError
from stiknn_core.games import AnyIndex, AnyScore, index_of
from stiknn_core.results import Interactions
from stiknn_core.types import AnyArray, FloatArray, MatrixType, Metric, Ties, read_only
from stiknn_core.validation import Problem, check_choice, check_problem

DTYPES: tuple[MatrixType, ...] = ("float64", "float32")

#: Of a block of test points: values, diagonal, likelihood, and how many of them have ties.
_Part = tuple[list[FloatArray], float, Ranking, Taken]


def interactions(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    index: AnyIndex = "STII",
    score: AnyScore = "plain",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    sample_weight: Any = None,
    test_rows: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    dtype: MatrixType = "float64",
) -> Interactions:
    """Compute the exact interaction of every pair of training points of a KNN classifier.

    The game: a set of training points S is worth the average, over test points, of the
    share ``(neighbours of the right label) / k`` among the k nearest points of S; or of another
    score of these neighbours.

    Parameters
    ----------
    X : (n_train, d) array or table, or (n_test, n_train) distances
        Finite numeric features, not scaled here. Distances with ``metric="precomputed"``.
        Read, never changed. A table is a DataFrame of pandas, Polars or another library, an
        Arrow table, a record array, a mapping of names to columns, a list of records, or a Bunch
        of scikit-learn.
    y : (n_train,) labels
        Text, numbers (whole), booleans or intervals (of ``pandas.cut``); class names come back,
        never codes. None where X is a Bunch, which brings its labels. Any finite numbers with
        ``score=games.measured(...)``.
    X_test, y_test : (n_test, d) features and (n_test,) labels, optional
        Columns of tables are matched by name. Leave both out for leave-one-out testing:
        every training point is then a test point for all the others.
    k : int, default 5
        Neighbours that vote, at least 1. For k >= n_train all pairs are 0.
    index : {"STII", "SII", "BII"} or games.PairIndex
        Shapley-Taylor (the paper), Shapley or Banzhaf interaction index; or another one of
        `stiknn_core.games`, as ``games.weighted_banzhaf(0.3)``.
    score : "plain" or games.Score
        What a neighbour brings: 1 for the right label, or another score of `stiknn_core.games`,
        as ``games.kernel("rbf", bandwidth=1.0)``.
    metric : {"euclidean", "manhattan", "chebyshev", "cosine", "precomputed"}
    ties : {"expected", "index"}
        Equally distant points (within 1e-9 of the largest distance, outliers beyond a
        thousandfold of the median aside) in all orders, by exact expectation; or the lower
        training position first, as the paper has it.
    sample_weight : (n_test,) array, optional
        Weights of the test points, not negative; only their ratios matter.
    test_rows : (n_test,) array of int, optional
        Only in leave-one-out testing: positions of the training points that are test points, each
        for all the others; all of them by default. Precomputed distances have one row for each.
    n_jobs : int, optional
        Threads; all by default. The result does not depend on it, to the last bit.
    progress : callable, optional
        Called as ``progress(done, total)`` in test points. An exception that it raises
        stops the work.
    dtype : {"float64", "float32"}
        Numbers of the matrix; all others stay float64. float32 takes half the memory, and
        about the same time. A pair is then off by up to 3e-7 of the largest pair, typically
        by 1e-8 to 4e-8 of it (measured with up to 4,000 test points; rounded once every 256).

    Returns
    -------
    Interactions

    Raises
    ------
    ParameterError, LabelError, FeatureError, ShapeError
        All are `StiknnError`, and say what was expected, what came and what to do.

    Notes
    -----
    O(t (n d + n log n + n²)) time for t test points; the n² part is one comparison, one
    choice and one addition a pair. Memory is the result, 8 n² bytes (4 n² with
    float32), and O(256 n) more.

    Whatever the weights, with float64 a pair is right within 1e-13 of the largest pair, and the
    diagonal and the pairs of STII add up to the likelihood within 1e-11 (held by tests for up to
    2,000 points).

    An interaction depends only on the farther of the two points, so a pair takes its
    number from whichever of two rows of coefficients belongs to the farther one.

    References
    ----------
    STI-KNN: Algorithm 1 of the paper, in the closed form of `stiknn_core.games`.
    Shapley-Taylor index: Sundararajan, Dhamdhere and Agarwal (2020), equation 3.
    """
    game = index_of(index)
    dtype = check_choice("dtype", dtype, DTYPES)
    problem = check_problem(
        X,
        y,
        X_test,
        y_test,
        k=k,
        metric=metric,
        ties=ties,
        sample_weight=sample_weight,
        test_rows=test_rows,
        n_jobs=n_jobs,
        score=score,
    )
    n = problem.n_train
    matrix = _empty_matrix(n, dtype)
    # Values, and the diagonal where it is neither these nor known in advance.
    kinds = [game] if game.diagonal is game or _is_plain(problem) else [game, game.diagonal]
    needed = [values_of(problem, kind) for kind in kinds]
    sums = [np.zeros(n) for _ in kinds]
    likelihood = 0.0
    tied_test_points = 0
    ranker = NeighborRanker(problem)
    w = game.pair_weights(problem.n_ranked, problem.voters)
    change = PairChange(problem, game, matrix) if problem.score.divided_by_size else None

    def begin(span: tuple[int, int], run: ThreadMap) -> tuple[Chunk, Callable[[], list[_Part]]]:
        chunk = Chunk(problem, w, *span)

        def rank(block: tuple[int, int]) -> _Part:
            ranking = ranker.rank(*block)
            parts = [np.zeros(n) for _ in needed]
            shares = [
                add_values(problem, ranking, one, part)
                for one, part in zip(needed, parts, strict=True)
            ]
            return parts, shares[0], ranking, chunk.take(ranking)

        return chunk, run.start(rank, blocks(*span))

    with thread_map(problem.n_jobs) as run:
        # Ranking of the next chunk is queued before the pairs of this one, so that threads
        # that are done with their pairs never wait for the others.
        upcoming = iter(spans(problem.n_test))
        ahead = begin(next(upcoming), run)
        for _ in chunks(problem.n_test, progress):
            chunk, ranked = ahead
            parts = ranked()
            span = next(upcoming, None)
            if span is not None:
                ahead = begin(span, run)
            for found, share, ranking, _ in parts:
                for total, part in zip(sums, found, strict=True):
                    total += part
                likelihood += share
                tied_test_points += int(ranking.mixed.sum())
                if change is not None:
                    change.add(ranking)
            chunk.add_to(matrix, [taken for *_, taken in parts], run)
        if change is not None:
            change.finish()
        mirror(matrix, run)
    alone = game.diagonal is not game
    np.fill_diagonal(matrix, singletons(problem) if alone and len(sums) == 1 else sums[-1])
    return Interactions(
        matrix=matrix,
        values=sums[0],
        likelihood=likelihood,
        classes=problem.classes,
        labels=problem.labels,
        ids=problem.ids,
        k=problem.k,
        index=game.name,
        score=problem.score.name,
        metric=problem.metric,
        ties=problem.ties,
        n_train=n,
        n_test=problem.n_test,
        evaluation="leave-one-out" if problem.leave_one_out else "test set",
        tied_test_points=tied_test_points,
        absent_classes=problem.absent_classes,
        test_weight=problem.total_weight,
        fingerprint=_fingerprint(problem),
        features=None if problem.X is None else read_only(problem.X),
    )


def _is_plain(problem: Problem) -> bool:
    return problem.gains.plain and not problem.score.divided_by_size


def _empty_matrix(n: int, dtype: MatrixType) -> AnyArray:
    try:
        return np.zeros((n, n), np.float64 if dtype == "float64" else np.float32)
    except MemoryError:
        size = 1e-9 * np.dtype(dtype).itemsize * n * n
        raise ShapeError(
            f"The matrix of {n:,} training points needs {size:,.1f} GB, more than this "
            "machine can give. Use a sample of the rows."
        ) from None


def _fingerprint(problem: Problem) -> str:
    digest = hashlib.sha256()
    for array in (problem.X, problem.codes):
        if array is not None:
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr((problem.classes, problem.ids.tolist())).encode())
    return digest.hexdigest()
