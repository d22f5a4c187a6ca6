from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.errors import FeatureError
from stiknn_core.preparation import scale_features
from stiknn_core.tables import Table, read_table
from stiknn_core.types import Block


def of(header: str, *lines: str) -> Table:
    return read_table("\n".join([header, *lines]).encode())


def dates(*cells: str) -> Table:
    lines = [f'{row}.5,"{cell}",{"ab"[row % 2]}' for row, cell in enumerate(cells)]
    return of("x,when,label", *lines)


# --- counts -----------------------------------------------------------------------------
def test_many_words_are_counted_and_hashed_from_training_rows() -> None:
    cities = ["rome"] * 9 + ["oslo"] * 3 + ["bonn", "kiev"]
    table = of("x,city,label", *(f"{i}.5,{c},{'ab'[i % 2]}" for i, c in enumerate(cities)))
    other = of("x,city,label", "1.5,rome,a", "2.5,lima,b")
    train, test = table.to_split(test=other, encode={"city": "counts"})
    assert train.feature_names[:2] == ("x", "city: frequency")
    assert train.feature_names[-1] == "city: hash 4"
    assert train.blocks == (Block("city", "words", 1, 6),)
    np.testing.assert_allclose(train.X[[0, 9, 12], 1], np.log10([10, 4, 2]))
    np.testing.assert_allclose(test.X[:, 1], [1, 0])
    np.testing.assert_array_equal(np.abs(train.X[:, 2:]).sum(axis=1), 1)
    np.testing.assert_array_equal(test.X[0, 2:], train.X[0, 2:])


def test_at_most_sixteen_hashes_whatever_the_label() -> None:
    lines = [f"{i}.5,city{i % 40},{'ab'[i % 2]}" for i in range(120)]
    table = of("x,city,label", *lines)
    dataset = table.to_dataset(encode={"city": "counts"})
    assert dataset.X.shape[1] == 1 + 1 + 16
    turned = of("x,city,label", *(line[:-1] + "ab"[i % 3 // 2] for i, line in enumerate(lines)))
    np.testing.assert_array_equal(turned.to_dataset(encode={"city": "counts"}).X, dataset.X)


def test_missing_words_get_the_commonest_one() -> None:
    table = of("x,city,label", *(f"{i},{'' if i == 3 else 'uv'[i % 3 // 2]},{'ab'[i % 2]}"
                                 for i in range(9)))  # fmt: skip
    with pytest.raises(FeatureError, match=r"1 value missing \('city': 1\)"):
        table.to_dataset(encode={"city": "counts"})
    dataset = table.to_dataset(encode={"city": "counts"}, missing="impute")
    np.testing.assert_array_equal(dataset.X[3, 1:], dataset.X[0, 1:])


# --- one 0/1 feature a word -----------------------------------------------------------------
def test_words_weigh_as_much_as_one_column_of_numbers() -> None:
    table = of("x,city,label", *(f"{i}.5,{'uvwz'[i % 4]},{'ab'[i % 3 // 2]}" for i in range(24)))
    dataset = table.to_dataset()
    X, _ = scale_features(dataset.X, None, "standard", dataset.blocks)
    np.testing.assert_allclose(X.var(axis=0)[0], 1)
    np.testing.assert_allclose(X.var(axis=0)[1:].sum(), 1)


# --- dates ------------------------------------------------------------------------------
def test_parts_of_dates_that_vary_and_days_since_the_first() -> None:
    table = dates("2024-03-04 06:00", "2024-03-05 18:00", "2025-04-04 06:00", "2024-03-04 06:30")
    dataset = table.to_dataset(encode={"when": "date"})
    assert dataset.feature_names[1:] == (
        "when: year", "when: month", "when: day of the week", "when: hour", "when: days",
    )  # fmt: skip
    assert dataset.X[0, 1:].tolist() == [2024, 3, 0, 6, 0]
    assert dataset.X[1, 1:].tolist() == [2024, 3, 1, 18, 1.5]
    assert dataset.X[2, 1:].tolist() == [2025, 4, 4, 6, 396]
    assert dataset.blocks == ()


def test_only_parts_that_vary_among_training_rows() -> None:
    table = dates("2024-03-04", "2024-03-06", "2024-03-05", "2024-03-07")
    other = dates("2023-01-01", "2024-03-05")
    train, test = table.to_split(test=other, encode={"when": "date"})
    assert train.feature_names[1:] == ("when: day of the week", "when: days")
    assert test.X[:, 2].tolist() == [-428, 1]


@pytest.mark.parametrize(
    ("cells", "months"),
    [
        (("03/04/2024", "13/04/2024", "01/05/2024"), [4, 4, 5]),
        (("03/04/2024", "04/13/2024", "05/01/2024"), [3, 4, 5]),
        (("03.04.2024", "04.05.2024", "05.06.2024"), [4, 5, 6]),
        (("03/04/2024", "04/05/2024", "05/06/2024"), [3, 4, 5]),
        (("3 Apr 2024", "13-May-2024", "Jun 1, 2024"), [4, 5, 6]),
    ],
)
def test_days_and_months_are_told_apart(cells: tuple[str, ...], months: list[int]) -> None:
    dataset = dates(*cells).to_dataset(encode={"when": "date"})
    assert dataset.X[:, dataset.feature_names.index("when: month")].tolist() == months


def test_times_without_a_day_and_with_points() -> None:
    dataset = dates("10.00.00", "18.30.00", "07.15.00").to_dataset(encode={"when": "date"})
    assert dataset.X[:, dataset.feature_names.index("when: hour")].tolist() == [10, 18, 7]


def test_missing_dates_get_the_middle_one() -> None:
    table = dates("2024-03-01", "2024-03-05", "", "2024-03-20")
    with pytest.raises(FeatureError, match=r"1 value missing \('when': 1\)"):
        table.to_dataset(encode={"when": "date"})
    dataset = table.to_dataset(encode={"when": "date"}, missing="impute")
    assert dataset.X[:, -1].tolist() == [0, 4, 4, 19]


def test_days_that_never_were_are_named() -> None:
    table = dates("2024-03-01", "2024-02-30", "2024-03-05")
    with pytest.raises(FeatureError, match=r"1 cell that cannot be read.*'2024-02-30' in row 1"):
        table.to_dataset(encode={"when": "date"})


def test_only_dates_can_be_taken_apart() -> None:
    with pytest.raises(FeatureError, match="'x' holds no dates; choose another kind"):
        dates("2024-03-01", "2024-03-02").to_dataset(encode={"x": "date"})
