"""What a game is called, which presets there are, and what becomes of it in every file."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import games, interactions, values
from stiknn_core.types import Dataset, Votes
from stiknn_ui.asked import game, links
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.compare import sentences
from stiknn_ui.compare.matching import difference_line
from stiknn_ui.results import describe, drawing, exports, presets, sharing, suspects
from stiknn_ui.results.all_rows import analyse_rows
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.words import games as words

DATA = DataSpec(name="moons", n=40, noise=0.2, flip=0.1)
INDICES = [
    ("STII", "STII", "KNN-Shapley value"),
    ("SII", "SII", "KNN-Shapley value"),
    ("BII", "BII", "KNN-Banzhaf value"),
    ("weighted_banzhaf(0.3)", "weighted Banzhaf (q = 0.3)", "Weighted Banzhaf (q = 0.3) value"),
    ("beta(4, 1)", "Beta Shapley (4, 1)", "Beta Shapley (4, 1) value"),
    ("calibrated(10)", "calibrated Shapley (T = 10)", "Calibrated Shapley (T = 10) value"),
    ("leave_two_out()", "leave-two-out", "Leave-one-out value"),
]


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return build(DATA)


@pytest.fixture(scope="module")
def near(dataset: Dataset) -> Analysis:
    return analyse(dataset, DATA, ComputeSpec(score="rbf", index="beta(4, 1)"))


@pytest.mark.parametrize(("text", "line", "value"), INDICES)
def test_an_index_and_its_values_have_one_name(text: str, line: str, value: str) -> None:
    index = games.index_of(text)
    assert words.index_line(index) == line
    assert game.title_of(text) == line
    assert words.value_title(index) == value
    assert game.read_index(text) == text
    assert "Low = suspicious" in words.value_meaning(index, 5)
    assert game.family_of(game.first_of(game.family_of(text))) == game.family_of(text)


def test_the_least_size_of_sets_follows_k_and_fits_the_data() -> None:
    assert game.index_for("calibrated(4k)", 3, 40) == games.calibrated(12)
    assert game.index_for("calibrated(4k)", 30, 40) == games.calibrated(38)
    assert game.index_for("calibrated(50)", 3, 40) == games.calibrated(38)
    assert game.index_for("calibrated(50)", 1, 1) == games.calibrated(0)
    assert game.title_of("calibrated(4k)") == "calibrated Shapley (T = 4k)"
    assert game.read_index("calibrated(0)") == "SII"


@pytest.mark.parametrize(("evaluation", "most"), [("leave-one-out", 37), ("hold-out", 26)])
def test_what_was_fitted_is_told(dataset: Dataset, evaluation: Any, most: int) -> None:
    compute = ComputeSpec(k=2, index="calibrated(100)", evaluation=evaluation)
    found = analyse(dataset, DATA, compute)
    assert found.given.index == games.calibrated(most)
    assert sum(f"only {most}: T = {most} is used" in said for said in found.notices) == 1
    rows = analyse_rows(dataset, DATA, compute)
    np.testing.assert_allclose(rows.values, found.values, rtol=0, atol=1e-14)
    fits = analyse(dataset, DATA, replace(compute, index=f"calibrated({most})"))
    assert not any("T = " in said for said in fits.notices)
    assert np.array_equal(fits.interactions.matrix, found.interactions.matrix)


@pytest.mark.parametrize("text", [text for text, _, _ in INDICES])
def test_all_rows_have_the_values_of_the_index(dataset: Dataset, text: str) -> None:
    found = analyse_rows(dataset, DATA, ComputeSpec(k=3, index=text, score="tricube", width=1.0))
    index = games.index_of(text)
    kind = games.SII if text == "STII" else index
    alone = values(dataset.X, dataset.y, k=3, kind=kind, score=games.kernel("tricube", 1.0))
    np.testing.assert_allclose(found.values, alone, rtol=0, atol=1e-15)


def crowd(dataset: Dataset) -> Dataset:
    said = np.random.default_rng(0).integers(0, 2, (dataset.n, 3))
    return replace(dataset, votes=Votes(("a", "b", "c"), ("0", "1"), said))


def test_presets_and_scores_are_those_that_the_data_allow(dataset: Dataset) -> None:
    measured = replace(dataset, y=dataset.X[:, 0], measured=True)
    assert list(presets.scores_of(dataset)) == ["plain", "rbf", "inverse", "tricube"]
    assert next(iter(presets.scores_of(crowd(dataset)))) == "shares"
    assert list(presets.scores_of(measured)) == ["absolute", "squared", "huber"]
    for data in (None, dataset, crowd(dataset), measured):
        offered = presets.presets_of(data)
        assert len({one.title for one in offered}) == len(offered)
        for one in offered:
            assert presets.score_of(data, one.score) in presets.scores_of(data)
            assert presets.preset_of(data, one.taken(ComputeSpec(k=7, width=3.0))) == one
    assert presets.preset_of(dataset, ComputeSpec(score="plain")) == presets.presets_of(None)[0]
    assert presets.preset_of(dataset, ComputeSpec(index="BII")) is None
    assert presets.preset_of(dataset, ComputeSpec(score="rbf", width=2.0)) is None


@pytest.mark.parametrize(
    ("score", "line", "unit"),
    [
        (games.plain(), "matching labels", "likelihood of the right label"),
        (games.kernel("rbf", 0.42), "(RBF, bandwidth 0.42)", "weighed by its nearness"),
        (games.votes([[1, 2]]), "shares of annotators", "share of annotators"),
        (games.measured("absolute"), "absolute loss", "in units of the target"),
        (games.measured("squared"), "squared loss", "in squared units of the target"),
        (games.measured("huber", 1.5), "Huber's loss, straight beyond 1.5", "Huber's loss of"),
        (games.costs({"a": 2.0}), "score costs({'a': 2})", "costs({'a': 2}) of the k nearest"),
        (games.normalised(), "score normalised(plain, 0)", "the mean score normalised"),
    ],
)
def test_a_score_has_its_own_unit(score: games.Score, line: str, unit: str) -> None:
    assert line in words.score_line(score)
    assert unit in words.unit(score)
    assert unit in words.removal_info(score).meaning
    assert ("likelihood" in words.unit(score)) == (score == games.plain())


def test_below_zero_means_harm_only_where_sets_are_full() -> None:
    said = [words.below_zero(games.calibrated(T), 5) for T in (4, 5)]
    assert ["places it takes" in one for one in said] == [False, True]
    assert "would rise without" in words.below_zero(games.leave_two_out(), 5)


def test_lines_and_columns_name_the_game(near: Analysis) -> None:
    bandwidth = near.given.score.options[1]
    line = describe.result_line(near, drawing.order_of(near, "class"))
    assert f"k = 5 · nearer counts more (RBF, bandwidth {bandwidth:g}) · Beta Shapley" in line
    assert "bandwidth: a quarter quantile of distances" in line
    columns = suspects.columns_of(near)
    assert columns["value"].title == "Beta Shapley (4, 1) value"
    assert "weighed by its nearness" in columns["leave_one_out"].help
    plain = describe.compute_line(ComputeSpec())
    assert plain.startswith("k = 5 · STII · euclidean")


def test_every_file_tells_the_game_and_its_width(near: Analysis) -> None:
    order = drawing.order_of(near, "class")
    bandwidth = near.given.score.options[1]
    told = exports.settings_of(near, order)
    assert (told["index"], told["width"]) == ("beta(4, 1)", bandwidth)
    assert told["score"] == f"kernel('rbf', {bandwidth:g})"
    frame = pd.read_csv(io.BytesIO(exports.matrix_csv(near, order)), index_col=0)
    assert f"index=beta(4, 1); score=kernel('rbf', {bandwidth:g}); width={bandwidth:g}" in str(
        frame.index.name
    )
    assert f"beta-4-1-_kernel-rbf-{bandwidth:g}" in exports.file_name("matrix", near, order)
    scene = sharing.scene_of(near, links.Settings().view)
    assert scene.options.index == "Beta Shapley (4, 1)"
    assert "bandwidth" in scene.lines[0]
    plain = exports.settings_of(analyse(near.dataset, DATA, ComputeSpec()))
    assert plain["score"] == "plain"
    assert "width" not in plain


def test_two_games_are_told_apart(dataset: Dataset, near: Analysis) -> None:
    plain = analyse(dataset, DATA, ComputeSpec(score="plain", index="calibrated(4k)"))
    line = difference_line(DATA, near.compute, plain.compute, (near.given, plain.given))
    bandwidth = near.given.score.options[1]
    game = f"nearer counts more (RBF, bandwidth {bandwidth:g})"
    assert line == (
        f"A: {game}, Beta Shapley (4, 1) · B: matching labels, calibrated Shapley (T = 20)"
    )
    assert sentences.value_kinds(near, plain) == (
        f"Beta Shapley (4, 1) ({game})",
        "calibrated Shapley (T = 20) (matching labels)",
    )
    assert sentences.own_scale(None, near.compute, replace(near.compute, width=3.0))


def test_a_link_holds_a_game() -> None:
    compute = ComputeSpec(index="calibrated(4k)", score="huber", width=2.5)
    params = links.to_params(links.Settings(compute=compute))
    assert (params["index"], params["score"], params["width"]) == ("calibrated(4k)", "huber", "2.5")
    assert links.parse(params).settings.compute == compute
    assert "index=beta(0, 1)" in links.parse({"index": "beta(0, 1)"}).notice


def test_the_matrix_is_that_of_the_game(dataset: Dataset, near: Analysis) -> None:
    kernel = games.kernel("rbf", near.given.score.options[1])
    alone = interactions(dataset.X, dataset.y, index=games.beta(4, 1), score=kernel)
    assert np.array_equal(near.interactions.matrix, alone.matrix)
    assert np.array_equal(near.values, alone.values)
