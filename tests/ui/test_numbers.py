"""Numbers as people read them."""

from __future__ import annotations

import pytest

from stiknn_ui.words.numbers import number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.25, "0.25"),
        (-0.00108234, "−0.00108"),
        (0.0000123456, "0.0000123"),
        (9.9999e-7, "0.000001"),
        (-1.239e-7, "−1.24 × 10⁻⁷"),
        (2e-12, "2 × 10⁻¹²"),
        (123456.0, "123000"),
        (float("nan"), "–"),
    ],
)
def test_three_digits_in_one_notation(value: float, text: str) -> None:
    assert number(value) == text


def test_a_sign_where_it_is_asked_for() -> None:
    assert [number(value, signed=True) for value in (0.5, -0.5, 0.0)] == ["+0.5", "−0.5", "0"]
