"""Ranking and ties: the fast routes find what sorting plain differences finds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from stiknn_core.engine.neighbors import TIE_TOLERANCE, NeighborRanker, _nearest_first, blocks
from stiknn_core.types import Metric
from stiknn_core.validation import check_problem

FloatArray = NDArray[np.float64]
WIDE = 784


def distances_of(X: FloatArray, X_test: FloatArray, metric: str) -> FloatArray:
    if metric == "euclidean":
        return cdist(X_test, X)
    unit, unit_test = (A / np.linalg.norm(A, axis=1, keepdims=True) for A in (X, X_test))
    return cdist(unit_test, unit, "sqeuclidean")


def groups_of(distances: FloatArray, gone: int | None = None) -> list[set[int]]:
    """Return the groups of one row by the rule itself, nearest first."""
    order = [int(i) for i in np.argsort(distances) if i != gone]
    slack = TIE_TOLERANCE * distances[order[-1]]
    groups = [{order[0]}]
    for before, here in pairwise(order):
        if distances[here] - distances[before] > slack:
            groups.append(set())
        groups[-1].add(here)
    return groups


def ranked_groups(
    X: FloatArray, X_test: FloatArray | None, metric: Metric
) -> tuple[list[list[set[int]]], list[int]]:
    y = np.arange(len(X)) % 2
    y_test = None if X_test is None else np.zeros(len(X_test), int)
    options: dict[str, Any] = {"metric": metric, "ties": "expected", "sample_weight": None}
    problem = check_problem(X, y, X_test, y_test, k=3, n_jobs=1, **options)
    ranker = NeighborRanker(problem)
    found, pairs = [], []
    for block in blocks(0, problem.n_test):
        ranking = ranker.rank(*block)
        pairs += ranking.tied_pairs.tolist()
        for order, ends in zip(ranking.order.tolist(), ranking.ends.tolist(), strict=True):
            starts = [0]
            while ends[starts[-1]] < problem.n_ranked:
                starts.append(ends[starts[-1]])
            stops = [*starts[1:], problem.n_ranked]
            found.append([set(order[a:b]) for a, b in zip(starts, stops, strict=True)])
    return found, pairs


def pixels(rng: np.random.Generator) -> FloatArray:
    """Few shades in few places: sums of squares that often agree."""
    images = np.zeros((90, WIDE))
    images[:, 300:306] = rng.integers(0, 3, size=(90, 6)) * 127.0
    return images


def near_ties(rng: np.random.Generator) -> FloatArray:
    """Points on a line, at steps of a half and of twice the tolerance."""
    place = 1.0 + np.cumsum(rng.choice([0.5e-9, 2e-9], size=90)) * 3.0
    X = np.zeros((90, WIDE))
    X[:, 7] = np.append(place[:-1], 3.0)
    return X


TABLES: dict[str, Any] = {
    "normal": lambda rng: rng.normal(size=(90, WIDE)),
    "few features": lambda rng: np.round(rng.normal(size=(90, 5)), 1),
    "large offset": lambda rng: rng.normal(size=(90, WIDE)) + 1e7,
    "pixels": pixels,
    "standardised pixels": lambda rng: pixels(rng) / 31.7 - 0.31,
    "copies": lambda rng: rng.normal(size=(30, WIDE))[rng.integers(0, 30, 90)],
    "near ties": near_ties,
    "one far away": lambda rng: np.vstack([rng.normal(size=(89, WIDE)), np.full(WIDE, 1e6)]),
}


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("name", TABLES)
def test_wide_tables_have_the_groups_of_plain_differences(name: str, metric: Metric) -> None:
    rng = np.random.default_rng(5)
    X = TABLES[name](rng)
    X = X[np.abs(X).sum(axis=1) > 0]
    train, test = X[:-20], X[-20:]
    expected = [groups_of(row) for row in distances_of(train, test, metric)]
    found, pairs = ranked_groups(train, test, metric)
    assert found == expected
    assert pairs == [sum(len(g) * (len(g) - 1) // 2 for g in row) for row in expected]
    itself = [groups_of(row, gone=p) for p, row in enumerate(distances_of(train, train, metric))]
    assert ranked_groups(train, None, metric)[0] == itself
    if metric == "euclidean":
        sizes = {len(group) for row in expected for group in row}
        assert (max(sizes) > 1) == (name not in ("normal", "large offset"))
        assert min(sizes) == 1 or "pixels" in name


ROWS: dict[str, Any] = {
    "one": lambda rng: np.array([0.5]),
    "two": lambda rng: np.array([0.5, 0.25]),
    "random": lambda rng: rng.random(700),
    "powers": lambda rng: 2.0 ** rng.integers(-300, 300, size=700),
    "all equal": lambda rng: np.full(700, 0.1),
    "with zeros": lambda rng: rng.choice([0.0, -0.0, 1.0, 2.0], size=700),
    "with infinity": lambda rng: np.append(rng.random(20), np.inf),
    "last bits": lambda rng: 1.0 + rng.integers(0, 50, size=700) * 2.0**-52,
    "pairs in the last bits": lambda rng: (
        np.repeat(np.arange(1.0, 101.0), 3) * (1 + rng.integers(0, 3, size=300) * 2.0**-52)
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_sorted_by_all_digits(name: str) -> None:
    """Also where the digits that give way to the place of a point are all that differ."""
    rows = np.vstack([ROWS[name](np.random.default_rng(seed)) for seed in (1, 2)])
    order = _nearest_first(rows.copy())
    np.testing.assert_array_equal(np.sort(order, axis=1), [range(rows.shape[1])] * 2)
    np.testing.assert_array_equal(np.take_along_axis(rows, order, axis=1), np.sort(rows, axis=1))
