"""What a data set looks like before anything is computed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from stiknn_core.datasets import make_dataset
from stiknn_core.tables import read_table
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.data.preview import class_counts, scatter_of, table_of
from stiknn_ui.results.contents import Contents, columns_of
from stiknn_ui.results.sources import build
from tests.ui.row_contents import MARKUP, messages

READ: Any = {"label": "kind", "encode": {"message": "text"}}


def test_counts_add_up_and_name_the_changed_labels() -> None:
    dataset = build(DataSpec(n=100, flip=0.2))
    counts = class_counts(dataset)
    assert counts["rows"].sum() == 100
    assert counts["changed to it"].sum() == 20
    assert counts["share"].sum() == 1.0
    assert "changed to it" not in class_counts(build(DataSpec(n=100, flip=0.0)))


def test_the_table_shows_the_true_label_beside_a_changed_one() -> None:
    dataset = build(DataSpec(n=100, flip=0.2))
    table = table_of(dataset)
    differs = np.flatnonzero(table["label"] != table["true label"])
    assert differs.tolist() == dataset.flipped.tolist()


def test_columns_called_like_ours_are_told_apart() -> None:
    X = np.arange(6.0).reshape(3, 2)
    dataset = Dataset(X, np.array(["a", "b", "a"]), "t", ("label", "id"), np.arange(3))
    table = table_of(dataset)
    assert list(table.columns) == ["id", "label", "label (feature)", "id (feature)"]
    assert table["label (feature)"].tolist() == [0.0, 2.0, 4.0]


def test_every_point_is_drawn_once_and_changed_ones_are_ringed() -> None:
    dataset = build(DataSpec(n=100, flip=0.2))
    *classes, ringed = scatter_of(dataset).data
    assert sum(len(trace.x) for trace in classes) == 100
    assert sorted(ringed.x) == sorted(dataset.X[dataset.flipped, 0])
    assert len({trace.marker.symbol for trace in classes}) == 2


def test_many_classes_look_different() -> None:
    labels = np.arange(60)
    dataset = Dataset(np.c_[labels, labels].astype(float), labels, "t", ("x1", "x2"), labels)
    looks = {(one.marker.color, one.marker.symbol) for one in scatter_of(dataset).data}
    assert len(looks) == 60


def test_chosen_rows_are_ringed_even_where_others_are_left_out() -> None:
    dataset = build(DataSpec(source="paper", name="planes2d", flip=0.0))
    figure = scatter_of(dataset, np.array([1, 40_000]))
    assert len(figure.data[-1].x) == 2
    assert figure.data[-1].name == "chosen rows"
    assert 5_000 <= sum(len(trace.x) for trace in figure.data[:2]) <= 5_002


def test_names_from_a_file_are_text_and_nothing_else() -> None:
    X = np.arange(6.0).reshape(3, 2)
    labels = np.array(["<b>x</b>", "y", "y"])
    figure = scatter_of(Dataset(X, labels, "t", ("<a href='//evil'>", "x2"), np.arange(3)))
    assert figure.data[0].name == "&lt;b&gt;x&lt;/b&gt;"
    assert "<" not in figure.layout.xaxis.title.text


def test_texts_stand_in_the_place_of_their_components() -> None:
    table = read_table(messages())
    uses = {name: "text" if name == "message" else "number" for name in table.facts}
    dataset = table.to_dataset(
        features=["message", "promises"], label="kind", encode={"message": "text"}
    )
    (block,) = dataset.blocks
    shown = table_of(dataset, Contents(dataset, columns_of(table, uses), table))
    assert list(shown.columns) == ["id", "label", "text", "promises"]
    assert shown["text"][2] == MARKUP
    whole = table_of(dataset)
    assert list(whole.columns[2:-1]) == list(dataset.feature_names[block.start : block.stop])


def test_components_of_a_text_lie_in_the_plane_as_they_are_measured() -> None:
    dataset = read_table(messages()).to_dataset(
        features=["message"], label="kind", encode={"message": "text"}
    )
    share = int(re.findall(r"\d+", scatter_of(dataset).layout.xaxis.title.text)[1])
    X = dataset.X - dataset.X.mean(axis=0)
    values = np.linalg.svd(X, compute_uv=False) ** 2
    assert share == round(100 * values[0] / values.sum())
    assert share > 1.5 * 100 / dataset.X.shape[1], "each of them would have an equal share"


def test_axes_of_unlike_units_have_scales_of_their_own() -> None:
    data = make_dataset("blobs", n=40)
    same = scatter_of(data)
    stretched = scatter_of(replace(data, X=data.X * [1.0, 30.0]))
    assert same.layout.yaxis.scaleanchor == "x"
    assert stretched.layout.yaxis.scaleanchor is None
