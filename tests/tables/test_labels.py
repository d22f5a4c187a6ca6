from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stiknn_core.errors import LabelError, ShapeError
from stiknn_core.tables import Table, read_table
from stiknn_core.tables.cells.labels import label_array


def labelled(*labels: str) -> Table:
    lines = [f"{place * 1.5},{label}" for place, label in enumerate(labels)]
    return read_table("\n".join(["x,label", *lines]).encode())


@pytest.mark.parametrize(
    "labels",
    [
        ("NA", "EU", "None", "n/a", "NA", "EU", "None", "n/a"),
        ("01", "1", "01", "1"),
        ("yes", "no", "yes", "no"),
        ("True", "False", "True", "False"),
        ("+1", "-1", "+1", "-1"),
        ("1.0", "0.0", "1.0", "0.0"),
        ("café", "naïve", "Łódź", "東京"),
        ("1e3", "x", "1e3", "x"),
        ("nan", "inf", "nan", "inf"),
    ],
)
def test_labels_stay_as_written(labels: tuple[str, ...]) -> None:
    assert labelled(*labels).to_dataset("label").y.tolist() == list(labels)


def test_plain_whole_numbers_sort_as_numbers() -> None:
    y = labelled("1", "2", "10", "1").to_dataset().y
    assert y.dtype == np.int64
    assert np.unique(y).tolist() == [1, 2, 10]


def test_whole_numbers_stay_whole_beside_a_blank() -> None:
    made = labelled("1", "2", "", "1", "2")
    assert made.to_dataset(missing_labels="drop_rows").y.tolist() == [1, 2, 1, 2]
    frame = pd.DataFrame({"x": [1.0, 2.5, 3.0, 4.5], "label": [0.0, 1.0, np.nan, 1.0]})
    assert read_table(frame).to_dataset(missing_labels="drop_rows").y.tolist() == [0, 1, 1]


def test_only_an_empty_cell_is_a_missing_label() -> None:
    made = labelled("NA", "EU", "", "EU", "NA", "")
    with pytest.raises(LabelError, match=r"2 labels in 'label' are missing \(rows 2 and 5\)"):
        made.to_dataset()
    dataset = made.to_dataset(missing="drop_rows")
    assert dataset.y.tolist() == ["NA", "EU", "EU", "NA"]
    assert dataset.ids.tolist() == [0, 1, 3, 4]
    assert any("2 rows without a label" in notice for notice in dataset.notices)


def test_labels_that_differ_by_case_or_blanks_are_pointed_out() -> None:
    dataset = labelled("yes", "Yes", "no", "no", "big cat", "big  cat").to_dataset()
    assert set(dataset.y.tolist()) == {"yes", "Yes", "no", "big cat", "big  cat"}
    told = " ".join(dataset.notices)
    assert "'Yes' and 'yes' in 'label' differ only by case" in told
    assert "'big  cat' and 'big cat'" in told


def test_true_and_false_are_two_classes_in_any_spelling() -> None:
    dataset = labelled("True", "False", "True", "TRUE", "false").to_dataset()
    assert dataset.y.tolist() == ["True", "False", "True", "True", "False"]
    assert any("two classes" in notice for notice in dataset.notices)


def test_one_class_works_and_says_so() -> None:
    dataset = labelled("a", "a", "a").to_dataset("label")
    assert dataset.y.tolist() == ["a"] * 3
    assert any("one class only, 'a'" in notice for notice in dataset.notices)


def test_one_row_is_not_enough_to_train() -> None:
    with pytest.raises(
        ShapeError, match="Only 1 row can be used for training; expected at least 2"
    ):
        labelled("a").to_dataset("label")


@pytest.mark.parametrize("decimals", [True, False])
def test_a_measurement_names_no_classes(decimals: bool) -> None:
    numbers = [f"{place * 7}{'.25' if decimals else ''}" for place in range(30)]
    dataset = labelled(*numbers).to_dataset("label")
    assert dataset.measured
    assert dataset.y.tolist() == [float(number) for number in numbers]
    with pytest.raises(LabelError, match=r"30 different numbers in 30 rows.*measured number"):
        labelled(*numbers).to_dataset("label", measured=False)


def test_many_whole_numbers_with_few_rows_each_are_measured() -> None:
    rents = [str(300 + 10 * (place % 60)) for place in range(180)]
    assert labelled(*rents).to_dataset("label").measured
    assert not labelled(*rents).to_dataset("label", measured=False).measured
    forty = [str(place % 40) for place in range(180)]
    assert not labelled(*forty).to_dataset("label").measured


def test_a_few_decimals_are_classes() -> None:
    assert set(labelled(*["0.5", "0.1", "0"] * 8).to_dataset().y.tolist()) == {"0.5", "0.1", "0"}


def test_a_name_in_every_row_is_no_label() -> None:
    with pytest.raises(LabelError, match="classes that several rows share"):
        labelled(*(f"w{place}" for place in range(20))).to_dataset("label")


def test_very_long_labels_take_no_square_of_memory() -> None:
    y = label_array(["a" * 10_000, *["b"] * 1000])
    assert y.dtype == object
    assert y.nbytes < 100_000
