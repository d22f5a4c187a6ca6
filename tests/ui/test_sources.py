"""From a description to the data, the same each time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_ui.asked.spec import FIRST_DATA, DataSpec
from stiknn_ui.results.sources import build, disturbed, last_class


def test_the_same_spec_gives_the_same_data() -> None:
    spec = DataSpec(name="moons", n=50, flip=0.2, copies=0.1, outliers=0.1, seed=6)
    one, other = build(spec), build(spec)
    assert np.array_equal(one.X, other.X)
    assert np.array_equal(one.y, other.y)
    assert np.array_equal(one.flipped, other.flipped)
    assert (one.flipped < 50).sum() == 10  # copies of flipped rows are flipped as well
    assert one.n == 50 + 5 + 6


def test_real_data_come_as_they_are_until_noise_is_asked_for() -> None:
    plain = build(DataSpec(source="bundled", name="iris", flip=0.0))
    assert (plain.n, len(plain.flipped)) == (150, 0)
    noisy = build(
        DataSpec(source="bundled", name="iris", flip=0.1, thin=0.5, copies=0.1, outliers=0.05)
    )
    assert noisy.n == 150 - 25 + 13 + 7
    assert (noisy.flipped < 125).sum() == 13


def test_thinning_takes_rows_of_the_last_class() -> None:
    plain = build(DataSpec(source="bundled", name="wine", flip=0.0))
    thin = disturbed(plain, DataSpec(source="bundled", name="wine", flip=0.0, thin=0.5))
    last = last_class(plain)
    assert (thin.y == last).sum() == (plain.y == last).sum() // 2
    assert (thin.y != last).sum() == (plain.y != last).sum()


def test_an_upload_is_not_public() -> None:
    with pytest.raises(LookupError):
        build(DataSpec(source="upload", name="mine.csv"))


@pytest.mark.parametrize("source", ["generated", "bundled"])
def test_a_sample_is_seeded_and_keeps_the_shares(source: str) -> None:
    whole = DataSpec(n=150, flip=0.0) if source == "generated" else FIRST_DATA["bundled"]
    spec = replace(whole, sample=30, seed=4)
    one = build(spec)
    assert one.n == 30
    assert np.array_equal(one.ids, build(spec).ids)
    assert not np.array_equal(one.ids, build(replace(spec, seed=5)).ids)
    _, counts = np.unique(one.y, return_counts=True)
    assert set(counts) == {30 // len(counts)}


def test_copies_come_after_the_sample_of_real_data() -> None:
    spec = replace(FIRST_DATA["bundled"], sample=30, copies=0.5)
    assert build(spec).n == 45
