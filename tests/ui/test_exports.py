"""Files load back as they were, carry their settings, and run nothing."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from stiknn_core.ordering import Order
from stiknn_core.plane import project_2d
from stiknn_core.tables import read_table
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.drawing import order_of
from stiknn_ui.results.exports import data_csv, data_file_name, file_name, matrix_csv, points_csv
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import ranking, scores_of, suspects_table


def points(analysis: Analysis, order: Order) -> bytes:
    scores = scores_of(analysis)
    table = suspects_table(analysis, scores, ranking(scores, "quality"))
    return points_csv(analysis, order, table)


def test_the_matrix_loads_back_exactly_in_the_order_shown(
    flipped: Analysis, by_class: Order
) -> None:
    back = pd.read_csv(BytesIO(matrix_csv(flipped, by_class)), index_col=0)
    shown = flipped.interactions.matrix[np.ix_(by_class.positions, by_class.positions)]
    assert np.array_equal(back.to_numpy(), shown)
    ids = [flipped.ids[position] for position in by_class.positions]
    assert [str(name) for name in back.index] == ids == list(back.columns)


def test_the_matrix_carries_its_settings_in_the_corner(flipped: Analysis, by_class: Order) -> None:
    corner = pd.read_csv(BytesIO(matrix_csv(flipped, by_class)), index_col=0).index.name
    for setting in ("dataset=circles", "seed=3", "k=5", "metric=euclidean", "scaling=none",
                    "order=class", "index=STII", "evaluation=leave-one-out"):  # fmt: skip
        assert setting in corner


def test_points_load_back_with_findings_features_and_settings(
    flipped: Analysis, by_class: Order
) -> None:
    raw = points(flipped, by_class)
    assert raw.startswith(b"\xef\xbb\xbf")
    back = pd.read_csv(BytesIO(raw))
    assert not [name for name in back.columns if name.startswith("Unnamed")]
    assert back["rank"].tolist() == list(range(1, 121))
    assert back["setting_seed"].eq(3).all()
    assert back["setting_k"].eq(5).all()
    assert back["setting_order"].eq("class").all()
    by_id = back.set_index("id")
    for point in (0, 7, 119):
        row = by_id.loc[int(flipped.ids[point])]
        assert row["value"] == flipped.interactions.values[point]
        assert row["x1"] == flipped.dataset.X[flipped.rows[point], 0]
        assert by_class.positions[int(row["matrix_position"])] == point


def test_the_file_name_carries_the_settings(flipped: Analysis, by_class: Order) -> None:
    name = file_name("matrix", flipped, by_class)
    assert name == (
        "matrix_circles_seed=3_k=5_STII_euclidean_leave-one-out_none_order=class.csv"
    )  # fmt: skip


@pytest.fixture(scope="module")
def awkward() -> Analysis:
    """Labels, ids and columns that an export has to survive."""
    X = np.arange(12.0).reshape(6, 2) ** 1.5
    labels = np.array(["=evil()", "Łódź", "東京", "=evil()", "Łódź", "東京"], dtype=object)
    ids = np.array(["-1", "@x", "a,b", 'q"q', "é", "f"], dtype=object)
    dataset = Dataset(X, labels, "t", ("value", "@col"), ids)
    data = DataSpec(source="upload", name="../ä b.csv", flip=0.0, digest="d")
    return analyse(dataset, data, ComputeSpec(k=1))


def test_awkward_text_survives_both_exports(awkward: Analysis) -> None:
    order = order_of(awkward, "input")
    back = pd.read_csv(BytesIO(points(awkward, order)), dtype={"id": str})
    assert set(back["id"]) == {"-1", "'@x", "a,b", 'q"q', "é", "f"}
    assert set(back["label"]) == {"'=evil()", "Łódź", "東京"}
    assert {"feature_value", "'@col"} <= set(back.columns)
    text = points(awkward, order).decode("utf-8-sig")
    assert not [cell for line in text.splitlines() for cell in line.split(",") if cell[:1] in "=@"
                and cell]  # fmt: skip
    matrix = pd.read_csv(BytesIO(matrix_csv(awkward, order)), index_col=0)
    assert np.array_equal(matrix.to_numpy(), awkward.interactions.matrix)


def test_the_matrix_and_the_points_load_back_in_the_app(awkward: Analysis) -> None:
    order = order_of(awkward, "input")
    matrix = read_table(matrix_csv(awkward, order)).frame
    assert matrix.iloc[:, 0].tolist() == list(awkward.ids) == list(matrix.columns[1:])
    numbers = matrix.iloc[:, 1:].astype(float).to_numpy()
    assert np.array_equal(numbers, awkward.interactions.matrix)
    back = read_table(points(awkward, order)).frame
    assert set(back["label"]) == {"=evil()", "Łódź", "東京"}
    assert set(back["id"]) == set(awkward.ids)


def test_the_plane_is_part_of_the_settings(flipped: Analysis, by_class: Order) -> None:
    X = flipped.dataset.X[flipped.rows]
    plane = project_2d(X, flipped.dataset.feature_names, "pca")
    corner = matrix_csv(flipped, by_class, plane).decode("utf-8-sig").split(",")[0]
    assert corner.endswith("plane=PCA]")


def test_the_data_load_back_with_the_truth_about_the_noise() -> None:
    noisy = build(DataSpec(source="bundled", name="wine", flip=0.2, copies=0.1, outliers=0.05))
    raw = data_csv(noisy)
    assert raw.startswith(b"\xef\xbb\xbf")
    back = read_table(raw).to_dataset()
    assert np.array_equal(back.X, noisy.X)
    assert back.feature_names == noisy.feature_names
    assert back.y.tolist() == noisy.y.tolist()
    assert back.ids.tolist() == noisy.ids.tolist()
    assert back.y_true is not None
    assert back.y_true.tolist() == noisy.y_true.tolist()  # type: ignore[union-attr]
    assert back.flipped.tolist() == noisy.flipped.tolist()


def test_the_name_of_the_data_says_what_was_done_to_them() -> None:
    upload = DataSpec(source="upload", name="../my pets.csv", flip=0.2, seed=4)
    assert data_file_name(upload) == "data_..-my-pets_seed=4_flip=0.2.csv"


def test_a_file_name_has_no_folders_or_odd_letters(awkward: Analysis) -> None:
    name = file_name("points", awkward, order_of(awkward, "input"))
    assert name.isascii()
    assert not set(name) & set("/\\ :")


def test_the_split_is_part_of_the_settings(held_out: Analysis) -> None:
    moved = replace(held_out, compute=replace(held_out.compute, split_seed=8))
    corner = matrix_csv(moved, order_of(moved, "input")).decode("utf-8-sig").split(",")[0]
    assert "held_out=0.3" in corner
    assert "split_seed=8" in corner
