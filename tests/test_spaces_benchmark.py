"""The corpora that spaces are compared on, and what is measured of one sample."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.made_texts import CORPORA
from benchmarks.spaces import COLUMNS, Case, scores_of


@pytest.mark.parametrize("name", CORPORA)
def test_a_corpus_is_the_same_for_a_seed_and_has_several_classes(name: str) -> None:
    texts, labels = CORPORA[name](np.random.default_rng(1))
    again, same = CORPORA[name](np.random.default_rng(1))
    assert texts == again
    assert labels.tolist() == same.tolist()
    assert len(texts) == len(labels) >= 300
    assert min(np.unique(labels, return_counts=True)[1]) >= 20
    assert len(set(texts)) > 0.9 * len(texts)
    other, _ = CORPORA[name](np.random.default_rng(2))
    assert texts != other


@pytest.mark.slow
def test_every_ranking_finds_a_label_far_from_its_class() -> None:
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 2
    X = rng.normal(scale=0.3, size=(60, 3)) + np.array([[3.0, 0, 1], [0, 3.0, 1]])[codes]
    wrong = np.zeros(60, dtype=bool)
    wrong[[4, 31]] = True
    given = np.where(wrong, 1 - codes, codes)
    found = scores_of(Case("clouds", "3%", X, given, wrong, 0))
    assert list(found) == list(COLUMNS)
    assert min(found.values()) > 0.9
    swapped = scores_of(Case("clouds", "3%", X, given, ~wrong, 0))
    assert max(swapped.values()) < 0.99
