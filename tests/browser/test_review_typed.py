"""Numbers as people type them on the card of the Review page."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("812.5", 812.5), ("812,5", 812.5), (" −3,25 ", -3.25), ("0,125", 0.125), ("1e3", 1000),
        ("1234,567", 1234.567), (".5", 0.5), ("12", 12),
        ("1,234", None), ("1.234,5", None), ("1,234,567", None), ("12a", None), ("", None),
        ("Infinity", None), ("1e999", None), ("0x10", None),
    ],
)  # fmt: skip
def test_a_typed_number_has_a_point_or_a_comma_and_one_meaning(run_js, typed, number):
    assert run_js(["review/typed.js"], "typedNumber(given)", typed) == number
