"""Small files of many kinds, each with a trap of its own, made where they are needed."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd

ROWS = [(n % 7 + 0.5, n % 5 + 0.25, "Łódź" if n % 2 else "café") for n in range(24)]
FRAME = pd.DataFrame(ROWS, columns=["x1", "x2", "stadt"])
HTML = "<img src=x onerror=alert(1)>"


def _semicolons(encoding: str) -> bytes:
    text = FRAME.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n")
    return text.replace("Łódź", "größer").encode(encoding)


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    cover = book.active
    assert cover is not None
    cover.title = "Cover"
    cover["A1"] = "Nothing here"
    sheet = book.create_sheet("Data")
    for row in [("x1", "x2", "kind"), *((a, b, "red" if n % 2 else "blue") for n, (a, b, _) in
                                        enumerate(ROWS))]:  # fmt: skip
        sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _parquet() -> bytes:
    target = io.BytesIO()
    FRAME.to_parquet(target, index=False)
    return target.getvalue()


def _arff() -> bytes:
    rows = "\n".join(f"{a},{b},{'yes' if n % 2 else 'no'}" for n, (a, b, _) in enumerate(ROWS))
    head = "@relation r\n@attribute x1 numeric\n@attribute x2 numeric\n"
    return f"{head}@attribute class {{yes,no}}\n@data\n{rows}\n".encode()


def _arrays() -> bytes:
    target = io.BytesIO()
    points = FRAME[["x1", "x2"]].to_numpy()
    np.savez(target, measured=points, verdict=np.arange(24) % 2, other=np.arange(3))
    return target.getvalue()


def _libsvm() -> bytes:
    lines = (f"{1 if n % 2 else -1} 1:{a} 2:{b}" for n, (a, b, _) in enumerate(ROWS))
    return "\n".join(lines).encode()


def _html() -> bytes:
    frame = FRAME.rename(columns={"x1": HTML})
    frame["stadt"] = ["<b>bold</b>" if n % 2 else "plain" for n in range(24)]
    return frame.to_csv(index=False).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "decimal.csv": lambda: _semicolons("utf-8"),
    "western.csv": lambda: _semicolons("cp1252"),
    "utf16.txt": lambda: _semicolons("utf-16"),
    "two_sheets.xlsx": _workbook,
    "packed.csv.gz": lambda: gzip.compress(FRAME.to_csv(index=False).encode()),
    "table.parquet": _parquet,
    "data.arff": _arff,
    "odd_names.npz": _arrays,
    "sparse.txt": _libsvm,
    "workbook.csv": _workbook,
    "header_only.csv": lambda: b"x1,x2,stadt\n",
    "junk.csv": lambda: bytes(range(256)) * 40,
    "html.csv": _html,
}


def write_all(folder: Path) -> dict[str, Path]:
    """Write every file and return where it is, by name."""
    paths = {name: folder / name for name in FILES}
    for name, make in FILES.items():
        paths[name].write_bytes(make())
    return paths
