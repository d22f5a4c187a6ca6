"""The page of data with too many points for one matrix, run without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core import interactions
from stiknn_ui.asked.selection import Selection
from stiknn_ui.blocks import shelf as block_shelf
from stiknn_ui.blocks.desk import BlockDesk
from tests.ui.test_pages import visit, words
from tests.ui.waiting import job_of, wait_for_page

pytestmark = pytest.mark.usefixtures("empty_shelves")

LARGE = {"dataset": "blobs", "n": "4500", "classes": "3", "eval": "hold-out", "share": "0.02"}


def settled(at: AppTest) -> AppTest:
    """Wait for the ranking, then for the part of the matrix, and check that nothing went wrong."""
    wait_for_page(at)
    assert not at.exception
    assert not at.error
    return at


def select(at: AppTest, units: tuple[int, ...]) -> AppTest:
    """Select some blocks as the browser does."""
    here = at.session_state["stiknn"]
    scope = here.scopes["blocks-view"]
    here.newest_seq += 1
    here.selections[scope] = Selection(units, units, "block", here.newest_seq)
    return settled(at.run())


@pytest.mark.slow
def test_large_data_open_as_blocks_and_close_in_on_pairs() -> None:
    at = settled(visit("explore", **LARGE))
    desk = at.session_state["stiknn"].desk(BlockDesk)
    assert [level.title for level in desk.levels] == ["All 4,410 points"]
    assert at.button(key="open-part").disabled
    select(at, tuple(range(140)))
    assert not at.button(key="open-part").disabled
    assert "2,412 points as finer blocks" in at.button(key="open-part").label
    settled(at.button(key="open-part").click().run())
    select(at, (0, 1, 2))
    assert "Selection." in words(at)
    settled(at.button(key="open-part").click().run())
    assert [len(level.points) for level in desk.levels] == [4410, 2412, 28]
    assert "single pairs" in words(at)
    analysis = block_shelf.block_results().get(desk.shown)
    points = desk.levels[-1].points
    test = sorted(set(range(4500)) - set(analysis.rows.tolist()))
    data = analysis.dataset
    whole = interactions(
        data.X[analysis.rows], data.y[analysis.rows], data.X[test], data.y[test], k=5
    )
    part = block_shelf.block_parts().get(f"part|{analysis.key}|{desk.levels[-1].digest}")
    assert abs(part.matrix - whole.matrix[points][:, points]).max() < 1e-14
    settled(at.button(key="level-0").click().run())
    assert [len(level.points) for level in desk.levels] == [4410]


@pytest.mark.slow
def test_the_most_suspicious_of_a_selection_can_be_looked_at_closely() -> None:
    at = settled(visit("explore", **LARGE))
    select(at, (3, 4))
    analysis = block_shelf.block_results().get(at.session_state["stiknn"].desk(BlockDesk).shown)
    settled(at.button(key="open-part").click().run())
    points = at.session_state["stiknn"].desk(BlockDesk).levels[-1].points
    worst = points[np.argmin(analysis.support.quality[points])]
    few = points[:3]
    (name,) = analysis.names(few[[np.argmin(analysis.support.quality[few])]])
    select(at, (0, 1, 2))
    label = at.button(key="look-closely").label
    assert label == f"Look closely at {name}, the most suspicious of them"
    select(at, (1,))
    (name,) = analysis.names(points[[1]])
    assert at.button(key="look-closely").label == f"Look closely at {name}"
    settled(at.button(key="level-0").click().run())
    select(at, (3, 4))
    settled(at.button(key="look-closely").click().run())
    assert at.session_state["stiknn"].page == "point"
    assert at.query_params["point"] == str(worst)
    (name,) = analysis.names(np.array([worst]))
    assert f"{name}: given" in words(at)


@pytest.mark.slow
def test_too_many_test_points_are_told_with_what_to_do() -> None:
    at = settled(visit("explore", dataset="blobs", n="40000", flip="0", eval="leave-one-out"))
    assert "40,000 training points are too many for one matrix" in words(at)
    offered = {button.key for button in at.button}
    assert {"fewer-tests", "blocks", "use-sample"} <= offered
    at.button(key="fewer-tests").click().run()
    compute = at.session_state["stiknn"].settings.compute
    assert (compute.evaluation, compute.share) == ("hold-out", 1000 / 40000)
    assert job_of(at, "blocks") is not None
    at.button(key="blocks-stop").click().run()
    assert "Stopped." in words(at)


@pytest.mark.slow
def test_another_order_and_another_k_keep_what_is_looked_at() -> None:
    at = settled(visit("explore", **LARGE))
    select(at, (0, 1, 2))
    settled(at.button(key="open-part").click().run())
    at.selectbox(key="view.order").set_value("value")
    settled(at.run())
    at.number_input(key="compute.k").set_value(3)
    settled(at.run())
    desk = at.session_state["stiknn"].desk(BlockDesk)
    assert [len(level.points) for level in desk.levels] == [4410, 51]


def test_other_pages_name_the_sample_and_the_block_view() -> None:
    at = settled(visit("suspects", **LARGE, space="features"))
    assert "Explore shows more points as blocks" in words(at)
