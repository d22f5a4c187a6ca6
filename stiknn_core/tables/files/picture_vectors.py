"""Arrays of embeddings that lie beside pictures, as columns of vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import FileError
from stiknn_core.phrases import listed
from stiknn_core.tables.contents import Vectors
from stiknn_core.tables.files.archives import Archive
from stiknn_core.tables.files.arrays import load_arrays
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES


def add_embeddings(
    draft: Draft,
    archive: Archive,
    arrays: Sequence[str],
    pictures: int,
    rows: NDArray[np.intp] | None,
) -> None:
    """Add a column for each array with a row for each row of the table, or for each picture.

    ``rows`` gives each row of a table its place among the pictures as they are sorted, -1 for none.
    """
    for name in arrays:
        for told, values in _matrices(archive, name).items():
            n = len(draft.frame)
            if len(values) == n:
                order = "rows of the table" if rows is not None else "pictures as they are sorted"
                found = values
            elif rows is not None and len(values) == pictures:
                order = "pictures as they are sorted"
                found = np.where((rows < 0)[:, None], np.nan, values[rows])
            else:
                lengths = listed([f"{count:,}" for count in dict.fromkeys((n, pictures))])
                raise FileError(
                    f"{told!r} has {len(values):,} rows of numbers, and there are {lengths} "
                    f"{'rows of the table and pictures' if n != pictures else 'pictures'}; "
                    "expected one row for each, or leave it out."
                )
            column = _free_name(draft.frame, "embedding")
            gone = np.isnan(found).all(axis=1)
            text = f"{found.shape[1]:,} numbers"
            cells = [None if one else text for one in gone]
            draft.frame[column] = pd.Series(cells, dtype="str")
            draft.vectors[column] = Vectors(found)
            draft.notices.append(
                f"{told!r} holds {text} for each: column {column!r}, in the order of the {order}."
            )


def _matrices(archive: Archive, name: str) -> dict[str, NDArray[np.floating]]:
    """Return the arrays of a file that hold one vector a row."""
    try:
        data = archive.read(name, MAX_UNPACKED_BYTES)
    except FileError as error:
        raise FileError(f"{name!r} {error}; unpack it yourself.") from None
    arrays = load_arrays(data)
    named = arrays if isinstance(arrays, dict) else {"": arrays}
    found = {}
    for part, array in named.items():
        if array.ndim == 2 and array.shape[1] and array.dtype.kind in "fiu":
            exact = array.dtype if array.dtype in (np.float32, np.float64) else np.float64
            found[f"{name}: {part}" if len(named) > 1 else name] = array.astype(exact)
    if not found:
        shapes = listed([f"{array.dtype} {array.shape}" for array in named.values()], 3)
        raise FileError(
            f"{name!r} holds no matrix ({shapes}); expected one row of numbers for each picture, "
            "or leave it out."
        )
    return found


def _free_name(frame: pd.DataFrame, name: str) -> str:
    fresh, number = name, 2
    while fresh in frame.columns:
        fresh, number = f"{name} ({number})", number + 1
    return fresh
