"""Every row of a data set knows the row of the table it was read from."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.datasets import add_copies, add_outliers, make_dataset, thin_class
from stiknn_core.tables import read_table, sample_rows
from stiknn_core.types import Dataset
from stiknn_ui.uploads.build import joined

GAPS = "x,z,part,label\n0,1,train,a\n1,,train,b\n2,1,test,\n3,4,train,a\n4,4,test,b\n5,6,train,b\n"


def from_table(dataset: Dataset) -> list[int]:
    assert dataset.source_rows is not None
    assert not dataset.source_rows.flags.writeable
    return dataset.source_rows.tolist()


def read(text: str = GAPS, **options: object) -> Dataset:
    return read_table(text.encode()).to_dataset(label="label", **options)  # type: ignore[arg-type]


def test_rows_that_were_left_out_leave_their_numbers_out() -> None:
    features = {"features": ["x", "z"], "missing_labels": "drop_rows"}
    assert from_table(read(**features, missing="drop_rows")) == [0, 3, 4, 5]
    assert from_table(read(**features, missing="impute")) == [0, 1, 3, 4, 5]


def test_both_sides_of_a_split_count_in_one_table() -> None:
    options = {"features": ["x", "z"], "missing": "impute", "missing_labels": "drop_rows"}
    train, test = read_table(GAPS.encode()).to_split(column="part", label="label", **options)
    assert from_table(train) == [0, 1, 3, 5]
    assert from_table(test) == [4]
    assert from_table(joined(train, test)) == [0, 1, 3, 5, 4]


def test_rows_of_a_test_table_count_in_that_table() -> None:
    table = read_table(b"x,label\n1,a\n2,b\n3,a\n")
    train, test = table.to_split(test=read_table(b"label,x\nb,4\na,5\n"))
    assert from_table(joined(train, test)) == [0, 1, 2, 0, 1]


def test_a_sample_takes_the_numbers_along() -> None:
    whole = read("x,label\n" + "".join(f"{row},{'ab'[row % 2]}\n" for row in range(40)))
    sample = sample_rows(whole, 10, seed=3)
    assert from_table(sample) == sample.X[:, 0].astype(int).tolist()
    assert from_table(sample) != list(range(10))


def test_added_rows_come_from_no_table_and_thinned_ones_are_gone() -> None:
    whole = read("x,label\n" + "".join(f"{row},{'ab'[row % 2]}\n" for row in range(20)))
    noisy = add_outliers(add_copies(whole, 0.1, 0), 0.1, 0)
    assert from_table(noisy) == [*range(20), -1, -1, -1, -1]
    thinned = thin_class(noisy, "b", 0.5, 0)
    kept = thinned.X[:, 0].astype(int).tolist()
    known = [row for row in from_table(thinned) if row >= 0]
    assert known == kept[: len(known)]
    assert len(known) < 20


@pytest.mark.parametrize("side", ["train", "test"])
def test_without_a_table_there_are_no_such_rows(side: str) -> None:
    made, read_one = make_dataset("moons", n=10), read("x1,x2,label\n1,2,0\n3,4,1\n")
    assert made.source_rows is None
    assert add_copies(made, 0.5, 0).source_rows is None
    assert sample_rows(made, 4).source_rows is None
    pair = (made, read_one) if side == "train" else (read_one, made)
    assert joined(*pair).source_rows is None
    assert np.array_equal(joined(*pair).y[-pair[1].n :], pair[1].y)
