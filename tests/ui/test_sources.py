"""From a description to the data, the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.errors import StiknnError
from stiknn_ui.sources import build, column_names, disturbed, last_class, read_upload
from stiknn_ui.spec import DataSpec

CSV = b"\xef\xbb\xbflabel,x1,x2\nb,1,2\na,1,4\nb,2,6.5\na,2,1\n"


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


def test_an_upload_is_known_by_its_content_and_label_not_by_its_name() -> None:
    one, dataset = read_upload("C:\\folder\\mine.csv", CSV)
    assert one.name == dataset.name == "mine.csv"
    assert one.digest == read_upload("other.csv", CSV)[0].digest
    assert one.digest != read_upload("mine.csv", CSV.replace(b"6.5", b"6.6"))[0].digest
    assert one.digest != read_upload("mine.csv", CSV, "x1")[0].digest
    assert dataset.y.tolist() == ["b", "a", "b", "a"]


def test_a_bad_file_is_refused_in_words() -> None:
    with pytest.raises(StiknnError, match="empty"):
        read_upload("mine.csv", b"")


def test_an_upload_needs_its_table() -> None:
    with pytest.raises(LookupError):
        build(DataSpec(source="upload", name="mine.csv"))


def test_column_names_are_those_of_the_file() -> None:
    assert column_names(CSV) == ["label", "x1", "x2"]
