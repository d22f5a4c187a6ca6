"""Findings against labels that are known to be wrong."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review.subject import training_points
from stiknn_ui.review.truth import (
    Curve,
    Hits,
    baselines,
    curves_of,
    hits_of,
    precision_recall_figure,
    roc_figure,
)
from tests.patience import PATIENCE
from tests.ui.waiting import wait_for_page

MODELS = ["Logistic regression", "KNN (k = 5)", "Random forest"]


def test_precision_and_recall_by_hand() -> None:
    flagged = np.array([True, True, True, True, False, False])
    wrong = np.array([True, False, True, True, True, False])
    found = hits_of(flagged, wrong)
    assert found == Hits(4, 4, 3)
    assert (found.precision, found.recall) == (0.75, 0.75)
    assert found.sentence == (
        "4 flagged, 3 of them known to be wrong: precision 75%. 4 known to be wrong in all: "
        "recall 75%."
    )


def test_nothing_flagged_or_nothing_wrong_is_said_without_a_division() -> None:
    assert Hits(0, 3, 0).precision is None
    assert Hits(0, 3, 0).recall == 0
    assert "precision none" in Hits(0, 3, 0).sentence
    assert Hits(2, 0, 0).recall is None
    assert Hits(2, 0, 0).sentence == "None of these labels is known to be wrong."


def test_wrong_points_are_points_not_rows(held_out: Analysis) -> None:
    wrong = training_points(held_out, {}).wrong
    assert wrong.shape == (84,)
    rows = set(held_out.rows[wrong].tolist())
    assert rows == set(held_out.rows.tolist()) & set(held_out.dataset.flipped.tolist())
    assert rows != set(held_out.dataset.flipped.tolist())


def test_curves_by_hand() -> None:
    """Ranking right, wrong, right, wrong: half of the pairs are in order, or three quarters."""
    wrong = np.array([True, False, True, False])
    curve = curves_of({"a": np.array([0.1, 0.2, 0.3, 0.4])}, wrong)[0]
    assert curve.auc == 0.75
    assert curve.average_precision == pytest.approx((1 + 2 / 3) / 2)
    assert curves_of({"a": np.array([0.4, 0.1, 0.3, 0.2])}, wrong)[0].auc == 0
    assert curve.true_rate[-1] == curve.false_rate[-1] == 1
    assert sorted(curve.recall) == list(curve.recall[::-1])


@pytest.mark.parametrize("all_or_none", [True, False])
def test_no_curve_where_all_labels_are_alike(all_or_none: bool) -> None:
    assert curves_of({"a": np.arange(3.0)}, np.full(3, all_or_none)) == []


@pytest.mark.slow
def test_our_score_finds_flips_as_the_baselines_do(flipped: Analysis) -> None:
    seen: list[tuple[int, int]] = []
    X = flipped.dataset.X
    others = baselines(X, flipped.codes, 5, lambda done, total: seen.append((done, total)))
    assert list(others) == MODELS
    assert seen == [(done, 15) for done in range(16)]
    for confidence in others.values():
        assert confidence.shape == (120,)
        assert ((confidence >= 0) & (confidence <= 1)).all()
    subject = training_points(flipped, scores_of(flipped))
    found = curves_of({"ours": subject.scores["quality"], **others}, subject.wrong)
    area = {curve.name: curve.auc for curve in found}
    # No line parts two rings: neighbours and trees see the flips, a regression cannot.
    assert min(area["ours"], area["KNN (k = 5)"], area["Random forest"]) > 0.85
    assert area["Logistic regression"] < 0.75


@pytest.mark.slow
def test_baselines_have_not_seen_the_point() -> None:
    """One odd point in a tight cluster: a model that knew it would believe its label."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 0.01, (30, 2)), rng.normal(9, 0.01, (30, 2))])
    codes = np.repeat([0, 1], 30)
    codes[4] = 1
    for confidence in baselines(X, codes, 3).values():
        assert confidence[4] < 0.1
        assert np.delete(confidence, 4).min() > 0.5


@pytest.mark.slow
def test_small_classes_and_one_class_alone() -> None:
    X = np.arange(8.0)[:, None]
    lonely = baselines(X, np.array([0] * 7 + [1]), 5)
    assert [round(float(told[7]), 9) for told in lonely.values()] == [0, 0, 0]
    assert baselines(X, np.zeros(8, dtype=np.int64), 5) == {}
    assert baselines(X[:2], np.array([0, 1]), 5) == {}


def test_figures_name_every_curve_with_its_number_and_no_markup() -> None:
    line = np.array([0.0, 1.0])
    curves = [
        Curve("<b>ours</b>", line, line, line, line, 0.5, 0.25),
        Curve("other", line, line, line, line, 0.75, 1.0),
    ]
    for figure, numbers in (
        (roc_figure(curves), ("0.500", "0.750")),
        (precision_recall_figure(curves, 0.1), ("0.250", "1.000")),
    ):
        assert isinstance(figure, go.Figure)
        names = [trace.name for trace in figure.data]
        assert names == [
            f"&lt;b&gt;ours&lt;/b&gt; ({numbers[0]})", f"other ({numbers[1]})", "chance",
        ]  # fmt: skip
    drawn = precision_recall_figure(curves, 0.1).data
    assert list(drawn[-1].y) == [0.1, 0.1]
    assert drawn[0].line.shape == "hv"


PAGE = """
from stiknn_ui.results.analysis import analyse
from stiknn_ui.review import truth_panel
from stiknn_ui.review.subject import training_points
from stiknn_ui.results.sources import build
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.suspects import scores_of

data = DataSpec(n=60, flip={flip}, seed=12)
analysis = analyse(build(data), data, ComputeSpec())
scores = scores_of(analysis)
truth_panel.show(training_points(analysis, scores), "value", scores["value"] < 0)
"""


@pytest.mark.slow
def test_the_panel_compares_on_a_button_and_remembers() -> None:
    script = PAGE.format(flip=0.1)
    at = AppTest.from_string(script, default_timeout=PATIENCE).run()
    assert "6 known to be wrong in all" in at.markdown[0].value.replace("\\", "")
    wait_for_page(at.button(key="baselines").click().run())
    assert not at.exception
    said = at.markdown[-1].value.replace("\\", "")
    assert "by KNN-Shapley value" in said
    assert "This speaks for these data only" in said
    again = AppTest.from_string(script, default_timeout=PATIENCE).run()
    assert not again.button
    assert "Average precision" in again.markdown[-1].value


def test_without_known_truth_there_is_no_panel() -> None:
    at = AppTest.from_string(PAGE.format(flip=0.0), default_timeout=PATIENCE).run()
    assert not at.markdown
    assert not at.button
