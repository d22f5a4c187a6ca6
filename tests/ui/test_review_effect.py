"""The effect of decisions: what is compared with what, and what is said about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.errors import ParameterError
from stiknn_core.labels.effect import relabel_effect
from stiknn_core.preparation import scale_features
from stiknn_core.types import AnyArray, Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.sources import build
from stiknn_ui.review.effect import (
    N_RANDOM,
    effect_key,
    effect_table,
    measure,
    measured_on,
    n_changed,
    sentences,
)
from tests.patience import PATIENCE
from tests.ui.waiting import wait_for_page


def truth_of(analysis: Analysis) -> AnyArray:
    assert analysis.dataset.y_true is not None
    return analysis.dataset.y_true


def nobody(analysis: Analysis) -> np.ndarray:
    return np.zeros(analysis.dataset.n, dtype=bool)


def test_leave_one_out_is_measured_on_points_left_as_they_are(flipped: Analysis) -> None:
    removed = nobody(flipped)
    clean = [row for row in range(120) if row not in flipped.dataset.flipped]
    removed[clean[:3]] = True
    found = measure(flipped, truth_of(flipped), removed).effect
    wrong = len(flipped.dataset.flipped)
    assert (found.n_relabelled, found.n_removed) == (wrong, 3)
    assert n_changed(flipped, truth_of(flipped), removed) == (wrong, 3)
    assert found.n_test == 120 - wrong - 3
    assert found.after.likelihood > found.before.likelihood > found.random_mean.likelihood
    assert len(found.random) == N_RANDOM == 20


def test_a_hold_out_is_measured_on_its_test_points_with_their_corrected_labels(
    held_out: Analysis,
) -> None:
    parts = parts_of(held_out.dataset, held_out.compute)
    assert parts.test is not None
    dataset, labels, removed = held_out.dataset, truth_of(held_out), nobody(held_out)
    wrong_tests = [row for row in parts.test if dataset.y[row] != labels[row]]
    assert wrong_tests
    gone = next(row for row in parts.test if row not in wrong_tests)
    removed[gone] = True
    found = measure(held_out, labels, removed)
    assert (found.corrected_tests, found.removed_tests) == (len(wrong_tests), 1)
    tests = [row for row in parts.test if row != gone]
    expected = relabel_effect(
        dataset.X[parts.train], dataset.y[parts.train], labels[parts.train],
        X_test=dataset.X[tests], y_test=labels[tests], k=held_out.interactions.k,
    )  # fmt: skip
    assert found.effect == expected
    said = " ".join(sentences(found, held_out))
    assert "that you corrected" in said
    assert "1 test point that you removed is left out of all three" in said
    assert f"on {len(tests)} test points" in measured_on(found, held_out)


def test_scaling_and_metric_are_those_of_the_analysis() -> None:
    data = DataSpec(source="bundled", name="wine", flip=0.1)
    compute = ComputeSpec(k=3, metric="manhattan", scaling="standard", evaluation="hold-out")
    analysis = analyse(build(data), data, compute)
    parts, dataset = parts_of(analysis.dataset, compute), analysis.dataset
    labels = truth_of(analysis)
    X, X_test = scale_features(dataset.X[parts.train], dataset.X[parts.test], "standard")
    expected = relabel_effect(
        X, dataset.y[parts.train], labels[parts.train], X_test=X_test, y_test=labels[parts.test],
        k=3, metric="manhattan",
    )  # fmt: skip
    found = measure(analysis, labels, nobody(analysis))
    assert found.effect == expected
    assert "3 nearest neighbours (Manhattan distance)" in measured_on(found, analysis)


def test_ties_are_settled_as_in_the_analysis() -> None:
    """Two contradicting copies at every place: either half right, or the first row decides."""
    X = np.repeat(np.arange(8.0), 2)[:, None]
    dataset = Dataset(X, np.array(["a", "b"] * 8), "t", ("x",), np.arange(16))
    labels = dataset.y.copy()
    labels[0] = "b"
    found = {}
    for ties in ("expected", "index"):
        compute = ComputeSpec(k=1, ties=ties, evaluation="hold-out", share=0.25)  # type: ignore[arg-type]
        analysis = analyse(dataset, DataSpec(), compute)
        found[ties] = measure(analysis, labels, np.zeros(16, dtype=bool)).effect.before
    assert found["expected"] != found["index"]


def test_the_words_name_numbers_points_and_limits(flipped: Analysis) -> None:
    found = measure(flipped, truth_of(flipped), nobody(flipped))
    effect, said = found.effect, sentences(found, flipped)
    n = len(flipped.dataset.flipped)
    assert f"{120 - n} training points that you left as they are" in measured_on(found, flipped)
    assert f"{n} labels changed among 120 training points" in measured_on(found, flipped)
    assert f"from {effect.before.likelihood:.4f} to {effect.after.likelihood:.4f}" in said[0]
    assert f"{effect.random_mean.likelihood:.4f} on average" in said[0]
    assert f"SD {effect.random_sd.likelihood:.4f} over 20" in said[0]
    assert "lower than with your decisions in 20 of 20" in said[0]
    assert said[1].startswith("The accuracy")
    assert said[-1] == "Test labels may be wrong too. This speaks for these data only."
    assert not any("forest" in one for one in said)
    table = effect_table(effect)
    assert table["labels"].tolist()[:2] == ["Before", "With your decisions"]
    assert table["likelihood"].tolist() == [
        f"{effect.before.likelihood:.4f}",
        f"{effect.after.likelihood:.4f}",
        f"{effect.random_mean.likelihood:.4f} (SD {effect.random_sd.likelihood:.4f})",
    ]


def test_a_forest_is_measured_among_the_features_and_says_so(flipped: Analysis) -> None:
    grown = replace(flipped, compute=replace(flipped.compute, space="forest"))
    found = measure(grown, truth_of(flipped), nobody(flipped))
    assert found == measure(flipped, truth_of(flipped), nobody(flipped))
    assert any("random forest; here they are those among the features" in one
               for one in sentences(found, grown))  # fmt: skip


def test_without_test_points_there_is_nothing_to_measure_on(held_out: Analysis) -> None:
    parts, removed = parts_of(held_out.dataset, held_out.compute), nobody(held_out)
    removed[parts.test] = True
    with pytest.raises(ParameterError, match="All test points are removed"):
        measure(held_out, truth_of(held_out), removed)


def test_a_result_belongs_to_the_analysis_and_to_every_decision(flipped: Analysis) -> None:
    labels, removed = truth_of(flipped), nobody(flipped)
    key = effect_key(flipped, labels, removed)
    assert key == effect_key(flipped, labels.copy(), removed.copy())
    other, fewer = labels.copy(), removed.copy()
    other[0], fewer[7] = 1 - other[0], True
    moved = replace(flipped, compute=ComputeSpec(k=6))
    others = (
        effect_key(flipped, other, removed),
        effect_key(flipped, labels, fewer),
        effect_key(moved, labels, removed),
    )
    assert len({key, *others}) == 4


PAGE = """
import numpy as np

from stiknn_ui.results.analysis import analyse
from stiknn_ui.review import effect_panel
from stiknn_ui.results.sources import build
from stiknn_ui.asked.spec import ComputeSpec, DataSpec

data = DataSpec(n=60, flip=0.1, seed=11)
dataset = build(data)
analysis = analyse(dataset, data, ComputeSpec())
effect_panel.show(analysis, dataset.{labels}, np.zeros(60, dtype=bool))
"""


@pytest.mark.slow
def test_the_panel_measures_on_a_button_and_remembers() -> None:
    script = PAGE.format(labels="y_true")
    at = AppTest.from_string(script, default_timeout=PATIENCE).run()
    assert not at.dataframe
    wait_for_page(at.button(key="measure-effect").click().run())
    assert not at.exception
    assert at.dataframe[0].value["labels"].tolist()[1] == "With your decisions"
    again = AppTest.from_string(script, default_timeout=PATIENCE).run()
    assert len(again.dataframe) == 1


def test_without_a_change_the_panel_offers_nothing() -> None:
    at = AppTest.from_string(PAGE.format(labels="y"), default_timeout=PATIENCE).run()
    assert not at.button
    assert "nothing to measure" in at.markdown[0].value
