"""What documents and pages say a sign means, in exact fractions from the definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from stiknn_core import interactions, values
from stiknn_core.datasets import make_dataset
from tests import naive
from tests.exact import (
    Game,
    change,
    interaction,
    interaction_by_orders,
    pairs,
    ranked,
    shapley,
    subsets,
    utility,
)

THIRD = Fraction(1, 3)


def computed(labels: str, k: int, places: list[int] | None = None) -> np.ndarray:
    """The package's matrix of points on a line, seen by one test point of class a at 0."""
    places = places or list(range(1, len(labels) + 1))
    X = np.array(places, dtype=float)[:, None]
    return interactions(X, list(labels), [[0.0]], ["a"], k=k).matrix


@pytest.mark.parametrize(("labels", "phi"), [("aa", -1), ("ab", 0), ("ba", -1), ("bb", 0)])
def test_blue_is_competition_whatever_the_nearer_label(labels: str, phi: int) -> None:
    """One right and one wrong point are as blue as two right ones."""
    assert interaction(ranked(labels, 1), 2, 0, 1) == phi
    if "a" in labels:  # else the package warns that nobody can be right
        assert computed(labels, 1)[0, 1] == phi


def test_orange_is_a_shield_or_a_harm_that_overlaps() -> None:
    behind = frozenset({2})
    # A right point in front of a wrong one keeps it from its place.
    v = ranked("aba", 1)
    assert interaction(v, 3, 0, 1) == THIRD
    assert [v(behind), v(behind | {1}), v(behind | {0, 1})] == [1, 0, 1]
    # Either of two wrong ones does the whole harm, so the second does none.
    v = ranked("bba", 1)
    assert interaction(v, 3, 0, 1) == THIRD
    assert [v(behind), v(behind | {0}), v(behind | {1}), v(behind | {0, 1})] == [1, 0, 0, 0]
    for labels in ("aba", "bba"):
        assert computed(labels, 1)[0, 1] == pytest.approx(1 / 3, abs=1e-15)


def test_a_copy_can_be_orange() -> None:
    places, labels = [1, 1, 5, 6], "bbaa"
    assert interaction(utility(places, labels, 1), 4, 0, 1) == Fraction(1, 2)
    assert computed(labels, 1, places)[0, 1] == pytest.approx(0.5, abs=1e-15)


def test_labels_of_the_k_nearest_enter_no_pair_and_the_next_one_does() -> None:
    n = 5
    for k in range(1, n):
        by_rest: dict[str, set[tuple[Fraction, ...]]] = {}
        for labels in map("".join, product("ab", repeat=n)):
            found = tuple(pairs(ranked(labels, k), n).values())
            by_rest.setdefault(labels[k:], set()).add(found)
        assert all(len(different) == 1 for different in by_rest.values())
        assert by_rest["a" * (n - k)] != by_rest["b" + "a" * (n - k - 1)]


def test_only_the_farther_point_counts() -> None:
    n = 5
    for k in range(1, n + 1):
        for labels in map("".join, product("ab", repeat=n)):
            v = ranked(labels, k)
            for far in range(1, n):
                assert len({interaction(v, n, near, far) for near in range(far)}) == 1


def nobody_or(labels: str, rank: int | None, k: int) -> Fraction:
    """What the point of a rank brings; nobody brings nothing."""
    return Fraction(0) if rank is None else Fraction(labels[rank] == "a", k)


def test_the_three_cases_of_the_proof() -> None:
    """docs/method.md: what i and j change at a set S, by how many of S are nearer than j."""
    n = 6
    for k, labels in product((1, 2, 3), ("abaabb", "bbabaa", "aaaaaa", "babbab")):
        v = ranked(labels, k)
        for i, j in combinations(range(n), 2):
            for S in subsets([p for p in range(n) if p not in (i, j)]):
                inside = [*sorted(S), *[None] * k]
                nearer = sum(p < j for p in S)
                last = nobody_or(labels, inside[k - 1], k)
                if nearer >= k:
                    told = Fraction(0)
                elif nearer == k - 1:
                    told = last - nobody_or(labels, j, k)
                else:
                    told = last - nobody_or(labels, inside[k - 2], k)
                assert change(v, S, i, j) == told


def chance(n: int, k: int, others: int) -> Fraction:
    """That exactly k - 1 of some other points are there before both of a pair."""
    weights = (
        Fraction(2, n * comb(n - 1, len(S)))
        for S in subsets(list(range(n - 2)))
        if sum(p < others for p in S) == k - 1
    )
    return sum(weights, Fraction(0))


def test_a_weight_is_the_chance_that_exactly_one_place_is_left() -> None:
    n = 7
    for k in range(1, n):
        for j in range(3, n + 1):
            told = Fraction(2 * (j - k - 1), (j - 1) * (j - 2)) if j > k + 1 else 0
            assert chance(n, k, j - 3) == told


@pytest.mark.slow
def test_the_closed_form_and_what_gives_its_sign() -> None:
    """From rank 2k on: blue if the farther is right, orange if it is wrong before a right one."""
    n = 6
    for k in range(1, n + 2):
        w = [Fraction(0)] * (n + 2)
        for j in range(k + 2, n + 2):
            w[j] = Fraction(2 * (j - k - 1), (j - 1) * (j - 2))
        for labels in map("".join, product("ab", repeat=n)):
            u = [Fraction(0), *(Fraction(label == "a", k) for label in labels)]
            found = pairs(ranked(labels, k), n)
            for m in range(2, n + 1):
                behind = sum(((w[j] - w[j + 1]) * u[j] for j in range(m + 1, n + 1)), Fraction(0))
                assert found[m - 2, m - 1] == behind - w[m + 1] * u[m]
                shares = [w[j] - w[j + 1] for j in range(m + 1, n + 1)]
                assert sum(shares, Fraction(0)) + w[n + 1] == w[m + 1]
                if m >= 2 * k:
                    right, some = u[m] > 0, any(u[m + 1 :])
                    sign = -1 if right else int(some)
                    assert np.sign(found[m - 2, m - 1]) == sign


def test_among_the_nearest_a_wrong_farther_point_may_be_blue() -> None:
    """docs/method.md: the weights rise up to rank 2k, here of bbbba with k = 3."""
    found = pairs(ranked("bbbba", 3), 5)
    assert {found[pair] for pair in combinations(range(4), 2)} == {Fraction(-1, 90)}
    for k in range(1, 9):
        w = {j: Fraction(2 * (j - k - 1), (j - 1) * (j - 2)) for j in range(k + 2, 40)}
        assert max(w.values()) == w[2 * k + 1]
        assert all(w[j] > w[j + 1] for j in range(2 * k + 1, 39))


def test_joining_orders_give_the_same_interaction_and_the_value() -> None:
    n = 4
    for k, labels in product((1, 2, 3), map("".join, product("ab", repeat=n))):
        v = ranked(labels, k)
        found = pairs(v, n)
        for i, j in found:
            assert interaction_by_orders(v, n, i, j) == found[i, j]
        for i in range(n):
            own = sum(phi for pair, phi in found.items() if i in pair)
            assert shapley(v, n, i) == v(frozenset({i})) + own / 2
        alone = sum(v(frozenset({i})) for i in range(n))
        assert alone + sum(found.values()) == v(frozenset(range(n)))


def test_the_example_of_the_method_page() -> None:
    """Labels a, b, a from near to far, k = 1."""
    v = ranked("aba", 1)
    assert pairs(v, 3) == {(0, 1): THIRD, (0, 2): -2 * THIRD, (1, 2): -2 * THIRD}
    assert [v(frozenset({i})) for i in range(3)] == [1, 0, 1]
    assert [shapley(v, 3, i) for i in range(3)] == [5 * THIRD / 2, -THIRD / 2, THIRD]


def left_out(places: list[int], labels: str, k: int) -> Game:
    """The mean over all points, each a test point for the others alone."""
    games = [utility(places, labels, k, labels[p], at) for p, at in enumerate(places)]

    def v(points: frozenset[int]) -> Fraction:
        shares = [game(points - {p}) for p, game in enumerate(games)]
        return sum(shares, Fraction(0)) / len(places)

    return v


def test_leave_one_out_testing_pairs_vanish_one_neighbour_earlier() -> None:
    places, labels = [0, 1, 3, 7, 12], "aabab"
    n = len(places)
    X = np.array(places, dtype=float)[:, None]
    for k in range(1, n + 2):
        found = pairs(left_out(places, labels, k), n)
        assert any(found.values()) == (k < n - 1)
        matrix = interactions(X, list(labels), k=k).matrix
        for pair, phi in found.items():
            assert matrix[pair] == pytest.approx(float(phi), abs=1e-14)
    for k in range(1, n + 2):  # with test points of their own
        assert any(pairs(ranked("ababa", k), n).values()) == (k < n)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_ties_of_values_are_the_mean_over_orders(k: int) -> None:
    """docs/method.md, with a group of three tied points and one of two behind it."""
    places, labels = [1, 1, 1, 4, 4], "ababa"
    n = len(places)
    orders = [(*one, *two) for one in permutations((0, 1, 2)) for two in permutations((3, 4))]
    means = [Fraction(0)] * n
    for order in orders:
        v = ranked("".join(labels[i] for i in order), k)
        for p in range(n):
            means[p] += shapley(v, n, order.index(p)) / len(orders)
    v = utility(places, labels, k)
    assert [shapley(v, n, p) for p in range(n)] == means

    g = [Fraction(min(k, m), m) if m else Fraction(0) for m in range(n + 1)]
    u = [Fraction(label == "a", k) for label in labels]
    for p in range(n):
        a, s = (0, 3) if p < 3 else (3, 2)
        q = sum(u[a : a + s])
        told = u[p] / s * sum(g[a + 1 : a + s + 1])
        steps = ((h - 1) * (g[a + h] - g[a + h - 1]) for h in range(2, s + 1))
        told += (q - u[p]) / (s * (s - 1)) * sum(steps)
        told += sum(u[3:]) / 2 * (g[5] - g[3]) if p < 3 else 0
        assert told == means[p]
    found = values(np.array(places, dtype=float)[:, None], list(labels), [[0.0]], ["a"], k=k)
    np.testing.assert_allclose(found, [float(mean) for mean in means], atol=1e-15)


def test_a_value_may_have_the_other_sign_than_what_removing_the_point_changes() -> None:
    """A positive value, and the classifier is better without the point."""
    seen_from = ((5, "a"), (19, "b"), (3, "a"))
    games = [utility([12, 0, 8, 4], "abab", 2, right, at) for at, right in seen_from]

    def v(points: frozenset[int]) -> Fraction:
        return sum((game(points) for game in games), Fraction(0)) / len(games)

    everybody = frozenset(range(4))
    assert shapley(v, 4, 0) == Fraction(1, 12)
    assert v(everybody) - v(everybody - {0}) == -Fraction(1, 6)


@pytest.mark.parametrize(
    ("n", "times"),
    [(50, 27), (100, 51), (200, 100), pytest.param(600, 298, marks=pytest.mark.slow)],
)
def test_the_diagonal_outgrows_the_pairs_with_n(n: int, times: int) -> None:
    """On two rings with k = 5: about n / 2 times the size of a typical pair."""
    data = make_dataset("circles", n=n, noise=0.1, seed=0)
    matrix = naive.formula_matrix(naive.nearest_first(data.X, None), data.y, data.y, k=5)
    alone = (n / 2 - 1) / n / 5  # the share of the others that have its class, over k
    assert round(alone / np.median(np.abs(matrix[np.triu_indices(n, 1)]))) == times
