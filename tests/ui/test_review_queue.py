"""The order in which points come up for review, and the line that flags them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core.duplicates import find_duplicates
from stiknn_ui.review.queue import Flags, Queue, build_queue, flags_for

NAMES = ("quality", "value", "in_out", "row", "rarity")
APART = find_duplicates(np.arange(6.0)[:, None])


def queue_of(quality: list[float], threshold: float, **options: object) -> Queue:
    scores = {"quality": np.array(quality)}
    flags = flags_for("quality", scores["quality"], threshold)
    copies = options.get("copies") or find_duplicates(np.arange(float(len(quality)))[:, None])
    return build_queue(scores, "quality", flags, copies)  # type: ignore[arg-type]


def test_the_most_suspicious_comes_first_and_flagged_ones_lead() -> None:
    queue = queue_of([0.9, 0.1, 0.4, 0.6, 0.3, 0.8], 0.5)
    assert queue.items.tolist() == [1, 4, 2, 3, 5, 0]
    assert queue.n_flagged_items == 3
    assert queue.flagged.tolist() == [1, 4, 2]


def test_copies_come_up_once_where_the_most_suspicious_of_them_stands() -> None:
    copies = find_duplicates(np.array([[0.0], [1.0], [0.0], [2.0], [1.0], [0.0]]))
    queue = queue_of([0.9, 0.1, 0.4, 0.6, 0.3, 0.8], 0.5, copies=copies)
    assert queue.items.tolist() == [1, 2, 3]
    assert queue.n_flagged_items == 2
    assert queue.flagged.tolist() == [1, 4, 2]  # a copy that is flagged counts
    assert queue.place(4) is None


def test_steps_stop_at_either_end() -> None:
    queue = queue_of([0.9, 0.1, 0.4], 0.5)
    assert queue.step(1, -1) == 1
    assert queue.step(1, 1) == 2
    assert queue.step(0, 1) == 0


def test_the_next_open_point_is_flagged_as_long_as_one_is_left() -> None:
    queue = queue_of([0.9, 0.1, 0.4, 0.6, 0.3, 0.8], 0.5)
    assert queue.next_open(1, {1}) == 4
    assert queue.next_open(2, {1, 2}) == 4  # goes round before it leaves the flagged ones
    assert queue.next_open(2, {1, 2, 4}) == 3
    assert queue.next_open(0, {0, 1, 2, 3, 4, 5}) == 0


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
