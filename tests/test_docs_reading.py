"""What docs/reading.md says of its pictures is so."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

from scripts.docs_pictures import PATTERNS
from stiknn_ui.asked.links import parse
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build

PAGE = Path(__file__).parents[1] / "docs" / "reading.md"
TOLD = " ".join(PAGE.read_text(encoding="utf-8").split())


@cache
def shown(name: str) -> Analysis:
    """The result that a picture was taken of."""
    settings = parse(dict(parse_qsl(PATTERNS[name]))).settings
    return analyse(build(settings.data), settings.data, settings.compute)


def pairs(analysis: Analysis, one: int, other: int) -> np.ndarray:
    """Interactions between two classes, or within one."""
    rows, cols = (np.flatnonzero(analysis.codes == code) for code in (one, other))
    block = analysis.interactions.matrix[np.ix_(rows, cols)]
    return block[np.triu_indices(len(rows), 1)] if one == other else block.ravel()


def signed(number: float) -> str:
    return f"{number:.4f}".replace("-", "−")


def test_every_picture_of_the_page_is_one_of_these() -> None:
    assert {f"pictures/{name}.png" in TOLD for name in PATTERNS} == {True}


def test_the_diagonal_is_what_a_point_earns_alone_and_far_larger_than_pairs() -> None:
    for name in ("pattern-classes", "pattern-clusters", "pattern-imbalance", "pattern-flipped"):
        analysis = shown(name)
        matrix = analysis.interactions.matrix
        sizes = np.abs(matrix[np.triu_indices(analysis.n, 1)])
        assert 50 < matrix.diagonal().mean() / np.median(sizes) < 105
        assert 0.5 < np.median(sizes) * analysis.k * analysis.n < 2, "near 1/(k n)"
        for code in (0, 1):  # nobody judges itself, so one of a class sees its others
            mine = analysis.codes == code
            alone = (mine.sum() - 1) / (analysis.n * analysis.k)
            assert matrix.diagonal()[mine] == pytest.approx(alone)
    assert "fifty to a hundred times larger" in TOLD


def test_points_of_one_class_are_the_most_redundant() -> None:
    analysis = shown("pattern-classes")
    within = max(pairs(analysis, code, code).mean() for code in (0, 1))
    assert within < pairs(analysis, 0, 1).mean() < 0


def test_few_points_of_a_class_are_redundant_little_and_worth_little() -> None:
    analysis = shown("pattern-imbalance")
    rare, common = np.bincount(analysis.codes)
    assert f"[{rare} points of one class, {common} of the other]" in TOLD
    of_pairs = [signed(pairs(analysis, code, code).mean()) for code in (1, 0)]
    assert "interaction of {}, a pair of the rare class {}.".format(*of_pairs) in TOLD
    values = [signed(analysis.interactions.values[analysis.codes == c].mean()) for c in (0, 1)]
    assert "a rare point is {} here, that of a common one {}".format(*values) in TOLD


def test_wrong_labels_are_more_redundant_with_the_other_class() -> None:
    analysis = shown("pattern-flipped")
    matrix, codes = analysis.interactions.matrix, analysis.codes
    wrong = np.isin(np.arange(analysis.n), analysis.changed)
    assert wrong.sum() == 9
    for code in (0, 1):
        mine, others = codes == code, codes != code
        own = (matrix[np.ix_(mine, mine)].sum(axis=1) - matrix.diagonal()[mine]) / (mine.sum() - 1)
        across = matrix[np.ix_(mine, others)].mean(axis=1)
        assert across[wrong[mine]].max() < across[~wrong[mine]].mean()
        assert own[wrong[mine]].min() > own[~wrong[mine]].mean()


def test_a_large_k_blurs_the_difference_of_the_blocks() -> None:
    usual, large = shown("pattern-classes"), shown("pattern-large-k")
    assert (usual.k, large.k) == (5, 40)
    assert "with k = 40 instead of 5" in TOLD

    def contrast(analysis: Analysis) -> float:
        within = np.concatenate([pairs(analysis, code, code) for code in (0, 1)]).mean()
        return float(pairs(analysis, 0, 1).mean() / within)

    assert contrast(usual) < 0.6
    assert contrast(large) > contrast(usual) + 0.2
