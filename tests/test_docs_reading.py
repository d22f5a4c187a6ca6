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
from scripts.website.gallery import EXHIBITS
from stiknn_core import games, interactions
from stiknn_core.datasets import load_bundled, make_dataset
from stiknn_core.datasets.noise import add_outliers
from stiknn_core.preparation import scale_features
from stiknn_core.tables import read_table
from stiknn_ui.asked.links import parse
from stiknn_ui.results import drawing
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from tests import exact, naive

PAGE = Path(__file__).parents[1] / "docs" / "reading.md"
SAMPLES = Path(__file__).parents[1] / "sample_data"
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


@pytest.mark.slow
def test_the_diagonal_of_other_indices_need_not_be_larger_than_the_pairs() -> None:
    assert "with Shapley interactions 9 to 10 times a typical pair of these rings" in TOLD
    assert "Banzhaf interactions smaller than the strongest pairs from n = 300 on" in TOLD
    for n, outgrown in ((100, True), (300, False), (600, False)):
        data = make_dataset("circles", n=n, noise=0.1, seed=0)
        shapley, banzhaf = (
            interactions(data.X, data.y, k=5, index=i).matrix for i in ("SII", "BII")
        )
        upper = np.triu_indices(n, 1)
        assert 9 < np.abs(shapley.diagonal()).mean() / np.median(np.abs(shapley[upper])) < 10
        assert (np.abs(banzhaf.diagonal()).mean() > np.abs(banzhaf[upper]).max()) == outgrown


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
    assert (
        "3 points have a negative value, and removing any one of them alone lowers the utility"
        in TOLD
    )
    assert (rings.interactions.values > 0).all()
    harmful = int((removed(rings) < 0).sum())
    assert (
        f"all 200 values are positive, and there are {harmful} points each of which, removed "
        "alone, raises it" in TOLD
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


def test_across_the_rings_near_pairs_are_paler_since_they_have_orange_parts_too() -> None:
    analysis = shown("pattern-classes")
    X, y, codes = analysis.dataset.X, analysis.dataset.y, analysis.codes
    blue, orange = np.zeros((2, analysis.n, analysis.n))
    for point, order in enumerate(naive.nearest_first(X, None)):
        part = naive.formula_matrix([order], y, y[[point]], k=5) / analysis.n
        blue += np.minimum(part, 0)
        orange += np.maximum(part, 0)
    far = np.linalg.norm(X[:, None] - X[None], axis=2)
    across = np.triu(codes[:, None] != codes[None], 1)
    near, wide = np.quantile(far[across], (0.2, 0.8))
    fifths = across & (far <= near), across & (far >= wide)
    assert {signed(blue[fifth].mean()) for fifth in fifths} == {"−0.0011"}
    told = [f"+{signed(orange[fifth].mean())} for the {{}}" for fifth in fifths]
    assert "as for the farthest: −0.0011" in TOLD
    assert told[0].format("nearest fifth") in TOLD
    assert f"to {told[1].format('farthest')}" in TOLD


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


@pytest.mark.slow
def test_more_neighbours_make_nearly_all_pairs_smaller_about_as_one_over_k() -> None:
    """The reading guide, and the help of Compare."""
    usual = shown("pattern-classes")
    X, n = usual.dataset.X, usual.n
    orders, upper = naive.nearest_first(X, None), np.triu_indices(n, 1)
    sizes = {
        k: np.abs(naive.formula_matrix(orders, usual.dataset.y, usual.dataset.y, k=k)[upper])
        for k in (1, 5, 10, 40)
    }
    assert "with Shapley-Taylor shrink roughly with 1/k as long as k is small beside n" in TOLD
    for few, many in ((1, 5), (5, 10), (10, 40)):
        assert np.mean(sizes[many] < sizes[few]) > 0.95
        assert 0.8 < sizes[few].mean() * few / (sizes[many].mean() * many) < 1.5


def test_rows_far_from_all_test_points_have_flat_lines() -> None:
    """Held-out rows: nothing is known of what nobody asks for."""
    assert "Rows far from all test points have lines that all look alike" in TOLD
    rng = np.random.default_rng(0)
    X, X_test = rng.normal(size=(60, 2)), rng.normal(size=(20, 2))
    X[40:] += 50
    y, y_test = rng.integers(0, 2, 60), rng.integers(0, 2, 20)
    orders = naive.nearest_first(X, X_test)
    matrix = naive.formula_matrix(orders, y, y_test, k=5)[:, :40]
    near = [np.delete(matrix[i], i).std() for i in range(40)]
    assert matrix[40:].std(axis=1).max() < 1e-12 < 1e-4 < min(near)


def test_a_class_without_test_points_brings_nothing_and_may_harm() -> None:
    assert (
        "Points of a class without any bring nothing, so that their values are 0 or below" in TOLD
    )
    for labels in ("cbca", "ccaa", "acca", "caac"):
        v = exact.ranked(labels, 1)
        found = [exact.shapley(v, 4, i) for i, label in enumerate(labels) if label == "c"]
        assert all(value <= 0 for value in found)
        assert any(value < 0 for value in found)
        assert all(v(frozenset({i})) == 0 for i, label in enumerate(labels) if label == "c")


@pytest.mark.slow
def test_what_the_gallery_of_the_site_says_of_its_views_is_so() -> None:
    exhibits = {one.key: one for one in EXHIBITS}
    assert "pairs of two classes are fainter" in exhibits["circles"].about
    data = exhibits["circles"].load()
    matrix = naive.formula_matrix(naive.nearest_first(data.X, None), data.y, data.y, k=5)
    same = data.y[:, None] == data.y[None]
    off = ~np.eye(data.n, dtype=bool)
    assert matrix[same & off].mean() < 1.5 * matrix[~same].mean() < 0
    assert exhibits["flips"].about.startswith("20 of 200 labels are wrong. Most are lines")
    data = exhibits["flips"].load()
    truth = read_table(SAMPLES / "circles_flipped.csv").to_dataset().flipped
    palest = paler_than_their_block(data.X, data.y)[:20]
    assert np.isin(palest, truth).sum() > 10


@pytest.mark.slow
def test_points_at_the_border_and_far_out_make_lines_too() -> None:
    """The reading guide, and the help of Explore: not every odd line is a wrong label."""
    assert "Points at the border between classes, outliers and rare subgroups make lines" in TOLD
    border = make_dataset("moons", n=200, noise=0.2, seed=0)
    far = np.linalg.norm(border.X[:, None] - border.X[None], axis=2)
    same = border.y[:, None] == border.y[None]
    other = np.where(same, np.inf, far).min(axis=1)
    palest = paler_than_their_block(border.X, border.y)[:20]
    assert np.mean(other[palest] < np.median(other)) >= 0.9
    outlying = add_outliers(make_dataset("circles", n=200, noise=0.08, seed=1), 0.05, 0)
    palest = paler_than_their_block(outlying.X, outlying.y)[:10]
    assert np.isin(palest, outlying.outliers).sum() >= 5


def paler_than_their_block(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Points, the one first whose interactions with its class are the palest beside the others'."""
    matrix = naive.formula_matrix(naive.nearest_first(X, None), y, y, k=5)
    np.fill_diagonal(matrix, 0)
    same = y[:, None] == y[None]
    own = (matrix * same).sum(axis=1) / (same.sum(axis=1) - 1)
    block = np.array([own[y == one].mean() for one in y])
    return np.argsort(own / block)


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
