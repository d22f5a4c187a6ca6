"""Tables as consoles draw them, remarks above and below, and lines of programs."""

from __future__ import annotations

import pytest

from stiknn_core import read_table
from stiknn_core.errors import FileError
from stiknn_core.tables import Table

SIZES = [1.5, 22.25, 3.0, 4.75, 50.5, 6.0]
LABELS = "pqpqqp"


def check(made: Table) -> None:
    assert list(made.columns) == ["id", "size", "cls"]
    assert [float(cell) for cell in made.frame["size"]] == SIZES
    assert "".join(made.frame["cls"]) == LABELS
    assert (made.label, made.column_with("id")) == ("cls", "id")


def rows(between: str, around: str = "", ends: str = "\n") -> str:
    return ends.join(
        f"{around} {place} {between} {size:6} {between} {one} {around}"
        for place, (size, one) in enumerate(zip(SIZES, LABELS, strict=True))
    )


def test_boxes_of_sqlite() -> None:
    top = "┌────┬────────┬─────┐\n│ id │  size  │ cls │\n├────┼────────┼─────┤\n"
    made = read_table(f"{top}{rows('│', '│')}\n└────┴────────┴─────┘\n".encode())
    check(made)
    assert made.notices == ("Left out: 3 lines of dashes.",)


def test_prints_of_polars_and_duckdb() -> None:
    top = "shape: (6, 3)\n┌─────┬────────┬─────┐\n│ id  ┆ size   ┆ cls │\n│ --- ┆ ---    ┆ --- │\n"
    top += "│ i64 ┆ f64    ┆ str │\n╞═════╪════════╪═════╡\n"
    check(read_table(f"{top}{rows('┆', '│')}\n└─────┴────────┴─────┘\n".encode()))
    top = (
        "┌───────┬────────┬─────────┐\n│  id   │  size  │   cls   │\n│ int64 │ double │ varchar │\n"
    )
    top += "├───────┼────────┼─────────┤\n"
    end = (
        "├───────┴────────┴─────────┤\n│ 6 rows         3 columns │\n└──────────────────────────┘\n"
    )
    check(read_table(f"{top}{rows('│', '│')}\n{end}".encode()))


def test_grids_with_a_line_between_all_rows() -> None:
    line = "+----+--------+-----+"
    body = rows("|", "|", f"\n{line}\n")
    check(
        read_table(f"{line}\n| id | size | cls |\n+====+========+=====+\n{body}\n{line}".encode())
    )


def test_the_count_below_a_table_of_blanks() -> None:
    top = "id     size cls\n------ ---- ---\n"
    check(read_table(f"{top}{rows(' ')}\n\n(6 rows affected)\n".encode()))


def test_a_box_in_a_cell_draws_nothing() -> None:
    made = read_table("a,b\n│x│,1\ny,2\n│x│,3\n".encode())
    assert made.frame["a"].tolist() == ["│x│", "y", "│x│"]


@pytest.mark.parametrize("mark", ["##meta=1\t", "# remark ", "!Series_x\t"])
def test_many_remarks_above_are_left_out(mark: str) -> None:
    above = "".join(f'{mark}{place}\t"a"\n' for place in range(250))
    made = read_table((above + "id\tsize\tcls\n" + rows("\t")).encode())
    check(made)
    assert any(
        f"{count} lines of remarks" in notice for count in (249, 250) for notice in made.notices
    )


def test_cells_of_tags_are_no_remarks() -> None:
    tags = "".join(f"#tag{place % 3},{place}.5,{'pq'[place % 2]}\n" for place in range(60))
    assert read_table(tags.encode()).n_rows == 60


def test_a_first_line_of_another_table_is_above() -> None:
    first = '"EXTF";700;21;"Booking";9;2024;;"RE";1001;1\n'
    made = read_table((first + "id;size;cls\n" + rows(";")).encode())
    check(made)
    assert "Left out above the table: 1 line." in made.notices


def test_a_remark_below_two_columns_stands_apart() -> None:
    made = read_table(b"size,cls\n1,p\n2,q\n3,p\n\n\nApplied filters:\nYear is 2024\n")
    assert made.frame["cls"].tolist() == ["p", "q", "p"]
    assert "Left out below the table: 2 lines." in made.notices
    with pytest.raises(FileError, match="1 row does not fit"):
        read_table(b"size,cls\n1,p\n2,q\n3,p\n4\n")


def test_cells_of_hive() -> None:
    lines = [f"r{place}\x01{size}\x01\\N\x01{one}" for place, (size, one) in enumerate(
        zip(SIZES, LABELS, strict=True)
    )]  # fmt: skip
    made = read_table("\n".join(lines).encode())
    assert made.n_rows == 6
    assert [float(cell) for cell in made.frame["col2"]] == SIZES
    assert made.decisions["separator"] == "\x01"


def test_text_of_programs_is_refused_by_name() -> None:
    with pytest.raises(FileError, match="This is a PC-Axis file; save"):
        read_table(b'CHARSET="ANSI";\nAXIS-VERSION="2013";\nDATA=\n1 2\n3 4;\n')
    with pytest.raises(FileError, match="This is an Igor text file; save"):
        read_table(b"IGOR\nWAVES/D\ta\tb\nBEGIN\n\t1\t2\nEND\n")


def test_columns_of_equal_width_whose_cells_hold_blanks() -> None:
    lines = ["name        size      cls"]
    lines += [
        f"Na me {place}     {size:<10}{one}"
        for place, (size, one) in enumerate(zip(SIZES, LABELS, strict=True))
    ]
    text = "\n".join(lines).encode()
    made = read_table(text)
    assert made.decisions["separator"] == "  "
    assert [float(cell) for cell in made.frame["size"]] == SIZES
    assert made.frame["name"].iloc[5] == "Na me 5"
    assert read_table(text, separator="  ").frame.equals(made.frame)
    prose = b"One  two three\nfour five  six\nseven  eight nine\nten  eleven  twelve"
    assert read_table(prose).decisions["separator"] == ""


def test_numbers_set_by_blanks_with_a_text_behind_a_tab() -> None:
    lines = [
        f'{size}   {place}      {"?" if place == 3 else place * 7}.   {place % 2 + 1}\t"ford pinto"'
        for place, size in enumerate(SIZES)
    ]
    made = read_table("\n".join(lines).replace("?.", "?").encode())
    assert made.frame.shape == (6, 5)
    assert [float(cell) for cell in made.frame["col1"]] == SIZES
    assert made.frame["col5"].iloc[0] == "ford pinto"


@pytest.mark.parametrize("mark", ["~", "^", "::", ":", "¦", "，", "；", "؛"])  # noqa: RUF001
def test_marks_that_seldom_part_cells(mark: str) -> None:
    made = read_table(f"id{mark}size{mark}cls\n{rows(mark)}".encode())
    check(made)
    assert made.decisions["separator"] == mark
    check(read_table(f"id{mark}size{mark}cls\n{rows(mark)}".encode(), separator=mark))


def test_words_parted_by_blanks() -> None:
    lines = [" FID IID SEX PHENOTYPE", *(f"  F{at}  I{at}  {at % 2 + 1}  {at}" for at in range(6))]
    made = read_table("\n".join(lines).encode())
    assert list(made.columns) == ["FID", "IID", "SEX", "PHENOTYPE"]
    assert [int(cell) for cell in made.frame["PHENOTYPE"]] == [0, 1, 2, 3, 4, 5]


def test_one_column_stays_one() -> None:
    times = "\n".join(["10:05:33", "10:06:34", "11:07:35", "12:08:36", "13:09:37"])
    assert read_table(times.encode(), header=False).frame.shape == (5, 1)
    assert read_table(f"time\n{times}".encode()).frame.shape == (5, 1)
    said = "\n".join(f"He said: I saw {count} of them" for count in range(6))
    assert read_table(f"text\n{said}".encode()).frame.shape == (6, 1)


def test_a_tibble_of_r() -> None:
    lines = ["# A tibble: 20 × 3", "     size   age cls", "    <dbl> <int> <chr>"]
    lines += [f"{at + 1} {SIZES[at]:7} {at * 3:5} {LABELS[at]}" for at in range(6)]
    made = read_table("\n".join([*lines, "# ℹ 14 more rows"]).encode())  # noqa: RUF001
    assert list(made.columns) == ["column 1", "size", "age", "cls"]
    assert [float(cell) for cell in made.frame["size"]] == SIZES
    assert "Left out above the table: the lines of R about its size and kinds." in made.notices
