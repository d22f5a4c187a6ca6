"""Settings in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stiknn_core.ordering import Order, order_points
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.describe import compute_line, data_line, differences, result_line
from stiknn_ui.results.sources import build

DATA, COMPUTE = DataSpec(), ComputeSpec()


def test_data_are_named_with_all_that_was_done_to_them() -> None:
    assert data_line(DATA) == "circles · n = 300 · noise 0.1 · 10 % labels flipped · seed 0"
    noisy = DataSpec("bundled", "iris", flip=0.0, copies=0.05, thin=0.5, seed=4)
    assert data_line(noisy) == "iris · 50 % of the last class removed · 5 % copies · seed 4"


def test_classes_are_named_where_they_are_known() -> None:
    noisy = DataSpec("bundled", "iris", flip=0.1, flip_kind="asymmetric", thin=0.5)
    line = data_line(noisy, build(noisy))
    assert "50 % of class virginica removed" in line
    assert "10 % of class setosa flipped to class versicolor" in line
    chosen = replace(noisy, thin_of="setosa", flip_from="virginica", flip_to="setosa")
    line = data_line(chosen)
    assert "50 % of class setosa removed" in line
    assert "10 % of class virginica flipped to class setosa" in line


def test_sets_of_the_paper_have_their_own_names_and_seeds() -> None:
    assert data_line(DataSpec("paper", "monks2", flip=0.0)) == "MonksV2"
    assert data_line(DataSpec("paper", "circle", flip=0.0, seed=3)) == "Circle · seed 3"
    other = DataSpec("paper", "openml-61", flip=0.0, sample=50)
    assert data_line(other) == "OpenML 61 · sample of 50 rows · seed 0"


def test_contradicting_copies_are_in_the_line() -> None:
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [3.0, 1.0]])
    dataset = Dataset(X, np.array(["a", "b", "a", "b"]), "t", ("u", "v"), np.arange(4))
    found = analyse(dataset, DataSpec(), ComputeSpec(k=1))
    line = result_line(found, order_points("input", codes=found.codes))
    assert line.endswith("plane: u, v · 1 pair of identical points with different labels")


def test_untouched_real_data_have_no_seed() -> None:
    assert data_line(DataSpec("bundled", "iris", flip=0.0)) == "iris"


def test_the_k_in_use_is_named() -> None:
    assert compute_line(COMPUTE, 3).startswith("k = 3 · STII · euclidean")


def test_a_hold_out_names_share_and_seed() -> None:
    held = ComputeSpec(evaluation="hold-out", share=0.25, split_seed=6)
    assert "hold-out 25 % (seed 6)" in compute_line(held)


def test_the_line_under_a_picture_has_everything(flipped: Analysis, by_class: Order) -> None:
    line = result_line(flipped, by_class)
    parts = ("circles", "n = 120", "120 training points", "seed 3", "k = 5", "STII", "euclidean")
    more = ("ties:", "leave-one-out", "scaling: none", "order: Class, then x, then y")
    for part in (*parts, *more):
        assert part in line


def test_only_what_differs_is_named() -> None:
    assert differences(DATA, COMPUTE, DATA, replace(COMPUTE, k=9)) == "k = 5"
    wanted = replace(COMPUTE, metric="cosine", scaling="robust")
    assert differences(DATA, COMPUTE, DATA, wanted) == "euclidean, scaling: none"


def test_other_data_are_named_whole() -> None:
    assert differences(DATA, COMPUTE, replace(DATA, seed=1), COMPUTE).startswith(
        "circles · n = 300"
    )
