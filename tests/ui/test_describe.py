"""Settings in words."""

from __future__ import annotations

from dataclasses import replace

from stiknn_core.ordering import Order
from stiknn_ui.analysis import Analysis
from stiknn_ui.describe import compute_line, data_line, differences, result_line
from stiknn_ui.spec import ComputeSpec, DataSpec

DATA, COMPUTE = DataSpec(), ComputeSpec()


def test_data_are_named_with_all_that_was_done_to_them() -> None:
    assert data_line(DATA) == "circles · n = 300 · noise 0.1 · 10 % labels flipped · seed 0"
    noisy = DataSpec("bundled", "iris", flip=0.0, copies=0.05, thin=0.5, seed=4)
    assert data_line(noisy) == "iris · 5 % copies · 50 % of the last class removed · seed 4"


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
