"""The choice of a game, as a person makes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core import games, interactions
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results.analysis import Analysis
from tests.ui.test_pages import healthy, visit, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

LINK = {"dataset": "moons", "n": "60", "noise": "0.2", "flip": "0.1", "seed": "1", "k": "3"}


def labelled(widgets: Any, label: str) -> Any:
    (found,) = [one for one in widgets if one.label.startswith(label)]
    return found


def choose(at: AppTest, label: str, value: Any) -> None:
    healthy(labelled(at.selectbox, label).set_value(value).run())


def result(at: AppTest) -> Analysis:
    found = at.session_state["stiknn"].desk(ResultDesk).shown
    assert isinstance(found, Analysis)
    return found


def expect(at: AppTest, **game: Any) -> None:
    found = result(at)
    alone = interactions(found.dataset.X, found.dataset.y, k=found.k, **game)
    assert np.array_equal(found.interactions.matrix, alone.matrix)
    assert np.array_equal(found.values, alone.values)


def test_presets_are_computed_and_named_and_follow_k() -> None:
    at = healthy(visit("explore", **LINK))
    assert labelled(at.selectbox, "Game").value == "Matching labels (the paper)"
    expect(at)
    choose(at, "Game", "Nearer counts more")
    bandwidth = result(at).given.score.options[1]
    expect(at, score=games.kernel("rbf", bandwidth))
    assert f"nearer counts more (RBF, bandwidth {bandwidth:g}) · STII" in words(at)
    assert at.query_params["score"] == "rbf"
    choose(at, "Game", "Full neighbourhoods")
    expect(at, index=games.calibrated(12))
    assert "score" not in at.query_params
    healthy(at.number_input(key="compute.k").set_value(4).run())
    expect(at, index=games.calibrated(16))
    assert labelled(at.selectbox, "Game").value == "Full neighbourhoods"
    choose(at, "Game", "Small sets")
    expect(at, index=games.beta(4, 1))
    assert "Beta Shapley (4, 1)" in words(at)


def test_a_choice_of_ones_own_has_numbers_of_its_own() -> None:
    at = healthy(visit("explore", **LINK))
    choose(at, "Interaction", "weighted_banzhaf")
    assert labelled(at.selectbox, "Game").value == "Own choice"
    healthy(labelled(at.number_input, "Chance q").set_value(0.7).run())
    expect(at, index=games.weighted_banzhaf(0.7))
    choose(at, "Interaction", "beta")
    healthy(labelled(at.number_input, "α").set_value(2.0).run())
    healthy(labelled(at.number_input, "β").set_value(3.0).run())
    expect(at, index=games.beta(2, 3))
    choose(at, "Interaction", "calibrated")
    expect(at, index=games.calibrated(12))
    least = labelled(at.number_input, "Others in a set at least")
    assert least.max == 57, "59 others are ranked, two of whom are the pair"
    healthy(least.set_value(9).run())
    choose(at, "What a neighbour brings", "inverse")
    healthy(labelled(at.number_input, "Bandwidth").set_value(0.5).run())
    expect(at, index=games.calibrated(9), score=games.kernel("inverse", 0.5))
    params = (
        {name: value[0] for name, value in at.query_params.to_dict().items()}
        if hasattr(at.query_params, "to_dict")
        else dict(at.query_params)
    )
    again = healthy(visit("explore", **{name: str(value) for name, value in params.items()}))
    assert np.array_equal(result(again).interactions.matrix, result(at).interactions.matrix)
    assert labelled(again.number_input, "Bandwidth").value == 0.5


@pytest.mark.parametrize(
    ("index", "name"),
    [("BII", "KNN-Banzhaf value"), ("calibrated(4k)", "Calibrated Shapley (T = 12) value")],
)
def test_a_point_has_the_value_of_its_index(index: str, name: str) -> None:
    at = healthy(visit("point", **LINK, index=index, score="rbf", point="7"))
    metric = labelled(at.metric, name)
    assert "weighed by its nearness" in metric.help
    assert "Interactions by class" in words(at)


def test_two_games_are_compared_by_name() -> None:
    at = healthy(visit("compare", **LINK, b_index="beta(4, 1)", b_score="rbf", section="values"))
    said = words(at)
    assert "A: matching labels, STII · B: nearer counts more (RBF, bandwidth " in said
    assert "KNN-Shapley (matching labels) and Beta Shapley (4, 1) (nearer counts" in said
    chosen = [one.value for one in at.selectbox if one.label == "Game"]
    assert chosen == ["Matching labels (the paper)", "Own choice"]
    (second,) = [one for one in at.selectbox if one.label == "Game" and one.value == "Own choice"]
    healthy(second.set_value("Small sets").run())
    assert "A: STII · B: Beta Shapley (4, 1)" in words(at)


def test_a_sweep_goes_through_any_game() -> None:
    at = healthy(visit("compare", **LINK, index="calibrated(4k)", score="rbf", section="sweep"))
    assert "stays above 0.95 with k = 3" in words(at)
