"""Games: how fast each is beside the plain one, and what they find: `python -m benchmarks.games`.

Targets with one in twenty replaced by that of another row are ranked by their value in the measured
game, beside random forests' out-of-bag residuals. Wrong labels of digits are ranked by values whose
test points several annotators have labelled, beside those of the majority's label.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_wine,
    make_friedman1,
)
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import average_precision_score
from sklearn.neighbors import NearestNeighbors

from benchmarks.report import machine, markdown_table
from stiknn_core import games, interactions, target_support, values
from stiknn_core.preparation import scale_features
from stiknn_core.types import FloatArray, IntArray

K = 5
DISTURBED = 0.05

Finder = Callable[[FloatArray, FloatArray, int], FloatArray]


def tables() -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Yield measured targets of scikit-learn's sets: a column of those that have classes."""
    yield "diabetes", *load_diabetes(return_X_y=True)
    yield "friedman1, noise 1", *make_friedman1(1_000, noise=1.0, random_state=0)
    for name, loaded, column in (
        ("wine: alcohol", load_wine(), "alcohol"),
        ("breast cancer: mean smoothness", load_breast_cancer(), "mean smoothness"),
    ):
        place = list(loaded.feature_names).index(column)
        yield name, np.delete(loaded.data, place, axis=1), loaded.data[:, place]


def by_value(score: games.Score, kind: Any, X: FloatArray, y: FloatArray, seed: int) -> FloatArray:
    """Return how suspicious targets are by their value in leave-one-out testing."""
    return -values(X, y, k=K, score=score, kind=kind)


def by_support(X: FloatArray, y: FloatArray, seed: int) -> FloatArray:
    """Return how far each target is from what the test points around it say."""
    return target_support(X, y, k=K).distance


def by_neighbors(X: FloatArray, y: FloatArray, seed: int) -> FloatArray:
    """Return how far each target is from the mean of its k nearest others."""
    others = NearestNeighbors(n_neighbors=K).fit(X).kneighbors(return_distance=False)
    return np.asarray(np.abs(y - y[others].mean(axis=1)))


def by_forest(X: FloatArray, y: FloatArray, seed: int) -> FloatArray:
    """Return how far each target is from the trees that did not see it."""
    forest = RandomForestRegressor(300, oob_score=True, random_state=seed, n_jobs=1).fit(X, y)
    return np.asarray(np.abs(y - forest.oob_prediction_))


def finders() -> dict[str, Finder]:
    """Return what ranks targets, each by a name."""
    return {
        "value, absolute loss": partial(by_value, games.measured("absolute"), "shapley"),
        "value, squared loss": partial(by_value, games.measured("squared"), "shapley"),
        "calibrated value, absolute": partial(
            by_value, games.measured("absolute"), games.calibrated(20)
        ),
        "leave-one-out value, absolute": partial(
            by_value, games.measured("absolute"), "leave_one_out"
        ),
        "distance, `target_support`": by_support,
        "residual of k neighbours": by_neighbors,
        "forest, out-of-bag residual": by_forest,
    }


def disturbed(y: FloatArray, seed: int) -> tuple[FloatArray, IntArray]:
    """Return targets of which some are those of other rows, and which these are."""
    rng = np.random.default_rng(seed)
    wrong = rng.permutation(len(y))[: max(1, round(DISTURBED * len(y)))]
    given = y.copy()
    given[wrong] = y[(wrong + rng.integers(1, len(y), len(wrong))) % len(y)]
    return given, wrong


def targets(seeds: int) -> str:
    """Return average precisions of disturbed targets, a row for each set."""
    rows = []
    for name, features, y in tables():
        X = scale_features(features)[0]
        found: dict[str, list[float]] = {}
        for seed in range(seeds):
            given, wrong = disturbed(y, seed)
            truth = np.isin(np.arange(len(y)), wrong)
            for what, finder in finders().items():
                suspicion = finder(X, given, seed)
                found.setdefault(what, []).append(average_precision_score(truth, suspicion))
        rows.append((name, f"{len(y):,}", *map(_mean, found.values())))
    return markdown_table(("targets", "rows", *finders()), rows)


def _mean(found: list[float]) -> str:
    return f"{np.mean(found):.2f} ± {np.std(found):.2f}"


def digits(seeds: int, annotators: int = 5) -> str:
    """Return average precisions of wrong training labels, by what the test points' labels are."""
    X, y = load_digits(return_X_y=True)
    rows = []
    for error in (0.2, 0.4, 0.6):
        found: dict[str, list[float]] = {}
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            places = rng.permutation(len(y))
            train, test = places[: len(y) // 2], places[len(y) // 2 :]
            given = y[train].copy()
            wrong = rng.random(len(train)) < 0.1
            given[wrong] = (given[wrong] + rng.integers(1, 10, wrong.sum())) % 10
            said = np.repeat(y[test][:, None], annotators, axis=1)
            slips = rng.random(said.shape) < error
            said[slips] = (said[slips] + rng.integers(1, 10, slips.sum())) % 10
            counts = (said[:, :, None] == np.arange(10)).sum(axis=1)
            for what, labels, score in (
                ("one annotator", said[:, 0], games.plain()),
                ("majority", counts.argmax(axis=1), games.plain()),
                ("shares of all", counts.argmax(axis=1), games.votes(counts)),
                ("the truth", y[test], games.plain()),
            ):
                value = values(X[train], given, X[test], labels, k=K, score=score)
                found.setdefault(what, []).append(average_precision_score(wrong, -value))
        rows.append((f"{error:.0%}".replace("%", " %"), *map(_mean, found.values())))
    heads = ("annotators wrong", "one annotator", "majority", "shares of all", "the truth")
    return markdown_table(heads, rows)


def speed(n: int = 2_000, t: int = 512, repeats: int = 5) -> str:
    """Return the time of each game as a share of the plain one's, in one run, on one thread."""
    rng = np.random.default_rng(0)
    X, X_test = rng.normal(size=(n, 20)), rng.normal(size=(t, 20))
    y, y_test = rng.integers(0, 3, n), rng.integers(0, 3, t)
    tags, test_tags = rng.integers(0, 2, (n, 4)), rng.integers(0, 2, (t, 4))
    asked: dict[str, dict[str, Any]] = {
        "plain, STII": {},
        "weighted_banzhaf(0.3)": {"index": games.weighted_banzhaf(0.3)},
        "beta(4, 1)": {"index": games.beta(4, 1)},
        "calibrated(100)": {"index": games.calibrated(100)},
        "leave_two_out()": {"index": games.leave_two_out()},
        "kernel, RBF": {"score": games.kernel("rbf", 3.0)},
        "kernel, given": {"score": games.kernel(rng.random((t, n)))},
        "soft": {"score": games.soft(rng.dirichlet(np.ones(3), t))},
        "soft_training": {"score": games.soft_training(rng.dirichlet(np.ones(3), n))},
        "labels, 4 a row": {"score": games.labels(tags, test_tags)},
        "costs": {"score": games.costs({0: 2.0})},
        "measured, squared": {"score": games.measured("squared")},
        "measured, Huber": {"score": games.measured("huber", 1.0)},
        "normalised": {"score": games.normalised()},
    }
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(repeats):
        for name, options in asked.items():
            kind = {"kind": options["index"]} if "index" in options else options
            for what, function, given in (
                ("pairs", interactions, options), ("values", values, kind)
            ):  # fmt: skip
                start = time.process_time()
                function(X, y, X_test, y_test, k=K, n_jobs=1, **given)
                times.setdefault((name, what), []).append(time.process_time() - start)
    best = {key: min(found) for key, found in times.items()}
    rows = [
        (name, *(f"{best[name, what] / best['plain, STII', what]:.2f}"
                 for what in ("pairs", "values")))
        for name in asked
    ]  # fmt: skip
    return markdown_table(("game", "pairs", "values"), rows)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=10)
    seeds = options.parse_args().seeds
    print(machine(), end="\n\n", flush=True)
    print(speed(), end="\n\n", flush=True)
    print(targets(seeds), end="\n\n", flush=True)
    print(digits(seeds))
