"""The gallery: every card leads where it says, and every claim holds in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_ui.asked import links
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.home import gallery, home
from stiknn_ui.home.examples import EXAMPLES, Example, example_of, points_to_select
from stiknn_ui.home.thumbnails import thumbnail
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results import drawing
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import ranking, score_ranking, scores_of
from stiknn_ui.work import shelves
from tests import naive
from tests.ui.test_pages import healthy, visit, words

pytestmark = pytest.mark.usefixtures("empty_shelves")

BY_NAME = {example.name: example for example in EXAMPLES}


@pytest.fixture(scope="module")
def computed() -> Callable[[str], Analysis]:
    kept: dict[str, Analysis] = {}

    def compute(name: str) -> Analysis:
        if name not in kept:
            settings = BY_NAME[name].settings
            kept[name] = analyse(build(settings.data), settings.data, settings.compute)
        return kept[name]

    return compute


def in_class(analysis: Analysis, code: int) -> float:
    """Return the mean interaction of two points of one class."""
    members = np.flatnonzero(analysis.codes == code)
    block = analysis.interactions.matrix[np.ix_(members, members)]
    return float(block[np.triu_indices(len(members), 1)].mean())


@pytest.mark.slow
def test_one_click_opens_each_example_as_its_link_does() -> None:
    at = healthy(visit())
    for example in EXAMPLES:  # the pictures are there, and so are the results they are made of
        picture = shelves.derived().get(f"thumbnail|{example.name}")
        assert picture.shape == (150, 150, 4)
        assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 50
        assert gallery._known(example) is not None
    for example in EXAMPLES:
        healthy(at.switch_page("app.py").run())
        assert example.claim in words(at)
        healthy(at.button(key=f"open-{example.name}").click().run())
        here = at.session_state["stiknn"]
        assert here.settings == example.settings
        assert dict(at.query_params) == links.to_params(example.settings, "explore")
        assert f"{example.title}: what to see here." in words(at)
        chosen = here.selections[here.desk(ResultDesk).shown.scope].points
        assert chosen == points_to_select(example, here.desk(ResultDesk).shown)
        query = urlsplit(gallery.address(example)).query
        assert links.parse(dict(parse_qsl(query))).settings == example.settings
    # One that is dismissed is silent until its card is pressed again.
    healthy(at.switch_page("pages/explore.py").run())  # a test stays where it pressed
    healthy(at.button(key="example-dismiss").click().run())
    assert "what to see here" not in words(at)
    healthy(at.selectbox(key="view.order").select("value").run())
    assert "what to see here" not in words(at)
    healthy(at.switch_page("app.py").run())
    healthy(at.button(key="open-digits").click().run())
    assert "what to see here" in words(at)


def test_other_settings_are_no_example() -> None:
    for example in EXAMPLES:
        settings = example.settings
        assert example_of(replace(settings, view=replace(settings.view, order="input"))) == example
        other = replace(settings, compute=replace(settings.compute, k=9))
        assert example_of(other) is None
    assert example_of(links.Settings()) is None


def said(name: str) -> str:
    example = BY_NAME[name]
    return f"{example.claim} {example.look}"


def test_clusters_are_blocks_of_near_points(computed: Any) -> None:
    analysis = computed("clusters")
    order = drawing.order_of(analysis, "cluster")
    matrix = order.apply(analysis.interactions.matrix)
    large = [block for block in order.blocks if block.stop - block.start > 20]
    assert len(large) == 4
    inside = [matrix[b.start : b.stop, b.start : b.stop] for b in large]
    within = [block[np.triu_indices(len(block), 1)].mean() for block in inside]
    across = [matrix[a.start : a.stop, b.start : b.stop].mean() for a, b in combinations(large, 2)]
    assert max(within) < 1.25 * min(across) < 0
    # Each block is one clump: its points lie on one side of the diagonal between both.
    for block, across_it in zip(large, ([1, 1], [1, 1], [1, -1], [1, -1]), strict=True):
        xy = analysis.dataset.X[order.positions[block.start : block.stop]]
        one_side = (xy @ across_it > 0).mean()
        assert max(one_side, 1 - one_side) > 0.95
    assert "Two points in the middle are a block of their own." in said("clusters")
    (small,) = (block for block in order.blocks if block not in large)
    middle = analysis.dataset.X[order.positions[small.start : small.stop]]
    assert len(middle) == 2
    assert np.abs(middle).max() < 0.5 < np.median(np.abs(analysis.dataset.X))


def test_copies_are_strong_substitutes_and_seldom_the_strongest(computed: Any) -> None:
    analysis = computed("copies")
    matrix = analysis.interactions.matrix
    groups = analysis.duplicates.groups
    assert [len(group) for group in groups] == [2] * 60
    pairs = np.array([matrix[group[0], group[1]] for group in groups])
    ratio = pairs.mean() / np.mean([in_class(analysis, code) for code in (0, 1)])
    assert ratio > 1.3
    first, second = points_to_select(BY_NAME["copies"], analysis)
    assert matrix[first, second] == pairs.min()

    # Counted without the package. Which of two copies comes first changes only the rank of the
    # farther one, so the mean of both ways round is the mean over all orders.
    X, y, k = analysis.dataset.X, analysis.dataset.y, analysis.k
    one = naive.formula_matrix(naive.nearest_first(X, None), y, y, k=k)
    turned = naive.nearest_first(X[::-1], None)
    other = naive.formula_matrix(turned, y[::-1], y[::-1], k=k)[::-1, ::-1]
    own = (one + other) / 2
    off = ~np.eye(analysis.n, dtype=bool)
    np.testing.assert_allclose(own[off], matrix[off], atol=1e-14)
    own[~off] = np.inf
    places = [
        [int((own[a] < own[a, b] - 1e-12).sum()) for a, b in (group, group[::-1])]
        for group in (one.tolist() for one in groups)
    ]
    strongest = sum(pair == [0, 0] for pair in places)
    assert f"the very strongest in {strongest} of 60 pairs" in said("copies")
    assert np.mean(np.array(places) < 10) > 0.7
    # Along a ring the blue fades with the distance.
    far = np.linalg.norm(X[:, None] - X[None], axis=2)
    for code in (0, 1):
        mine = (analysis.codes == code)[:, None] & (analysis.codes == code)[None] & off
        assert np.corrcoef(far[mine], own[mine])[0, 1] > 0.9
    # So there is a strong band: in this order near points stand side by side.
    assert "which is the strong band" in said("copies")
    places = drawing.order_of(analysis, "cluster").positions
    apart = np.abs(np.subtract.outer(np.argsort(places), np.argsort(places)))
    same = (analysis.codes[:, None] == analysis.codes[None]) & off
    assert own[same & (apart <= 10)].mean() < 1.3 * own[same & (apart > 30)].mean() < 0


def test_rare_points_are_orange_since_their_harm_is_done_once(computed: Any) -> None:
    analysis = computed("imbalance")
    assert np.bincount(analysis.codes).tolist() == [150, 30]
    assert in_class(analysis, 0) < -1e-3
    assert in_class(analysis, 1) > 5e-4
    rare = np.flatnonzero(analysis.codes == 1)
    pairs = np.ix_(rare, rare)
    upper = np.triu_indices(len(rare), 1)
    assert (analysis.interactions.matrix[pairs][upper] > 0).all()
    X, y = analysis.dataset.X, analysis.dataset.y
    orders = naive.nearest_first(X, None)
    by_class = []
    for code in (0, 1):
        weights = (analysis.codes == code).astype(float)
        matrix = naive.formula_matrix(orders, y, y, k=analysis.k, weights=weights)
        by_class.append(matrix[pairs][upper].mean())
    assert by_class[0] > 0 > by_class[1], "harm to the other class; substitutes for their own"
    data = replace(BY_NAME["imbalance"].settings.data, thin=0.0)
    balanced = analyse(build(data), data, analysis.compute)
    assert in_class(balanced, 1) < 0


def test_wrong_labels_stand_out(computed: Any) -> None:
    for name, hits in (("flipped", 14), ("digits", 11)):
        analysis = computed(name)
        scores = scores_of(analysis)
        for by, least in (("row", 0.8), ("quality", 0.9)):
            score = score_ranking(ranking(scores, by), analysis.changed)
            assert score is not None
            assert score.average_precision > least, (name, by)
        chosen = points_to_select(BY_NAME[name], analysis)
        assert len(set(chosen) & set(analysis.changed)) >= hits


def test_most_wrong_labels_are_lines_and_not_all(computed: Any) -> None:
    """Home, help and the cards: a line unlike its block is paler in it than nine of ten others."""
    for name in ("flipped", "digits"):
        analysis = computed(name)
        matrix, codes = analysis.interactions.matrix, analysis.codes
        off = ~np.eye(analysis.n, dtype=bool)
        same = (codes[:, None] == codes[None]) & off
        own = np.array([row[mine].mean() for row, mine in zip(matrix, same, strict=True)])
        wrong = np.isin(np.arange(analysis.n), analysis.changed)
        paler = [
            own[point] > np.quantile(own[(codes == codes[point]) & ~wrong], 0.9)
            for point in np.flatnonzero(wrong)
        ]
        assert 0.5 < np.mean(paler) < 1, name
    assert "most of them are lines" in said("flipped")


@pytest.mark.slow
def test_a_line_that_breaks_its_block_is_often_a_wrong_label(computed: Any) -> None:
    """Home, help and the cards: of the palest lines, as many as labels are wrong, most are."""
    assert "A line that breaks its block may be a **wrong label**; here most are" in home._COLOURS
    for name, one_in in (("flipped", 10), ("digits", 20)):
        analysis = computed(name)
        X, y, codes = analysis.given.X, analysis.dataset.y, analysis.codes
        matrix = naive.formula_matrix(naive.nearest_first(X, None), y, y, k=analysis.k)
        np.fill_diagonal(matrix, 0)
        same = codes[:, None] == codes[None]
        own = (matrix * same).sum(axis=1) / (same.sum(axis=1) - 1)
        block = np.array([own[codes == code].mean() for code in range(len(analysis.classes))])
        wrong = len(analysis.changed)
        assert wrong * one_in == analysis.n
        palest = np.argsort(own / block[codes])[:wrong]
        assert np.isin(palest, analysis.changed).mean() >= 2 / 3


def test_home_shows_two_moons_with_one_label_in_ten_changed(computed: Any) -> None:
    analysis = computed("flipped")
    truth = analysis.dataset.y_true
    assert truth is not None
    assert np.unique(truth, return_counts=True)[1].tolist() == [75, 75]
    assert len(analysis.changed) == 15
    for number in ("75 points each", "one label in ten"):
        assert number in " ".join(home._EXPLANATION.split())


def test_faint_cells_cancel_out_more_than_strong_ones(computed: Any) -> None:
    """Home and help: a faint pair hardly counts, or is blue for some tests, orange for others."""
    analysis = computed("flipped")
    X, y, k = analysis.dataset.X, analysis.dataset.y, analysis.k
    orders = naive.nearest_first(X, None)
    sizes = np.zeros((analysis.n, analysis.n))
    for point, order in enumerate(orders):
        one = naive.formula_matrix([order], y, y[[point]], k=k) / analysis.n
        sizes += np.abs(one)
    mean = analysis.interactions.matrix
    upper = np.triu_indices(analysis.n, 1)
    cancelled = 1 - np.abs(mean[upper]) / sizes[upper]
    strength = np.abs(mean[upper])
    faint = strength < np.quantile(strength, 0.1)
    strong = strength > np.quantile(strength, 0.9)
    assert np.median(cancelled[faint]) > 0.8
    assert np.median(cancelled[strong]) < 0.2
    assert sizes[upper][faint].min() > 0


def test_ties_decide_unless_they_are_averaged(computed: Any) -> None:
    analysis = computed("ties")
    assert analysis.interactions.tied_test_points == analysis.n_test == 601
    X, y = analysis.dataset.X, analysis.dataset.y
    assert {len(np.unique(column)) for column in X.T} == {2, 3, 4}
    assert "six columns of two to four numbers" in said("ties")
    assert X.shape[1] == 6
    assert "correlates with its shuffled self at 0.96 only" in said("ties")
    shuffled = np.random.default_rng(0).permutation(len(y))
    pairs = np.triu_indices(len(y), 1)
    for ties, low, high in (("index", 0.955, 0.965), ("expected", 1 - 1e-9, 1 + 1e-9)):
        one = interactions(X, y, k=4, ties=ties).matrix[np.ix_(shuffled, shuffled)]
        other = interactions(X[shuffled], y[shuffled], k=4, ties=ties).matrix
        assert low < np.corrcoef(one[pairs], other[pairs])[0, 1] < high


def test_a_thumbnail_shows_means_of_pairs_and_the_borders() -> None:
    matrix = np.array([[9.0, -1, 0, 0], [-1, 9, 0, 0], [0, 0, 9, 1], [0, 0, 1, 9]])
    picture = thumbnail(matrix, np.array([2, 3, 0, 1]), (0, 2), 1.0, cells=4)
    assert picture.shape == (4, 4, 4)
    assert tuple(picture[0, 1]) == (224, 123, 26, 255)  # the strongest orange
    assert tuple(picture[2, 0]) == tuple(picture[0, 2]) == (128, 128, 128, 255)
    clear = thumbnail(matrix, np.arange(4), (), 1.0, cells=4)
    assert tuple(clear[0, 1]) == (61, 134, 198, 255)  # the strongest blue
    # Zero and the diagonal let the ground of either theme show through.
    assert clear[0, 2, 3] == clear[0, 0, 3] == 0
    # Two by two: the diagonal, which is far larger, has no part in a mean.
    coarse = thumbnail(matrix, np.arange(4), (), 1.0, cells=2)
    assert tuple(coarse[0, 0]) == (61, 134, 198, 255)
    assert tuple(coarse[1, 1]) == (224, 123, 26, 255)


def test_every_example_is_public_and_small() -> None:
    for example in EXAMPLES:
        assert isinstance(example, Example)
        assert example.settings.data.source != "upload"
        assert build(example.settings.data).n <= 1000
    assert len({example.settings.data for example in EXAMPLES}) == len(EXAMPLES) == 6
    assert DataSpec() not in {example.settings.data for example in EXAMPLES}
