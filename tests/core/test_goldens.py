"""Small cases whose results are known as exact fractions.

``golden_cases.json`` holds, per case, the input, the matrix with its diagonal, the
Shapley values and the likelihood v(N), computed over all subsets with exact fractions.
"""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stiknn_core import StiknnWarning, interactions, values
from tests import naive

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "golden_cases.json").read_text(encoding="utf-8")
)
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
close = {"rtol": 0, "atol": 1e-12}


def number(text: str) -> float:
    return float(Fraction(text))


def call(function: Any, case: dict[str, Any], **more: Any) -> Any:
    options = {key: case[key] for key in ("k", "ties", "sample_weight")}
    with warnings.catch_warnings():  # one case has a class that is absent from training
        warnings.simplefilter("ignore", StiknnWarning)
        return function(case["X"], case["y"], case["X_test"], case["y_test"], **options, **more)


def test_all_cases_are_here() -> None:
    assert len(CASES) == 35
    assert {case["index"] for case in CASES} == {"STII", "SII", "BII"}
    assert {case["ties"] for case in CASES} == {"expected", "index"}


@each_case
def test_matrix_and_likelihood(case: dict[str, Any]) -> None:
    comp = call(interactions, case, index=case["index"])
    ref = np.array([[number(cell) for cell in row] for row in case["matrix"]])
    np.testing.assert_allclose(comp.matrix, ref, **close)
    assert comp.likelihood == pytest.approx(number(case["likelihood"]), abs=1e-12)


@each_case
def test_shapley_values(case: dict[str, Any]) -> None:
    ref = [number(value) for value in case["shapley"]]
    np.testing.assert_allclose(call(values, case), ref, **close)
    if case["index"] != "BII":
        np.testing.assert_allclose(
            call(interactions, case, index=case["index"]).values, ref, **close
        )


@each_case
def test_the_oracle_agrees(case: dict[str, Any]) -> None:
    """Guards the oracle that the random cases are checked against."""
    ref = naive.reference(
        naive.tie_groups(case["X"], case["X_test"]),
        case["y"],
        case["y_test"],
        k=case["k"],
        index=case["index"],
        ties=case["ties"],
        weights=case["sample_weight"],
    )
    golden = [[number(cell) for cell in row] for row in case["matrix"]]
    np.testing.assert_allclose(ref.matrix, golden, **close)
    np.testing.assert_allclose(ref.shapley, [number(v) for v in case["shapley"]], **close)
    assert ref.likelihood == pytest.approx(number(case["likelihood"]), abs=1e-12)
