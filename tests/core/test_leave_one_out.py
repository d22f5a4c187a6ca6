"""What removing one point alone changes: exact, however ties, weights and test points are."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

from stiknn_core import ParameterError, games, interactions, value_parts, values
from stiknn_core.datasets import make_dataset
from stiknn_core.datasets.bundled import load_bundled
from stiknn_core.preparation import scale_features

close = {"rtol": 0, "atol": 1e-12}
LINE = [0, 1, 1, 3, 3, 4]
LABELS = "abbaba"


def utility(chosen, at, label, k, ties):
    """v(S) for one test point, exactly: the mean over the orders of tied points."""
    orders = [
        order
        for order in permutations(sorted(chosen))
        if all(abs(LINE[a] - at) <= abs(LINE[b] - at) for a, b in pairwise(order))
    ]
    orders = orders if ties == "expected" else orders[:1]
    right = sum(LABELS[i] == label for order in orders for i in order[:k])
    return Fraction(right, k * len(orders))


def removals(tests, k, ties, weights, alone=False):
    """v(N) - v(N without i) for each point, exactly."""
    everyone = frozenset(range(len(LINE)))
    found = []
    for i in sorted(everyone):
        parts = []
        for place, (at, label) in enumerate(tests):
            players = everyone - {place} if alone else everyone
            whole, rest = players, players - {i}
            parts.append(utility(whole, at, label, k, ties) - utility(rest, at, label, k, ties))
        weighted = sum(Fraction(w) * part for w, part in zip(weights, parts, strict=True))
        found.append(weighted / sum(weights))
    return found


def exact(found):
    return [Fraction(one).limit_denominator(10_000) for one in np.asarray(found).tolist()]


@pytest.mark.parametrize("ties", ["expected", "index"])
@pytest.mark.parametrize("k", [1, 2, 3, 5, 6, 8])
def test_it_is_the_difference_that_the_definition_says(k: int, ties: str) -> None:
    X, weights = np.array(LINE, dtype=float)[:, None], [1, 3, 2]
    tests = [(0, "a"), (2, "b"), (4, "a")]
    found = values(
        X, list(LABELS), [[float(at)] for at, _ in tests], [label for _, label in tests],
        k=k, kind="leave_one_out", ties=ties, sample_weight=weights,
    )  # fmt: skip
    assert exact(found) == removals(tests, k, ties, weights)
    alone = list(zip(LINE, LABELS, strict=True))
    found = values(X, list(LABELS), k=k, kind="leave_one_out", ties=ties)
    assert exact(found) == removals(alone, k, ties, [1] * len(LINE), alone=True)


def test_the_next_nearest_takes_the_place() -> None:
    """k = 2 of a, b, a, b in this order for a test point of class a: -0, -1/2, 0, 0."""
    found = values([[1.0], [2.0], [3.0], [4.0]], list("abab"), [[0.0]], ["a"], k=2,
                   kind="leave_one_out")  # fmt: skip
    assert found.tolist() == [0.0, -0.5, 0.0, 0.0]
    parts = value_parts([[1.0], [2.0], [3.0], [4.0]], list("abab"), [[0.0]], ["a"], point=1, k=2,
                        kind="leave_one_out")  # fmt: skip
    assert parts.tolist() == [-0.5]


def test_with_too_few_points_a_place_stays_empty() -> None:
    found = values([[1.0], [2.0]], list("ab"), [[0.0]], ["a"], k=4, kind="leave_one_out")
    assert found.tolist() == [0.25, 0.0]


@pytest.mark.filterwarnings("ignore::stiknn_core.StiknnWarning")
@pytest.mark.parametrize("k", [1, 4, 39, 40, 50])
@pytest.mark.parametrize("digits", [0, 9])
@pytest.mark.parametrize("held_out", [True, False])
def test_it_is_what_computing_again_without_the_point_says(k, digits, held_out) -> None:
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(40, 2)).round(digits), rng.integers(0, 3, 40)
    test, weights = (), None
    if held_out:
        test, weights = (rng.normal(size=(9, 2)).round(digits), rng.integers(0, 3, 9)), np.arange(9)
    found = values(X, y, *test, k=k, kind="leave_one_out", sample_weight=weights)

    def likelihood(points, *judged, **more):
        return interactions(X[points], y[points], *judged, k=k, **more).likelihood

    everyone = np.arange(40)
    whole = likelihood(everyone, *test, sample_weight=weights)
    for i in range(40):
        rest = np.delete(everyone, i)
        less = likelihood(rest, *test, sample_weight=weights)
        if not held_out:  # the point itself is tested by the others, before and after
            less = (39 * less + likelihood(rest, X[[i]], y[[i]])) / 40
        assert found[i] == pytest.approx(whole - less, abs=1e-12)


def test_a_kind_that_is_none_is_refused_for_single_points_too() -> None:
    for nothing in ("loo", ""):
        with pytest.raises(ParameterError, match=r"kind.*leave_one_out"):
            value_parts([[0.0], [1.0]], [0, 1], point=0, kind=nothing)


def removed(X, y, k):
    """v(N) - v(N without i), each point tested with the others; plain, for data without ties."""
    n = len(X)
    far = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    right = y[np.argsort(far, axis=1)] == y[:, None]
    order = np.argsort(far, axis=1)
    changes = np.zeros(n)
    for p in range(n):
        for place in range(k):
            changes[order[p, place]] += (int(right[p, place]) - int(right[p, k])) / (k * n)
    return np.where(np.abs(changes) < 1e-12, 0.0, changes)


@pytest.mark.parametrize(
    ("name", "kind", "signs"),
    [
        ("imbalance", "shapley", (0, 0, 3)),
        ("breast cancer", "shapley", (8, 1, 2)),
        ("breast cancer", games.calibrated(20), (25, 39, 11)),  # docs/games.md
    ],
)
def test_a_negative_value_does_not_say_that_the_data_are_better_without(name, kind, signs) -> None:
    """Of the points with a negative value: removal is better for some, neutral, or worse."""
    if name == "imbalance":  # the picture of docs/reading.md
        data = make_dataset("moons", n=200, noise=0.15, seed=3, imbalance=0.85)
        X, y = data.X, data.y
    else:
        data = load_bundled("breast_cancer")
        X, y = scale_features(data.X, None, "standard")[0], data.y
    negative = values(X, y, k=5, kind=kind) < 0
    found = values(X, y, k=5, kind="leave_one_out")
    np.testing.assert_allclose(found, removed(np.asarray(X), y, 5), **close)
    found = np.where(np.abs(found) < 1e-12, 0.0, found)[negative]
    assert ((found < 0).sum(), (found == 0).sum(), (found > 0).sum()) == signs
