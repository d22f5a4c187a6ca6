"""Small tables whose rows have texts and pictures, for tests of what is shown of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from PIL import Image

from stiknn_core.tables import Table
from stiknn_core.tables.contents import Pictures

MARKUP = "<b>Free money</b> & [prize](http://evil.example) for the **winner**"
WORDS = {"spam": "claim your free prize money now", "ham": "meeting notes for the project review"}
LONG = "Ein sehr langer Text. " * 200


def messages(n: int = 40) -> bytes:
    """Return a table of messages of two kinds, one of them markup and one very long."""
    rng = np.random.default_rng(4)
    lines = ["nr,message,promises,work,kind"]
    for row in range(n):
        kind = "spam" if row % 2 == 0 else "ham"
        text = {2: MARKUP, 3: LONG.strip()}.get(row, f"Number {row}: {WORDS[kind]}")
        near = rng.normal(0, 0.3, 2) + ([3, 0] if kind == "spam" else [0, 3])
        label = kind if row % 10 else {"spam": "ham", "ham": "spam"}[kind]
        lines.append(f'{row},"{text}",{near[0]:.3f},{near[1]:.3f},{label}')
    return "\n".join(lines).encode()


def shapes(n: int = 30) -> bytes:
    """Return a table that names pictures."""
    rng = np.random.default_rng(5)
    lines = ["file,a,b,kind"]
    for row in range(n):
        kind = "dark" if row % 2 else "light"
        near = rng.normal(0, 0.5, 2) + (2 if row % 2 else 0)
        lines.append(f"set/{row:03}.png,{near[0]:.3f},{near[1]:.3f},{kind}")
    return "\n".join(lines).encode()


def picture(row: int, side: int = 20) -> bytes:
    """Return a picture of one colour, another one for each row."""
    held = io.BytesIO()
    Image.new("RGB", (side, side), (5 * row % 256, 90, 255 - 5 * row % 256)).save(held, "PNG")
    return held.getvalue()


def pictures(n: int) -> Pictures:
    """Return a column of them; the last row has none."""
    files = (*(picture(row) for row in range(n - 1)), b"")
    return Pictures(files, np.zeros((n, 4), np.uint8), np.zeros((n, 2), np.float32))


def with_pictures(table: Table, column: str = "file") -> Table:
    """Return a table whose column holds pictures."""
    held: Mapping[str, Pictures] = MappingProxyType({column: pictures(table.n_rows)})
    return replace(table, pictures=held)


def reading(read: Callable[..., Table]) -> Callable[..., Table]:
    """Return what reads files so that tables of shapes come with their pictures."""

    def reads(content: bytes, **options: Any) -> Table:
        table = read(content, **options)
        return with_pictures(table) if "file" in table.facts else table

    return reads
