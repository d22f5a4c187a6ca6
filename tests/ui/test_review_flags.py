"""The line that flags points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_ui.review.flags import Flags, flags_for

NAMES = ("quality", "confusion", "value", "in_out", "row", "rarity")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(values=st.lists(st.floats(-2, 1), min_size=1, max_size=30))
def test_the_ends_of_the_slider_flag_nothing_and_everything(name: str, values: list[float]) -> None:
    scores = np.array(values)
    if name in ("quality", "rarity"):
        scores = np.abs(scores) / 2
    usual = flags_for(name, scores)
    assert usual.low <= usual.threshold <= usual.high
    assert not flags_for(name, scores, usual.low).of(scores).any()
    assert flags_for(name, scores, usual.high).of(scores).all()


@pytest.mark.parametrize("size", [1e-7, 1e-3, 1.0, 40.0])
def test_a_slider_has_between_fifty_and_a_thousand_steps(size: float) -> None:
    flags = flags_for("value", np.array([-size, 0.3 * size]))
    assert 50 <= (flags.high - flags.low) / flags.step <= 1000
    assert flags.threshold == 0.0
    assert round(flags.step, flags.decimals) == pytest.approx(flags.step)


def test_nothing_is_flagged_for_rarity_until_the_line_is_moved() -> None:
    scores = np.array([0.1, 0.9, 0.9])
    assert not flags_for("rarity", scores).of(scores).any()
    assert flags_for("rarity", scores, 0.5).of(scores).tolist() == [True, False, False]


def test_a_line_outside_the_range_is_moved_to_its_end() -> None:
    scores = np.array([0.2, 0.4])
    assert flags_for("quality", scores, 7.0) == Flags(0.0, 1.0, 0.01, 1.0)
    assert flags_for("value", scores, -7.0).threshold == 0.2
