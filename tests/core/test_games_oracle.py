"""Every score with every index and both rules for ties against the definition, over all sets."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stiknn_core import StiknnWarning, games, interactions, values
from tests import all_games, naive
from tests.all_games import INDICES, Played

SCORES = (
    "plain", "inverse", "rbf", "tricube", "given", "soft", "votes", "soft_training", "labels",
    "costs", "absolute", "squared", "huber",
)  # fmt: skip
CLASSES = "abc"


@dataclass(frozen=True)
class Case:
    """A small problem with a score, and what each training point brings to each test point."""

    X: list[list[int]]
    X_test: list[list[int]] | None
    y: list[Any]
    y_test: list[Any] | None
    k: int
    weights: list[Fraction]
    score: games.Score
    gains: list[list[Fraction]]

    def played(self, index: str, ties: str) -> Played:
        groups = naive.tie_groups(self.X, self.X_test)
        groups = naive.break_ties(groups) if ties == "index" else groups
        by_size, empty = self.score.divided_by_size, Fraction(self.score.empty)
        given = groups.tolist(), self.gains, self.weights, self.k, index
        return Played(*given, by_size, empty)

    def call(self, function: Any, **options: Any) -> Any:
        test = None if self.X_test is None else np.array(self.X_test, dtype=float)
        with warnings.catch_warnings():  # classes that training lacks are part of it here
            warnings.simplefilter("ignore", StiknnWarning)
            return function(
                np.array(self.X, dtype=float),
                self.y,
                test,
                self.y_test,
                k=self.k,
                sample_weight=[float(weight) for weight in self.weights],
                score=self.score,
                **options,
            )


@st.composite
def cases(draw: st.DrawFn, kind: str, by_size: bool) -> Case:
    """Few places in the plane, so that ties abound; every class is among the training points."""
    alone = draw(st.booleans())
    n = draw(st.integers(3, 6 if alone else 5))
    t = n if alone else draw(st.integers(1, 3))
    place = st.lists(st.integers(-1, 2), min_size=2, max_size=2)
    X = draw(st.lists(place, min_size=n, max_size=n))
    X_test = None if alone else draw(st.lists(place, min_size=t, max_size=t))
    rest = draw(st.lists(st.sampled_from(CLASSES), min_size=n - 3, max_size=n - 3))
    y: list[Any] = [*draw(st.permutations(CLASSES)), *rest]
    y_test: list[Any] = (
        y if alone else draw(st.lists(st.sampled_from("abz"), min_size=t, max_size=t))
    )
    weight = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3)])
    weights = draw(st.lists(weight, min_size=t, max_size=t))
    k = draw(st.integers(1, n + 1))
    right = [[Fraction(own == other) for own in y] for other in y_test]
    eighths = st.integers(0, 8).map(lambda part: Fraction(part, 8))

    def table(rows: int, columns: int) -> list[list[Fraction]]:
        row = st.lists(eighths, min_size=columns, max_size=columns)
        return draw(st.lists(row, min_size=rows, max_size=rows))

    def shares(rows: int) -> list[list[Fraction]]:
        first = draw(st.lists(st.integers(0, 8), min_size=rows, max_size=rows))
        second = [draw(st.integers(0, 8 - part)) for part in first]
        parts = zip(first, second, strict=True)
        return [[Fraction(a, 8), Fraction(b, 8), Fraction(8 - a - b, 8)] for a, b in parts]

    def times(weighted: list[list[Fraction]]) -> list[list[Fraction]]:
        rows = zip(weighted, right, strict=True)
        return [[a * b for a, b in zip(*both, strict=True)] for both in rows]

    column = {name: place for place, name in enumerate(CLASSES)}
    if kind == "plain":
        score, gains = games.plain(), right
    elif kind in ("inverse", "rbf", "tricube"):
        bandwidth = draw(st.sampled_from([0.5, 1.0, 3.0]))
        score = games.kernel(kind, bandwidth)
        tests = X if X_test is None else X_test
        far = [[math.dist(a, b) for a in X] for b in tests]
        near = [[all_games.kernel_weight(kind, bandwidth, d) for d in row] for row in far]
        gains = times(near)
    elif kind == "given":
        near = table(t, n)
        score, gains = games.kernel(all_games.as_floats(near)), times(near)
    elif kind == "soft":
        P = shares(t)
        score = games.soft(all_games.as_floats(P))
        gains = [[row[column[own]] for own in y] for row in P]
    elif kind == "votes":
        counted = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any)
        counts = draw(st.lists(counted, min_size=t, max_size=t))
        score = games.votes(counts)
        gains = [[Fraction(row[column[own]], sum(row)) for own in y] for row in counts]
    elif kind == "soft_training":
        P = shares(n)
        score = games.soft_training(all_games.as_floats(P))
        gains = [[row[column[o]] if o in column else Fraction(0) for row in P] for o in y_test]
    elif kind == "labels":
        tags = st.lists(st.integers(0, 1), min_size=3, max_size=3)
        train = draw(st.lists(tags, min_size=n, max_size=n))
        test = train if alone else draw(st.lists(tags, min_size=t, max_size=t))
        score = games.labels(train) if alone else games.labels(train, test)
        alike = [[sum(map(int.__eq__, a, b)) for a in train] for b in test]
        gains = [[Fraction(count, 3) for count in row] for row in alike]
    elif kind == "costs":
        cost = {"a": draw(eighths), "c": draw(eighths) + 2}
        score = games.costs({name: float(one) for name, one in cost.items()})
        gains = times([[cost.get(o, Fraction(1))] * n for o in y_test])
    else:
        target = st.integers(-6, 6).map(lambda part: Fraction(part, 2))
        own = draw(st.lists(target, min_size=n, max_size=n))
        other = own if alone else draw(st.lists(target, min_size=t, max_size=t))
        delta = Fraction(3, 2)
        score = games.measured(kind, float(delta) if kind == "huber" else None)  # type: ignore[arg-type]
        gains = [[-all_games.loss(kind, delta, a - b) for a in own] for b in other]
        y, y_test = [float(a) for a in own], [float(b) for b in other]
    if by_size:
        score = games.normalised(score, empty=draw(st.sampled_from([0.0, 0.25])))
    return Case(X, X_test, y, None if alone else y_test, k, weights, score, gains)


def agree(found: Any, case: Case, expected: Any) -> None:
    size = max((abs(float(a)) for row in case.gains for a in row), default=1.0)
    wanted = np.array(expected, dtype=float)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13 * (10 + 10 * size))


@pytest.mark.slow
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("ties", ["expected", "index"])
@given(data=st.data())
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_game_against_the_definition(kind: str, ties: str, data: st.DataObject) -> None:
    case = data.draw(cases(kind, data.draw(st.booleans())))
    smallest = len(case.y) - (case.X_test is None)
    least = {"calibrated(1)": 1, "calibrated(3)": 3}
    for index in INDICES:
        if index in least and smallest < least[index] + 2:
            continue  # so many other points there are not
        played = case.played(index, ties)
        game = games.index_of(index)
        result = case.call(interactions, index=game, ties=ties)
        agree(result.matrix, case, played.matrix)
        agree(result.values, case, played.values)
        agree(result.likelihood, case, played.likelihood)
        agree(case.call(values, kind=game, ties=ties), case, played.values)
    agree(
        case.call(values, kind="leave_one_out", ties=ties),
        case,
        case.played("leave_two_out()", ties).values,
    )


@given(
    groups=st.lists(st.integers(0, 2), min_size=1, max_size=5),
    eighths=st.lists(st.integers(-8, 8), min_size=5, max_size=5),
    k=st.integers(1, 6),
)
@settings(max_examples=40, deadline=None)
def test_ties_in_expectation_of_real_scores(groups: list[int], eighths: list[int], k: int) -> None:
    """The game of this oracle is the mean over all orders, for scores of any sign."""
    a = [Fraction(part, 8) for part in eighths[: len(groups)]]
    worth = all_games.game(groups, a, k, False, Fraction(0))
    u = np.array([float(part) / k for part in a])
    by_orders = naive.expected_game_by_orders(np.array(groups), u, k)
    np.testing.assert_allclose(by_orders, [float(v) for v in worth], rtol=0, atol=1e-12)


def test_leave_two_out_by_hand() -> None:
    """Four points on a line, k = 1; the test point at 0 is of class a: b a b a, near to far.

    Without the two nearest the third answers, without any other pair the nearest that is left.
    v(N) = v(2 and 3 gone) = 0 (b), v(1 gone) = 1 (a), v(1, 2 gone) = 0 (b), v(1, 3 gone) = 1.
    """
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["b", "a", "b", "a"]
    found = interactions(X, y, [[0.0]], ["a"], k=1, index=games.leave_two_out())
    pair = found.matrix[0, 1]  # v(N) - v(1 gone) - v(2 gone) + v(both gone) = 0 - 1 - 0 + 0
    assert pair == -1.0
    assert found.matrix[0, 2] == found.matrix[0, 3] == 0.0  # 0 - 1 - 0 + 1
    assert found.matrix[1, 2] == found.matrix[2, 3] == 0.0  # the nearest answers in any case
    assert found.values.tolist() == [-1.0, 0.0, 0.0, 0.0]  # v(N) - v(1 gone) = 0 - 1
    assert (found.values == np.diag(found.matrix)).all()


@pytest.mark.parametrize("score", [
    games.kernel("rbf", 1.0), games.measured("squared"), games.normalised(empty=0.5),
    games.normalised(games.measured("absolute")),
])  # fmt: skip
def test_pairs_and_single_points_add_up(score: games.Score, rng: np.random.Generator) -> None:
    X, y = np.round(rng.normal(size=(40, 2)), 1), rng.integers(0, 3, 40).astype(float)
    found = interactions(X, y, k=3, score=score)
    whole = found.likelihood - score.empty
    assert np.triu(found.matrix).sum() == pytest.approx(whole, abs=1e-12)
    assert found.values.sum() == pytest.approx(whole, abs=1e-12)
