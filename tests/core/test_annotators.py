"""Annotators ranked by the label support, and the model of Dawid and Skene."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_core import dawid_skene, games, label_support, make_dataset, rank_annotators
from stiknn_core.errors import LabelError, ParameterError, ShapeError
from stiknn_core.types import Dataset, FloatArray, IntArray, Votes


def crowd(
    true: IntArray, errors: FloatArray, share: float = 0.7, seed: int = 0, c: int = 2
) -> Votes:
    """Let annotators with known shares of errors label rows, each a part of them."""
    rng = np.random.default_rng(seed)
    said = np.full((len(true), len(errors)), -1)
    for number, error in enumerate(errors):
        rows = np.flatnonzero(rng.random(len(true)) < share)
        wrong = rng.random(len(rows)) < error
        said[rows, number] = (true[rows] + wrong * rng.integers(1, c, len(rows))) % c
    names = tuple(f"a{number}" for number in range(len(errors)))
    return Votes(names, tuple(str(code) for code in range(c)), said)


def naive_likelihood(votes: Votes, prior: FloatArray, confusion: FloatArray) -> float:
    """Return the log-likelihood of all labels from its definition."""
    total = 0.0
    for row in votes.said.tolist():
        if max(row) >= 0:
            said = [(a, code) for a, code in enumerate(row) if code >= 0]
            each = [
                prior[t] * math.prod(confusion[a][t][code] for a, code in said)
                for t in range(len(votes.classes))
            ]
            total += math.log(sum(each))
    return total


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(1, 5))
def test_the_likelihood_never_falls_and_is_that_of_the_definition(
    seed: int, c: int, a: int
) -> None:
    rng = np.random.default_rng(seed)
    votes = crowd(rng.integers(0, c, 15), rng.random(a), 0.8, seed, c)
    if not (votes.said >= 0).any():
        return
    found = dawid_skene(votes)
    assert (np.diff(found.likelihoods) >= -1e-9).all()
    # The last likelihood is that of the last estimates.
    assert naive_likelihood(votes, found.prior, found.confusion) == pytest.approx(
        found.likelihoods[-1], abs=1e-9
    )
    assert found.posterior.sum(axis=1) == pytest.approx(1)


def test_known_confusion_is_recovered() -> None:
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 4000)
    wanted = np.array(
        [
            [[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.0, 0.0, 1.0]],
            [[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]],
            [[0.8, 0.1, 0.1], [0.05, 0.9, 0.05], [0.1, 0.2, 0.7]],
            [[0.7, 0.3, 0.0], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]],
        ]
    )
    said = np.stack([[rng.choice(3, p=one[t]) for t in true] for one in wanted], axis=1)
    found = dawid_skene(Votes(tuple("abcd"), tuple("012"), said))
    assert np.abs(found.confusion - wanted).max() < 0.06
    assert found.prior == pytest.approx(np.bincount(true) / 4000, abs=0.03)
    assert (found.posterior.argmax(axis=1) == true).mean() > 0.93


def test_one_step_is_what_the_definition_gives() -> None:
    votes = Votes(("a", "b"), ("u", "v"), np.array([[0, 0], [0, 1], [1, -1], [-1, -1]]))
    found = dawid_skene(votes, iterations=1)
    # Shares of votes: row 0 is u, row 1 half and half, row 2 is v.
    assert found.prior == pytest.approx([0.5, 0.5])
    assert found.confusion[0] == pytest.approx(np.array([[1, 0], [1 / 3, 2 / 3]]))
    assert found.confusion[1] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]))
    told = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.5, 0.5]]
    assert found.posterior == pytest.approx(np.array(told))


def dataset() -> tuple[Dataset, Votes]:
    made = make_dataset("moons", n=300, noise=0.15, seed=3)
    errors = np.array([0.05, 0.45, 0.1, 0.3, 0.2, 0.15])
    return made, crowd(np.asarray(made.y), errors, seed=5)


def test_columns_are_what_their_definition_says() -> None:
    made, votes = dataset()
    keep = np.flatnonzero(votes.counts.any(axis=1))
    votes, X, y = votes.of(keep), made.X[keep], votes.of(keep).counts.argmax(axis=1)
    support = label_support(X, y, k=5, score=games.votes(votes.counts))
    table = rank_annotators(votes, y, support).set_index("annotator")
    shares = support.shares
    posterior = dawid_skene(votes).posterior
    for number, name in enumerate(votes.annotators):
        below, agreed, wrong = [], [], []
        for row, said in enumerate(votes.said.tolist()):
            if said[number] < 0:
                continue
            below.append(shares[row, y[row]] - shares[row, said[number]])
            wrong.append(1 - posterior[row, said[number]])
            rest = Counter(code for a, code in enumerate(said) if code >= 0 and a != number)
            if rest:
                top = [code for code, count in rest.items() if count == max(rest.values())]
                agreed.append((said[number] in top) / len(top))
        line = table.loc[name]
        assert line["rows"] == len(below)
        assert line["disagreement"] == pytest.approx(np.mean(below))
        assert line["standard_error"] == pytest.approx(np.std(below, ddof=1) / len(below) ** 0.5)
        assert line["agreement"] == pytest.approx(np.mean(agreed))
        assert line["dawid_skene"] == pytest.approx(np.mean(wrong))
    assert table["disagreement"].is_monotonic_decreasing


def test_who_errs_more_comes_first() -> None:
    made, votes = dataset()
    keep = np.flatnonzero(votes.counts.any(axis=1))
    votes = votes.of(keep)
    y = votes.counts.argmax(axis=1)
    support = label_support(made.X[keep], y, k=5, score=games.votes(votes.counts))
    table = rank_annotators(votes, y, support)
    assert table["annotator"].tolist() == ["a1", "a3", "a4", "a5", "a2", "a0"]


def test_a_class_that_is_no_label_has_no_support() -> None:
    X, y = np.arange(6.0)[:, None], np.array(["a"] * 3 + ["b"] * 3)
    votes = Votes(("p", "q"), ("a", "b", "z"), np.array([[0, 2], *[[0, 0]] * 2, *[[1, -1]] * 3]))
    support = label_support(X, y, k=1)
    table = rank_annotators(votes, y, support).set_index("annotator")
    assert table.loc["q", "support"] == pytest.approx(support.quality[[1, 2]].sum() / 3)


def test_an_annotator_without_rows_comes_last_and_one_row_has_no_error() -> None:
    said = np.array([[0, -1, 0], *[[0, -1, -1]] * 2, *[[1, -1, -1]] * 3])
    votes = Votes(("p", "none", "once"), ("a", "b"), said)
    y = np.array(["a"] * 3 + ["b"] * 3)
    table = rank_annotators(votes, y, label_support(np.arange(6.0)[:, None], y, k=1))
    assert table["annotator"].iloc[-1] == "none"
    assert table["rows"].iloc[-1] == 0
    assert table.set_index("annotator")["standard_error"].isna().tolist().count(True) == 2


def test_what_does_not_fit_is_refused() -> None:
    votes = Votes(("p",), ("a", "b"), np.array([[0], [1], [0]]))
    support = label_support(np.arange(3.0)[:, None], ["a", "b", "a"], k=1)
    with pytest.raises(ShapeError, match="same rows; got 3, 2 and 3"):
        rank_annotators(votes, ["a", "b"], support)
    with pytest.raises(LabelError, match="no class 'c'"):
        rank_annotators(votes, ["a", "b", "c"], support)
    with pytest.raises(LabelError, match="No annotator labelled any row"):
        dawid_skene(Votes(("p",), ("a",), np.array([[-1]])))
    with pytest.raises(ParameterError, match="iterations"):
        dawid_skene(votes, iterations=0)
    with pytest.raises(ParameterError, match=r"must be Votes, as in Dataset\.votes; got list"):
        dawid_skene([[0], [1]])
    with pytest.raises(ParameterError, match="must be Votes"):
        rank_annotators([[0], [1]], ["a", "b"], support)
