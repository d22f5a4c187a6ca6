"""Numbers in the writings of spreadsheets and statistics offices, column by column."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stiknn_core.errors import ParameterError
from stiknn_core.tables import Table, read_table
from stiknn_core.tables.cells.numbers import NumberFormat


def column(cells: list[str], separator: str = ",", **overrides: object) -> Table:
    """Read a file with one column of the given cells, quoted, beside a label."""
    lines = [f'"{cell}"{separator}{"ab"[row % 2]}' for row, cell in enumerate(cells)]
    return read_table("\n".join([f"x{separator}label", *lines]).encode(), **overrides)


def values(table: Table) -> list[float]:
    dataset = table.to_dataset(features=["x"])
    numbers: list[float] = dataset.X[:, 0].tolist()
    return numbers


def told(table: Table, words: str) -> bool:
    return any(words in notice for notice in table.notices)


PLAIN_DECISION = [
    (["10\u00a0210,50", "11\u202f211,50", "-3,5"], [10210.5, 11211.5, -3.5]),
    (["1\u2009234.5", "12.25"], [1234.5, 12.25]),
    (["1\u2019234.50", "1'000'000"], [1234.5, 1e6]),
    (["\u221211.5", "\u20133.5", "4"], [-11.5, -3.5, 4.0]),
    (["10.50", "11.50-", "12 -"], [10.5, -11.5, -12.0]),
    (["12,34,567.5", "1,00,000"], [1234567.5, 100000.0]),
    (["1.234.567,5", "2,25"], [1234567.5, 2.25]),
    (["1.5E+03", "1.5D+03", "2"], [1500.0, 1500.0, 2.0]),
    (["\u0661\u0662\u066b\u0665", "\u0663"], [12.5, 3.0]),
    (["\uff11\uff12.5", "\uff0d3"], [12.5, -3.0]),
    (["+1.5", "-.5", "2.", "7"], [1.5, -0.5, 2.0, 7.0]),
    (["\u200e-5.5", "6.25"], [-5.5, 6.25]),
]


@pytest.mark.parametrize(("cells", "numbers"), PLAIN_DECISION)
def test_marks_that_leave_no_doubt_are_read(cells: list[str], numbers: list[float]) -> None:
    for separator in ",;\t":
        table = column(cells, separator)
        assert table.facts["x"].kind == "number"
        assert values(table) == numbers
        assert not told(table, "'x'")


GUESSES = [
    (["$4,785.55", "-$1,278.22", "($5.00)"], [4785.55, -1278.22, -5.0], "$ left out"),
    (["1.234,50 €", "2,00 €", "-5,00 €"], [1234.5, 2.0, -5.0], "€ left out"),
    (["CHF 1'200.00", "CHF 5"], [1200.0, 5.0], "CHF left out"),
    (["₹1,00,000", "₹5,500.5"], [1e5, 5500.5], "₹ left out"),
    (["94.1%", "3.7 %", "0"], [0.941, 0.037, 0.0], "% divided by 100"),
    (["5 ‰", "7‰"], [0.005, 0.007], "‰ divided by 1000"),
    (["10", "(11)", "12"], [10.0, -11.0, 12.0], "brackets read as minus"),
    (["0.0 kg", "1.5 kg", "3 kg"], [0.0, 1.5, 3.0], "kg left out"),
    (["5 m²", "7.5 m²"], [5.0, 7.5], "m² left out"),
    (["<0.5", "1.5", "3.0", ">9"], [0.5, 1.5, 3.0, 9.0], "left out"),
    (["12.5 b", "13", "14 e", "15", "16"], [12.5, 13.0, 14.0, 15.0, 16.0], "b, e left out"),
    (["5*", "3", "7.5", "8"], [5.0, 3.0, 7.5, 8.0], "* left out"),
    (["1/20", "7/20", "25/20"], [0.05, 0.35, 1.25], "fractions divided"),
    (["1/2", "3/4", "1 1/2"], [0.5, 0.75, 1.5], "fractions divided"),
]


@pytest.mark.parametrize(("cells", "numbers", "guess"), GUESSES)
def test_what_changes_values_is_read_told_and_can_be_changed(
    cells: list[str], numbers: list[float], guess: str
) -> None:
    table = column(cells)
    assert values(table) == pytest.approx(numbers, rel=1e-15)
    assert told(table, f"Column 'x': {table.facts['x'].style.guess}")
    assert guess in table.facts["x"].style.guess
    other = table.other_readings("x")
    assert "words, not numbers" in other
    words = column(cells, formats={"x": other["words, not numbers"]})
    assert words.facts["x"].kind == "text"
    assert words.frame["x"].tolist() == cells


def test_per_cent_can_stay_as_it_is() -> None:
    cells = ["94.1%", "3.7%"]
    (name,) = [name for name in column(cells).other_readings("x") if "%" in name]
    changed = column(cells, formats={"x": column(cells).other_readings("x")[name]})
    assert values(changed) == [94.1, 3.7]


def test_brackets_can_be_no_minus() -> None:
    other = column(["10", "(11)"]).other_readings("x")["brackets left out, no minus"]
    assert values(column(["10", "(11)"], formats={"x": other})) == [10.0, 11.0]


def test_a_doubtful_mark_can_be_changed_for_one_column() -> None:
    text = 'x,y,label\n"1,234","5,678",a\n"2,345","6,789",b\n"3,456","7,891",a'
    table = read_table(text.encode())
    assert table.to_dataset().X[0].tolist() == [1234.0, 5678.0]
    other = table.other_readings("y")["comma as decimal mark"]
    changed = read_table(text.encode(), formats={"y": other})
    assert changed.to_dataset().X[0].tolist() == [1234.0, 5.678]


def test_each_column_has_its_own_marks() -> None:
    text = "a;b;c;label\n1.234,5;2.5;1 000;x\n2,5;1,234.5;2 000;y\n7,25;3.5;12;x"
    made = read_table(text.encode()).to_dataset()
    assert made.X.tolist() == [[1234.5, 2.5, 1000.0], [2.5, 1234.5, 2000.0], [7.25, 3.5, 12.0]]


def test_the_other_columns_decide_where_a_column_leaves_it_open() -> None:
    assert values(read_table(b"x;y;label\n1.234;0,5;a\n5.678;1,5;b")) == [1234.0, 5678.0]
    assert values(read_table(b"x;y;label\n1,234;0.5;a\n5,678;1.5;b")) == [1234.0, 5678.0]
    assert values(read_table(b"x;y;label\n1.234;0.5;a\n5.678;1.5;b")) == [1.234, 5.678]


def test_a_mark_far_down_the_column_is_seen() -> None:
    cells = [str(row) for row in range(20_000)]
    cells[15_001] = "1'234'567.5"
    assert values(column(cells))[15_001] == 1234567.5
    cells[15_001] = "oops"
    table = column(cells)
    assert table.roles["x"].cause == "nearly number"
    assert "'oops' in row 15001" in table.roles["x"].reason


@pytest.mark.parametrize(
    "cells",
    [
        ["P001", "P002", "P003", "P004"],
        ["red 1", "blue 2", "red 3", "green 4"],
        ["120/80", "130/85", "118/79", "140/90"],
        ["12-34", "45-67", "78-90", "11-22"],
        ["2021-01-05", "2021-01-06", "2021-01-07", "2021-01-08"],
    ],
)
def test_names_are_not_taken_for_numbers(cells: list[str]) -> None:
    assert column(cells).facts["x"].kind != "number"


@pytest.mark.parametrize(
    "cells",
    [
        ["5%", "0.05", "3", "7%", "9"],
        ["5 kg", "6 kg", "7", "8 kg"],
        ["$5", "€6", "$7", "€8", "$9", "€10"],
        ["3.4M", "12.5k", "1.1M", "7k", "8k", "9M"],
        ["1.234,5", "1,234.5", "2", "3"],
    ],
)
def test_numbers_that_cannot_be_compared_are_asked_about(cells: list[str]) -> None:
    """Never an id, a label or gone without a word: the reason names what is the matter."""
    role = column(cells).roles["x"]
    assert role.role == "ignored"
    assert role.cause in ("nearly number", "unread", "mixed units")


def test_lost_cells_are_counted_by_column() -> None:
    table = column(["1", "..", "n.d.", "\u2013", "5", ":"])
    assert table.facts["x"].missing == 4
    assert told(table, "by column: 'x' 4")


def test_odd_cells_are_named_and_can_count_as_missing() -> None:
    table = column(["1", "2", "oops", "4", "5", "6"])
    assert told(table, "except in 1 cell (row 2: 'oops')")
    (other,) = table.other_readings("x").values()
    again = column(["1", "2", "oops", "4", "5", "6"], formats={"x": other})
    assert again.to_dataset(missing="drop_rows").X[:, 0].tolist() == [1, 2, 4, 5, 6]


@pytest.mark.parametrize("mark", ["1.797e308", "-1.7976931348623157e308", "3.4028234663852886e38"])
def test_the_largest_numbers_of_their_kind_mean_no_value(mark: str) -> None:
    table = column(["1", mark, "3"])
    assert table.problems().missing == {"x": 1}
    frame = table.frame.assign(x=[1.0, float(mark), 3.0])
    assert read_table(frame).problems().missing == {"x": 1}


def test_long_whole_numbers_that_become_equal_are_told() -> None:
    cells = [str(2**53 + 2 * row + 1) for row in range(10)]
    assert told(column(cells), "beyond 2^53")
    assert not told(column([str(2**60 + 2**20 * row) for row in range(10)]), "beyond 2^53")


def test_examples_show_cells_beside_their_numbers() -> None:
    assert ("1.234,50 €", 1234.5) in column(["1.234,50 €", "2,00 €"]).facts["x"].examples


@pytest.mark.parametrize("wrong", ["x", {"x": "text"}, {"x": None}])
def test_impossible_formats_are_named(wrong: object) -> None:
    with pytest.raises(ParameterError, match="formats must map column names"):
        column(["1", "2"], formats=wrong)


def test_random_numbers_come_back_from_every_writing() -> None:
    rng = np.random.default_rng(5)
    numbers = np.round(rng.normal(size=300) * 10.0 ** rng.integers(0, 7, 300), 2)
    for style in (NumberFormat(d, t) for d in ".," for t in ("", ",", ".", " ", "'") if d != t):
        for unit in ("", "€", "kg"):
            cells = [written(number, style, unit) for number in numbers]
            table = column(cells, "\t")
            assert values(table) == numbers.tolist(), (style, unit, cells[:3])


def written(number: float, style: NumberFormat, unit: str) -> str:
    """Write a number with two decimals, apart from the code under test."""
    whole, cents = divmod(round(abs(number) * 100), 100)
    digits = str(whole)
    groups = []
    while digits:
        groups.insert(0, digits[-3:])
        digits = digits[:-3]
    body = f"{style.thousands.join(groups)}{style.decimal}{cents:02d}"
    sign = "-" if math.copysign(1, number) < 0 and number else ""
    return f"{sign}{body} {unit}".strip()
