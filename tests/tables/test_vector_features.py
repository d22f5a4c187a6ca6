"""Vectors and pictures become features, learnt from training rows only."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.errors import FeatureError, LabelError, ParameterError
from stiknn_core.tables import Table, carry_over, read_table
from stiknn_core.tables.contents import Pictures, Vectors
from stiknn_core.types import Block
from tests.tables.holding import holding

TEXT = b"n,e,kind\n" + b"".join(
    b"%d,%d numbers,%s\n" % (i, 3, b"ab"[i % 2 :][:1]) for i in range(6)
)
VALUES = np.arange(18, dtype=np.float32).reshape(6, 3) ** 2
GAPS = VALUES.copy()
GAPS[1] = np.nan
GAPS[4, 2] = np.inf


def embedded(values: np.ndarray = VALUES) -> Table:
    return holding(TEXT, e=Vectors(values))


def pictured(seed: int = 0, gone: tuple[int, ...] = ()) -> Table:
    rng = np.random.default_rng(seed)
    grey = rng.integers(0, 255, (6, 16), dtype=np.uint8)
    gradients = rng.normal(size=(6, 8)).astype(np.float32)
    gradients[list(gone)] = np.nan
    shown = tuple(b"" if row in gone else b"picture %d" % row for row in range(6))
    return holding(TEXT, e=Pictures(shown, grey, gradients))


def test_vectors_are_features_by_default_and_one_block() -> None:
    table = embedded()
    assert table.facts["e"].width == 3
    assert (table.roles["e"].role, table.roles["e"].reason) == (
        "vector",
        "holds vectors of 3 numbers",
    )
    assert table.features == ("n", "e")
    dataset = table.to_dataset()
    assert dataset.feature_names == ("n", "e[0]", "e[1]", "e[2]")
    assert dataset.X[:, 1:].tolist() == VALUES.tolist()
    assert dataset.blocks == (Block("e", "vector", 1, 4),)
    assert dataset.params["encode"] == {"e": "vector"}


def test_rows_without_a_whole_vector_are_missing() -> None:
    table = embedded(GAPS)
    assert table.problems().missing == {"e": 2}
    with pytest.raises(
        FeatureError, match=r"2 values missing \('e': 2\), in 2 rows \(rows 1 and 4\)"
    ):
        table.to_dataset()
    assert table.to_dataset(missing="drop_rows").source_rows.tolist() == [0, 2, 3, 5]
    assert table.to_dataset(missing="drop_columns").feature_names == ("n",)
    filled = table.to_dataset(missing="impute")
    mean = VALUES[[0, 2, 3, 5]].mean(axis=0)
    assert filled.X[[1, 4], 1:].tolist() == [mean.tolist()] * 2
    assert any("Filled in: 2 values" in told for told in filled.notices)


def test_the_stand_in_is_the_mean_of_training_rows_only() -> None:
    table = embedded(GAPS)
    train, test = table.to_split(share=0.34, missing="impute", features=["e"])
    kept = [row for row in train.source_rows if row not in (1, 4)]
    for side in (train, test):
        for row, X in zip(side.source_rows, side.X, strict=True):
            expected = VALUES[kept].mean(axis=0) if row in (1, 4) else VALUES[row]
            np.testing.assert_allclose(X, expected)


def test_a_test_table_needs_vectors_as_long() -> None:
    with pytest.raises(FeatureError, match="3 numbers in the training table, but 2 in the test"):
        embedded().to_split(test=embedded(VALUES[:, :2]))
    with pytest.raises(FeatureError, match="but no vectors in the test table"):
        embedded().to_split(test=read_table(TEXT))


def test_pictures_become_components_of_training_rows() -> None:
    table = pictured()
    assert table.roles["e"].role == "picture"
    dataset = table.to_dataset(features=["e"])
    assert dataset.blocks == (Block("e", "picture", 0, 10),)  # 6 rows have 5 axes in each half
    assert dataset.X[:, :5].var(axis=0).sum() == pytest.approx(0.5)
    assert dataset.X[:, 5:].var(axis=0).sum() == pytest.approx(0.5)
    grey = table.pictures["e"].grey.astype(float)
    distances = np.linalg.norm(grey[:, None] - grey, axis=2)
    found = np.linalg.norm(dataset.X[:, None, :5] - dataset.X[:, :5], axis=2)
    ratio = distances[0, 1] / found[0, 1]  # all axes are kept, so all distances are
    np.testing.assert_allclose(found * ratio, distances, atol=1e-9)


def test_test_pictures_teach_nothing() -> None:
    (one, _), (other, _) = (
        pictured().to_split(test=pictured(seed), features=["e"]) for seed in (1, 2)
    )
    assert one.X.tolist() == other.X.tolist()


def test_rows_without_a_picture_are_left_out_and_told() -> None:
    table = pictured(gone=(2, 3))
    dataset = table.to_dataset(missing="impute")
    assert dataset.source_rows.tolist() == [0, 1, 4, 5]
    assert "Left out: 2 rows without a picture." in dataset.notices
    with pytest.raises(FeatureError, match=r"'e': 2"):
        table.to_dataset()


def test_equal_pictures_are_refused() -> None:
    grey = np.zeros((6, 4), np.uint8)
    table = holding(TEXT, e=Pictures((b"x",) * 6, grey, np.zeros((6, 2), np.float32)))
    with pytest.raises(FeatureError, match="All pictures in 'e' are the same"):
        table.to_dataset()


def test_encode_says_how_a_column_is_used() -> None:
    table = read_table(b"x,c,kind\n1,3,a\n2,5,b\n3,3,a\n4,5,b")
    dataset = table.to_dataset(encode={"c": "one-hot"})
    assert dataset.feature_names == ("x", "c=3", "c=5")
    assert table.to_dataset(features=["c"], encode={"c": "number"}).X.tolist() == [
        [3],
        [5],
        [3],
        [5],
    ]


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"encode": {"n": "vector"}}, FeatureError, "Column 'n' holds no vectors"),
        ({"encode": {"n": "picture"}}, FeatureError, "Column 'n' holds no pictures"),
        ({"encode": {"n": "sound"}}, ParameterError, "encode takes the kinds .*got 'sound'"),
        ({"encode": ["n"]}, ParameterError, "encode must map column names"),
        ({"encode": {"m": "number"}}, FeatureError, "no feature column 'm'"),
        ({"encode": {"e": "number"}}, FeatureError, "not numeric"),
        ({"encode": {"n": "number"}, "one_hot": ["n"]}, ParameterError, "Both encode and one_hot"),
        ({"label": "e"}, LabelError, "holds vectors"),
    ],
)
def test_what_cannot_be_encoded_is_refused(options, error, told) -> None:
    with pytest.raises(error, match=told):
        embedded().to_dataset(**options)


def test_encodings_are_carried_where_they_still_make_sense() -> None:
    options = {"encode": {"e": "vector", "n": "number", "gone": "one-hot"}}
    carried = carry_over(options, embedded())
    assert carried.options == {"encode": {"e": "vector", "n": "number"}}
    assert carried.lost == ("gone",)
    assert carry_over(options, read_table(TEXT)).options == {"encode": {"n": "number"}}


def test_a_test_without_vectors_cannot_be_made_from_all_absent_ones() -> None:
    table = embedded(np.full((6, 3), np.nan))
    assert table.facts["e"].kind == "empty"
    assert table.features == ("n",)
