"""How many labels are taken for wrong, and where they are to be found."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

from stiknn_core import ShapeError
from stiknn_core.labels.combined import Shares
from stiknn_core.labels.expected import expected_errors


def shares(given: np.ndarray, other_share: np.ndarray) -> Shares:
    return Shares(given, np.ones(len(given), dtype=np.int64), other_share)


def hundred(n_disagree: int) -> Shares:
    """Eighty sure rows, of which so many disagree, and twenty unsure ones that all do."""
    given = np.full(100, 0.9)
    given[:n_disagree] = 0.1
    given[80:] = 0.45
    return shares(given, 1 - given)


@pytest.mark.parametrize("n_disagree", [4, 8, 20])
def test_the_number_is_that_of_the_surest_drawn_to_what_is_usual(n_disagree) -> None:
    found = expected_errors(np.linspace(0.1, 0.9, 100), hundred(n_disagree))
    ref = 100 * (n_disagree / 80) ** 0.7 * 0.07**0.3
    assert found.n_wrong == pytest.approx(ref)
    assert found.low == pytest.approx(ref / 2.5)
    assert found.high == pytest.approx(ref * 2.5)


def test_none_that_disagrees_is_not_none_that_is_wrong() -> None:
    found = expected_errors(np.linspace(0.1, 0.9, 100), hundred(0))
    assert found.n_wrong == pytest.approx(100 * (0.5 / 80) ** 0.7 * 0.07**0.3)


def test_precision_is_the_mean_probability_of_the_most_suspicious(rng) -> None:
    score = rng.random(100)
    found = expected_errors(score, hundred(8))
    odds = np.sort((score / (1 - score)) ** 2)

    def wrong(a: float) -> np.ndarray:
        return 1 / (1 + odds / np.exp(a))

    level = brentq(lambda a: wrong(a).sum() - found.n_wrong, -50, 50)
    ref = [wrong(level)[:m].mean() for m in range(1, 101)]
    np.testing.assert_allclose(found.precision, ref, atol=1e-9)
    assert (np.diff(found.precision) <= 0).all()
    assert found.precision[-1] == pytest.approx(found.n_wrong / 100)


def test_rows_in_another_order_give_the_same(rng) -> None:
    score, given = rng.random(200), rng.random(200)
    mixed = rng.permutation(200)
    first = expected_errors(score, shares(given, 1 - given))
    again = expected_errors(score[mixed], shares(given[mixed], 1 - given[mixed]))
    assert first.n_wrong == again.n_wrong
    np.testing.assert_allclose(first.precision, again.precision, atol=1e-12)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_scores_all_equal_and_certain_ones_still_give_a_number(score) -> None:
    given = np.array([0.2, 0.9, 0.9])
    found = expected_errors(np.full(3, score), shares(given, 1 - given))
    assert 0 < found.low <= found.n_wrong <= found.high <= 3
    np.testing.assert_allclose(found.precision, found.n_wrong / 3)


def test_a_single_row_and_all_rows_wrong() -> None:
    one = expected_errors(np.array([0.3]), shares(np.array([1.0]), np.array([0.0])))
    assert 0 < one.n_wrong < 1
    none = np.zeros(50)
    every = expected_errors(np.linspace(0, 1, 50), shares(none, 1 - none))
    assert every.high == 50
    assert every.precision[0] <= 1


def test_shares_of_other_rows_are_refused() -> None:
    with pytest.raises(ShapeError, match="same rows; got 2 and 100"):
        expected_errors(np.array([0.1, 0.2]), hundred(4))
