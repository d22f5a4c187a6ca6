"""The ranking of suspects as an estimator: scikit-learn's own checks, and tables of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from stiknn_core import LabelInspector, make_dataset, rank_suspects
from stiknn_core.errors import FeatureError, LabelError, ParameterError, ShapeError, StiknnError

OWN_WORDS = {
    "check_complex_data": "it is refused as labels that are no classes, not as complex numbers",
    "check_dtype_object": "objects are a FeatureError, which is a ValueError and no TypeError",
    "check_estimators_empty_data_messages": "a table without columns is refused in our own words",
    "check_estimators_nan_inf": "the sentence says 'missing value' with row and column, not 'NaN'",
    "check_fit2d_1sample": "a single row is refused as 'at least 2 rows; got 1'",
}
"""What is refused as asked, but in another sentence than the check looks for."""


@pytest.mark.slow
@parametrize_with_checks(
    [
        LabelInspector(n_trees=10, n_jobs=1),
        LabelInspector(space="features", n_jobs=1),
        LabelInspector(rank_by="confusion", n_trees=10, n_jobs=1),
    ],
    expected_failed_checks=lambda _: OWN_WORDS,
)
def test_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)


X = make_dataset("moons", n=40, noise=0.2, seed=0, flip=0.1)
NAMES = ["length", "width"]


@pytest.mark.parametrize(
    ("bad", "labels", "error"),
    [
        (np.where(np.arange(80).reshape(40, 2) == 3, np.nan, X.X), X.y, FeatureError),
        (np.full((40, 2), {"a": 1}), X.y, FeatureError),
        (np.empty((40, 0)), X.y, ShapeError),
        (X.X[:1], X.y[:1], ShapeError),
        (X.X, 1j * np.arange(40), LabelError),
        (X.X, None, LabelError),
    ],
    ids=["gap", "objects", "no column", "one row", "complex", "no labels"],
)
def test_what_those_checks_refuse_is_refused_in_one_sentence(
    bad: Any, labels: Any, error: type[StiknnError]
) -> None:
    with pytest.raises(error) as said:
        LabelInspector(n_trees=5).fit(bad, labels)
    assert "\n" not in str(said.value)


def test_attributes_are_those_of_the_ranking_in_the_order_of_the_rows() -> None:
    frame = pd.DataFrame(X.X, columns=NAMES, index=[f"row {place}" for place in range(40)])
    names = np.array(["low", "high"])[X.y]
    found = LabelInspector(k=3, n_trees=20, random_state=4).fit(frame, names)
    wanted = rank_suspects(frame, names, k=3, n_trees=20, seed=4)
    pd.testing.assert_frame_equal(found.suspects_, wanted)
    for place, row in wanted.set_index("position").iterrows():
        assert found.quality_[place] == row["quality"]
        assert found.values_[place] == row["value"]
        assert found.suggested_[place] == row["suggested"]
    assert found.suggested_.dtype.kind == "U"
    assert found.classes_.tolist() == ["high", "low"]
    assert found.n_features_in_ == 2
    assert found.feature_names_in_.tolist() == NAMES


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (pd.DataFrame, pd.DataFrame),
        (pl.DataFrame, pl.DataFrame),
        (pa.table, pa.Table),
        (dict, pd.DataFrame),
    ],
    ids=["pandas", "polars", "arrow", "columns"],
)
def test_the_table_that_comes_out_is_of_the_library_that_went_in(table: Any, kind: Any) -> None:
    columns = {name: X.X[:, place] for place, name in enumerate(NAMES)}
    names = np.array(["low", "high"])[X.y].tolist()
    found = LabelInspector(space="features").fit(table(columns), names)
    plain = LabelInspector(space="features").fit(X.X, names)
    assert type(found.suspects_) is kind
    assert found.feature_names_in_.tolist() == NAMES
    held = found.suspects_
    for name in plain.suspects_.columns:
        assert list(map(_plain, held[name])) == plain.suspects_[name].tolist()
    assert not hasattr(plain, "feature_names_in_")


def _plain(value: Any) -> Any:
    return value.as_py() if isinstance(value, pa.Scalar) else value


def test_series_of_polars_are_labels() -> None:
    labels = pl.Series(X.y)
    found = LabelInspector(space="features").fit(pl.DataFrame(X.X, NAMES), labels)
    plain = LabelInspector(space="features").fit(X.X, X.y)
    np.testing.assert_array_equal(found.quality_, plain.quality_)


def test_a_bunch_brings_its_labels_and_names() -> None:
    found = LabelInspector(space="features").fit(load_iris())
    assert found.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert found.feature_names_in_[0] == "sepal length (cm)"


def test_it_is_the_last_step_of_a_pipeline_which_keeps_names_where_it_passes_them() -> None:
    frame = pd.DataFrame(X.X, columns=NAMES, index=[f"row {place}" for place in range(40)])
    pipe = make_pipeline(StandardScaler(), LabelInspector(space="features"))
    plain = pipe.fit(frame, X.y)[-1].suspects_
    assert sorted(plain["id"]) == list(range(40))
    named = pipe.set_output(transform="pandas").fit(frame, X.y)[-1].suspects_
    assert named["id"].tolist() == [f"row {place}" for place in plain["id"]]
    tall = pipe.set_output(transform="polars").fit(frame, X.y)[-1].suspects_
    assert isinstance(tall, pl.DataFrame)
    assert tall["id"].to_list() == plain["id"].tolist()
    scaled = (X.X - X.X.mean(axis=0)) / X.X.std(axis=0)
    alone = LabelInspector(space="features").fit(scaled, X.y)
    np.testing.assert_allclose(pipe[-1].quality_, alone.quality_)


def test_settings_are_copied_and_set_and_checked_when_it_is_fitted() -> None:
    found = LabelInspector(k=7, rank_by="value", space="features").fit(X.X, X.y)
    fresh = clone(found)
    assert fresh.get_params() == found.get_params()
    assert not hasattr(fresh, "quality_")
    fresh.set_params(k=0)
    with pytest.raises(ParameterError, match="k must be an integer of at least 1; got 0"):
        fresh.fit(X.X, X.y)
    assert found.suspects_["value"].is_monotonic_increasing


def test_the_random_state_may_be_any_of_scikit_learns() -> None:
    made = [
        LabelInspector(n_trees=5, random_state=state).fit(X.X, X.y).quality_
        for state in (3, 3, np.random.RandomState(8), np.random.RandomState(8), None)
    ]
    np.testing.assert_array_equal(made[0], made[1])
    np.testing.assert_array_equal(made[2], made[3])
    assert not np.array_equal(made[0], made[2])
    with pytest.raises(ParameterError, match="seed must be an integer"):
        LabelInspector(random_state="x").fit(X.X, X.y)
