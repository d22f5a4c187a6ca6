"""The Point page, run without a browser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core import interactions
from stiknn_core.duplicates import find_duplicates
from stiknn_ui.blocks import shelf as block_shelf
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.page.runner import ResultDesk, RowsDesk
from stiknn_ui.point.ground import copies_of
from stiknn_ui.point.head import removal_sentence
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.suspects import ranking
from stiknn_ui.review import card
from stiknn_ui.words.numbers import number
from stiknn_view.selection import Selection
from tests.ui.test_pages import healthy, visit, words
from tests.ui.waiting import wait_for_page

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

SMALL = {"dataset": "circles", "n": "60", "noise": "0.05", "copies": "0.1", "space": "features"}


def shown(at: AppTest) -> Any:
    return at.session_state["stiknn"].desk(ResultDesk).shown


def looked_at(at: AppTest) -> int:
    here = at.session_state["stiknn"]
    point = here.settings.view.point
    assert here.selections[shown(at).scope].points == (point,)
    assert at.query_params["point"] == str(point)
    return point


def metric(at: AppTest, label: str) -> str:
    return next(one.value for one in at.metric if one.label == label)


def test_the_numbers_of_a_point_stand_on_its_page() -> None:
    at = healthy(visit("point", **SMALL, point="7"))
    assert looked_at(at) == 7
    analysis = shown(at)
    values = analysis.interactions.values
    assert metric(at, "KNN-Shapley value") == f"{values[7]:+.3g}"
    assert metric(at, "Leave-one-out value") == number(analysis.leave_one_out[7], signed=True)
    assert removal_sentence(values[7], analysis.leave_one_out[7]) in words(at)
    assert (
        metric(at, "Rank by value, lowest first")
        == f"{1 + (values < values[7]).sum()} of {analysis.n}"
    )
    assert metric(at, "Label quality") == number(analysis.support.quality[7])
    said = words(at)
    given, suggested = (analysis.classes[c[7]] for c in (analysis.codes, analysis.suggested))
    assert f"Point 7: given label {given}, suggested {suggested}" in said
    wrong = 7 in analysis.changed
    assert ("known to be wrong" in said) == wrong
    assert f"Of {analysis.n} test points" in said
    assert f"the value {values[7]:+.6g}" in said
    split, *tables = [frame.value for frame in at.dataframe]
    assert split["adds"].sum() == pytest.approx(values[7], abs=1e-12)
    substitutes = next(table for table in tables if "interaction" in table)
    assert substitutes["interaction"].iloc[0] == np.delete(analysis.interactions.matrix[7], 7).min()


@pytest.mark.parametrize(
    ("value", "alone", "told", "why"),
    [
        (0.02, 0.00125, "would lower the utility by 0.00125", ""),
        (-0.02, -0.00125, "would raise the utility by 0.00125", ""),
        (0.02, 0.0, "would not change the utility", ""),
        (-0.02, 0.00125, "would lower the utility by 0.00125", "negative"),
        (-0.02, 0.0, "would not change the utility", "negative"),
        (0.02, -0.00125, "would raise the utility by 0.00125", "positive"),
    ],
)
def test_removing_a_point_is_told_and_set_apart_from_its_value(value, alone, told, why) -> None:
    said = removal_sentence(value, alone)
    assert said.startswith(f"Removing it alone {told}")
    assert (f"its {why} value is a mean over sets" in said) == bool(why)


def test_where_a_value_stands_is_not_rounded_away() -> None:
    at = healthy(visit("point", dataset="moons", n="250", flip="0.1"))
    order = np.argsort(shown(at).interactions.values, kind="stable")
    for place, told in ((0, "None"), (1, "Less than 1%"), (50, "20%"), (249, "All")):
        healthy(at.selectbox(key=_key(at)).set_value(int(order[place])).run())
        assert f" {told} of the other points have a lower value." in f" {words(at)}".replace(
            "\n", " "
        )


def test_copies_are_told() -> None:
    at = healthy(visit("point", **SMALL))
    point = int(shown(at).duplicates.groups[0][0])
    healthy(at.selectbox(key=_key(at)).set_value(point).run())
    assert looked_at(at) == point
    assert "It is one of 2 identical rows" in words(at)


def _key(at: AppTest) -> str:
    return next(box.key for box in at.selectbox if box.label == "Point")


def test_one_goes_through_the_suspects_in_their_order() -> None:
    at = healthy(visit("point", **SMALL))
    order = ranking(kept.scores_of(shown(at)), "quality").tolist()
    place = order.index(0)
    assert f"**{place + 1}** of {shown(at).n}" in words(at)
    healthy(at.button(key="point-next").click().run())
    assert looked_at(at) == order[place + 1]
    healthy(at.button(key="point-previous").click().run())
    assert looked_at(at) == order[place]


def test_a_point_that_is_not_there_is_said_in_one_sentence() -> None:
    at = healthy(visit("point", **SMALL, point="99"))
    assert [warning.value for warning in at.warning] == [
        "There is no point 99: these are 66 points, from 0 to 65. Point 0 is shown."
    ]
    assert looked_at(at) == 0
    assert not healthy(at.run()).warning


def test_the_point_follows_what_is_selected_elsewhere() -> None:
    at = healthy(visit("explore", **SMALL))
    here = at.session_state["stiknn"]
    here.selections[shown(at).scope] = Selection((9,), (9,), "scatter", 10)
    healthy(at.switch_page("pages/point.py").run())
    assert looked_at(at) == 9
    # Several selected at once leave the point as it is, and the page says so.
    here.selections[shown(at).scope] = Selection((1, 2), (1, 2), "scatter", 10**6)
    here.newest_seq = 10**6
    healthy(at.run())
    assert here.settings.view.point == 9
    assert "2 points are selected" in words(at)
    healthy(at.button(key="point-again").click().run())
    assert looked_at(at) == 9


def test_what_is_selected_on_explore_can_be_looked_at_closely() -> None:
    at = healthy(visit("explore", **SMALL))
    here = at.session_state["stiknn"]
    here.selections[shown(at).scope] = Selection((12, 30), (12, 30), "scatter", 10)
    healthy(at.run())
    assert at.button(key="look-closely").label == "Look closely at 12, first of 2 selected"
    healthy(at.button(key="look-closely").click().run())
    assert "12: given" in words(at)
    assert looked_at(at) == 12


def test_what_is_reviewed_can_be_looked_at_closely() -> None:
    at = healthy(visit("review", **SMALL))
    at.session_state[card.KEY] = {"ask": {"look": 12, "wish": 1}}
    healthy(at.run())
    assert "12: given" in words(at)
    assert looked_at(at) == 12
    at.switch_page("pages/review.py").run()
    at.session_state[card.KEY] = {"ask": {"look": 12, "wish": 1}}
    assert "12: given" not in words(healthy(at.run())), "a wish is granted once"


@pytest.mark.parametrize(("index", "name"), [("SII", "KNN-Shapley"), ("BII", "KNN-Banzhaf")])
def test_other_indices_are_not_split_but_explained(index: str, name: str) -> None:
    at = healthy(visit("point", **SMALL, index=index))
    assert f"the diagonal of the matrix is the {name} value itself" in words(at)
    assert not any("adds" in frame.value for frame in at.dataframe)


def test_the_parts_of_one_interaction_are_those_of_the_chosen_pair() -> None:
    at = healthy(visit("point", **SMALL, point="3", eval="hold-out"))
    healthy(at.segmented_control(key="point-parts-of").set_value("pair").run())
    box = next(one for one in at.selectbox if one.label == "Other point")
    assert 3 not in box.options
    healthy(box.set_value(8).run())
    matrix = shown(at).interactions.matrix
    assert f"the interaction {matrix[3, 8]:+.6g}" in words(at)


@pytest.fixture
def few_make_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than 200 points make a matrix, and 100 of more test their pairs."""
    monkeypatch.setattr("stiknn_ui.asked.spec.MAX_POINTS", 200)
    monkeypatch.setattr("stiknn_ui.blocks.analysis.USUAL_TESTS", 100)


@pytest.mark.usefixtures("few_make_a_matrix")
@pytest.mark.parametrize("space", ["features", "forest"])
def test_every_row_of_data_without_a_matrix_can_be_looked_at(space: str) -> None:
    large = {"dataset": "circles", "n": "300", "noise": "0.05", "copies": "0.1", "space": space}
    at = healthy(wait_for_page(visit("point", **large, point="250")))
    assert "Not all of the link" not in words(at)
    here = at.session_state["stiknn"]
    rows = kept.rows().get(here.desk(RowsDesk).shown)
    blocks = block_shelf.block_results().get(here.desk(BlockDesk).shown)
    assert rows is not None
    assert blocks is not None
    full = analyse(rows.dataset, rows.data, rows.compute)
    assert metric(at, "KNN-Shapley value") == f"{full.values[250]:+.3g}"
    assert metric(at, "Label quality") == f"{full.support.quality[250]:.3g}"
    shares = next(frame.value for frame in at.dataframe if "share" in frame.value)
    assert shares["share"][shares["given"]].item() == pytest.approx(full.support.quality[250])
    near = next(frame.value for frame in at.dataframe if "given label" in frame.value)
    expected = full.given.nearest(np.array([250]))[0][0]
    assert near["id"].tolist() == full.names(expected)
    # Pairs are those of the picture's test points, and the page says so.
    matrix = interactions(**blocks.given.arguments, test_rows=blocks.tests).matrix
    split = next(frame.value for frame in at.dataframe if "adds" in frame.value)
    assert split["adds"].sum() == pytest.approx(blocks.values[250], abs=1e-12)
    strong = next(frame.value for frame in at.dataframe if "interaction" in frame.value)
    others = np.delete(matrix[250], 250)
    assert strong["interaction"][0] == pytest.approx(others.max(), abs=1e-12)
    assert f"tested by every row it is {full.values[250]:+.3g}" in words(at)
    assert "Of 100 test points" in words(at)
    at.button(key="open-near").click().run()
    assert here.page == "explore"
    assert 250 in here.desk(BlockDesk).levels[-1].points


@pytest.mark.usefixtures("few_make_a_matrix")
def test_copies_among_very_many_rows_are_told() -> None:
    at = healthy(wait_for_page(visit("point", dataset="circles", n="300", copies="0.1")))
    rows = kept.rows().get(at.session_state["stiknn"].desk(RowsDesk).shown)
    assert rows is not None
    groups = find_duplicates(rows.dataset.X, rows.dataset.y)
    place = int(np.argmax(groups.group_of >= 0))
    group = groups.groups[groups.group_of[place]]
    assert copies_of(rows, place).tolist() == group.tolist()
    alone = int(np.argmax(groups.group_of < 0))
    assert copies_of(rows, alone).tolist() == [alone]
