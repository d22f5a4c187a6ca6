"""Opinions joined into one, against the same written out plainly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from stiknn_core import ParameterError, ShapeError, label_support
from stiknn_core.labels.combined import combine, shares_of


def plainly(opinions: list[list[float]], codes: list[int], other: list[int]) -> list[float]:
    """Follow the docstring row by row and pair by pair."""
    n, c = len(codes), max([*codes, *other]) + 1
    weights = [math.prod(p + 0.02 for p in one) ** (8 / n) for one in opinions]
    right = [
        sum(w * one[i] for w, one in zip(weights, opinions, strict=True)) / sum(weights)
        for i in range(n)
    ]
    if c == 1:
        return right
    p = [(x + 0.01) / 1.02 for x in right]
    start = {(a, b): 0.9 if a == b else 0.1 / (c - 1) for a in range(c) for b in range(c)}
    rate, mean, q = dict(start), [0.1 / (c - 1)] * c, p
    for _ in range(6):
        half = 1.0 if c == 2 else 0.5
        q = []
        for i, (own, name) in enumerate(zip(codes, other, strict=True)):
            ours = p[i] * rate[own, own]
            theirs = (1 - p[i]) * (half * rate[name, own] + (1 - half) * mean[own])
            q.append(ours / (ours + theirs))
        count = {pair: 0.1 * n / c * share for pair, share in start.items()}
        for i, (own, name) in enumerate(zip(codes, other, strict=True)):
            count[own, own] += q[i]
            count[name, own] += 1 - q[i]
        rows = [sum(count[a, b] for b in range(c)) for a in range(c)]
        rate = {(a, b): count[a, b] / rows[a] for a, b in count}
        mean = [
            sum(count[a, b] for a in range(c) if a != b) / sum(rows[a] for a in range(c) if a != b)
            for b in range(c)
        ]
    return q


@st.composite
def doubts(draw) -> tuple[list[list[float]], list[int], list[int]]:
    n_classes, n = draw(st.integers(2, 4)), draw(st.integers(1, 12))
    codes = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    shift = draw(st.lists(st.integers(1, n_classes - 1), min_size=n, max_size=n))
    share = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
    opinions = draw(st.lists(st.lists(share, min_size=n, max_size=n), min_size=1, max_size=3))
    other = [(own + step) % n_classes for own, step in zip(codes, shift, strict=True)]
    return opinions, codes, other


@given(doubts())
def test_it_is_what_the_docstring_says(case) -> None:
    opinions, codes, other = case
    comp = combine([np.array(one) for one in opinions], np.array(codes), np.array(other))
    np.testing.assert_allclose(comp, plainly(opinions, codes, other), rtol=0, atol=1e-12)
    assert (comp >= 0).all()
    assert (comp <= 1).all()


def noisy_pair(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three classes; a fifth of class 0 is given label 1. Also how well a model predicts labels."""
    truth = np.repeat([0, 1, 2], 100)
    codes = truth.copy()
    codes[:20] = 1
    blurred = np.clip(np.where(codes == truth, 0.7, 0.35) + rng.normal(0, 0.15, 300), 0, 1)
    return codes, codes != truth, blurred


def test_a_class_mistaken_for_one_other_is_noticed(rng) -> None:
    codes, wrong, blurred = noisy_pair(rng)
    other = np.where(wrong, 0, (codes + 1 + (np.arange(300) % 2)) % 3)
    joint = combine([blurred], codes, other)
    before, after = (average_precision_score(wrong, -score) for score in (blurred, joint))
    assert after > before + 0.04


def test_an_opinion_that_predicts_nothing_counts_for_nothing(rng) -> None:
    codes, _, blurred = noisy_pair(rng)
    other = (codes + 1) % 3
    alone = combine([blurred], codes, other)
    beside = combine([blurred, rng.random(300) * 0.3], codes, other)
    assert np.corrcoef(alone, beside)[0, 1] > 0.999


def test_the_order_of_rows_opinions_and_classes_is_of_no_account(rng) -> None:
    codes, _, blurred = noisy_pair(rng)
    other, other = rng.random(300), (codes + 1) % 3
    ref = combine([blurred, other], codes, other)
    mixed, names = rng.permutation(300), np.array([2, 0, 1])
    comp = combine([other[mixed], blurred[mixed]], names[codes[mixed]], names[other[mixed]])
    np.testing.assert_allclose(comp, ref[mixed], atol=1e-12)


def test_ten_thousand_classes_cost_no_more_than_rows(rng) -> None:
    codes = rng.integers(0, 10_000, 20_000)
    opinion = rng.random(20_000)
    joint = combine([opinion], codes, (codes + 1) % 10_000)
    assert ((joint >= 0) & (joint <= 1)).all()
    assert np.corrcoef(joint, opinion)[0, 1] > 0.5


def test_one_class_alone_is_judged_by_the_mean() -> None:
    nothing = np.zeros(3, dtype=np.int64)
    opinion = np.array([0.2, 0.9, 0.4])
    np.testing.assert_allclose(combine([opinion, opinion], nothing, nothing), opinion)


def test_opinions_that_do_not_fit_are_refused() -> None:
    codes = np.array([0, 1])
    with pytest.raises(ParameterError, match="at least one opinion"):
        combine([], codes, codes)
    with pytest.raises(ShapeError, match="Opinion 1 must hold one number per row"):
        combine([np.ones(2), np.ones(3)], codes, 1 - codes)


def test_shares_are_those_of_the_support_before_classes_are_divided(rng) -> None:
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 3, 40)
    support = label_support(X, y)
    shares = shares_of(support.support, y)
    for row, own in enumerate(y):
        line = support.support[row] / support.support[row].sum()
        others = [code for code in range(3) if code != own]
        best = max(others, key=lambda code: line[code])
        assert shares.given[row] == pytest.approx(line[own])
        assert (shares.other[row], shares.other_share[row]) == (best, pytest.approx(line[best]))


def test_without_support_every_class_has_the_same_share() -> None:
    shares = shares_of(np.zeros((2, 4)), np.array([0, 3]))
    assert shares.given.tolist() == shares.other_share.tolist() == [0.25, 0.25]
    assert shares.other.tolist() == [1, 0]
    alone = shares_of(np.ones((2, 1)), np.array([0, 0]))
    assert (alone.given.tolist(), alone.other_share.tolist()) == ([1.0, 1.0], [0.0, 0.0])
