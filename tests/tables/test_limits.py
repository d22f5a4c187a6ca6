from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_core import cost, sampling
from stiknn_core.errors import ParameterError
from stiknn_core.tables import estimate, largest_sample, sample_rows
from stiknn_core.types import Dataset


def made(sizes: tuple[int, ...] = (80, 15, 5)) -> Dataset:
    y = np.repeat([f"c{place}" for place in range(len(sizes))], sizes)
    n = len(y)
    return Dataset(
        X=np.arange(2.0 * n).reshape(n, 2),
        y=y,
        name="made",
        feature_names=("a", "b"),
        ids=np.array([f"P{row}" for row in range(n)]),
        y_true=y[::-1].copy(),
        flipped=np.array([0, 5, 99]),
        copy_of=np.where(np.arange(n) == 7, 3, -1),
        outliers=np.array([98]),
    )


def test_twenty_thousand_rows_are_told_before_computing() -> None:
    told = estimate(20_000, 20_000, 10)
    assert 3.2e9 < told.bytes < 4e9
    assert not told.fits()
    assert "20,000 rows needs about 3" in told.sentence
    assert "GB" in told.sentence
    assert estimate(1000, 1000, 30).fits()


def test_estimates_grow_with_every_count() -> None:
    base = estimate(1000, 100, 10)
    for n, t, d in ((2000, 100, 10), (1000, 200, 10), (1000, 100, 20)):
        more = estimate(n, t, d)
        assert more.bytes > base.bytes
        assert more.seconds > base.seconds


def test_the_largest_sample_just_fits() -> None:
    n = largest_sample()
    assert estimate(n, n, 0).fits()
    assert not estimate(int(n * 1.01), n, 0).fits()


@pytest.mark.parametrize("wrong", [(0, 1, 1), (1, 0, 1), (1, 1, -1), (2.5, 1, 1), (True, 1, 1)])
def test_impossible_counts_are_named(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ParameterError, match="must be an integer of at least"):
        estimate(*wrong)


def test_a_sample_keeps_class_shares_ids_and_order() -> None:
    sample = sample_rows(made(), 20, seed=1)
    names, counts = np.unique(sample.y, return_counts=True)
    assert dict(zip(names.tolist(), counts.tolist(), strict=True)) == {"c0": 16, "c1": 3, "c2": 1}
    rows = (sample.X[:, 0] / 2).astype(int)
    assert np.all(np.diff(rows) > 0)
    assert sample.ids.tolist() == [f"P{row}" for row in rows]
    assert sample.params["sample_seed"] == 1
    assert "sample of 20 of 100 rows (seed 1)" in sample.notices[0]


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    assert np.array_equal(sample_rows(made(), 30, 2).X, sample_rows(made(), 30, 2).X)
    assert not np.array_equal(sample_rows(made(), 30, 2).X, sample_rows(made(), 30, 3).X)


def test_the_truth_moves_with_the_rows() -> None:
    positions = np.array([3, 5, 7, 98])
    kept = sampling.take_rows(made(), positions)
    assert kept.flipped.tolist() == [1]
    assert kept.copy_of is not None
    assert kept.copy_of.tolist() == [-1, -1, 0, -1]
    assert kept.outliers.tolist() == [3]
    assert kept.y_true is not None
    assert kept.y_true.tolist() == [made().y_true[row] for row in positions]  # type: ignore[index]
    orphan = sampling.take_rows(made(), np.array([7]))
    assert orphan.copy_of is not None
    assert orphan.copy_of.tolist() == [-1]


def test_where_the_judges_begin_moves_with_the_rows() -> None:
    whole = replace(made(), test_from=80)
    assert sampling.take_rows(whole, np.array([3, 5, 80, 98, 99])).test_from == 2
    assert sampling.take_rows(whole, np.array([3, 5])).test_from == 2
    assert sampling.take_rows(made(), np.array([3, 5])).test_from is None


def test_the_first_copy_that_stays_takes_the_place_of_its_original() -> None:
    copies = replace(made(), copy_of=np.where(np.arange(100) > 96, 3, -1))
    kept = sampling.take_rows(copies, np.array([0, 97, 98, 99]))
    assert np.asarray(kept.copy_of).tolist() == [-1, -1, 1, 1]


def test_a_sample_of_everything_changes_nothing() -> None:
    whole = made()
    assert sample_rows(whole, 100) is whole


@pytest.mark.parametrize("m", [1, 2, 3, 4, 99])
def test_any_size_is_reached_exactly(m: int) -> None:
    sample = sample_rows(made((90, 1, 1, 8)), m)
    assert sample.n == m
    assert len(set(sample.y.tolist())) == min(m, 4)


@pytest.mark.parametrize(("m", "seed"), [(0, 0), (2.5, 0), (True, 0), (5, -1)])
def test_impossible_samples_are_named(m: int, seed: int) -> None:
    with pytest.raises(ParameterError, match="must be an integer of at least"):
        sample_rows(made(), m, seed)


@pytest.mark.parametrize(
    ("count", "told"), [(12, "12 bytes"), (3.2e9, "3.2 GB"), (128e6, "128 MB"), (5e3, "5.0 kB")]
)
def test_sizes_in_words(count: float, told: str) -> None:
    assert cost.describe_bytes(count) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, "less than a second"), (1, "1 second"), (90, "2 minutes"), (7200, "2 hours")],
)
def test_durations_in_words(seconds: float, told: str) -> None:
    assert cost.describe_seconds(seconds) == told
