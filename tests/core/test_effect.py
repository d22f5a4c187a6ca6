"""The effect of changed labels, against votes counted over every order of tied points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core.datasets import flip_labels, make_dataset
from stiknn_core.errors import LabelError, ParameterError, ShapeError
from stiknn_core.labels.effect import Fit, _at_random, relabel_effect

GONE = None


def votes_of(
    row: Sequence[int], rows: Sequence[Sequence[int]], labels: Sequence[str | None],
    right: str, k: int,
) -> tuple[Fraction, Fraction]:  # fmt: skip
    """Likelihood and share of the majority of one test point, by listing every draw."""
    far: dict[int, list[str]] = {}
    for other, label in zip(rows, labels, strict=True):
        if label is not GONE:
            distance = sum((a - b) ** 2 for a, b in zip(row, other, strict=True))
            far.setdefault(distance, []).append(label)
    sure: list[str] = []
    draws: list[tuple[str, ...]] = [()]
    for distance in sorted(far):
        group = far[distance]
        if len(sure) + len(group) > k:
            draws = list(combinations(group, k - len(sure)))
            break
        sure += group
    likelihood = hit = Fraction(0)
    for draw in draws:
        votes = [*sure, *draw]
        count = {label: votes.count(label) for label in votes}
        likelihood += Fraction(votes.count(right), k)
        best = [label for label in count if count[label] == max(count.values())]
        if right in best:
            hit += Fraction(1, len(best))
    return likelihood / len(draws), hit / len(draws)


def fit_of(
    X: list[list[int]], labels: list[str | None], tests: list[tuple[list[int], str, int]], k: int
) -> tuple[float, float]:
    """Mean over test points; each is a row, its label and the training point it is, or -1."""
    found = []
    for row, right, itself in tests:
        others = [place for place in range(len(X)) if place != itself]
        found.append(votes_of(row, [X[o] for o in others], [labels[o] for o in others], right, k))
    sums = [sum(one, Fraction(0)) / len(tests) for one in zip(*found, strict=True)]
    return float(sums[0]), float(sums[1])


def same(fit: Fit, expected: tuple[float, float]) -> None:
    np.testing.assert_allclose((fit.likelihood, fit.accuracy), expected, rtol=0, atol=1e-12)


@st.composite
def cases(draw: st.DrawFn) -> dict[str, object]:
    n = draw(st.integers(3, 9))
    # Few different coordinates, so that most test points see tied groups.
    row = st.lists(st.integers(0, 2), min_size=2, max_size=2)
    labels = st.sampled_from("abcd")
    return {
        "X": [draw(row) for _ in range(n)],
        "y": [draw(labels) for _ in range(n)],
        "y_after": [draw(labels) for _ in range(n)],
        "removed": [False, *(draw(st.booleans()) for _ in range(n - 1))],
        "k": draw(st.integers(1, n + 2)),
        "tests": [(draw(row), draw(st.sampled_from("abcde"))) for _ in range(3)],
    }


def after_of(case: dict[str, object]) -> list[str | None]:
    pairs = zip(case["y_after"], case["removed"], strict=True)  # type: ignore[call-overload]
    return [GONE if gone else label for label, gone in pairs]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::stiknn_core.StiknnWarning")
@given(cases())
def test_a_test_set_as_counted_by_hand(case: dict) -> None:
    X, y, k = case["X"], case["y"], case["k"]
    tests = [(row, label, -1) for row, label in case["tests"]]
    found = relabel_effect(
        X, y, case["y_after"], removed=np.array(case["removed"]), k=k,
        X_test=[row for row, _, _ in tests], y_test=[label for _, label, _ in tests], n_random=2,
    )  # fmt: skip
    same(found.before, fit_of(X, y, tests, k))
    same(found.after, fit_of(X, after_of(case), tests, k))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::stiknn_core.StiknnWarning")
@given(cases(), st.integers(0, 100))
def test_leave_one_out_and_random_changes_as_counted_by_hand(case: dict, seed: int) -> None:
    X, y, k, n = case["X"], case["y"], case["k"], len(case["X"])
    found = relabel_effect(
        X, y, case["y_after"], removed=np.array(case["removed"]), k=k,
        test_rows=[0, n - 1], n_random=3, seed=seed,
    )  # fmt: skip
    tests = [(X[row], y[row], row) for row in (0, n - 1)]
    same(found.before, fit_of(X, y, tests, k))
    same(found.after, fit_of(X, after_of(case), tests, k))
    classes = sorted({*y, *case["y_after"]})
    codes = np.array([classes.index(label) for label in y])
    rng = np.random.default_rng(seed)
    for fit in found.random:
        drawn = _at_random(codes, found.n_relabelled, found.n_removed, len(classes), rng)
        labels = [GONE if code < 0 else classes[code] for code in drawn]
        same(fit, fit_of(X, labels, tests, k))


def test_random_changes_are_as_many_as_the_real_ones_and_reach_every_row_and_class() -> None:
    old = np.array([0, 1, 2, 0, 1, 2])
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(300):
        new = _at_random(old, 2, 1, 3, rng)
        assert (new == -1).sum() == 1
        assert ((new != old) & (new >= 0)).sum() == 2
        seen |= {(row, int(new[row])) for row in range(6) if new[row] != old[row]}
    assert seen == {(row, c) for row in range(6) for c in (-1, 0, 1, 2) if c != old[row]}


def test_by_default_untouched_points_judge() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a", "a"]
    removed = np.array([False, False, False, False, True])
    found = relabel_effect(X, y, ["a", "a", "a", "a", "a"], removed=removed, k=1)
    assert (found.n_relabelled, found.n_removed, found.n_test) == (1, 1, 3)
    assert len(found.random) == 20
    same(found.before, (0.5, 0.5))  # by point 0: wrong; by 2: half; by 3: right
    same(found.after, (1.0, 1.0))


def test_a_majority_of_two_draws_shares_and_missing_neighbours_count_as_wrong() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "b"]
    gone = np.array([False, False, True, True])
    found = relabel_effect(X, y, y, removed=gone, X_test=[[0.0]], y_test=["a"], k=4, n_random=2)
    same(found.before, (0.5, 0.5))
    same(found.after, (0.25, 0.5))


def test_mending_flips_helps_and_random_changes_do_not() -> None:
    clean = make_dataset("moons", n=200, noise=0.1, seed=1)
    noisy = flip_labels(clean, 0.1, 1)
    assert len(noisy.flipped) == 20
    found = relabel_effect(noisy.X, noisy.y, clean.y)
    assert found.after.likelihood > found.before.likelihood > found.random_mean.likelihood
    assert found.n_test == 180
    likelihoods = [fit.likelihood for fit in found.random]
    assert found.random_mean.likelihood == pytest.approx(np.mean(likelihoods))
    assert found.random_sd.likelihood == pytest.approx(np.std(likelihoods, ddof=1))
    assert found.random_sd.accuracy > 0


def test_the_same_on_any_number_of_threads_and_for_the_same_seed() -> None:
    data = make_dataset("xor", n=300, noise=0.4, seed=2)
    after = np.roll(data.y, 1)
    one = relabel_effect(data.X, data.y, after, test_rows=range(300), n_jobs=1)
    assert one == relabel_effect(data.X, data.y, after, test_rows=range(300), n_jobs=3)
    other = relabel_effect(data.X, data.y, after, test_rows=range(300), seed=1)
    assert one.after == other.after
    assert one.random != other.random


def test_large_tied_groups_stay_a_chance() -> None:
    """600 rows at one spot, of which 100 vote: chances of draws must not overflow."""
    y = ["a"] * 300 + ["b"] * 300
    found = relabel_effect(np.zeros((600, 1)), y, y, X_test=[[1.0]], y_test=["a"], k=100)
    same(found.before, (0.5, 0.5))
    assert found.after == found.before


def test_one_class_cannot_be_changed_at_random() -> None:
    found = relabel_effect([[0.0], [1.0], [2.0]], ["a"] * 3, ["a"] * 3, k=1)
    assert found.random_mean == found.before == Fit(1.0, 1.0)


X4, Y4 = [[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"]


@pytest.mark.parametrize(
    ("error", "words", "more"),
    [
        (LabelError, "one label per training point, 4 here; got 3", {"y_after": ["a"] * 3}),
        (LabelError, "must be of one kind", {"y_after": [1, 2, 1, 2]}),
        (ShapeError, "one True or False per training point, 4 here", {"removed": [True]}),
        (ShapeError, "one True or False", {"removed": [0, 1, 0, 0]}),
        (ParameterError, "All training points are removed", {"removed": [True] * 4}),
        (ParameterError, "positions of training points, whole numbers from 0 to 3",
         {"test_rows": [4]}),
        (ParameterError, "positions of training points", {"test_rows": [0.5]}),
        (ParameterError, "No training point is left", {"test_rows": []}),
        (ParameterError, "No training point is left", {"y_after": ["b", "a", "b", "a"]}),
        (ParameterError, "leave them out with X_test",
         {"test_rows": [0], "X_test": [[9.0]], "y_test": ["a"]}),
        (ParameterError, "n_random must be an integer of at least 2; got 1", {"n_random": 1}),
        (ParameterError, "seed must be", {"seed": -1}),
    ],
)  # fmt: skip
def test_impossible_calls_are_named(error: type[Exception], words: str, more: dict) -> None:
    with pytest.raises(error, match=words):
        relabel_effect(X4, Y4, **{"y_after": Y4, **more})
