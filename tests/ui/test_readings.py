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
