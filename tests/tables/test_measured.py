"""A label that is a measured number: guessed, chosen, and what is said where it is none."""

from __future__ import annotations

import pytest

from stiknn_core.errors import LabelError
from stiknn_core.tables import Table, read_table

ROWS = [f"{place};{place % 3};{place / 7:.3f}".replace(".", ",") for place in range(24)]


def table(*more: str) -> Table:
    return read_table("\n".join(["a;b;target", *ROWS, *more]).encode())


def test_a_column_called_target_is_the_label_and_keeps_its_decimal_comma() -> None:
    dataset = table().to_dataset()
    assert dataset.measured
    assert dataset.y.dtype == float
    assert dataset.y[:3].tolist() == [0.0, 0.143, 0.286]
    assert any("measured number, from 0 to 3.286" in said for said in dataset.notices)


@pytest.mark.parametrize("cell", ["", "inf", "NA"])
def test_a_row_without_a_finite_target_has_no_label(cell: str) -> None:
    held = table(f"1;2;{cell}")
    assert held.problems().missing_labels.tolist() == [24]
    with pytest.raises(LabelError, match="1 label in 'target' is missing or infinite"):
        held.to_dataset("target")
    dataset = held.to_dataset("target", missing_labels="drop_rows")
    assert dataset.n == 24
    assert any("1 row without a finite target" in said for said in dataset.notices)


@pytest.mark.parametrize("measured", [True, False, None])
def test_text_among_numbers_is_named(measured: bool | None) -> None:
    with pytest.raises(LabelError, match="1 of 25 cells are not numeric, such as 'abc' in row 24"):
        table("1;2;abc").to_dataset("target", measured=measured)


def test_a_constant_target_is_said_and_two_rows_are_enough() -> None:
    dataset = read_table(b"a,target\n1,3\n2,3").to_dataset("target", measured=True)
    assert dataset.y.tolist() == [3.0, 3.0]
    assert any("is 3 in every row" in said for said in dataset.notices)


def test_grades_are_classes_unless_they_are_called_measured() -> None:
    held = read_table(("a,grade\n" + "\n".join(f"{n},{n % 5}" for n in range(40))).encode())
    assert not held.to_dataset("grade").measured
    assert held.to_dataset("grade", measured=True).y.tolist() == [n % 5 for n in range(40)]


def test_a_split_keeps_low_and_high_targets_on_both_sides() -> None:
    train, test = table().to_split(share=0.25)
    assert train.measured
    assert test.measured
    assert test.y.min() < 1 < 2 < test.y.max()
    assert not any("class" in said for said in test.notices)
