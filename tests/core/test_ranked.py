"""One ranking, many questions: each answer against the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core import ParameterError, ShapeError, interactions, label_support, values
from stiknn_core.ranked import RankedNeighbors

close = {"rtol": 0, "atol": 1e-12}


@st.composite
def problems(draw):
    n, t = draw(st.integers(2, 12)), draw(st.integers(0, 4))
    grid = st.integers(0, draw(st.sampled_from([1, 3, 40])))  # ties of every size
    X = np.array([[draw(grid), draw(grid)] for _ in range(n)], dtype=float)
    y = np.array([draw(st.integers(0, 2)) for _ in range(n)])
    test = {}
    if t:
        test["X_test"] = np.array([[draw(grid), draw(grid)] for _ in range(t)]) + 0.25
        test["y_test"] = np.array([draw(st.sampled_from(sorted(set(y)))) for _ in range(t)])
    settings = {
        "k": draw(st.integers(1, n + 1)),
        "index": draw(st.sampled_from(["STII", "SII", "BII"])),
        "ties": draw(st.sampled_from(["expected", "index"])),
    }
    points = draw(st.permutations(range(n)))[: draw(st.integers(1, n))]
    blocks = np.array([draw(st.integers(-1, 3)) for _ in range(n)])
    blocks[draw(st.integers(0, n - 1))] = 0
    return X, y, test, settings, np.array(points), blocks


@pytest.mark.slow
@pytest.mark.parametrize("max_bytes", [0, 10**6])
@given(problem=problems())
def test_every_answer_is_that_of_the_matrix(max_bytes, problem):
    X, y, test, settings, points, blocks = problem
    whole = interactions(X, y, **test, **settings)
    ranked = RankedNeighbors(X, y, **test, **settings, max_bytes=max_bytes)
    assert ranked.keeps == bool(max_bytes)
    for _ in range(2):  # ranked, then remembered
        matrix = ranked.pairs(points)
        np.testing.assert_allclose(matrix, whole.matrix[np.ix_(points, points)], **close)
    names = np.unique(blocks[blocks >= 0])
    members = (blocks[:, None] == names).astype(float)
    off = whole.matrix - np.diag(np.diag(whole.matrix))
    sums = ranked.block_sums(blocks)
    assert sums.names == tuple(names.tolist())
    np.testing.assert_array_equal(sums.counts, members.sum(axis=0))
    np.testing.assert_allclose(sums.sums, members.T @ off @ members, **close)
    found = ranked.overview(blocks)
    np.testing.assert_allclose(found.values, whole.values, **close)
    np.testing.assert_array_equal(found.blocks.sums, sums.sums)
    removal = values(X, y, **test, k=settings["k"], ties=settings["ties"], kind="leave_one_out")
    np.testing.assert_array_equal(found.leave_one_out, removal)
    support = label_support(X, y, **test, k=settings["k"], ties=settings["ties"])
    np.testing.assert_array_equal(found.support.support, support.support)
    np.testing.assert_array_equal(found.support.suggested, support.suggested)


@pytest.mark.parametrize("digits", [1, 9])
def test_at_a_size_with_several_chunks_and_threads(digits):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(700, 3)).round(digits), rng.integers(0, 3, 700)
    test = {"X_test": rng.normal(size=(300, 3)).round(digits), "y_test": rng.integers(0, 3, 300)}
    whole = interactions(X, y, **test)
    points = rng.permutation(700)[:171]
    found = {jobs: RankedNeighbors(X, y, **test, n_jobs=jobs).pairs(points) for jobs in (1, 2)}
    np.testing.assert_array_equal(found[1], found[2])
    np.testing.assert_allclose(found[1], whole.matrix[np.ix_(points, points)], **close)


def test_more_points_than_two_bytes_can_number():
    rng = np.random.default_rng(0)
    n = 2**16 + 5
    X, y = rng.normal(size=(n, 1)), rng.integers(0, 2, n)
    X[-2:] = X[:2]  # tied across the border
    ranked = RankedNeighbors(X, y, X[::8000] + 1e-3, y[::8000])
    points = np.array([0, 1, 7, n - 1, n - 2])
    fresh = RankedNeighbors(X, y, X[::8000] + 1e-3, y[::8000], max_bytes=0).pairs(points)
    ranked.overview()
    np.testing.assert_array_equal(ranked.pairs(points), fresh)
    assert ranked.nbytes == 9 * (4 * n + -(-n // 8))


def test_an_exception_of_progress_stops_and_leaves_a_usable_object():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 2)), rng.integers(0, 2, 400)
    ranked = RankedNeighbors(X, y)

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ranked.overview(progress=stop)
    np.testing.assert_allclose(
        ranked.pairs([0, 5, 9]), interactions(X, y).matrix[np.ix_([0, 5, 9], [0, 5, 9])], **close
    )


@pytest.mark.parametrize("points", [[], [1, 1], [9], [0.5], [[0]]])
def test_points_that_are_none_are_refused(points):
    ranked = RankedNeighbors(np.arange(4.0)[:, None], [0, 1, 0, 1])
    with pytest.raises(ParameterError, match="points must be"):
        ranked.pairs(points)


def test_blocks_must_name_every_point_and_some_block():
    ranked = RankedNeighbors(np.arange(4.0)[:, None], [0, 1, 0, 1])
    with pytest.raises(ShapeError, match="one block for each of the 4 training points"):
        ranked.block_sums([0, 1])
    with pytest.raises(ParameterError, match="all are left out"):
        ranked.block_sums([-1] * 4)
