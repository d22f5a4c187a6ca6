"""Make the files of tests/tables/office anew with LibreOffice: ``python -m scripts.office_files``.

One small sheet, saved as .xlsx, .xls, .ods, .fods and HTML, and as CSV the way a German,
French, Swiss and Indian LibreOffice shows it. ``soffice`` has to be installed.
"""

from __future__ import annotations

import datetime
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

import openpyxl

FOLDER: Final = Path(__file__).resolve().parents[1] / "tests" / "tables" / "office"
NAMES: Final = ("name", "weight", "amount", "share", "price", "day", "ok", "label")
SHEET: Final = "Measures & more"
# Locale, separator of its CSV files, and how it writes amounts and money.
PLACES: Final = {
    "german": ("de-DE", ";", "#,##0.00", "#,##0.00\\ [$€-407]"),
    "french": ("fr-FR", ";", "#,##0.00", "#,##0.00\\ [$€-40C]"),
    "swiss": ("de-CH", ";", "#,##0.00", "[$CHF-807]\\ #,##0.00"),
    "indian": ("en-IN", ",", "#,##,##0.00", "[$₹-4009]\\ #,##,##0.00"),
}
KINDS: Final = ("xlsx", "xls", "ods", "fods", "html")
_PROFILE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">
<value>{}</value></prop></item></oor:items>"""


def rows() -> list[list[Any]]:
    """Return the cells of the sheet, without the header."""
    made: list[list[Any]] = []
    for at in range(12):
        amount = round((-1) ** at * 1234.5 * 10 ** (at % 4), 2)
        day = datetime.date(2024, 1 + at, 28 - at)
        weight = None if at == 7 else 8.537 + at / 8
        price = round(1999.99 * (at + 1), 2)
        made.append([f"n{at}", weight, amount, at / 80, price, day, at % 3 == 0, "ab"[at % 2]])
    return made


def main() -> None:
    """Make all files."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as made:
        for kind in KINDS:
            _convert(Path(made), "en-US", "#,##0.00", "#,##0.00", kind, f"measures.{kind}")
        for place, (locale, separator, amount, money) in PLACES.items():
            # Separator, quotation mark, UTF-8, first line, and cells as they are shown.
            wanted = f"csv:Text - txt - csv (StarCalc):{ord(separator)},34,76,1,,0,false,true"
            _convert(Path(made), locale, amount, money, wanted, f"{place}.csv")


def _convert(folder: Path, locale: str, amount: str, money: str, wanted: str, name: str) -> None:
    profile = folder / f"profile-{locale}"
    (profile / "user").mkdir(parents=True, exist_ok=True)
    settings = profile / "user" / "registrymodifications.xcu"
    if not settings.exists():
        settings.write_text(_PROFILE.format(locale), encoding="utf-8")
    _workbook(amount, money).save(folder / "measures.xlsx")
    told = [f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", wanted]
    told += ["--outdir", str(folder / "out"), str(folder / "measures.xlsx")]
    subprocess.run(["soffice", *told], check=True, capture_output=True, timeout=180)
    shutil.move(next((folder / "out").iterdir()), FOLDER / name)


def _workbook(amount: str, money: str) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = SHEET
    sheet.append(NAMES)
    for row in rows():
        sheet.append(row)
        formats = (None, None, amount, "0.00%", money, "DD.MM.YYYY", None, None)
        for cell, wanted in zip(sheet[sheet.max_row], formats, strict=True):
            if wanted:
                cell.number_format = wanted
    sheet.row_dimensions[4].hidden = True
    sheet.column_dimensions["A"].hidden = True
    book.create_sheet("Notes").append(["one cell"])
    return book


if __name__ == "__main__":
    main()
