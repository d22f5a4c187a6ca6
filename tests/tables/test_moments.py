from __future__ import annotations

from itertools import cycle, islice

import pytest

from stiknn_core.tables import Table, read_table


def of(*cells: str, name: str = "x", rows: int = 24) -> Table:
    lines = (f"{cell}\t{row * 0.37 + 0.5}\t{'ab'[row % 2]}"
             for row, cell in enumerate(islice(cycle(cells), rows)))  # fmt: skip
    return read_table("\n".join([f"{name}\tw\tlabel", *lines]).encode())


def parts(*cells: str) -> dict[str, list[float]]:
    table = of(*cells, rows=len(cells))
    dataset = table.to_dataset(features=["x", "w"], encode={"x": "date"})
    return dict(zip(dataset.feature_names, dataset.X.T.tolist(), strict=True))


# --- no number is made of what is none ------------------------------------------------------
@pytest.mark.parametrize(
    "cells",
    [
        ("12 Jan", "3 Jan", "5 Jan"), ("12 Jan", "3 Feb", "5 Jan"), ("3. Mai", "4. Mai"),
        ("May 3", "May 5"), ("2024 Q1", "2023 Q1"), ("2024Q1", "2023Q1"), ("Week 12", "Week 3"),
        ("5th", "6th", "7th"), ("1st", "2nd", "3rd"), ("2e", "3e"), ("1.2.3", "1.2.4"),
        ("10-20", "20-30"), ("10–20", "20–30"),
        ("10 to 20", "20 to 30"), ("10 x 20", "15 x 20"),
        ("192.168.0.1", "10.0.0.1"), ("192.168.100.101", "110.120.130.101"),
        ("+491701234567", "+491707654321"), ("0301234567", "0891234567"), ("555-1234", "555-1235"),
        ("555.123.4567", "212.123.4567"), ("03/05", "12/05"), ("3/5", "12/5"),
        ("03.05", "12.05", "07.06"), ("12 Mon", "13 Mon"), ("3 mayo", "4 mayo"),
    ],
)  # fmt: skip
def test_words_that_hold_digits_stay_words(cells: tuple[str, ...]) -> None:
    table = of(*cells)
    assert table.facts["x"].kind == "text"
    assert table.facts["x"].style.mixed == ()
    assert not [notice for notice in table.notices if "'x'" in notice]


def test_numbers_to_dial_in_groups_are_told_by_their_name() -> None:
    assert of("555 123 456", "600 222 457").facts["x"].kind == "number"
    assert of("555 123 456", "600 222 457", name="Phone").facts["Phone"].kind == "text"
    assert of("199", "249", name="phones sold").facts["phones sold"].kind == "number"


def test_halves_of_the_day_are_no_flags_of_numbers() -> None:
    fact = of("5", "6", "7", "8", "5 pm").facts["x"]
    assert fact.kind == "text"
    assert {cell for _, cell in fact.odd_cells} == {"5 pm"}


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("10 m2", "20 m2"), [10, 20]), (("5 kg/m2", "6 kg/m2"), [5, 6]),
        (("3 per 1000", "7 per 1000"), [3, 7]), (("12 weeks", "3 weeks"), [12, 3]),
        (("5 mg/100 ml", "7 mg/100 ml"), [5, 7]), (("4 of 10", "7 of 10"), [4, 7]),
        (("12.05", "31.01", "9.5"), [12.05, 31.01, 9.5]), (("12.05", "21.06"), [12.05, 21.06]),
        (("5/10", "8/10"), [0.5, 0.8]), (("7/8", "3/4"), [0.875, 0.75]),
        (("1.200.300", "12.500.000"), [1200300, 12500000]), (("01067", "80331"), [1067, 80331]),
        (("+5", "+7", "-3"), [5, 7, -3]), (("17 h", "9 h"), [17, 9]), (("5 St", "9 St"), [5, 9]),
    ],
)  # fmt: skip
def test_amounts_stay_numbers(cells: tuple[str, ...], values: list[float]) -> None:
    table = of(*cells)
    assert table.facts["x"].kind == "number"
    rows = table.to_dataset(features=["x"]).X[: len(values), 0]
    assert rows.tolist() == pytest.approx(values)


# --- dates and times in words ----------------------------------------------------------------
@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (("3 May 2024", "12 May 2024", "7 May 2024"), [0, 9, 4]),
        (("3rd May 2024", "Sun, 12 May 2024", "Friday 7th of June 2024"), [0, 9, 35]),
        (("May 3, 2024", "May 12, 2024", "June 7 2024"), [0, 9, 35]),
        (("3. Mai 2024", "12. Mai 2024", "7. März 2024"), [57, 66, 0]),
        (("Fr, 3. Mai 2024", "12. Dez. 2024", "1. Jänner 2024"), [123, 346, 0]),
        (("1er mai 2024", "12 août 2024", "7 février 2024"), [84, 187, 0]),
        (("3 mai 2024", "12 Déc. 2024", "mercredi 1 mai 2024"), [2, 225, 0]),
        (("24May2024", "25May2024", "26-Jun-2024"), [0, 1, 33]),
        (("May 2024", "Juni 2024", "2024 July"), [0, 31, 61]),
        (("2024-05", "2024-06", "2024-12"), [0, 31, 214]),
        (("3 May 99", "4 May 99", "3 May 00"), [0, 1, 366]),
        (("3 May 2024 18:00", "4 May 2024, 6 am", "5. Mai 2024 um 12.00"), [0, 0.5, 1.75]),
    ],
)
def test_names_of_months_are_dates(cells: tuple[str, ...], days: list[float]) -> None:
    assert of(*cells).facts["x"].kind == "date"
    first = min(days)
    assert parts(*cells)["x: days"] == pytest.approx([day - first for day in days])


@pytest.mark.parametrize(
    ("cells", "hours"),
    [
        (("5 pm", "6 am", "12 am"), [17, 6, 0]), (("5pm", "6:30 pm", "7.10 p.m."), [17, 18, 19]),
        (("5 Uhr", "17.30 Uhr", "9 Uhr"), [5, 17, 9]), (("17h30", "9h10"), [17, 9]),
        (("5 o'clock", "6 o'clock"), [5, 6]),
    ],
)  # fmt: skip
def test_times_of_the_day_in_words(cells: tuple[str, ...], hours: list[float]) -> None:
    assert of(*cells).facts["x"].kind == "date"
    assert parts(*cells)["x: hour"] == hours


def test_durations_are_no_times_of_the_day() -> None:
    for cells in (("57:30", "3:30", "9:00"), ("57:00:00", "3:30:00", "9:00:00")):
        table = of(*cells)
        assert table.facts["x"].kind == "text"
        assert table.roles["x"].cause == "unread"


def test_one_cell_that_is_no_date_leaves_them_words() -> None:
    fact = of("3 May 2024", "4 May 2024", "some day").facts["x"]
    assert fact.kind == "text"
    assert of("3 Apples 2024", "4 Apples 2024").facts["x"].kind == "text"


@pytest.mark.parametrize(
    ("cells", "hours"),
    [
        (("2024/01/02 10:05:33 AM GMT+1", "2024/01/02 11:05:33 PM GMT+1"), [9, 22]),
        (("2024/01/02 10:05:33 AM GMT", "2024/01/02 11:05:33 PM GMT-5:30"), [10, 4]),
        (("01JAN24:10:00:00", "02JAN24:17:30:05"), [10, 17]),
        (("02/Jan/2024:10:00:00 +0000", "02/Jan/2024:17:30:05 +0000"), [10, 17]),
    ],
)
def test_zones_of_forms_and_times_of_sas_and_logs(
    cells: tuple[str, ...], hours: list[float]
) -> None:
    table = of(*cells)
    assert table.facts["x"].kind == "date"
    made = table.to_dataset(features=["x"], encode={"x": "date"})
    at = made.feature_names.index("x: hour")
    assert made.X[: len(cells), at].tolist() == hours
