"""What each test point gives to a value and to a pair, against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stiknn_core
from stiknn_core import ParameterError, RankedNeighbors, pair_parts, value_parts
from tests import naive

close = {"rtol": 0, "atol": 1e-12}


@st.composite
def problems(draw):
    n, t = draw(st.integers(2, 6)), draw(st.integers(0, 3))
    grid = st.integers(0, draw(st.sampled_from([1, 3, 40])))  # ties of every size
    X = np.array([[draw(grid), draw(grid)] for _ in range(n)])
    y = [draw(st.integers(0, 2)) for _ in range(n)]
    X_test = y_test = None
    if t:
        X_test = np.array([[draw(grid), draw(grid)] for _ in range(t)])
        y_test = [draw(st.sampled_from([*y, 9])) for _ in range(t)]  # 9: in no training point
    how = {
        "k": draw(st.integers(1, n + 1)),
        "ties": draw(st.sampled_from(["expected", "index"])),
    }
    weights = np.array([draw(st.integers(1, 5)) for _ in range(t or n)], dtype=float)
    return X, y, X_test, y_test, how, draw(st.permutations(range(n)))[:2], weights


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::stiknn_core.StiknnWarning")
@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
@given(problem=problems())
@settings(max_examples=15)
def test_every_part_is_that_of_the_game_of_its_test_point(index, problem):
    X, y, X_test, y_test, how, (first, second), weights = problem
    kind = "banzhaf" if index == "BII" else "shapley"
    groups = naive.tie_groups(X, X_test)
    labels = y if y_test is None else y_test
    kept = naive.break_ties(groups) if how["ties"] == "index" else groups
    alone = [
        naive.reference(kept[[p]], y, [label], k=how["k"], index=index)
        for p, label in enumerate(labels)
    ]
    of_value = value_parts(X, y, X_test, y_test, point=first, kind=kind, **how)
    np.testing.assert_allclose(of_value, [getattr(one, kind)[first] for one in alone], **close)
    of_removal = value_parts(X, y, X_test, y_test, point=first, kind="leave_one_out", **how)
    wanted = [one.leave_one_out[first] for one in alone]
    np.testing.assert_allclose(of_removal, wanted, **close)
    of_pair = pair_parts(X, y, X_test, y_test, first=first, second=second, index=index, **how)
    np.testing.assert_allclose(of_pair, [one.matrix[first, second] for one in alone], **close)
    # Their mean is the whole, weighted where test points are.
    whole = naive.reference(kept, y, y_test, k=how["k"], index=index, weights=weights)
    assert np.average(of_value, weights=weights) == pytest.approx(getattr(whole, kind)[first])
    assert np.average(of_pair, weights=weights) == pytest.approx(whole.matrix[first, second])

    ranked = RankedNeighbors(X, y, X_test, y_test, index=index, **how)
    for _ in range(2):  # ranked, then remembered
        np.testing.assert_array_equal(ranked.value_parts(first), of_value)
        again = ranked.value_parts(first, kind="leave_one_out")
        np.testing.assert_array_equal(again, of_removal)
        np.testing.assert_array_equal(ranked.pair_parts(second, first), of_pair)
        nearer = (kept < kept[:, [first]]) & (kept != naive.LEFT_OUT)
        takes_part = kept[:, first] != naive.LEFT_OUT
        expected = np.where(takes_part, 1 + nearer.sum(axis=1), 0)
        np.testing.assert_array_equal(ranked.places(first), expected)
    rows = stiknn_core.interaction_rows(
        X, y, X_test, y_test, rows=[second, first], index=index, **how
    )
    np.testing.assert_allclose(ranked.rows([second, first]), rows, **close)


@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
def test_at_a_size_with_several_chunks_and_threads(index, rng):
    X, y = rng.normal(size=(400, 2)).round(1), rng.integers(0, 3, 400)
    test = {"X_test": rng.normal(size=(300, 2)).round(1), "y_test": rng.integers(0, 3, 300)}
    whole = stiknn_core.interactions(X, y, **test, index=index)
    kind = "banzhaf" if index == "BII" else "shapley"
    parts = {jobs: value_parts(X, y, **test, point=7, kind=kind, n_jobs=jobs) for jobs in (1, 2)}
    np.testing.assert_array_equal(parts[1], parts[2])
    assert parts[1].mean() == pytest.approx(whole.values[7], abs=1e-15)
    seen = []
    pair = pair_parts(
        X, y, **test, first=7, second=8, index=index, progress=lambda *at: seen.append(at)
    )
    assert pair.mean() == pytest.approx(whole.matrix[7, 8], abs=1e-15)
    assert seen == [(0, 300), (256, 300), (300, 300)]


def test_distances_of_any_kind_do():
    far = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 1.0]])
    y, y_test = ["a", "b", "a"], ["a", "b"]
    found = value_parts(far, y, None, y_test, point=1, k=1, metric="precomputed")
    groups = naive.tie_groups(far, metric="precomputed")
    expected = [
        naive.reference(groups[[p]], y, [label], k=1).shapley[1] for p, label in enumerate(y_test)
    ]
    np.testing.assert_allclose(found, expected, **close)


@pytest.mark.parametrize(("point", "shown"), [(3, "3"), (-1, "-1"), (1.0, "1.0"), (True, "True")])
def test_what_is_no_point_is_refused(point, shown):
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    wanted = rf"must be the position of a training point, .* from 0 to 2; got {shown}\."
    with pytest.raises(ParameterError, match=f"point {wanted}"):
        value_parts(X, y, point=point)
    with pytest.raises(ParameterError, match=f"second {wanted}"):
        pair_parts(X, y, first=0, second=point)
    with pytest.raises(ParameterError, match=f"first {wanted}"):
        RankedNeighbors(X, y).pair_parts(point, 1)


def test_a_point_has_no_pair_with_itself():
    with pytest.raises(ParameterError, match="two different training points; got 1 twice"):
        pair_parts([[0.0], [1.0], [2.0]], [0, 1, 0], first=1, second=np.int64(1))
