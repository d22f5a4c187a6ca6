"""Where the paper's data sets come from, and how they are split."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import paper_data
from benchmarks.paper_data import find_file, hold_out, in_cache, obtain, others, read_file
from stiknn_core.datasets import REGISTRY, make_dataset
from stiknn_core.errors import FileError
from tests.core.openml_home import write_home


@pytest.fixture
def folder(tmp_path):
    rows = [f"{x},{100 * x},{'P' if x % 3 else 'N'}" for x in range(60)]
    for name in ("wind_847", "steelplates", "mine", "rain_8470"):
        (tmp_path / f"{name}.csv").write_text("\n".join(["a,b,y", *rows]), encoding="utf-8")
    np.savez(
        tmp_path / "fashionmnist_some.npz",
        X=np.arange(160, dtype=np.uint8).reshape(40, 2, 2),
        y=np.arange(40) % 2,
    )
    return tmp_path


@pytest.fixture
def nothing_is_fetched(tmp_path, monkeypatch):
    def refused(*args: object, **settings: object) -> None:
        raise AssertionError("nothing may be fetched")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "scikit"))
    monkeypatch.setattr("stiknn_core.datasets.openml.fetch_openml", refused)
    monkeypatch.setattr("stiknn_core.datasets.openml._get_data_features", refused)


def test_files_are_known_by_number_or_name(folder) -> None:
    assert find_file(REGISTRY["wind"], folder).name == "wind_847.csv"
    assert find_file(REGISTRY["steel_plates"], folder).name == "steelplates.csv"
    assert find_file(REGISTRY["fashion_mnist"], folder).suffix == ".npz"
    assert find_file(REGISTRY["click"], folder) is None
    assert find_file(REGISTRY["click"], None) is None


def test_other_files_are_measured_apart_and_unusable_ones_named(folder) -> None:
    (folder / "notes.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    found = dict(others(folder))
    assert list(found) == ["mine", "notes", "rain_8470"]
    assert not found["mine"].listed
    assert found["notes"].startswith("not usable: ")
    assert list(others(None)) == []


@pytest.mark.usefixtures("nothing_is_fetched")
def test_what_is_neither_file_nor_cached_is_not_present(folder) -> None:
    assert obtain(REGISTRY["click"], folder) == "not present"
    assert obtain(REGISTRY["wind"]) == "not present"


@pytest.mark.usefixtures("nothing_is_fetched")
def test_a_file_is_split_by_class_and_standardised_by_its_training_rows(folder) -> None:
    split = obtain(REGISTRY["wind"], folder)
    assert (len(split.X), len(split.X_test)) == (48, 12)
    assert np.sum(split.y_test == "N") == 4
    assert sorted(np.concatenate([split.X, split.X_test])[:, 0]) == list(range(60))
    X, X_test = split.scaled()
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)
    ref = (split.X_test - split.X.mean(axis=0)) / split.X.std(axis=0)
    np.testing.assert_allclose(X_test, ref)


def test_pixels_keep_their_unit(folder) -> None:
    split = obtain(REGISTRY["fashion_mnist"], folder)
    assert split.X.shape == (32, 4)
    assert split.scaled()[0] is split.X


def test_an_array_file_without_labels_says_what_is_missing(tmp_path) -> None:
    np.savez(tmp_path / "click.npz", X=np.zeros((3, 2)))
    with pytest.raises(FileError, match=r"must hold the arrays X and y; got X\."):
        read_file(tmp_path / "click.npz")


def test_generated_points_are_tested_by_fresh_ones() -> None:
    split = obtain(REGISTRY["moon"])
    assert (len(split.X), len(split.X_test)) == (600, paper_data.FRESH_TESTS)
    assert not set(map(tuple, split.X)) & set(map(tuple, split.X_test))


def test_large_sets_are_sampled_with_their_classes(monkeypatch) -> None:
    monkeypatch.setattr(paper_data, "MAX_ROWS", 50)
    whole = make_dataset("moons", 400, imbalance=0.5)
    split = hold_out("Moon", "a file", whole, mixed_units=False)
    assert split.source == "a file, 400 rows"
    assert (len(split.X), len(split.X_test)) == (40, 10)
    share = (whole.y == 0).mean()
    assert np.mean(split.y == 0) == pytest.approx(share, abs=0.03)
    assert np.mean(split.y_test == 0) == pytest.approx(share, abs=0.06)


def test_the_cache_counts_only_when_it_is_whole(tmp_path) -> None:
    assert not in_cache(1464, tmp_path)
    rows = write_home(tmp_path, 1464)
    assert in_cache(1464, tmp_path)
    assert not in_cache(847, tmp_path)
    rows.unlink()
    assert not in_cache(1464, tmp_path)
