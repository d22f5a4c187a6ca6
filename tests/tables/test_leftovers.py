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
    "extra",
    [
        "Total,1,2,a",  # adds nothing up
        "50,60,70,Total",
        "1,2,3,a",
    ],
)
def test_rows_that_may_be_data_stay(extra: str) -> None:
    assert table(HEADER, *BODY, extra).n_rows == 13


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
