"""What docs/reading.md says of its pictures is so."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from scipy.stats import spearmanr

from scripts.docs_pictures import PATTERNS
from stiknn_core import games, interactions
from stiknn_core.datasets import load_bundled, make_dataset
from stiknn_core.preparation import scale_features
from stiknn_ui.asked.links import parse
from stiknn_ui.results import drawing
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from tests import exact, naive

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


def removed(analysis: Analysis) -> np.ndarray:
    """What the utility loses when one point is taken out; counted here from the distances."""
    X, y, k = analysis.dataset.X, analysis.codes, analysis.k
    far = np.linalg.norm(X[:, None] - X[None], axis=2)
    np.fill_diagonal(far, np.inf)
    order = np.argsort(far, axis=1)
    hits = y[order] == y[:, None]

    def utility(without: int) -> int:
        return sum(int(hit[row != without][:k].sum()) for hit, row in zip(hits, order, strict=True))

    return utility(-1) - np.array([utility(point) for point in range(analysis.n)])


def test_the_diagonal_is_what_a_point_earns_alone_and_outgrows_the_pairs() -> None:
    for name in ("pattern-classes", "pattern-clusters", "pattern-imbalance", "pattern-flipped"):
        analysis = shown(name)
        matrix = analysis.interactions.matrix
        sizes = np.abs(matrix[np.triu_indices(analysis.n, 1)])
        assert 0.5 < np.median(sizes) * analysis.k * analysis.n < 2, "near 1/(k n)"
        for code in (0, 1):  # nobody is tested on itself, so one of a class sees its others
            mine = analysis.codes == code
            alone = (mine.sum() - 1) / (analysis.n * analysis.k)
            assert matrix.diagonal()[mine] == pytest.approx(alone)
    for n, times in ((100, 51), (600, 298)):  # counted in tests/core/test_meaning.py
        data = make_dataset("circles", n=n, noise=0.1, seed=0)
        matrix = interactions(data.X, data.y, k=5).matrix
        size = np.median(np.abs(matrix[np.triu_indices(n, 1)]))
        assert round(matrix.diagonal().mean() / size) == times
        assert f"{times} times" in TOLD
        assert f"for n = {n}" in TOLD


def test_the_table_of_single_cells_is_the_definition_s() -> None:
    for labels in ("aa", "ba"):
        assert exact.interaction(exact.ranked(labels, 1), 2, 0, 1) == -1
    for labels in ("ab", "bb"):
        assert exact.interaction(exact.ranked(labels, 1), 2, 0, 1) == 0
    for labels in ("aba", "bba"):
        assert exact.interaction(exact.ranked(labels, 1), 3, 0, 1) == Fraction(1, 3)
        assert f"| {labels} | first two | +1/3 |" in TOLD
    assert "| aa | both | −1 |" in TOLD
    assert "| ba | both | −1 |" in TOLD
    assert "| ab, bb | both | 0 |" in TOLD
    assert exact.interaction(exact.utility([1, 1, 5, 6], "bbaa", 1), 4, 0, 1) == Fraction(1, 2)
    assert "at 5 and 6 give +1/2" in TOLD


def test_removing_a_point_is_another_question_than_its_value() -> None:
    rare, rings = shown("pattern-imbalance"), shown("pattern-classes")
    negative = rare.interactions.values < 0
    assert negative.sum() == 3
    assert (removed(rare)[negative] > 0).all()
    assert "below 3 points have a negative value, and removing any one of them makes" in TOLD
    assert (rings.interactions.values > 0).all()
    harmful = int((removed(rings) < 0).sum())
    assert (
        f"all 200 values are positive, and the classifier is better without any one of {harmful}"
        in TOLD
    )


def test_of_one_class_near_points_are_bluer_and_across_the_rings_far_ones() -> None:
    analysis = shown("pattern-classes")
    within = max(pairs(analysis, code, code).mean() for code in (0, 1))
    assert within < pairs(analysis, 0, 1).mean() < 0
    X, codes = analysis.dataset.X, analysis.codes
    orders = naive.nearest_first(X, None)
    matrix = naive.formula_matrix(orders, analysis.dataset.y, analysis.dataset.y, k=5)
    far = np.linalg.norm(X[:, None] - X[None], axis=2)
    upper = np.triu(np.ones_like(far, dtype=bool), 1)
    same = codes[:, None] == codes[None]
    assert np.corrcoef(far[upper & same], matrix[upper & same])[0, 1] > 0.8
    across = np.corrcoef(far[upper & ~same], matrix[upper & ~same])[0, 1]
    assert f"correlation with the distance {across:.2f}".replace("-", "−") in TOLD


def test_clouds_that_lie_apart_hardly_interact() -> None:
    X = np.random.default_rng(0).normal(size=(200, 2))
    X[100:, 0] += 20
    y = np.repeat([0, 1], 100)
    matrix = naive.formula_matrix(naive.nearest_first(X, None), y, y, k=5)
    within = matrix[:100, :100][np.triu_indices(100, 1)].mean()
    assert abs(matrix[:100, 100:].mean()) < 0.1 * abs(within)


def test_the_small_clusters_are_the_tips_of_the_moons() -> None:
    analysis = shown("pattern-clusters")
    order = drawing.order_of(analysis, "cluster")
    sizes = [block.stop - block.start for block in order.blocks]
    assert len(sizes) == 4
    for code in (0, 1):
        small = min((2 * code, 2 * code + 1), key=sizes.__getitem__)
        block = order.blocks[small]
        tip = order.positions[block.start : block.stop]
        mine = np.flatnonzero(analysis.codes == code)
        others = analysis.dataset.X[analysis.codes != code]
        near = [
            np.linalg.norm(analysis.dataset.X[members][:, None] - others, axis=2).min(axis=1).mean()
            for members in (tip, np.setdiff1d(mine, tip))
        ]
        assert len(tip) < len(mine) / 2
        assert near[0] < near[1]


def test_few_points_of_a_class_are_pale_for_two_opposite_reasons() -> None:
    analysis = shown("pattern-imbalance")
    rare, common = np.bincount(analysis.codes)
    assert f"[{rare} points of one class, {common} of the other]" in TOLD
    of_pairs = [signed(pairs(analysis, code, code).mean()) for code in (0, 1)]
    assert "interaction of {}, a pair of the common class {}.".format(*of_pairs) in TOLD
    values = [signed(analysis.interactions.values[analysis.codes == c].mean()) for c in (0, 1)]
    assert "a rare point is {} here, that of a common one {}".format(*values) in TOLD
    orange = (pairs(analysis, 0, 0) > 0).mean()
    assert f"block of the {rare} is pale, and {orange:.0%}".replace("%", " %") in TOLD
    X, y = analysis.dataset.X, analysis.dataset.y
    by_class = []
    orders = naive.nearest_first(X, None)
    for code in (0, 1):
        weights = (analysis.codes == code).astype(float)
        matrix = naive.formula_matrix(orders, y, y, k=analysis.k, weights=weights)
        mine = np.flatnonzero(analysis.codes == 0)
        by_class.append(matrix[np.ix_(mine, mine)][np.triu_indices(rare, 1)].mean())
    assert by_class[0] < 0 < by_class[1]


def test_wrong_labels_are_bluer_with_the_other_class() -> None:
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


def test_pairs_of_measured_targets_are_orange_since_an_empty_place_costs_nothing() -> None:
    data = load_bundled("diabetes")
    X, n = scale_features(data.X)[0], data.n
    upper = np.triu_indices(n, 1)

    def pairs_of(targets: np.ndarray, index: games.AnyIndex) -> np.ndarray:
        result = interactions(X, targets, k=5, score=games.measured("absolute"), index=index)
        return result.matrix[upper]

    whole, full = pairs_of(data.y, "STII"), pairs_of(data.y, games.calibrated(20))
    assert f"absolute losses, {100 * np.mean(whole > 0):.1f} %" in TOLD
    assert f"{100 * np.mean(full > 0):.0f} % are orange then" in TOLD

    # What the farther of two points costs, on average over the test points beside them.
    rank = np.argsort(np.argsort(np.linalg.norm(X[:, None] - X[None], axis=2), axis=1), axis=1)
    cost = np.zeros((n, n))
    for test in range(n):
        loss, far = np.abs(data.y - data.y[test]), rank[test]
        farther = np.where(far[:, None] > far[None], loss[:, None], loss[None])
        farther[test] = farther[:, test] = 0
        cost += farther
    assert f"rank correlation {spearmanr(whole, cost[upper])[0]:.2f} over" in TOLD


@pytest.mark.parametrize(("index", "positive"), [("STII", True), (games.calibrated(20), False)])
def test_where_all_losses_are_equal_only_empty_places_make_pairs_positive(
    index: games.AnyIndex, positive: bool
) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    score = games.measured("absolute")
    result = interactions(X, np.ones(40), X[:5] + 0.1, np.zeros(5), k=5, score=score, index=index)
    pairs = result.matrix[np.triu_indices(40, 1)]
    assert np.all(pairs > 1e-6) if positive else np.allclose(pairs, 0, atol=1e-15)
