"""Noise on any data set, by class name, with the truth kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stiknn_core.datasets import make_dataset
from stiknn_core.tables import read_table
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.data.noise_form import class_names
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.sources import build, class_named, disturbed
from stiknn_ui.results.suspects import ranking, score_ranking, scores_of, suspects_table

SAMPLE = Path(__file__).parents[2] / "sample_data" / "circles_flipped.csv"
IRIS = DataSpec(source="bundled", name="iris", flip=0.0)
SETS = [DataSpec(n=150, flip=0.0), IRIS, DataSpec(source="paper", name="monks2", flip=0.0)]


@pytest.mark.parametrize("spec", SETS, ids=lambda spec: spec.source)
def test_a_chosen_class_is_thinned(spec: DataSpec) -> None:
    plain = build(spec)
    first = class_names(plain)[0]
    thin = build(replace(spec, thin=0.5, thin_of=first))
    label = class_named(plain, first)
    assert (thin.y == label).sum() == np.ceil((plain.y == label).sum() / 2)
    assert (thin.y != label).sum() == (plain.y != label).sum()
    other = build(replace(spec, thin=0.5, thin_of="gone"))
    assert other.n == build(replace(spec, thin=0.5)).n
    assert other.notices[-1] == "These data have no class 'gone', so the noise takes another."


@pytest.mark.parametrize("spec", SETS, ids=lambda spec: spec.source)
@pytest.mark.parametrize("kind", ["uniform", "nearest", "asymmetric"])
def test_flips_are_seeded_and_their_truth_is_kept(spec: DataSpec, kind: str) -> None:
    noisy = replace(spec, flip=0.2, flip_kind=kind, seed=5)  # type: ignore[arg-type]
    one, other = build(noisy), build(noisy)
    assert np.array_equal(one.y, other.y)
    assert one.y_true is not None
    assert len(one.flipped) > 0
    assert np.array_equal(np.flatnonzero(one.y != one.y_true), one.flipped)


def test_flips_go_from_the_chosen_class_to_the_other() -> None:
    spec = replace(IRIS, flip=0.2, flip_kind="asymmetric", flip_from="virginica", flip_to="setosa")
    made = build(spec)
    assert made.y_true is not None
    assert set(made.y_true[made.flipped]) == {"virginica"}
    assert set(made.y[made.flipped]) == {"setosa"}
    assert len(made.flipped) == 10
    same = build(replace(spec, flip_to="virginica"))
    assert set(same.y[same.flipped]) == {"setosa"}


def test_generated_data_are_those_of_the_package() -> None:
    spec = DataSpec(name="moons", n=60, flip=0.2, copies=0.1, outliers=0.1, seed=6)
    made = build(spec)
    same = make_dataset("moons", 60, 0.1, 6, flip=0.2, copies=0.1, outliers=0.1)
    for name in ("X", "y", "y_true", "flipped", "copy_of", "outliers", "ids"):
        assert np.array_equal(getattr(made, name), getattr(same, name)), name


def test_the_true_labels_of_a_file_let_suspects_score_itself() -> None:
    given = read_table(SAMPLE).to_dataset()
    found = analyse(given, DataSpec(source="upload", flip=0.0), ComputeSpec())
    assert found.truth_known
    assert len(found.changed) == 20
    table = suspects_table(found, scores_of(found), ranking(scores_of(found), "quality"))
    score = score_ranking(table["point"].to_numpy(), found.changed)
    assert score is not None
    assert score.average_precision > 0.9
    assert table["known_flip"].sum() == 20


def test_the_truth_of_a_file_stays_the_truth() -> None:
    given = build(replace(IRIS, flip=0.1, seed=1))
    more = disturbed(given, replace(IRIS, flip=0.1, seed=2))
    assert np.array_equal(more.y_true, build(IRIS).y)
    assert np.array_equal(np.flatnonzero(more.y != more.y_true), more.flipped)
    assert len(more.flipped) > len(given.flipped)
