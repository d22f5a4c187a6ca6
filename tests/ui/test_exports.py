"""Files load back as they were, carry their settings, and run nothing."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from stiknn_core.ordering import Order
from stiknn_core.types import Dataset
from stiknn_ui.analysis import Analysis, analyse
from stiknn_ui.caching import order_of
from stiknn_ui.exports import file_name, harmless, matrix_csv, points_csv
from stiknn_ui.spec import ComputeSpec, DataSpec
from stiknn_ui.suspects import row_likeness, suspects_table


def points(analysis: Analysis, order: Order) -> bytes:
    matrix = analysis.interactions.matrix
    likeness = row_likeness(matrix, analysis.codes, len(analysis.classes))
    return points_csv(analysis, order, suspects_table(analysis, likeness, "quality"))


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


@pytest.mark.parametrize("risky", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "=HYPERLINK(1)"])
def test_text_that_a_spreadsheet_would_run_is_made_harmless(risky: str) -> None:
    assert harmless(risky) == "'" + risky


@pytest.mark.parametrize("kept", ["-1", "+1", "-1.5e-3", "a=b", "café", "", "0", ".5", "-.5"])
def test_numbers_and_ordinary_text_stay_as_they_are(kept: str) -> None:
    assert harmless(kept) == kept


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


def test_a_file_name_has_no_folders_or_odd_letters(awkward: Analysis) -> None:
    name = file_name("points", awkward, order_of(awkward, "input"))
    assert name.isascii()
    assert not set(name) & set("/\\ :")


def test_the_split_is_part_of_the_settings(held_out: Analysis) -> None:
    moved = replace(held_out, compute=replace(held_out.compute, split_seed=8))
    corner = matrix_csv(moved, order_of(moved, "input")).decode("utf-8-sig").split(",")[0]
    assert "held_out=0.3" in corner
    assert "split_seed=8" in corner
