"""Costs are estimated before they are paid."""

from __future__ import annotations

import pytest

from stiknn_core import cost as costs
from stiknn_core.labels import growing
from stiknn_ui.results import estimate as results_estimate
from stiknn_ui.results.estimate import estimate, estimate_rows


def test_every_page_says_the_same_of_the_same_data() -> None:
    assert estimate(1000, 1000, 2).cost == costs.estimate(1000, 1000, 2)


def test_every_row_is_estimated_without_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "free_bytes", lambda: 16e9)
    few, many = (estimate_rows(n, n, 10, 4).cost for n in (20_000, 40_000))
    assert 3 < many.seconds / few.seconds < 5, "each row is ranked by each"
    far, farther = (estimate_rows(n, n, 10, 4).cost for n in (100_000, 200_000))
    assert 1.5 < farther.seconds / far.seconds < 2.5, "only the nearest are"
    assert far.bytes < 5e8
    at_first, again = (
        estimate_rows(100_000, 100_000, 10, 4, "forest", grown=grown) for grown in (False, True)
    )
    assert at_first.seconds > again.seconds
    assert not at_first.refusal


def test_rows_that_do_not_fit_into_memory_are_refused_with_what_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(costs, "free_bytes", lambda: 1e9)
    refused = estimate_rows(1_000_000, 1_000_000, 20, 5, "forest").refusal
    assert "Ranking 1,000,000 rows needs 2.4 GB of memory; 1.0 GB are free." in refused
    fitting = int(refused.split("Some ")[1].split(" rows")[0].replace(",", ""))
    assert not estimate_rows(fitting, fitting, 20, 5, "forest").refusal
    assert "more than the 1,000,000" in estimate_rows(1_000_001, 9, 20, 5).refusal


def test_a_forest_that_is_there_costs_no_time() -> None:
    at_first, again = (estimate(900, 900, 10, "forest", grown=grown) for grown in (False, True))
    assert at_first.seconds > again.seconds
    assert again.seconds == estimate(900, 900, 10).seconds
    assert again.cost.bytes == at_first.cost.bytes


def test_a_forest_is_estimated_with_the_bounds_that_it_is_grown_with() -> None:
    """Written again there, since the module that grows trees takes half a second to load."""
    assert results_estimate._MOST_GROWN == growing.MOST_DRAWN
    assert results_estimate._MOST_TRIED == 2 * growing.MOST_COLUMNS
