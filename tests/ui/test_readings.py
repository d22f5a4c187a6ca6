"""Numbers that could be meant in another way, on the Data page."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.desk import UploadDesk
from tests.ui.upload_pages import open_form, session, upload, words

PRICES = b"price,share,n,label\n" + b"".join(
    b'"$%d,%03d.50",%d.5%%,%d,%s\n' % (row + 1, row * 7, row, row % 5, b"ab"[row % 2 :][:1])
    for row in range(20)
)


def used(at: AppTest) -> Upload:
    found = session(at).desk(UploadDesk).upload
    assert found is not None
    return found


def box(at: AppTest, name: str) -> Any:
    return next(one for one in at.selectbox if label(one).startswith(f"{name}:"))


def label(one: Any) -> str:
    return str(one.label).replace("\\", "")


def test_a_guess_stands_beside_cells_and_their_numbers() -> None:
    at = upload(open_form(), "prices.csv", PRICES)
    assert "$1,000.50 → 1000.5" in label(box(at, "price"))
    assert box(at, "price").options[0] == "$ left out"
    assert box(at, "share").options[0] == "% divided by 100"
    assert not any(label(one).startswith("n:") for one in at.selectbox)
    assert "left out" in words(at)


def test_another_way_is_taken_for_one_column_and_taken_back() -> None:
    at = upload(open_form(), "prices.csv", PRICES)
    box(at, "share").select("numbers as they are, % left out").run()
    assert used(at).file.table.to_dataset().X[3].tolist() == [4021.5, 3.5, 3.0]
    box(at, "share").select("words, not numbers").run()
    assert used(at).table.facts["share"].kind == "text"
    box(at, "share").select("\0found").run()
    made = used(at).file.table.to_dataset()
    assert made.X[3].tolist() == [4021.5, 0.035, 3.0]


def test_cells_that_are_no_number_can_count_as_missing_in_one_step() -> None:
    lines = PRICES.replace(b",3,b", b",oops,b", 1)
    at = upload(open_form(), "prices.csv", lines)
    assert "oops → not a number" in label(box(at, "n"))
    box(at, "n").select("numbers; the other cells are missing").run()
    assert "1 value missing" in words(at)


def test_numbers_that_were_not_read_are_asked_about_beside_their_cells() -> None:
    lines = [
        b"x,w,label",
        *(f"{row} \u00b1 1,{row % 5},{'ab'[row % 2]}".encode() for row in range(20)),
    ]
    at = upload(open_form(), "measured.csv", b"\n".join(lines))
    assert "0 ± 1, 1 ± 1 and 2 ± 1 → not a number" in label(box(at, "x"))
    assert "hold" in words(at)
    box(at, "x").select("the first number of each cell").run()
    assert used(at).table.to_dataset().X[7].tolist() == [7.0, 2.0]


def test_cells_stand_beside_what_was_read_where_that_was_a_guess() -> None:
    def opened(at: AppTest) -> bool:
        (table,) = (one for one in at.expander if one.label == "What each column is used for")
        return bool(table.proto.expanded)

    assert opened(upload(open_form(), "prices.csv", PRICES))
    plain = b"x,label\n" + b"".join(
        b"%d,%s\n" % (row % 7, b"ab"[row % 2 :][:1]) for row in range(20)
    )
    assert not opened(upload(open_form(), "plain.csv", plain))


def test_of_many_guesses_those_searched_for_are_asked_about() -> None:
    lines = [",".join([*(f"c{column}" for column in range(14)), "label"])]
    lines += [",".join([f"{row}.5%"] * 14 + ["ab"[row % 2]]) for row in range(20)]
    at = upload(open_form(), "many.csv", "\n".join(lines).encode())
    asked = [label(one).partition(":")[0] for one in at.selectbox if " \u2192 " in label(one)]
    assert asked == [f"c{column}" for column in range(12)]
    assert "find other columns by their names" in words(at)
    at.text_input(key="columns-find").set_value("c13").run()
    box(at, "c13").select("numbers as they are, % left out").run()
    assert used(at).file.table.to_dataset().X[3, 12:].tolist() == [0.035, 3.5]
