"""The summary of a selection, against sums written out by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_ui.results.summary import overall_mean, summarise
from stiknn_view.selection import Selection

CLASSES = ("a", "b")
CODES = np.array([0, 0, 1, 1, 0, 1])
N = len(CODES)


def matrix() -> np.ndarray:
    upper = np.triu(np.random.default_rng(5).normal(size=(N, N)), 1)
    return upper + upper.T + np.diag(np.full(N, 99.0))


def by_hand(rows: tuple[int, ...], cols: tuple[int, ...]) -> tuple[list[float], list[float]]:
    pairs = {tuple(sorted(pair)) for pair in product(rows, cols) if pair[0] != pair[1]}
    same = [matrix()[i, j] for i, j in pairs if CODES[i] == CODES[j]]
    different = [matrix()[i, j] for i, j in pairs if CODES[i] != CODES[j]]
    return same, different


points = st.sets(st.integers(0, N - 1)).map(lambda chosen: tuple(sorted(chosen)))


@given(points, points)
def test_every_pair_counts_once_however_it_was_selected(
    rows: tuple[int, ...], cols: tuple[int, ...]
) -> None:
    same, different = by_hand(rows, cols)
    found = summarise(Selection(rows, cols), matrix(), CODES, CLASSES)
    for value, values in ((found.within, same), (found.across, different)):
        if values:
            assert value == pytest.approx(np.mean(values), abs=1e-12)
        else:
            assert value is None
    strongest = sorted((abs(value) for value in same + different), reverse=True)[:5]
    assert [abs(pair.value) for pair in found.strongest] == pytest.approx(strongest)
    assert all(pair.first < pair.second for pair in found.strongest)
    assert found.n_points == len({*rows, *cols})


def test_points_are_counted_per_class() -> None:
    found = summarise(Selection((0, 1, 2), (2, 3)), matrix(), CODES, CLASSES)
    assert found.per_class == (("a", 2), ("b", 2))


def test_the_diagonal_plays_no_part() -> None:
    found = summarise(Selection((0, 1), (0, 1)), matrix(), CODES, CLASSES)
    assert found.within == pytest.approx(matrix()[0, 1])
    assert abs(overall_mean(matrix())) < 2


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        (Selection(), "Nothing is selected."),
        (Selection((3,), (3,)), "a pair needs two"),
        (Selection((0, 1), (0, 1)), "These two points, of class a, are"),
        (Selection((0,), (2,)), "These two points, of different classes, are"),
        (Selection((0, 1, 2), (0, 1, 2)), "class"),
    ],
)
def test_the_gist_is_one_plain_sentence(selection: Selection, words: str) -> None:
    assert words in summarise(selection, matrix(), CODES, CLASSES).sentence


def test_the_sentence_follows_the_sign() -> None:
    negative = -np.ones((2, 2))
    found = summarise(Selection((0, 1), (0, 1)), negative, np.zeros(2, dtype=int), ("a",))
    assert "are substitutes (negative" in found.sentence
    found = summarise(Selection((0, 1), (0, 1)), -negative, np.zeros(2, dtype=int), ("a",))
    assert "are complements (positive" in found.sentence
