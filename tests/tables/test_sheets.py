"""What a workbook stores is kept: numbers as numbers, merged cells, hidden rows, sums."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from typing import Any

import numpy as np
import openpyxl
import pytest

from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.files import xlsx_scan
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.drafting import Overrides, read_source
from tests.tables.test_excel import PLAIN, book, told


def draft(data: bytes, **wanted: Any) -> Draft:
    return read_source(data, Overrides(**wanted))[0]


def page(rows: list[list[Any]]) -> tuple[openpyxl.Workbook, Any]:
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    return made, made.active


def saved(made: openpyxl.Workbook) -> bytes:
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def changed(data: bytes, part: str, old: str, new: str) -> bytes:
    """Return a workbook with text of one part replaced."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(stream, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == part:
                content = re.sub(old, new, content.decode()).encode()
            after.writestr(name, content)
    return stream.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_numbers_stay_numbers_beside_columns_of_decimal_commas() -> None:
    rows = [["weight", "dose", "label"]]
    rows += [[8.537 + place, f"{place},5", "ab"[place % 2]] for place in range(12)]
    table = read_table(book(rows))
    assert table.frame["weight"].tolist() == [8.537 + place for place in range(12)]
    assert "weight" in table.features


def test_one_text_among_numbers_is_told_apart() -> None:
    rows = [["w", "n", "label"], [2.25, 1, "a"], ["5,5", 2, "b"], [7, None, "a"], [1e-7, 3.5, "b"]]
    found = draft(book([*rows, [12345678901.5, 4, "a"]]))
    assert found.frame["w"].tolist() == ["2.25", "5,5", "7", "1e-7", "12345678901.5"]
    assert found.natives["w"].tolist() == [True, False, True, True, True]
    assert list(found.natives) == ["w"]
    assert found.frame["n"].dtype == np.float64
    assert np.isnan(found.frame["n"][2])


def test_whole_numbers_and_yes_or_no_are_native_columns() -> None:
    rows = [
        ["n", "ok", "both", "label"],
        [1, True, True, "a"],
        [2, False, 3, "b"],
        [3, True, "x", "a"],
    ]
    frame = draft(book(rows)).frame
    assert frame["n"].dtype == np.int64
    assert frame["ok"].tolist() == [True, False, True]
    assert frame["ok"].dtype == bool
    assert frame["both"].tolist() == ["True", "3", "x"]


def test_dates_times_and_durations_are_text() -> None:
    day, hour = datetime.datetime(2024, 1, 5, 6, 7), datetime.time(3, 4)
    rows = [["a", "b", "c", "label"]]
    rows += [[day, hour, datetime.timedelta(hours=26, minutes=5), "ab"[place]] for place in (0, 1)]
    made, sheet = page(rows)
    for row in (2, 3):
        sheet.cell(row, 3).number_format = "[h]:mm:ss"
    assert draft(saved(made)).frame.iloc[0].tolist() == [
        "2024-01-05 06:07:00", "03:04:00", "26:05:00", "a",
    ]  # fmt: skip


def test_merged_labels_are_filled_and_counted() -> None:
    rows = [
        ["species", "x"],
        *[["setosa" if place in (0, 5) else None, place] for place in range(10)],
    ]
    made, sheet = page(rows)
    sheet.merge_cells("A2:A6")
    sheet.merge_cells("A7:A11")
    sheet["A7"] = "versicolor"
    table = read_table(saved(made))
    assert table.frame["species"].tolist() == ["setosa"] * 5 + ["versicolor"] * 5
    assert told(table, "8 empty cells got the value")


def test_merged_headers_are_filled_but_a_title_is_not() -> None:
    made, sheet = page([["Results of 2024"], ["id", "Size", None, "class"], [None, "w", "h", None]])
    for place in range(6):
        sheet.append([place, place * 1.5, place % 3, "ab"[place % 2]])
    for area in ("A1:D1", "B2:C2", "A2:A3", "D2:D3"):
        sheet.merge_cells(area)
    found = draft(saved(made), header=0)
    assert list(found.frame.columns) == ["id", "Size", "Size (2)", "class"]
    assert found.frame["Size"].tolist() == [place * 1.5 for place in range(6)]
    assert "Left out: row 0, which says what the columns hold." in found.notices
    assert "Left out above the table: 1 row." in found.notices


def test_merged_areas_without_end_are_counted_first() -> None:
    rows = "".join(f'<mergeCell ref="A{place}:B1048576"/>' for place in range(1, 6000))
    data = changed(
        book([*PLAIN * 3000]), SHEET, "</sheetData>", f"</sheetData><mergeCells>{rows}</mergeCells>"
    )
    with pytest.raises(FileError, match="Merged cells cover more than"):
        read_table(data)


def test_hidden_rows_and_columns_are_read_and_counted() -> None:
    made, sheet = page(PLAIN)
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    sheet.column_dimensions["Z"].hidden = True
    table = read_table(saved(made))
    assert table.n_rows == 3
    assert told(table, "read too: 1 hidden row and 1 hidden column.")


def test_hidden_sheets_are_not_the_first_choice() -> None:
    made, sheet = page([["notes", "of"], ["the", "maker"]])
    sheet.sheet_state = "hidden"
    other = made.create_sheet("Data")
    for row in PLAIN:
        other.append(row)
    made.active = 1
    assert read_table(saved(made)).decisions["sheet"] == "Data"


def test_a_page_of_notes_is_not_the_first_choice() -> None:
    made, _ = page([["Read me"], ["What the columns hold"]])
    other = made.create_sheet("Data")
    for row in PLAIN:
        other.append(row)
    table = read_table(saved(made))
    assert table.decisions["sheet"] == "Data"
    assert told(table, "the workbook also has")
    assert read_table(saved(made), sheet=0).columns == ("Read me",)
    rows = "".join(
        f"<table:table-row><table:table-cell><text:p>{x}</text:p></table:table-cell>"
        f"<table:table-cell><text:p>{y}</text:p></table:table-cell></table:table-row>"
        for x, y in [("x", "label"), ("1", "a"), ("2", "b"), ("3", "a")]
    )
    note = "<table:table-row><table:table-cell><text:p>Note</text:p></table:table-cell>"
    flat = (
        "<?xml version='1.0'?><office:document "
        "office:mimetype='application/vnd.oasis.opendocument.spreadsheet'>"
        f'<table:table table:name="Notes">{2 * (note + "</table:table-row>")}</table:table>'
        f'<table:table table:name="Data">{rows}</table:table></office:document>'
    )
    assert read_table(flat.encode()).decisions["sheet"] == "Data"


def test_what_is_wrong_with_a_later_sheet_does_not_matter() -> None:
    made, _ = page([["text"], ["one"], ["two"]])
    other = made.create_sheet("Sums")
    other.append(["x", "y"])
    other.append(["=1+1", 2])
    assert read_table(saved(made)).columns == ("text",)
    with pytest.raises(FileError, match="without stored results"):
        read_table(saved(made), sheet="Sums")


def test_a_last_row_of_sums_is_left_out() -> None:
    rows = [["x", "n", "label"], *[[place * 1.5, place, "ab"[place % 2]] for place in range(9)]]
    table = read_table(book([*rows, [54, 36, "Total"]]))
    assert table.n_rows == 9
    assert told(table, "Left out: row 9, which sums up the rows above")
    table = read_table(book([*rows, [6, 4, "Mean"]]))
    assert table.n_rows == 9
    table = read_table(book([*rows, [55, 36, "Total"]]))
    assert table.n_rows == 10
    assert told(table, "The last row is called 'Total'")
    table = read_table(book([*rows, [1, 2, "Total"], [5, 7, "Total"]]))
    assert table.n_rows == 11


def test_a_formula_with_an_empty_text_as_result_is_stored() -> None:
    data = book([["x", "t", "label"], [1, "=A2", "a"], [2, "=A3", "b"]])
    data = changed(data, SHEET, r'<c r="B(\d)"><f>(\w+)</f><v ?/></c>',
                   r'<c r="B\1" t="str"><f>\2</f><v></v></c>')  # fmt: skip
    table = read_table(data)
    assert table.frame["t"].isna().all()
    assert told(table, "results of 2 formulas")


def test_other_programs_write_prefixes_and_no_places() -> None:
    data = book(PLAIN)
    bare = changed(data, SHEET, r' r="[A-Z]*\d+"', "")
    assert read_table(bare).frame["x2"].tolist() == [2.5, 4.25, 6]
    prefixed = changed(data, SHEET, r"<(/?)(\w+)", r"<\1x:\2")
    prefixed = changed(prefixed, SHEET, "xmlns=", "xmlns:x=")
    prefixed = changed(prefixed, SHEET, r'<x:row r="3"', '<x:row r="3" hidden="1"')
    table = read_table(prefixed)
    assert table.frame["x2"].tolist() == [2.5, 4.25, 6]
    assert told(table, "1 hidden row")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('r="(A?)4"', r'r="\g<1>999999999"', "claims to reach down to row 999,999,999"),
        ('r="A4"', 'r="CV4"', None),
        ('r="A4"', 'r="AAAAAAA4"', "321,272,407 columns"),
        ("<dimension ref=\"[^\"]*\"", '<dimension ref="A1:XFD1048576"', None),
        ("^", '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY q "laugh">]>', None),
        ("<t>x1</t>", "<t>&q;</t>", "could not be read"),
        ('<row r="4"', "<a>" * 10_000 + "</a>" * 10_000 + '<row r="4"', None),
    ],
)  # fmt: skip
def test_what_a_sheet_claims_is_counted_before_it_is_read(old: str, new: str, words: str) -> None:
    data = changed(book(PLAIN), SHEET, old, new)
    if words is None:
        assert read_table(data).n_rows == 3
    else:
        with pytest.raises(FileError, match=words):
            read_table(data)


def test_a_shared_text_counts_as_often_as_it_is_used() -> None:
    made, _ = page([["note", "label"], *[["LONG", "ab"[place % 2]] for place in range(400)]])
    data = changed(saved(made), SHEET, r't="inlineStr"><is><t>LONG</t></is>', 't="s"><v>0</v>')
    shared = f"<sst><si><t>{'x' * 1_000_000}</t></si></sst>"
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(stream, "w") as after:
        for name in before.namelist():
            if name != "xl/sharedStrings.xml":
                after.writestr(name, before.read(name))
        after.writestr("xl/sharedStrings.xml", shared)
    with pytest.raises(FileError, match="more than 300 million letters"):
        read_table(stream.getvalue())


@pytest.mark.parametrize("step", [7, 23, 40, 1_000_000])
def test_each_shared_text_is_measured_wherever_a_block_ends(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx_scan, "_STEP", step)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        texts = "".join(f"<si><t>{'x' * size}</t></si>" for size in range(30))
        archive.writestr("texts", f"<sst>{texts}</sst>")
        lengths = xlsx_scan._lengths(archive, "texts", without_tags=True)
    assert lengths.tolist() == [*range(30)]


def test_a_part_that_is_there_twice_is_refused() -> None:
    stream = io.BytesIO(book(PLAIN))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("XL/worksheets/sheet1.xml", "<worksheet/>")
    with pytest.raises(FileError, match="holds a part twice"):
        read_table(stream.getvalue())
