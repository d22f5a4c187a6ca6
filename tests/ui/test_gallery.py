"""The gallery: every card leads where it says, and every claim holds in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from stiknn_core import interactions
from stiknn_ui.asked import links
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.home import gallery
from stiknn_ui.home.examples import EXAMPLES, Example, example_of, points_to_select
from stiknn_ui.home.thumbnails import thumbnail
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results import drawing
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import ranking, score_ranking, scores_of
from stiknn_ui.work import shelves
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


def test_clusters_are_blocks_of_near_points(computed: Any) -> None:
    analysis = computed("clusters")
    order = drawing.order_of(analysis, "cluster")
    matrix = order.apply(analysis.interactions.matrix)
    large = [block for block in order.blocks if block.stop - block.start > 20]
    assert len(large) == 4
    inside = [matrix[b.start : b.stop, b.start : b.stop] for b in large]
    within = [block[np.triu_indices(len(block), 1)].mean() for block in inside]
    first, second, third, fourth = large
    across = [
        matrix[a.start : a.stop, b.start : b.stop].mean()
        for a, b in ((first, second), (third, fourth))
    ]
    assert max(within) < 1.25 * min(across) < 0
    # Each block is one clump: its points lie on one side of the diagonal between both.
    for block, across_it in zip(large, ([1, 1], [1, 1], [1, -1], [1, -1]), strict=True):
        xy = analysis.dataset.X[order.positions[block.start : block.stop]]
        one_side = (xy @ across_it > 0).mean()
        assert max(one_side, 1 - one_side) > 0.95


def test_copies_are_the_most_redundant_partners(computed: Any) -> None:
    analysis = computed("redundancy")
    matrix = analysis.interactions.matrix
    groups = analysis.duplicates.groups
    assert len(groups) == 60
    pairs = np.array([matrix[group[0], group[1]] for group in groups])
    ratio = pairs.mean() / np.mean([in_class(analysis, code) for code in (0, 1)])
    assert ratio > 1.3
    first, second = points_to_select(BY_NAME["redundancy"], analysis)
    assert matrix[first, second] == pairs.min()
    # It fades along the ring: the nearest of the class against the farthest.
    same = np.flatnonzero(analysis.codes == analysis.codes[first])
    far = np.linalg.norm(analysis.dataset.X[same] - analysis.dataset.X[first], axis=1)
    near_first = same[np.argsort(far)]
    near_first = near_first[near_first != first]
    assert matrix[first, near_first[:20]].mean() < 1.5 * matrix[first, near_first[-20:]].mean()


def test_rare_points_complete_each_other(computed: Any) -> None:
    analysis = computed("imbalance")
    assert np.bincount(analysis.codes).tolist() == [150, 30]
    assert in_class(analysis, 0) < -1e-3
    assert in_class(analysis, 1) > 5e-4
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


def test_ties_decide_unless_they_are_averaged(computed: Any) -> None:
    analysis = computed("ties")
    assert analysis.interactions.tied_test_points == analysis.n_test == 601
    X, y = analysis.dataset.X, analysis.dataset.y
    shuffled = np.random.default_rng(0).permutation(len(y))
    pairs = np.triu_indices(len(y), 1)
    for ties, low, high in (("index", 0.94, 0.97), ("expected", 1 - 1e-9, 1 + 1e-9)):
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
