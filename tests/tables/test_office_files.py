"""Files of LibreOffice are read back equal; ``scripts/office_files.py`` makes them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scripts.office_files import FOLDER, NAMES, PLACES, SHEET, rows
from stiknn_core.tables import read_table

KNOWN = pd.DataFrame(rows(), columns=list(NAMES))


@pytest.mark.parametrize("kind", ["xlsx", "xls", "ods", "fods"])
def test_sheets_come_back_with_their_numbers(kind: str) -> None:
    table = read_table(FOLDER / f"measures.{kind}")
    assert table.columns == NAMES
    assert table.sheets == (SHEET, "Notes")
    assert table.decisions["format"] == ("OpenDocument" if "od" in kind else "Excel")
    for name in ("weight", "amount", "share", "price", "ok"):
        expected = KNOWN[name].astype(float).to_numpy()
        found = table.frame[name].to_numpy(dtype=float)
        np.testing.assert_array_equal(found, expected, err_msg=name)
    assert table.frame["day"].tolist() == [day.isoformat() for day in KNOWN["day"]]
    assert table.frame["label"].tolist() == KNOWN["label"].tolist()
    assert any("1 hidden row and 1 hidden column" in notice for notice in table.notices)


def test_the_page_that_libreoffice_writes_is_read() -> None:
    table = read_table(FOLDER / "measures.html")
    assert table.decisions["format"] == "web page"
    # What is hidden does not stand in the page.
    shown = KNOWN.drop(index=2).reset_index(drop=True)
    assert table.columns == NAMES[1:]
    weights = pd.to_numeric(table.frame["weight"])
    np.testing.assert_allclose(weights, shown["weight"])


@pytest.mark.parametrize("place", PLACES)
def test_text_of_four_countries_keeps_its_columns(place: str) -> None:
    table = read_table(FOLDER / f"{place}.csv")
    assert table.columns == NAMES
    assert table.n_rows == len(KNOWN)
    assert table.decisions["separator"] == PLACES[place][1]
    numbers = ["weight", "amount", "share", "price"]
    assert set(numbers) <= set(table.features)
    dataset = table.to_dataset(label="label", features=numbers, missing="drop_rows")
    # The text holds the two decimals that are shown.
    shown = KNOWN[numbers].dropna().round({"amount": 2, "price": 2, "share": 4})
    np.testing.assert_allclose(dataset.X, shown, rtol=1e-12)
    assert not any("\\x" in notice for notice in table.notices)
