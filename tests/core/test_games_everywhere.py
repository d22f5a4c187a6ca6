"""Parts, sums, sweeps, stores and files of any game: what the matrix says, everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stiknn_core import (
    FileError,
    Interactions,
    ParameterError,
    RankedNeighbors,
    block_interactions,
    games,
    interaction_rows,
    interactions,
    label_support,
    overview,
    pair_parts,
    rank_suspects,
    standard_errors,
    sweep_k,
    value_parts,
    values,
)
from stiknn_core.scores import in_out
from stiknn_core.types import FloatArray
from tests import all_games, naive

N, T, K = 30, 12, 3
BETA = games.beta(4, 1)


def data(alone: bool) -> tuple[Any, ...]:
    rng = np.random.default_rng(5)
    X, X_test = np.round(rng.normal(size=(N, 2)), 1), np.round(rng.normal(size=(T, 2)), 1)
    y, y_test = rng.integers(0, 3, N), rng.integers(0, 3, T)
    return (X, y) if alone else (X, y, X_test, y_test)


def scores(t: int) -> dict[str, games.Score]:
    rng = np.random.default_rng(6)
    return {
        "kernel": games.kernel("tricube", 1.5),
        "given": games.kernel(rng.random((t, N))),
        "soft": games.soft(rng.dirichlet(np.ones(3), t)),
        "soft_training": games.soft_training(rng.dirichlet(np.ones(3), N)),
        "measured": games.measured("huber", 0.5),
        "costs": games.costs({0: 5.0}),
    }


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", scores(T))
def test_parts_are_those_of_the_matrix(name: str, alone: bool) -> None:
    given = data(alone)
    game: dict[str, Any] = {"score": scores(N if alone else T)[name], "index": BETA, "k": K}
    whole = interactions(*given, **game)
    near = {"rtol": 0, "atol": 1e-14}
    for index in (BETA, "STII"):
        game["index"] = index
        whole = interactions(*given, **game)
        ranked = RankedNeighbors(*given, **game)
        for _ in range(2):  # ranked, and remembered
            np.testing.assert_allclose(
                ranked.pairs([4, 0, 9]), whole.matrix[np.ix_([4, 0, 9], [4, 0, 9])], **near
            )
            np.testing.assert_allclose(ranked.rows([7]), whole.matrix[[7]], **near)
        assert ranked.keeps
        assert (ranked.index, ranked.score) == (whole.index, whole.score)
    rows = interaction_rows(*given, rows=[2, 3], **game)
    np.testing.assert_allclose(rows, whole.matrix[[2, 3]], **near)
    blocks = np.arange(N) % 2
    sums = block_interactions(*given, blocks=blocks, **game)
    pairs = whole.matrix - np.diag(np.diag(whole.matrix))
    expected = [[pairs[np.ix_(blocks == a, blocks == b)].sum() for b in (0, 1)] for a in (0, 1)]
    np.testing.assert_allclose(sums.sums, expected, rtol=0, atol=1e-12)
    assert sums.score == game["score"].name
    pair = pair_parts(*given, first=3, second=8, **game)
    assert pair.mean() == pytest.approx(whole.matrix[3, 8], abs=1e-14)
    value = value_parts(*given, point=3, k=K, kind=BETA, score=game["score"])
    assert value.mean() == pytest.approx(
        values(*given, k=K, kind=BETA, score=game["score"])[3], abs=1e-14
    )


def test_errors_and_sweeps_know_the_game() -> None:
    given, game = data(False), {"score": games.measured("squared"), "index": BETA}
    whole = interactions(*given, k=K, **game)
    errors = standard_errors(*given, k=K, **game)  # type: ignore[arg-type]
    pairs = np.triu_indices(N, 1)
    np.testing.assert_allclose(errors.mean[pairs], whole.matrix[pairs], rtol=0, atol=1e-14)
    swept = sweep_k(*given, ks=(1, K), **game)  # type: ignore[arg-type]
    assert swept.spread[1] == pytest.approx(whole.matrix[pairs].std(), rel=1e-9)
    other = interactions(*given, k=1, **game)
    alike = np.corrcoef(whole.matrix[pairs], other.matrix[pairs])[0, 1]
    assert swept.correlation[0, 1] == pytest.approx(alike, abs=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine", "precomputed"])
def test_a_kernel_sees_the_distances_of_the_metric(metric: Any) -> None:
    rng = np.random.default_rng(2)
    X, X_test = rng.normal(size=(8, 5)), rng.normal(size=(3, 5))
    gaps = np.abs(X_test[:, None] - X)
    far = {
        "euclidean": np.sqrt((gaps**2).sum(axis=2)),
        "manhattan": gaps.sum(axis=2),
        "chebyshev": gaps.max(axis=2),
        "cosine": 1 - (X_test @ X.T) / np.outer(np.linalg.norm(X_test, axis=1),
                                                np.linalg.norm(X, axis=1)),
    }  # fmt: skip
    far["precomputed"] = far["manhattan"]
    y, y_test = [0, 1] * 4, [1, 0, 1]
    places = (far[metric], None) if metric == "precomputed" else (X, X_test)
    given = places[0], y, places[1], y_test
    found = interactions(*given, metric=metric, k=2, score=games.kernel("rbf", 0.7))
    given_weights = games.kernel(np.exp(-0.5 * (far[metric] / 0.7) ** 2))
    expected = interactions(*given, metric=metric, k=2, score=given_weights)
    np.testing.assert_allclose(found.matrix, expected.matrix, rtol=0, atol=1e-15)


def test_support_by_shares_of_annotators() -> None:
    """A test point that annotators share out is as several of one class each, by their share."""
    X, y, X_test, _ = data(False)
    counts = np.random.default_rng(1).integers(0, 4, (T, 3))
    counts[:, 0] += 1
    found = label_support(X, y, X_test, [0] * T, k=K, score=games.votes(counts))
    rows, labels = np.repeat(np.arange(T), 3), np.tile(np.arange(3), T)
    weights = (counts / counts.sum(axis=1, keepdims=True)).ravel()
    apart = label_support(X, y, X_test[rows], labels, k=K, sample_weight=weights)
    np.testing.assert_allclose(found.support, apart.support, rtol=0, atol=1e-15)
    np.testing.assert_allclose(found.quality, apart.quality, rtol=0, atol=1e-13)
    assert (found.suggested == apart.suggested).all()


@pytest.mark.parametrize("score", [
    games.costs({0: 2.0, 1: 0.5}), games.kernel("inverse", 1.0), games.kernel(np.ones((T, N)) / 3)
])  # fmt: skip
def test_support_is_what_a_point_would_bring(score: games.Score) -> None:
    """Against the Shapley value of a point that alone is of a class, over all sets."""
    X, y, X_test, y_test = data(False)
    some = np.r_[0:6]
    while set(y[some]) != {0, 1, 2}:
        some = some + 1
    X, y = X[some], y[some]
    if "table" in score.name:
        score = games.kernel(np.ones((T, len(y))) / 3)
    found = label_support(X, y, X_test, y_test, k=K, score=score).support
    groups = naive.tie_groups((10 * X).round().astype(int), (10 * X_test).round().astype(int))
    expected = np.zeros_like(found)
    for row, x, label in zip(groups, X_test, y_test, strict=True):
        for i in range(len(y)):
            alone = np.zeros(len(y))
            if score.kind == "costs":
                alone[i] = {0: 2.0, 1: 0.5}.get(label, 1.0)
            elif "table" in score.name:
                alone[i] = 1 / 3
            else:
                alone[i] = all_games.kernel_weight("inverse", 1.0, float(np.linalg.norm(X[i] - x)))
            expected[i, label] += naive.shapley_values(naive.game(row, alone, K))[i] / T
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def test_soft_labels_that_are_sure_are_labels() -> None:
    X, y, X_test, y_test = data(False)
    plain = interactions(X, y, X_test, y_test, k=K)
    for score in (
        games.soft(np.eye(3)[y_test]), games.soft_training(np.eye(3)[y]),
        games.kernel(np.ones((T, N))), games.costs({0: 1.0}),
        games.labels(y[:, None], y_test[:, None]),
    ):  # fmt: skip
        found = interactions(X, y, X_test, y_test, k=K, score=score)
        np.testing.assert_allclose(found.matrix, plain.matrix, rtol=0, atol=1e-15)
        np.testing.assert_allclose(found.values, plain.values, rtol=0, atol=1e-15)


def test_normalised_values_rank_a_class_as_plain_ones_do() -> None:
    X, y, X_test, y_test = data(False)
    one, other = (values(X, y, X_test, y_test, k=K, score=s) for s in ("plain", games.normalised()))
    for c in range(3):
        difference = (other - one)[y == c]
        assert np.ptp(difference) < 1e-14


def test_a_result_carries_its_game_to_a_file(tmp_path: Path) -> None:
    given = data(False)
    game: dict[str, Any] = {"index": BETA, "score": games.kernel("rbf", 0.5)}
    found = interactions(*given, **game)
    found.save(tmp_path / "result.npz")
    again = Interactions.load(tmp_path / "result.npz")
    assert (again.index, again.score) == ("beta(4, 1)", "kernel('rbf', 0.5)")
    assert "beta(4, 1)" in repr(again)
    with pytest.raises(ParameterError, match="only with the same score"):
        found.merged_with(interactions(*given, index=BETA))
    halves = [interactions(*given[:2], given[2][a], given[3][a], **game)
              for a in (slice(0, 5), slice(5, T))]  # fmt: skip
    joint = halves[0].merged_with(halves[1])
    np.testing.assert_allclose(joint.matrix, found.matrix, rtol=0, atol=1e-15)


def test_files_from_before_there_were_scores_are_plain(tmp_path: Path) -> None:
    interactions(*data(False)).save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz", allow_pickle=False) as content:
        arrays = dict(content)
    header = json.loads(arrays.pop("header").tobytes())
    assert header.pop("score") == "plain"
    text = json.dumps({**header, "version": 1}).encode()
    old = np.frombuffer(text, dtype=np.uint8)
    np.savez(tmp_path / "old.npz", allow_pickle=False, header=old, **arrays)
    assert Interactions.load(tmp_path / "old.npz").score == "plain"


def test_rounding_is_that_of_the_largest_pair() -> None:
    """Gains of all sizes and both signs, against formulas in extended precision."""
    rng = np.random.default_rng(4)
    n, t, k = 400, 300, 5
    distances = rng.random((t, n)).argsort(axis=1).astype(float)
    y, y_test = 100 + 10 * rng.normal(size=n), 100 + 10 * rng.standard_cauchy(t)
    tables: dict[games.Score, FloatArray] = {
        games.measured("squared"): -((y - y_test[:, None]) ** 2),
        games.measured("absolute"): -np.abs(y - y_test[:, None]),
        games.kernel("rbf", 20.0): np.exp(-0.5 * (distances / 20.0) ** 2),
    }
    order = distances.argsort(axis=1)
    for score, table in tables.items():
        labels = (y, y_test) if score.measured else (np.zeros(n), np.zeros(t))
        found = interactions(
            distances, labels[0], None, labels[1], k=k, metric="precomputed", score=score
        )
        w = naive.pair_weights("STII", n, k).astype(np.longdouble)
        total = np.zeros((n, n), dtype=np.longdouble)
        for row, gains in zip(order, table, strict=True):
            u = gains[row].astype(np.longdouble) / k
            falls = (w[1:-1] - w[2:]) * u
            behind = np.append(np.cumsum(falls[::-1])[::-1], 0)[1:]
            c = behind - w[2:] * u
            rank = np.empty(n, dtype=np.int64)
            rank[row] = np.arange(n)
            total += c[np.maximum.outer(rank, rank)] / t
        np.fill_diagonal(total, 0)
        pairs = found.matrix.copy()
        np.fill_diagonal(pairs, 0)
        assert np.abs(pairs - total).max() <= 1e-13 * np.abs(total).max(), score.name


@pytest.mark.parametrize("name", scores(T))
def test_lazy_arrays_and_stores_know_the_game(name: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from stiknn_core.distributed import block_sum_array, interaction_array, interactions_to_zarr

    given = data(False)
    for index in (BETA, "STII"):
        game: dict[str, Any] = {"score": scores(T)[name], "index": index, "k": K}
        whole = interactions(*given, **game)
        lazy = interaction_array(*given, **game, tile=16, test_chunk=5)
        found = lazy.compute(scheduler="synchronous")
        np.testing.assert_allclose(found, whole.matrix, rtol=0, atol=1e-14)
        blocks = np.arange(N) % 2
        sums = block_sum_array(*given, blocks=blocks, **game).compute(scheduler="synchronous")
        expected = block_interactions(*given, blocks=blocks, **game).sums
        np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-12)
        path = tmp_path / f"{whole.index[:2]}"
        store = interactions_to_zarr(path, *given, **game, xy=None, tile=16, n_jobs=1)
        np.testing.assert_allclose(store.rows(range(N)), whole.matrix, rtol=0, atol=1e-14)
        np.testing.assert_allclose(store.values, whole.values, rtol=0, atol=1e-14)
        assert (store.index, store.score) == (whole.index, whole.score)
        if name == "measured":
            with pytest.raises(FileError, match="quality"):
                store.quality  # noqa: B018 - asking for it is the point
        else:
            support = label_support(*given, k=K, score=scores(T)[name])
            np.testing.assert_allclose(store.quality, support.quality, rtol=0, atol=1e-12)
    with pytest.raises(ParameterError, match="other data or settings"):
        interactions_to_zarr(path, *given, k=K, xy=None, tile=16)


def test_suspects_are_ranked_by_what_a_neighbour_brings() -> None:
    X, y = data(alone=True)
    kernel = games.kernel("rbf", 0.5)
    found = rank_suspects(
        X, y, k=K, space="features", score="value", neighbor_score=kernel
    ).sort_values("position")
    told = interactions(X, y, k=K, score=kernel)
    np.testing.assert_allclose(found["value"], told.values, rtol=0, atol=1e-14)
    support = label_support(X, y, k=K, score=kernel)
    np.testing.assert_array_equal(found["quality"], support.quality)
    codes = np.unique(y, return_inverse=True)[1]
    np.testing.assert_allclose(found["in_out"], in_out(told.matrix, codes, 3), rtol=0, atol=1e-14)
    plain = rank_suspects(X, y, k=K, space="features").sort_values("position")
    assert not np.allclose(plain["value"], found["value"])
    with pytest.raises(ParameterError, match="Label support asks"):
        rank_suspects(X, y, space="features", neighbor_score=games.labels(np.column_stack([y, y])))


def test_an_overview_holds_the_values_of_its_index() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 4, (30, 2)).astype(float), rng.integers(0, 3, 30)
    for index in (games.BII, games.beta(4, 1), games.calibrated(12), games.STII):
        found = overview(X, y, k=3, index=index)
        assert np.array_equal(found.values, values(X, y, k=3, kind=index))
        assert np.array_equal(found.leave_one_out, overview(X, y, k=3).leave_one_out)
