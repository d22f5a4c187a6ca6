from __future__ import annotations

import datetime
import io
import zipfile
from typing import Any

import openpyxl
import pytest

from stiknn_core.errors import FileError
from stiknn_core.tables import ChoiceError, Table, read_table

PLAIN: list[list[Any]] = [["x1", "x2", "label"], [1, 2.5, "a"], [3, 4.25, "b"], [5, 6, "a"]]


def book(*sheets: list[list[Any]], corner: tuple[int, int] = (1, 1)) -> bytes:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for number, rows in enumerate(sheets):
        page = made.create_sheet(f"S{number + 1}")
        for down, row in enumerate(rows):
            for across, value in enumerate(row):
                page.cell(corner[0] + down, corner[1] + across, value)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def told(table: Table, words: str) -> bool:
    return any(words in notice for notice in table.notices)


@pytest.mark.parametrize(("corner", "name"), [((1, 1), "A1"), ((3, 3), "C3"), ((40, 28), "AB40")])
def test_the_table_may_stand_anywhere(corner: tuple[int, int], name: str) -> None:
    table = read_table(book(PLAIN, corner=corner))
    dataset = table.to_dataset()
    assert table.decisions["corner"] == name
    assert dataset.X.tolist() == [[1, 2.5], [3, 4.25], [5, 6]]
    assert dataset.y.tolist() == ["a", "b", "a"]


def test_titles_and_remarks_are_left_out_and_told() -> None:
    rows = [["Results of 2024"], [], *PLAIN, [], ["Source: field work"]]
    table = read_table(book(rows))
    assert table.frame.shape == (3, 3)
    assert told(table, "above the table")
    assert told(table, "below the table")


def test_a_lone_last_cell_without_a_gap_is_kept() -> None:
    table = read_table(book([*PLAIN, [7]]))
    assert table.frame.shape == (4, 3)


def test_sheets_can_be_chosen() -> None:
    other = [["u", "class"], [1, "p"], [2, "q"]]
    data = book([], PLAIN, other)
    table = read_table(data)
    assert table.decisions["sheet"] == "S2"
    assert table.sheets == ("S1", "S2", "S3")
    assert told(table, "also has S1 and S3")
    assert read_table(data, sheet="S3").columns == ("u", "class")
    assert read_table(data, sheet=2).columns == ("u", "class")
    with pytest.raises(ChoiceError, match="no sheet 'S9'") as caught:
        read_table(data, sheet="S9")
    assert caught.value.choices == ("S1", "S2", "S3")
    with pytest.raises(FileError, match="'S1' is empty"):
        read_table(data, sheet="S1")


def test_whole_number_classes_stay_whole_beside_a_blank() -> None:
    rows = [["x", "label"], [1.5, 1.0], [2.5, 2], [3.5, None], [4.5, 10]]
    dataset = read_table(book(rows)).to_dataset(missing_labels="drop_rows")
    assert dataset.y.tolist() == [1, 2, 10]


def test_text_classes_stay_as_written() -> None:
    rows = [["x", "label"], [1, "01"], [2, "NA"], [3, "01"], [4, "None"], [5, "NA"]]
    assert read_table(book(rows)).to_dataset().y.tolist() == ["01", "NA", "01", "None", "NA"]


def test_error_cells_count_as_missing_and_are_told() -> None:
    rows = [["x1", "x2", "label"], [1, "#DIV/0!", "a"], [2, 3, "b"], [3, 4, "a"]]
    table = read_table(book(rows))
    assert told(table, "errors count as missing: 1 cell (#DIV/0!)")
    assert table.problems().missing == {"x2": 1}


def test_booleans_and_dates_are_text() -> None:
    day = datetime.datetime(2024, 1, 5)
    rows = [
        ["when", "ok", "x", "label"],
        *[[day, True, place, "ab"[place % 2]] for place in (1, 2)],
    ]
    table = read_table(book(rows))
    assert table.frame["when"].tolist() == ["2024-01-05"] * 2
    assert table.facts["ok"].kind == "boolean"


def test_formulas_that_were_never_computed_are_refused() -> None:
    rows = [["x", "double", "label"], [1, "=A2*2", "a"], [2, "=A3*2", "b"]]
    with pytest.raises(FileError, match=r"2 cells of the sheet 'S1' hold formulas.*B2 and B3"):
        read_table(book(rows))


def test_stored_results_of_formulas_are_read() -> None:
    data = book([["x", "double", "label"], [1, "=A2*2", "a"], [2, "=A3*2", "b"]])
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                assert content.count(b"<v />") == 2 or content.count(b"<v/>") == 2
                content = content.replace(b"<v />", b"<v>7</v>").replace(b"<v/>", b"<v>7</v>")
            new.writestr(name, content)
    table = read_table(stream.getvalue())
    assert table.frame["double"].tolist() == [7, 7]
    assert told(table, "results of 2 formulas")


def test_a_pivot_sheet_is_refused() -> None:
    rows = [["Sum of x", "Column Labels"], ["Row Labels", "a", "b"], ["north", 1, 2]]
    with pytest.raises(FileError, match="pivot table"):
        read_table(book(rows))


def test_a_cell_far_away_takes_no_memory() -> None:
    made = openpyxl.Workbook()
    for row in PLAIN:
        made.active.append(row)
    made.active.cell(100_000, 2_000, 9)
    stream = io.BytesIO()
    made.save(stream)
    table = read_table(stream.getvalue())
    assert table.frame.shape == (3, 3)
    assert told(table, "below the table: 1 row")


def test_gaps_inside_a_table_are_counted() -> None:
    table = read_table(book([*PLAIN, [], [], [7, 8, "b"]]))
    assert table.frame.shape == (4, 3)
    assert told(table, "2 empty rows")


def test_a_damaged_workbook_is_one_sentence() -> None:
    data = book(PLAIN)
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content[:40] if "sheet1" in name else content)
    with pytest.raises(FileError, match="workbook could not be read"):
        read_table(stream.getvalue())


def test_flags_before_names_give_roles() -> None:
    rows = [
        ["m#name", "cC#kind", "i#note", "x"],
        *[[f"n{i}", i % 2, "z", i * 1.5] for i in range(6)],
    ]
    table = read_table(book(rows))
    assert table.columns == ("name", "kind", "note", "x")
    assert table.label == "kind"
    assert table.columns_with("id") == ("name",)
    assert table.features == ("x",)
