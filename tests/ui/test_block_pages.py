"""The page of data with too many points for one matrix, run without a browser."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core import interactions
from stiknn_ui.blocks import shelf as block_shelf
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.levels import Part
from stiknn_ui.blocks.selected import as_points
from stiknn_ui.page.runner import RowsDesk
from stiknn_ui.results import kept
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.results.exports import points_csv
from stiknn_ui.results.suspects import suspects_table
from stiknn_view.selection import Selection
from tests.ui.test_pages import visit, words
from tests.ui.waiting import wait_for_page

pytestmark = pytest.mark.usefixtures("empty_shelves")

LARGE = {"dataset": "blobs", "n": "4500", "classes": "3", "eval": "hold-out", "share": "0.02"}


def settled(at: AppTest) -> AppTest:
    """Wait for the ranking, then for the part of the matrix, and check that nothing went wrong."""
    wait_for_page(at)
    assert not at.exception
    assert not at.error
    return at


def shown_part(at: AppTest) -> tuple[str, Part]:
    """Return what point ids belong to, and the part of the matrix that is looked at."""
    scope, _, own = at.session_state["stiknn"].scopes["blocks-view"].partition("|part|")
    return scope.rpartition("|")[0], block_shelf.block_parts().get(f"part|{own}")


def select(at: AppTest, units: tuple[int, ...]) -> AppTest:
    """Select some rows of the matrix as the browser does."""
    here = at.session_state["stiknn"]
    scope, part = shown_part(at)
    here.newest_seq += 1
    here.selections[scope] = as_points(part, Selection(units, units, "block", here.newest_seq))
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


@pytest.fixture
def few_make_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than 200 points make a matrix, so that few are many."""
    monkeypatch.setattr("stiknn_ui.asked.spec.MAX_POINTS", 200)
    monkeypatch.setattr("stiknn_ui.blocks.levels.MAX_PAIRS", 60)
    monkeypatch.setattr("stiknn_ui.blocks.levels.N_NEAR", 50)
    monkeypatch.setattr("stiknn_ui.blocks.picture.N_NEAR", 50)
    monkeypatch.setattr("stiknn_ui.blocks.analysis.USUAL_TESTS", 100)


MANY = {"dataset": "blobs", "n": "400", "classes": "3", "flip": "0.1"}


def rows_of(at: AppTest) -> AllRows:
    found = kept.rows().get(at.session_state["stiknn"].desk(RowsDesk).shown)
    assert found is not None
    return found


@pytest.mark.usefixtures("few_make_a_matrix")
@pytest.mark.parametrize("space", ["features", "forest"])
def test_suspects_take_every_row_and_share_what_is_ticked(space: str) -> None:
    at = settled(visit("suspects", **MANY, space=space))
    rows = rows_of(at)
    (table,) = [one.value for one in at.dataframe if "quality" in one.value]
    assert len(table) == rows.n == 400
    assert table["quality"].is_monotonic_increasing
    assert not {"in_out", "row"} & set(table)
    assert f"against the {len(rows.changed)} labels that are known to be wrong" in words(at)
    assert at.button(key="open-near").disabled
    here = at.session_state["stiknn"]
    worst = int(table["point"][0])
    here.newest_seq += 1
    here.selections[rows.scope] = Selection((worst,), (worst,), "table", here.newest_seq)
    settled(at.run())
    assert "1 row of the block lit in the picture" in words(at)
    settled(at.button(key="open-near").click().run())
    level = here.desk(BlockDesk).levels[-1]
    assert len(level.points) == 50
    assert worst in level.points
    assert set(level.points) == {worst, *rows.given.nearest(np.array([worst]), 49)[0][0].tolist()}
    assert f"{worst} among its 50 nearest" in {button.label for button in at.button}
    assert here.selections[rows.scope].points == (worst,)
    # The same points are selected, and the same part is looked at, on Explore.
    settled(at.switch_page("pages/explore.py").run())
    assert here.desk(BlockDesk).levels[-1] is level
    assert at.button(key="look-closely").label == f"Look closely at {worst}"
    assert "single points are tested by every row" in words(at)


@pytest.mark.usefixtures("few_make_a_matrix")
def test_a_score_of_the_matrix_gives_way_where_there_is_none() -> None:
    at = settled(visit("suspects", **MANY, rank="row"))
    (table,) = [one.value for one in at.dataframe if "quality" in one.value]
    assert table["quality"].is_monotonic_increasing
    assert at.session_state["stiknn"].settings.view.rank_by == "row"


@pytest.mark.usefixtures("few_make_a_matrix")
def test_of_very_many_rows_the_first_are_listed_and_the_file_holds_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stiknn_ui.page.panels.MOST_LISTED", 30)
    at = settled(visit("suspects", **MANY))
    rows = rows_of(at)
    (table,) = [one.value for one in at.dataframe if "quality" in one.value]
    assert len(table) == 30
    assert "The 30 most suspicious of 400 rows; Points (CSV) holds all." in words(at)
    scores = kept.scores_of(rows)
    whole = suspects_table(rows, scores, kept.ranked(rows, "quality")[1])
    file = pd.read_csv(io.BytesIO(points_csv(rows, None, whole)))
    assert sorted(file["id"]) == list(range(400))
    assert file["quality"].is_monotonic_increasing
    assert "matrix_position" not in file
    assert file["setting_n_test"].unique().tolist() == [400]


@pytest.mark.usefixtures("few_make_a_matrix")
def test_more_rows_than_are_ranked_are_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stiknn_ui.results.estimate.MAX_ROWS", 300)
    at = settled(visit("suspects", **MANY))
    assert "400 training points are more than the 300 that are ranked one by one" in words(at)
    assert at.button(key="use-sample")
