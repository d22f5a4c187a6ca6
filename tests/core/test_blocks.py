"""Block sums and single rows against the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core import ParameterError, RankedNeighbors, ShapeError, interactions
from stiknn_core.blocks import block_interactions, interaction_rows

close = {"rtol": 0, "atol": 1e-12}


def expected_sums(matrix, blocks):
    members = blocks[:, None] == np.unique(blocks)
    off = matrix - np.diag(np.diag(matrix))
    return members.T.astype(float) @ off @ members


@st.composite
def problems(draw):
    n, t = draw(st.integers(2, 14)), draw(st.integers(0, 5))
    # Few different places, so that ties of every size occur.
    grid = st.integers(0, draw(st.sampled_from([1, 3, 40])))
    X = np.array([[draw(grid), draw(grid)] for _ in range(n)], dtype=float)
    y = np.array([draw(st.integers(0, 2)) for _ in range(n)])
    y[0] = 0
    test = {}
    if t:
        test["X_test"] = np.array([[draw(grid), draw(grid)] for _ in range(t)], dtype=float)
        test["y_test"] = np.array([draw(st.sampled_from(sorted(set(y)))) for _ in range(t)])
        test["X_test"] += 0.25  # never the training set itself
    blocks = np.array([draw(st.integers(0, 4)) for _ in range(n)])
    settings = {
        "k": draw(st.integers(1, n + 1)),
        "index": draw(st.sampled_from(["STII", "SII", "BII"])),
        "ties": draw(st.sampled_from(["expected", "index"])),
        "sample_weight": np.array([draw(st.floats(0.1, 3)) for _ in range(t or n)]),
    }
    return X, y, test, blocks, settings


@pytest.mark.slow
@given(problems())
def test_sums_and_rows_are_those_of_the_matrix(problem):
    X, y, test, blocks, settings = problem
    matrix = interactions(X, y, **test, **settings).matrix
    comp = block_interactions(X, y, **test, blocks=blocks, **settings)
    np.testing.assert_allclose(comp.sums, expected_sums(matrix, blocks), **close)
    rows = np.array([0, len(X) - 1, 0])
    np.testing.assert_allclose(
        interaction_rows(X, y, **test, rows=rows, **settings), matrix[rows], **close
    )


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine"])
@pytest.mark.parametrize("held_out", [False, True])
def test_at_a_size_where_threads_share_the_work(metric, held_out):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(150, 3)).round(1), rng.integers(0, 3, 150)
    test = {"X_test": X[100:] + 1e-3, "y_test": y[100:]} if held_out else {}
    X, y = (X[:100], y[:100]) if held_out else (X, y)
    blocks = np.array(["a", "b", "c", "d", "e"])[rng.integers(0, 5, len(X))]
    matrix = interactions(X, y, **test, k=4, metric=metric).matrix
    runs = [
        block_interactions(X, y, **test, blocks=blocks, k=4, metric=metric, n_jobs=jobs)
        for jobs in (1, 2)
    ]
    assert np.array_equal(runs[0].sums, runs[1].sums)
    comp = runs[0]
    np.testing.assert_allclose(comp.sums, expected_sums(matrix, blocks), **close)
    assert np.array_equal(comp.sums, comp.sums.T)
    assert comp.names == ("a", "b", "c", "d", "e")
    assert comp.counts.tolist() == [int((blocks == name).sum()) for name in comp.names]
    assert (comp.k, comp.index, comp.metric, comp.ties) == (4, "STII", metric, "expected")
    assert (comp.n_train, comp.n_test) == (len(X), 50 if held_out else 150)


def test_precomputed_distances():
    rng = np.random.default_rng(0)
    far, y = rng.random((6, 9)).round(1), [0, 1, 0, 1, 1, 0, 0, 1, 0]
    y_test = [0, 1, 1, 0, 0, 1]
    blocks = np.arange(9) % 2
    given_distances = {"y_test": y_test, "k": 2, "metric": "precomputed"}
    matrix = interactions(far, y, **given_distances).matrix
    comp = block_interactions(far, y, blocks=blocks, **given_distances)
    np.testing.assert_allclose(comp.sums, expected_sums(matrix, blocks), **close)
    rows = interaction_rows(far, y, rows=[3], **given_distances)
    np.testing.assert_allclose(rows, matrix[[3]], **close)


def test_means_are_over_pairs_of_different_points():
    X, y = np.array([[0.0], [1.0], [3.0], [3.5]]), ["a", "b", "a", "a"]
    blocks = [0, 0, 0, 1]
    matrix = interactions(X, y, k=1).matrix
    comp = block_interactions(X, y, blocks=blocks, k=1)
    assert comp.pairs.tolist() == [[6, 3], [3, 0]]
    assert comp.means[0, 1] == pytest.approx(matrix[:3, 3].mean())
    within = matrix[:3, :3][~np.eye(3, dtype=bool)]
    assert comp.means[0, 0] == pytest.approx(within.mean())
    assert np.isnan(comp.means[1, 1])  # a point alone has no pair
    with pytest.raises(ValueError, match="read-only"):
        comp.sums[0, 0] = 1.0


def test_no_rows_and_every_row():
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    assert interaction_rows(X, y, rows=[], k=1).shape == (0, 3)
    matrix = interactions(X, y, k=1).matrix
    np.testing.assert_allclose(interaction_rows(X, y, rows=range(3), k=1), matrix, **close)


@pytest.mark.parametrize(
    ("blocks", "error", "told"),
    [
        ([0, 1], ShapeError, "one block for each of the 3 training points"),
        ([[0], [1], [2]], ShapeError, "got the shape"),
        ([0.0, np.nan, 1.0], ParameterError, "must not be missing"),
        (np.array([0, "a", None], dtype=object), ParameterError, "of one kind"),
    ],
    ids=["too few", "a column", "missing", "mixed"],
)
def test_impossible_blocks(blocks, error, told):
    with pytest.raises(error, match=told):
        block_interactions([[0.0], [1.0], [2.0]], [0, 1, 0], blocks=blocks)


def test_negative_blocks_leave_points_out_wherever_blocks_are_asked_for():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(8, 2)).round(1), rng.integers(0, 2, 8)
    blocks = np.array([4, -1, 2, 2, 4, -3, -1, 2])
    matrix = interactions(X, y, k=2).matrix
    kept = blocks >= 0
    sums = expected_sums(matrix[np.ix_(kept, kept)], blocks[kept])
    ranked = RankedNeighbors(X, y, k=2)
    for comp in (
        block_interactions(X, y, blocks=blocks, k=2),
        ranked.block_sums(blocks),
        ranked.overview(blocks).blocks,
    ):
        assert comp.names == (2, 4)
        assert comp.counts.tolist() == [3, 2]
        np.testing.assert_allclose(comp.sums, sums, **close)
    arrays = np.array([np.zeros(2)] * 8 + [None], dtype=object)[:8]
    with pytest.raises(ParameterError, match="blocks must be numbers or names"):
        block_interactions(X, y, blocks=arrays)
    with pytest.raises(ParameterError, match="all are left out"):
        block_interactions(X, y, blocks=[-1] * 8)
    named = block_interactions(X, y, blocks=blocks.astype(str), k=2)
    assert named.names == ("-1", "-3", "2", "4")  # text is a name, whatever it says


@pytest.mark.parametrize("rows", [[3], [-1], [0.5], "a", [[0]], 1, [[0], [1, 2]]])
def test_impossible_rows(rows):
    with pytest.raises(ParameterError, match="positions of training points"):
        interaction_rows([[0.0], [1.0], [2.0]], [0, 1, 0], rows=rows)


def test_progress_can_stop_the_work():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        block_interactions([[0.0], [1.0]], [0, 1], blocks=[0, 1], progress=stop)
