"""Columns of a table of rows that hold their texts and pictures."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd
import streamlit as st

from stiknn_core.types import IntArray
from stiknn_ui.results.contents import MOST_HOVER, Contents, shortened
from stiknn_ui.results.pixels import data_uri, enlarged, shrunk
from stiknn_ui.work import shelves

MOST_PICTURES: Final = 300
"""Rows with pictures in one table: all of them travel to the browser."""
_SIDE: Final = 64  # pixels of a picture
_ROW: Final = 54  # pixels of a row with one
_PICTURE: Final = "picture"
_TEXT: Final = "text"


def add(
    table: pd.DataFrame, contents: Contents, rows: IntArray, *, place: int, key: str = ""
) -> pd.DataFrame:
    """Return a table with a column of pictures and one of texts, where rows have any.

    Parameters
    ----------
    table : DataFrame of m rows
    contents : Contents
    rows : (m,) int64
        Row of the data set of each row of the table.
    place : int
        Before which column they stand.
    key : str, optional
        Text that is the same exactly for the same rows; of large tables pictures are kept by it.
    """
    if contents.has_texts:
        texts = [shortened(text, MOST_HOVER) for text in contents.texts(rows)]
        table.insert(place, _TEXT, texts)
    if contents.has_pictures:
        first = rows[:MOST_PICTURES]

        def make() -> list[str | None]:
            return [_address(file, contents) for file in contents.thumbnails(first)]

        held = shelves.derived().obtain(f"{len(first)} pictures of {key}", make) if key else make()
        table.insert(place, _PICTURE, [*held, *[None] * (len(rows) - len(first))])
    return table


def options(contents: Contents) -> dict[str, Any]:
    """Return what `st.dataframe` is told of such a table."""
    return {"row_height": _ROW} if contents.has_pictures else {}


def config(*, wide: bool = False) -> dict[str, Any]:
    """Return what is said of these columns; a wide table has room for twice as much of a text."""
    return {
        _TEXT: st.column_config.TextColumn(
            width="large" if wide else "medium",
            help="What the row says, its beginning; Point and Review have all of it.",
        ),
        _PICTURE: st.column_config.ImageColumn(width="small", help="What the row shows."),
    }


def _address(file: bytes, contents: Contents) -> str | None:
    if contents.pixelated:
        return data_uri(enlarged(file, _SIDE))
    return data_uri(shrunk(file, _SIDE))
