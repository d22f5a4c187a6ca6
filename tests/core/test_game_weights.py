"""Weights over ranks: against sums of fractions, and each other where these are too long."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, factorial, prod

import numpy as np
import pytest

from stiknn_core import games
from tests.all_games import INDICES, SetWeight

CASES = [(2, 1), (3, 1), (5, 2), (8, 3), (13, 9), (13, 20), (31, 5), (60, 1), (60, 7), (60, 59)]


def pair_weight(weight: SetWeight, n: int, k: int, m: int) -> Fraction:
    """Weight of the sets that hold exactly k - 1 of the m - 2 points before the farther one."""
    sizes = range(k - 1, n - 1)
    return sum(
        (weight(n - 2, s) * comb(m - 2, k - 1) * comb(n - m, s - k + 1) for s in sizes), Fraction(0)
    )


def value_weight(weight: SetWeight, n: int, k: int, m: int) -> Fraction:
    """Weight of the sets that hold fewer than k of the m - 1 nearer points."""
    return sum(
        (
            weight(n - 1, s) * comb(m - 1, a) * comb(n - m, s - a)
            for s in range(n)
            for a in range(min(k, s + 1, m))
        ),
        Fraction(0),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", INDICES)
@pytest.mark.parametrize(("n", "k"), CASES)
def test_against_sums_over_all_sizes(name: str, n: int, k: int) -> None:
    index = games.index_of(name)
    pair, single = (cache(weight) for weight in INDICES[name])
    if index.family == "calibrated" and index.parameters[0] > n - 2:
        pytest.skip("there are no such sets")
    w = index.pair_weights(n, k)
    assert w.shape == (n + 2,)
    assert not w[: min(k, n) + 2].any()
    for m in range(max(2, k + 1), n + 1):
        assert w[m + 1] == pytest.approx(float(pair_weight(pair, n, k, m)), rel=2e-14, abs=1e-300)
    g = index.value_weights(n, k)
    assert g.shape == (n + 1,)
    for m in range(1, n + 1):
        assert g[m] == pytest.approx(float(value_weight(single, n, k, m)), rel=2e-14, abs=1e-300)
    for sizes, weight, others in (
        (index.pair_sizes(n, n), pair, n - 2),
        (index.value_sizes(n, n), single, n - 1),
    ):
        exact = [float(weight(others, s) * comb(others, s)) for s in range(others + 1)]
        np.testing.assert_allclose(sizes, exact, rtol=2e-14, atol=1e-300)
        assert sizes.sum() == pytest.approx(1.0, abs=1e-13), "the weights of all sets add up to 1"


def beta_chance(m: int, r: int, a: int, b: int) -> Fraction:
    """C(m, r) B(r + b, m - r + a) / B(a, b), by products of as many factors as a and b."""
    far = Fraction(prod(range(m - r + 1, m - r + a)), prod(range(m + 1, m + a + b)))
    near = prod(range(r + 1, r + b))
    return far * near * Fraction(factorial(a + b - 1), factorial(a - 1) * factorial(b - 1))


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (4, 1), (1, 16), (2, 60)])
@pytest.mark.parametrize(("n", "k"), [(10_000, 5), (1_000_000, 5), (1_000_000, 2_000)])
def test_beta_of_very_many_points(alpha: int, beta: int, n: int, k: int) -> None:
    w = games.beta(alpha, beta).pair_weights(n, k)
    assert np.isfinite(w).all()
    for m in {k + 1, k + 2, 2 * k + 3, 30 * k, n // 2, n}:
        exact = beta_chance(m - 2, k - 1, alpha, beta)
        if float(exact) > 1e-290:
            assert abs(Fraction(w[m + 1]) / exact - 1) < 1e-12


@pytest.mark.parametrize("k", [1, 5, 700])
@pytest.mark.parametrize("q", [Fraction(1, 2), Fraction(1, 4)])
def test_weighted_banzhaf_of_many_points(q: Fraction, k: int) -> None:
    n = 10_000
    w = games.weighted_banzhaf(float(q)).pair_weights(n, k)
    for m in {k + 1, k + 2, 2 * k + 3, 4 * k + 7}:
        exact = comb(m - 2, k - 1) * q ** (k - 1) * (1 - q) ** (m - 1 - k)
        if float(exact) > 1e-290:
            assert abs(Fraction(w[m + 1]) / exact - 1) < 1e-12


SAME = {
    "BII": games.weighted_banzhaf(0.5),
    "SII": games.beta(1, 1),
    "SII of all sizes": games.calibrated(0),
}


@pytest.mark.parametrize("n", [7, 10_000, 1_000_000])
@pytest.mark.parametrize("name", SAME)
def test_the_same_index_by_other_names(name: str, n: int) -> None:
    one, other = games.index_of(name[:3]), SAME[name]
    for k in (1, 5, n // 3):
        np.testing.assert_allclose(
            one.pair_weights(n, k), other.pair_weights(n, k), rtol=1e-11, atol=1e-300
        )
        np.testing.assert_allclose(
            one.value_weights(n, k), other.value_weights(n, k), rtol=1e-11, atol=1e-300
        )


@pytest.mark.parametrize("n", [12, 10_000, 1_000_000])
def test_only_the_largest_sets_are_leave_two_out(n: int) -> None:
    largest, out = games.calibrated(n - 2), games.leave_two_out()
    for k in (1, 5):
        np.testing.assert_allclose(
            largest.pair_weights(n, k), out.pair_weights(n, k), rtol=0, atol=1e-12
        )
        all_others = games.calibrated(n - 1).value_weights(n, k)
        np.testing.assert_allclose(all_others, out.value_weights(n, k), rtol=0, atol=1e-12)


@pytest.mark.parametrize("index", [
    games.weighted_banzhaf(0.5), games.weighted_banzhaf(1e-3), games.weighted_banzhaf(0.9),
    games.beta(4, 1), games.beta(0.5, 700.0), games.calibrated(50), games.calibrated(900),
])  # fmt: skip
def test_weights_are_chances(index: games.PairIndex) -> None:
    """All of one sign and at most 1 beside the farther point; values fall from rank k on."""
    n, k = 1_000_000, 30
    w, g = index.pair_weights(n, k), index.value_weights(n, k)
    assert np.isfinite(w).all()
    assert w.min() >= 0
    assert g[1] == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(g) <= 1e-15).all()
    assert g.min() >= 0


def test_names_are_read_again() -> None:
    made = [games.weighted_banzhaf(0.1 + 0.2), games.beta(4, 0.5), games.calibrated(10),
            games.leave_two_out(), games.STII]  # fmt: skip
    for index in made:
        assert games.index_of(index.name) == index
        assert hash(games.index_of(index.name)) == hash(index)
        assert index.formula.startswith("p(s) = ")
    assert games.beta(4, 1).name == "beta(4, 1)"
    assert len({*made, *map(games.index_of, (index.name for index in made))}) == len(made)
