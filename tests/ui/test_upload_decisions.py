"""How a file was read, and what may be changed about it."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.tables import ChoiceError, read_table
from stiknn_ui.uploads.decisions import decision_line, given, offers, shown, ways_out
from stiknn_ui.uploads.files import Trouble


def test_the_line_names_every_decision() -> None:
    text = "x;y;kind\r\n1.000,5;?;a\r\n2.000,5;3;b\r\n1.234,5;4;a\r\n"
    line = decision_line(read_table(text.encode("utf-16")))
    assert line == (
        "text · UTF-16 · separator semicolon · header row · decimal comma · thousands point · "
        "missing: ? · Windows line ends · 3 rows, 3 columns"
    )


def test_what_was_found_is_offered_first_and_fits_read_table() -> None:
    content = b"x,kind\n1,a\n2,b\n"
    found = offers(read_table(content))
    assert {"encoding", "separator", "header", "decimal"} <= {offer.option for offer in found}
    for offer in found:
        assert offer.found
        for value in offer.choices:
            # Not every encoding or number of header rows fits; every one is understood.
            with contextlib.suppress(FileError):
                read_table(content, **{offer.option: given(offer.option, value)})


@pytest.mark.parametrize("value", [True, False, "2", "3"])
def test_header_rows_go_there_and_back(value: bool | str) -> None:
    assert shown("header", given("header", value)) == value
    assert type(shown("header", given("header", value))) is type(value)


def test_a_header_further_down_is_counted_from_one() -> None:
    table = read_table(b"made,by\nx,kind\n1,a\n2,b\n", header=given("header", "2"))
    assert table.columns == ("x", "kind")


def test_arrays_and_files_in_a_zip_are_offered_by_name() -> None:
    target = io.BytesIO()
    np.savez(target, left=np.eye(3), right=np.arange(3))
    with pytest.raises(ChoiceError) as caught:
        read_table(target.getvalue())
    ways = ways_out(Trouble("a.npz", target.getvalue(), {}, caught.value))
    assert [(way.option, tuple(way.choices)) for way in ways] == [("X", ("left", "right"))]
    with pytest.raises(ChoiceError) as caught:
        read_table(target.getvalue(), X="left")
    ways = ways_out(Trouble("a.npz", target.getvalue(), {"X": "left"}, caught.value))
    assert [way.option for way in ways] == ["X", "y"]


def test_text_that_does_not_fit_can_be_read_in_another_way() -> None:
    content = b"x,kind\n1,a\n2,b,3,4\n5,a\n"
    with pytest.raises(StiknnError) as caught:
        read_table(content)
    ways = {way.option for way in ways_out(Trouble("a.csv", content, {}, caught.value))}
    assert {"ragged", "separator", "encoding"} <= ways
    assert read_table(content, ragged="drop").n_rows == 2


def test_binary_files_have_no_other_way() -> None:
    junk = bytes(range(256)) * 9
    assert ways_out(Trouble("a.bin", junk, {}, StiknnError("no"))) == []
