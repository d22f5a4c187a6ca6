"""Costs are estimated before they are paid."""

from __future__ import annotations

from stiknn_core import cost as costs
from stiknn_ui.asked.spec import MAX_POINTS
from stiknn_ui.results.estimate import estimate


def test_every_page_says_the_same_of_the_same_data() -> None:
    assert estimate(1000, 1000, 2).cost == costs.estimate(1000, 1000, 2)


def test_too_many_points_are_refused_with_both_numbers() -> None:
    refused = estimate(20_000, 100, 10)
    assert "20,000" in refused.refusal
    assert f"{MAX_POINTS:,}" in refused.refusal
    assert "3.2 GB" in refused.refusal
    assert estimate(MAX_POINTS, 100, 10).refusal == ""


def test_a_forest_that_is_there_costs_no_time() -> None:
    at_first, again = (estimate(900, 900, 10, "forest", grown=grown) for grown in (False, True))
    assert at_first.seconds > again.seconds
    assert again.seconds == estimate(900, 900, 10).seconds
    assert again.cost.bytes == at_first.cost.bytes
