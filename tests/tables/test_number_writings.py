"""Numbers in rarer writings: read, or asked about; never silently words, an id or gone."""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from stiknn_core.tables import Table, read_table
from stiknn_core.tables.cells.numbers import parse_numbers

STREETS = ["Elm", "Oak", "Ash", "Fir", "Main", "High", "King"]


def of(cells: list[str], separator: str = ",", name: str = "x", **overrides: object) -> Table:
    rows = max(24, len(cells))
    lines = [f'"{cell.replace(chr(34), chr(34) * 2)}"{separator}{row % 7}{separator}{"ab"[row % 2]}'
             for row, cell in enumerate(islice(cycle(cells), rows))]  # fmt: skip
    head = separator.join([name, "w", "label"])
    return read_table("\n".join([head, *lines]).encode(), **overrides)


def values(table: Table, count: int) -> list[float]:
    found = parse_numbers(table.cells["x"], table.facts["x"].style).values[:count]
    return [float(value) for value in found]


def noticed(table: Table) -> list[str]:
    return [notice for notice in table.notices if "'x'" in notice]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["12'345.-", "1'000.-", "75.-"], [12345, 1000, 75]),
        (["12\u2019345.\u2013", "75.\u2013", "80.50"], [12345, 75, 80.5]),
        (["1.200,-", "75,-", "3.500,50"], [1200, 75, 3500.5]),
        (["\u0e51\u0e52.\u0e55", "\u0e53", "\u0e57"], [12.5, 3, 7]),
        (["\u17e1\u17e2.\u17e5", "\u17e3"], [12.5, 3]),
        (["\U0001d7cf\U0001d7d0.\U0001d7d3", "3"], [12.5, 3]),
        (["12\u00b75", "3\u00b725"], [12.5, 3.25]),
        # Two marks in one cell tell what they mean in the others.
        (["10\u00b7419.772", "1\u00b7234\u00b7567.5"], [10419.772, 1234567.5]),
        (["10\u00b7419.5", "2\u00b7149", "7"], [10419.5, 2149, 7]),
        (["1.225\u00b710\u00b3", "9.109\u00b710^2", "1.234"], [1225, 910.9, 1.234]),
        (["1\u00b7234", "0\u00b7532"], [1.234, 0.532]),
        (["Rs.1\u00b7234.50", "Rs.500"], [1234.5, 500]),
        (["12 345.678 9", "1.234 5", "0.000 12"], [12345.6789, 1.2345, 0.00012]),
        (["0,123", "0,456", "1,234"], [0.123, 0.456, 1.234]),
        (["1.2\u00d710\u00b3", "3.4\u00d710\u207b\u00b9", "5\u00d710\u00b2"], [1200, 0.34, 500]),
        (["1,2*10^3", "3,4 x 10^{-1}", "10^5"], [1200, 0.34, 1e5]),
        (["\u207b12.5", "3"], [-12.5, 3]),
        (["'12.5", "3", "'7"], [12.5, 3, 7]),
        (['="12.5"', '="7"'], [12.5, 7]),
        (["\u200b12.5", "3\u00ad", "\u202b7\u202c"], [12.5, 3, 7]),
        (["12&nbsp;345", "&minus;7"], [12345, -7]),
        (["12\n", "3"], [12, 3]),
        # The point of an abbreviation is no decimal mark.
        (["Rs.500", "Rs.1,250.50", "-Rs.99"], [500, 1250.5, -99]),
        (["kr.500", "kr.1.250,50", "kr.99"], [500, 1250.5, 99]),
        (["S/.1,234.50", "S/.99", "S/.7.5"], [1234.5, 99, 7.5]),
        (["S/ 1,234.50", "S/ 99"], [1234.5, 99]),
        (["$.50", "$1.25"], [0.5, 1.25]),
        (["US$.50", "US$ .25", "US$7"], [0.5, 0.25, 7]),
        (["KSh 1,234.50", "KSh 99"], [1234.5, 99]),
        (["1 250 FCFA", "99 FCFA"], [1250, 99]),
        (["XAF 99", "XAF 7"], [99, 7]),
        (["144066.95e", "-7.5e"], [144066.95, -7.5]),
        (["ر.س 99.5", "ر.س 7"], [99.5, 7]),
    ],
)
def test_rare_writings_are_read(cells: list[str], numbers: list[float]) -> None:
    for separator in ",;\t":
        assert values(of(cells, separator), len(cells)) == pytest.approx(numbers, rel=1e-15)


@pytest.mark.parametrize(
    ("cells", "numbers", "guess"),
    [
        (["0/20", "1/20", "29/20"], [0, 0.05, 1.45], "fractions divided"),
        (["1 1/2", "3/4", "2"], [1.5, 0.75, 2], "fractions divided"),
        (["1\u00bd", "\u00be", "2\u00bc"], [1.5, 0.75, 2.25], "fractions divided"),
        (["1-1/2", "2-3/4"], [1.5, 2.75], "fractions divided"),
        (["$(12.50)", "$3.00", "$ -"], [-12.5, 3, 0], "$ - read as 0"),
        (["12,50 \u20ac", "-   \u20ac"], [12.5, 0], "-   \u20ac read as 0"),
        (["(12.5)%", "3.0%"], [-0.125, 0.03], "% divided by 100"),
        (["12,50- \u20ac", "3,00 \u20ac"], [-12.5, 3], "\u20ac left out"),
        (["1.200,-- \u20ac", "3.500,50 \u20ac"], [1200, 3500.5], "\u20ac left out"),
        (["\u20b9 1,200/-", "\u20b9 5,00,000/-"], [1200, 500000], "\u20b9 left out"),
        (["eur 12,5", "eur 3,0"], [12.5, 3], "eur left out"),
        (["\u20ac 1.234", "\u20ac 56"], [1234, 56], "\u20ac left out"),
        (["12 mg/dl", "<4.5 mg/dl"], [12, 4.5], "mg/dl, < left out"),
        (["12 years", "1 year"], [12, 1], "year, years left out"),
        (["12 (mm)", "3 (mm)"], [12, 3], "(mm) left out"),
        (["5\u00d710\u2079/L", "7\u00d710\u2079/L"], [5e9, 7e9], "/L left out"),
        (["12.5\ufe6a", "3\ufe6a"], [0.125, 0.03], "% divided by 100"),
        (["007", "012", "345"], [7, 12, 345], "zeros in front left out"),
    ],
)
def test_guesses_are_told_and_can_be_words(
    cells: list[str], numbers: list[float], guess: str
) -> None:
    table = of(cells)
    assert values(table, len(cells)) == pytest.approx(numbers, rel=1e-15)
    assert guess in table.facts["x"].style.guess
    assert any(guess in notice for notice in noticed(table))
    words = table.other_readings("x")["words, not numbers"]
    assert of(cells, formats={"x": words}).facts["x"].kind == "text"


@pytest.mark.parametrize("cells", [["1.234", "5.678"], ["1,234", "5,678"], ["\u20ac 1.234"] * 2])
def test_a_mark_with_two_meanings_is_told_by_column(cells: list[str]) -> None:
    for separator in ",;\t":
        table = of([*cells, cells[0].replace("2", "9")], separator)
        assert any("if it" in notice for notice in noticed(table))
        assert any("decimal mark" in way for way in table.other_readings("x"))


@pytest.mark.parametrize(
    "cells",
    [
        ["12 \u00b1 3", "4.5 \u00b1 0.5", "7 \u00b1 1"],
        ["12.5(3)", "3.1(1)", "4.2(2)"],
        ["12.3 (4.5)", "11.2 (3.3)", "10 (2.2)"],
        ["12 (45%)", "11 (33%)", "10 (22%)"],
        ["12+", "3+", "4+"],
        ["$1.2M", "$300K", "$4.5M", "$7K"],
        ["$12.5", "\u20ac3", "$4.5", "\u20ac7"],
        ["12.50 CR", "3.00 DR", "4.00 CR"],
        ["12.5 kg", "300 g", "1 kg"],
        ["12.5%", "3", "7%", "8", "9%"],
        ["12 kg", "3", "4 kg", "5 kg"],
        ["25:30", "13:45", "109:00"],
        ["1_000", "12_345", "7_500"],
        ["5'11\"", "6'0\"", "5'7\""],
        ["\u25b212.5", "\u25b24", "\u25b27.5", "3"],
        ["10+ years", "< 1 year", "2 years"],
        ["52.52 N", "33.86 S", "48.1 N"],
        ["120/80", "135/90", "118/75"],
        ["20/40", "20/60", "20/20"],
        ["5 ft 7 in", "6 ft 1 in", "5 ft 11 in"],
        ["8 lb 3 oz", "7 lb 12 oz", "6 lb 1 oz"],
    ],
)
def test_numbers_with_more_around_them_are_asked_about(cells: list[str]) -> None:
    table = of(cells)
    assert table.roles["x"].role == "ignored"
    assert table.roles["x"].cause in ("unread", "mixed units", "nearly number")
    assert noticed(table)
    assert any(read == "not a number" for _, read in table.examples("x"))
    first = table.other_readings("x")["the first number of each cell"]
    again = of(cells, formats={"x": first})
    assert again.facts["x"].kind == "number"
    assert any("only the first number read" in notice for notice in noticed(again))


def test_what_is_not_read_has_no_doubtful_mark() -> None:
    (notice,) = noticed(of(["\u00a31,200 pcm", "\u00a3950 pcm", "\u00a3875 pcm"]))
    assert notice.startswith("Not read as numbers")


def test_the_first_number_of_a_cell_keeps_its_sign_and_marks() -> None:
    cells = ["-1.234,5 \u00b1 0,3", "7,25 \u00b1 1"]
    first = of(cells).other_readings("x")["the first number of each cell"]
    assert values(of(cells, formats={"x": first}), 2) == [-1234.5, 7.25]


def test_thousands_and_sides_of_a_ledger_are_offered_as_factors() -> None:
    cells = ["$1.2M", "$300K", "$4.5M", "$7K"]
    way = of(cells).other_readings("x")["K times 1,000 and M times 1e+06"]
    assert values(of(cells, formats={"x": way}), 4) == [1.2e6, 3e5, 4.5e6, 7e3]
    cells = ["12.50 CR", "3.00 DR"]
    way = of(cells).other_readings("x")["numbers, credit (CR) as minus"]
    assert values(of(cells, formats={"x": way}), 2) == [-12.5, 3]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["R 1,234.50", "R 99.00", "(R 7.50)"], [1234.5, 99, -7.5]),
        (["R1,234.50", "R99.00", "R7.50-"], [1234.5, 99, -7.5]),
        (["L. 1,234.50", "L. 99.00", "L.7.50"], [1234.5, 99, 7.5]),
        (["K1,234.50", "K99.00", "K7.50"], [1234.5, 99, 7.5]),
        (["Mex 1.234,50", "Mex 99,00", "-Mex 7,50"], [1234.5, 99, -7.5]),
    ],
)
def test_what_may_be_an_unknown_currency_is_asked_about(
    cells: list[str], numbers: list[float]
) -> None:
    """At sums: with thousands or hundredths, unlike codes."""
    table = of(cells)
    assert table.roles["x"].role == "ignored"
    name = cells[0].split("1")[0].strip()
    way = table.other_readings("x")[f"numbers, {name} left out"]
    assert values(of(cells, formats={"x": way}), len(cells)) == numbers


def test_the_thousands_mark_of_arabic_is_none_of_decimals() -> None:
    """Also in a file whose other numbers have decimal commas."""
    table = read_table("y;x;label\n0,5;4٬887;a\n0,25;5٬123٬456;b\n1,5;7;a\n".encode())
    assert values(table, 3) == [4887, 5123456, 7]


def test_a_guess_is_told_with_a_cell_that_shows_it() -> None:
    for cells, said in (
        (["126.97", ">90", "85.25"], "'>90' is 90"),
        (["82678", "00501", "12345"], "'00501' is 501"),
    ):
        assert any(said in notice for notice in noticed(of(cells)))


def test_point_and_comma_can_both_mark_decimals() -> None:
    cells = ["12.5", "3,5", "4.25", "7,5"]
    way = of(cells).other_readings("x")["point and comma as decimal marks"]
    assert values(of(cells, formats={"x": way}), 4) == [12.5, 3.5, 4.25, 7.5]


def test_classes_that_hold_digits_are_no_question() -> None:
    lines = [f"{row},{['<=50K', '>50K'][row % 2]}" for row in range(24)]
    table = read_table("\n".join(["w,label", *lines]).encode())
    assert table.label == "label"
    assert table.facts["label"].kind == "text"
    assert not table.notices


@pytest.mark.parametrize(
    "cells",
    [
        [
            f"{row} {street}"
            for row, street in enumerate(["Elm", "Oak", "Ash", "Fir", "Main", "High", "King"])
        ],
        ["(-0.023, 5.75]", "(5.75, 11.5]", "(11.5, 17.25]"],
        ["A12", "B7", "A3"],
        ["2024-W12", "2024-W13"],
        ["Br12", "Br7", "Br3"],
        ["GT3", "LE3"],
        ["TOP 10", "TOP 5", "TOP 3"],
        ["Room 12", "Room 7"],
        ["v1.25", "v1.30"],
    ],
)
def test_names_with_digits_are_no_question(cells: list[str]) -> None:
    assert not noticed(of(cells))


@pytest.mark.parametrize(
    "word", [": c", ":u", "#NV", "#VALEUR!", "\\N", "[c]", "1.#QNAN", "\u2022"]
)
def test_words_of_offices_and_programs_count_as_missing(word: str) -> None:
    table = of(["12.5", word, "7", "3"])
    assert table.facts["x"].missing == 6
    assert any("'x' 6" in notice for notice in noticed(table))


def test_a_column_of_dashes_is_empty() -> None:
    assert of([":", "..", "-"]).roles["x"].cause == "empty"


def test_long_whole_numbers_are_shown_as_they_are_read() -> None:
    table = of(["9007199254740993", "9007199254740997"])
    assert ("9007199254740993", "9007199254740992") in table.examples("x")
