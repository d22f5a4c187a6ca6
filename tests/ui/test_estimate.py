"""Costs are estimated before they are paid."""

from __future__ import annotations

import pytest

from stiknn_ui.estimate import estimate, spoken_time
from stiknn_ui.spec import MAX_POINTS


def test_the_example_may_start_by_itself_and_a_large_one_may_not() -> None:
    assert estimate(300, 300, 2).small
    assert not estimate(3000, 3000, 2).small


def test_memory_is_that_of_two_matrices() -> None:
    assert estimate(1000, 1000, 2).megabytes == 16.0


def test_too_many_points_are_refused_with_both_numbers() -> None:
    refused = estimate(20_000, 100, 10)
    assert "20,000" in refused.refusal
    assert f"{MAX_POINTS:,}" in refused.refusal
    assert "3.2 GB" in refused.refusal
    assert not refused.small
    assert estimate(MAX_POINTS, 100, 10).refusal == ""


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.2, "less than a second"), (1.2, "1 second"), (7.6, "8 seconds"), (600, "10 minutes")],
)
def test_times_are_spoken(seconds: float, expected: str) -> None:
    assert spoken_time(seconds) == expected
