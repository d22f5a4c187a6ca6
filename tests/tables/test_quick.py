"""Arrow's reader gives what Python's gives, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.files import grids
from stiknn_core.tables.files import text as text_files
from stiknn_core.tables.files.grids import Grid
from stiknn_core.tables.files.quick import read_quickly
from stiknn_core.tables.files.separators import first_rows
from stiknn_core.tables.files.text import read_text

CELLS = st.one_of(
    st.sampled_from(
        ["", " ", "a", " b", "c ", "1", "2.5", '"', '""', "'", 'd"e', "\xa0f", "é", "\x1f"]
    ),
    st.text(alphabet="ab1 ,;\t\"'\r\nü", max_size=5),
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw delimited text that is mostly rectangular and in places odd."""
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    width = draw(st.integers(2, 4))
    quoted = draw(st.booleans())
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8))
    lines = [
        separator.join(f'"{cell}"' if quoted and draw(st.booleans()) else cell for cell in row)
        for row in rows
    ]
    lines += draw(st.sampled_from([[], ["the end"], [""], ["", " ", "x"], ["a" + separator]]))
    head = draw(st.sampled_from([[], ["a title"], ["", "a title"]]))
    return end.join([*head, *lines]) + draw(st.sampled_from(["", end]))


def read(data: bytes) -> Grid | str:
    try:
        return read_text(data, None, None, "refuse")
    except FileError as error:
        return str(error)


@settings(max_examples=400, deadline=None)
@given(texts())
def test_both_ways_give_the_same_cells(text: str) -> None:
    data = text.encode("utf-8", "replace")
    quick = read(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "read_quickly", lambda *_: None)
        slow = read(data)
    if isinstance(slow, str) or isinstance(quick, str):
        assert quick == slow
        return
    assert (quick.top, quick.decisions) == (slow.top, slow.decisions)
    assert [c.to_pylist() for c in quick.columns] == [c.to_pylist() for c in slow.columns]
    assert quick.notices == slow.notices


def test_the_quick_way_is_taken_where_it_can_be() -> None:
    data = b"x,label\n" + b'1.5,"a, b"\n' * 50
    calls = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "to_columns", lambda *_: calls.append(1))
        assert read_table(data).frame["label"].tolist() == ["a, b"] * 50
    assert not calls


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("spare", [1, 2])
def test_separators_at_the_end_of_every_row_shift_nothing(separator: str, spare: int) -> None:
    rows = [f"{row}.5,{row},{'ab'[row % 2]}" + "," * spare for row in range(30)]
    text = "\n".join(["size,count,label", *rows]).replace(",", separator)
    made = read_table(text.encode())
    assert made.columns == ("size", "count", "label")
    assert made.frame["size"].tolist() == [f"{row}.5" for row in range(30)]
    assert sum("Rows end in" in notice for notice in made.notices) == 1


def test_a_full_last_cell_below_empty_ones_is_no_spare_separator() -> None:
    rows = [f"{row}.5,{row},a," for row in range(300)] + ["1.5,2,b,x"]
    with pytest.raises(FileError, match="1 row does not fit"):
        read_table("\n".join(["size,count,label", *rows]).encode())


def test_a_line_without_end_is_refused_before_it_is_read() -> None:
    with pytest.raises(FileError, match="Line 3 is longer than"):
        read_table(b"x,label\n1,a\n" + b"7" * 17_000_000)


def test_too_many_cells_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "MAX_CELLS", 300)
    monkeypatch.setattr(text_files, "first_rows", lambda *_: pytest.fail("was read"))
    with pytest.raises(FileError, match="The text has more than 300 cells"):
        read_table(b"x,label\n" + b"1,a\n" * 200)


def test_only_some_of_very_wide_rows_are_looked_at() -> None:
    data = (b"1," * 30_000 + b"a\n") * 200
    assert len(first_rows(data, ",", '"')) < 40
    with pytest.raises(FileError, match="30,001 columns"):
        read_table(data)


def test_a_small_file_of_thousands_of_columns_is_read_slowly() -> None:
    row = b",".join([b"1"] * 9_000) + b"\n"
    assert read_quickly(row * 10, ",", "", 0, 9_000) is None
    assert read_quickly(b"1,2\n" * 90_000, ",", "", 0, 2) is not None
