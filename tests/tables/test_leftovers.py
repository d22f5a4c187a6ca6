"""Rows that are no data, headers of two rows, and summaries."""

from __future__ import annotations

import pytest

from stiknn_core.errors import FileError
from stiknn_core.tables import Table, read_table

BODY = [f"{row},{row}.5,{row % 5},{'ab'[row % 2]}" for row in range(12)]
HEADER = "time,width,height,label"


def table(*lines: str) -> Table:
    return read_table("\n".join(lines).encode())


def told(made: Table, words: str) -> bool:
    return any(words in notice for notice in made.notices)


def numbers(made: Table, name: str) -> list[float]:
    return [float(cell) for cell in made.frame[name]]


@pytest.mark.parametrize(
    ("extra", "place", "words"),
    [
        ("[s],[mm],[mm],[-]", 0, "row 0, which names the units"),
        ("s,mm,mm,", 0, "row 0, which names the units"),
        ("(s),(mm),(mm),", 0, "row 0, which names the units"),
        ("--,--,--,-----", 0, "row 0, which is a line of dashes"),
        ("====,====,===,===", 12, "row 12, which is a line of dashes"),
        (HEADER, 6, "row 6, which repeats the header"),
        ("Total,72,21,", 12, "row 12, which sums up the rows above"),
        ("66,72,21,Summe", 12, "row 12, which sums up the rows above"),
        ("Source: Office,,,", 12, "row 12, which is a remark below the table"),
        ("1) provisional,,,", 12, "row 12, which is a remark below the table"),
        ("Numbers of the last year,,,", 12, "row 12, which is a remark below the table"),
    ],
)
def test_rows_that_are_no_data_are_left_out_and_named(extra: str, place: int, words: str) -> None:
    made = table(HEADER, *BODY[:place], extra, *BODY[place:])
    assert made.n_rows == 12
    assert told(made, words)
    assert made.features == ("time", "width", "height")
    assert made.to_dataset().X[:, 1].tolist() == [row + 0.5 for row in range(12)]


def test_several_repeated_headers_are_counted() -> None:
    made = table(HEADER, *BODY[:4], HEADER, *BODY[4:8], HEADER, *BODY[8:])
    assert made.n_rows == 12
    assert told(made, "rows 4 and 9, which repeat the header")


@pytest.mark.parametrize(
    ("rule", "mark", "end"),
    [("------+-------+--------+-------", "", "(12 rows)"), ("+------+-------+---+-----+", "|", "")],
    ids=["psql", "mysql"],
)
def test_what_a_console_draws_around_a_table_is_left_out(rule: str, mark: str, end: str) -> None:
    header, *rows = (
        f"{mark} {line.replace(',', ' | ')} {mark}".strip() for line in (HEADER, *BODY)
    )
    made = table(*[rule] * bool(mark), header, rule, *rows, rule if mark else end)
    assert made.n_rows == 12
    assert made.features == ("time", "width", "height")
    assert told(made, "of dashes")


def test_what_a_survey_says_of_its_columns_is_left_out() -> None:
    ids = ",".join(f'"{{""ImportId"":""QID{number}""}}"' for number in range(4))
    asked = '"How long did\nit take, in s?",Width,Height,Kind'
    for rows, words in (
        ([asked, ids], "rows 0 and 1, which explain"),
        ([ids], "row 0, which explains"),
    ):
        made = table(HEADER, *rows, *BODY)
        assert made.n_rows == 12
        assert told(made, f"Left out: {words}")
        assert made.features == ("time", "width", "height")
        assert set(made.frame["label"]) == {"a", "b"}


@pytest.mark.parametrize(
    "extra",
    [
        "Total,1,2,a",  # adds nothing up
        "50,60,70,Total",
        "1,2,3,a",
        "12,,,",
        "item-12,,,",
    ],
)
def test_rows_that_may_be_data_stay(extra: str) -> None:
    assert table(HEADER, *BODY, extra).n_rows == 13


@pytest.mark.parametrize("classes", ["xy", "ab"])
def test_a_first_row_of_words_with_a_class_stays(classes: str) -> None:
    rows = [f"{row},{row}.5,{classes[row % 2]}" for row in range(8)]
    assert table("a,b,label", f"broken,broken,{classes[0]}", *rows).n_rows == 9


def test_a_first_row_of_words_among_words_stays() -> None:
    assert table("a,b,label", "red,big,x", "blue,small,y", "red,small,x").n_rows == 3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (",size,size,meta", ",w,h,label"),
        ("id,size,,", ",w,h,label"),
        ("id,size,,label", "id,w,h,label"),
    ],
)
def test_two_header_rows_are_joined(first: str, second: str) -> None:
    made = table(first, second, *BODY)
    assert made.n_rows == 12
    assert made.columns[1:3] == ("size / w", "size / h")
    assert made.label == made.columns[3]
    assert told(made, "Two header rows were joined")
    assert len(set(made.to_dataset().y.tolist())) == 2


@pytest.mark.parametrize(
    "above",
    [
        ["Report,2024,,"],
        ["Created:,today,,"],
        ["Report,,,", "Created,2024-05-01,,", ",,,"],
        ["Made by,Ana,,", "Unit,mm,,"],
    ],
)
def test_what_is_said_above_a_table_is_no_header(above: list[str]) -> None:
    """Programs fill such rows up; the header became a row of data."""
    made = table(*above, "time,w,h,label", *BODY)
    assert made.columns == ("time", "w", "h", "label")
    assert made.n_rows == 12
    assert told(made, "above the table")
    columns = range(4)
    page = "".join(
        "<tr>" + "".join(f"<td>{row.split(',')[column]}</td>" for column in columns) + "</tr>"
        for row in [*above, "time,w,h,label", *BODY]
    )
    web = read_table(f"<html><table>{page}</table></html>".encode())
    assert web.columns == made.columns
    assert web.frame["w"].tolist() == made.frame["w"].tolist()


def test_years_are_groups_of_columns() -> None:
    made = table(",2023,,label", "id,w,h,label", *BODY)
    assert made.columns[1:3] == ("2023 / w", "2023 / h")
    assert made.n_rows == 12


def test_the_name_of_the_rows_in_a_third_row_is_passed_over() -> None:
    made = table(",size,size,meta", ",w,h,label", "item,,,", *BODY)
    assert made.n_rows == 12
    assert made.columns[1:3] == ("size / w", "size / h")


def test_markdown_is_read_without_its_rules_and_rails() -> None:
    lines = [f"| {line.replace(',', ' | ')} |" for line in [HEADER, *BODY]]
    made = table(lines[0], "|---|:---:|--:|---|", *lines[1:])
    assert made.columns == ("time", "width", "height", "label")
    assert made.n_rows == 12


@pytest.mark.parametrize(
    "lines",
    [
        ("label,A,B,All", *(f"r{i},{i},{i},{2 * i}" for i in range(150)), "All,11,11,22"),
        ("kind,A,B,Total", "x,1,2,3", "y,2,3,5", "Total,3,5,8"),
        ("Filter,,,", ",,,", "Sum - x,kind,,", "region,A,B,Total Result", "r0,1,2,3", "r1,2,3,5"),
        ("Sum of x,Column,,", "region,A,B,C", "r0,1,2,3", "r1,2,3,5"),
    ],
)
def test_summaries_are_named_for_what_they_are(lines: tuple[str, ...]) -> None:
    with pytest.raises(FileError, match="pivot table"):
        table(*lines)


def test_a_lone_running_number_is_no_feature_without_a_warning() -> None:
    made = table("n,label", *(f"{row},{'ab'[row % 2]}" for row in range(12)))
    assert any("counts the rows" in notice for notice in made.to_dataset().notices)


def test_titles_that_are_filled_up_with_separators_are_left_out() -> None:
    made = table("Table 1: Sizes,,,", "in mm,,,", ",,,", HEADER, *BODY)
    assert made.columns == tuple(HEADER.split(","))
    assert made.n_rows == 12
    assert told(made, "above the table: 3 lines")


@pytest.mark.parametrize("years", ["2019,2020", "2021,2020", "1900,1910", "0,1", "101,7"])
def test_numbers_over_columns_are_names_where_words_are_none_of_the_classes(years: str) -> None:
    made = table(
        f"place,{years},label", *[f"p{row},{row}.5,3,{'ab'[row % 2]}" for row in range(12)]
    )
    assert made.columns == ("place", *years.split(","), "label")
    assert made.n_rows == 12


@pytest.mark.parametrize("first", ["p0,2019,2020,a", "p0,1,2,a", "p0,101,7,a"])
def test_a_first_row_of_data_is_no_header(first: str) -> None:
    body = [f"p{row},{row}.5,3,{'ab'[row % 2]}" for row in range(1, 12)]
    assert table(first, *body).n_rows == 12


def test_zeros_in_front_of_classes_are_no_guess() -> None:
    made = table("x,label", *[f"{row}.5,0{row % 2 + 1}" for row in range(12)])
    assert made.notices == ()


LETTERS = "pqpqqp"


def test_rows_that_say_what_columns_hold_are_left_out() -> None:
    usgs = "agency\tsite\tday\tflow\tcd\n5s\t15s\t20d\t14n\t10s\n" + "\n".join(
        f"USGS\t0{place + 7}\t2024-01-0{place + 1}\t{place * 9}\t{one}"
        for place, one in enumerate(LETTERS)
    )
    made = read_table(usgs.encode())
    assert numbers(made, "flow") == [0, 9, 18, 27, 36, 45]
    assert made.frame["day"].iloc[0] == "2024-01-01"
    assert "Left out: row 0, which says what the columns hold." in made.notices
    origin = "A(X)\tB(Y)\tC(L)\nTime\tVolt\tState\ns\tmV\t\n" + "\n".join(
        f"{place / 2}\t{place * 9}\t{one}" for place, one in enumerate(LETTERS)
    )
    made = read_table(origin.encode())
    assert numbers(made, "B(Y)") == [0, 9, 18, 27, 36, 45]
    assert "Left out: rows 0 and 1, which say what the columns hold." in made.notices


def test_units_stand_over_numbers_with_limits_too() -> None:
    cells = ["<LOD", "0.5", "0.7", "0.9", "1.1", "1.4"]
    rows = [
        f"S{place},{cell},{one}"
        for place, (cell, one) in enumerate(zip(cells, LETTERS, strict=True))
    ]
    made = read_table("\n".join(["sample,conc,label", ",mg/L,", *rows]).encode())
    assert made.n_rows == 6
    assert made.frame["conc"].tolist() == cells
    assert "Left out: row 0, which names the units." in made.notices


def test_a_first_row_of_data_stays() -> None:
    one_word = "name,size,label\nBob,unknown,p\nEve,5,q\nAda,6,p\nIda,7,q\nUdo,8,p"
    assert read_table(one_word.encode()).n_rows == 5
    known = "a,b,label\nnew,new,p\n5,6,q\n6,8,p\nnew,7,q\n8,9,p\n8,5,q"
    assert read_table(known.encode()).n_rows == 6
    label = "a,b,label\nlow,low,p\n5,6,q\n6,8,p\n7,7,q\n8,9,p\n8,5,q"
    assert read_table(label.encode()).n_rows == 6
    assert read_table(label.encode(), header=False).n_rows == 7


def test_choices_that_could_be_ticked_are_names_and_cells() -> None:
    lines = ["ID,Glad?,Likes,,Age", ",Response,Price,Taste,Open", "1,yes,Price,,31"]
    lines += ["2,no,,Taste,42", "3,yes,Price,Taste,53", "4,no,,,64", "5,yes,Price,,75"]
    made = read_table("\n".join(lines).encode())
    names = ["ID", "Glad? / Response", "Likes / Price", "Likes / Taste", "Age / Open"]
    assert list(made.columns) == names
    assert numbers(made, "Age / Open") == [31, 42, 53, 64, 75]


def test_kinds_of_orange_may_say_which_words_there_are() -> None:
    head = "size\tage\tcls\tname\nc\tc\tlow high\ts\n\t\tclass\tmeta\n"
    rows = [f"{place}.5\t?\t{'high' if place % 2 else 'low'}\tn{place}" for place in range(6)]
    made = read_table((head + "\n".join(rows)).encode())
    assert (made.label, made.column_with("id")) == ("cls", "name")
    assert numbers(made, "size") == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]


@pytest.mark.parametrize("called", ["Total", "Total Income", "Summe Aktiva"])
@pytest.mark.parametrize("told", ["{:,.2f}", "$ {:,.2f}", "{:.2f}"])
def test_totals_are_summed_up_in_the_writing_of_the_file(called: str, told: str) -> None:
    amounts = [1200.5, 2300.25, 99.0, 15000.0]
    rows = [f'i{at},"{told.format(value)}",{"pq"[at % 2]}' for at, value in enumerate(amounts)]
    made = table("item,amount,label", *rows, f'{called},"{told.format(sum(amounts))}",')
    assert made.n_rows == 4
    assert "Left out: row 4, which sums up the rows above." in made.notices


def test_a_last_row_that_only_begins_so_stays() -> None:
    made = table("film,rating,label", "Up,8.3,p", "Big,7.3,q", "Ran,8.2,p", "Total Recall,7.5,q")
    assert made.n_rows == 4
    assert not told(made, "last row")


def test_years_below_a_group_are_names() -> None:
    lines = ["name,income,,label", ",2023,2024,"]
    lines += [f"n{place},{place * 7},{place * 9},{one}" for place, one in enumerate(LETTERS)]
    made = table(*lines)
    assert list(made.columns) == ["name", "income / 2023", "income / 2024", "label"]
    assert numbers(made, "income / 2024") == [0, 9, 18, 27, 36, 45]
    data = table("start,end,label", "2001,2005,p", "2002,2004,q", "2003,2008,p", "2004,2009,q")
    assert data.n_rows == 4
