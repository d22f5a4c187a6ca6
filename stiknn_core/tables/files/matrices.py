"""A matrix of embeddings as one column of a table: beside other arrays, or beside a file."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed, numbered, quoted
from stiknn_core.tables.cells.labels import label_text
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.contents import Vectors
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.frames import cells_of, column_text, native_column
from stiknn_core.tables.files.grids import check_cells
from stiknn_core.tables.files.lists import gap_notices
from stiknn_core.types import AnyArray, IntArray

_EMBEDDING: Final = re.compile(
    r"(?i)(?:.*[^a-z])?(?:embs?|embeddings?|vecs?|vectors?|feature_vectors?|encodings?|"
    r"representations?)(?:[^a-z].*)?"
)
_LEAST_FOUND: Final = 0.5


def embedding_columns(arrays: Mapping[str, Any], kind: str) -> Draft | None:
    """Return matrices that are called embeddings, and arrays as long, as columns of one table.

    None where another matrix is there, or nothing beside them.
    """
    named = {str(name): np.asarray(values) for name, values in arrays.items()}
    matrices = {name: values for name, values in named.items() if values.ndim >= 2}
    lengths = {len(values) for values in matrices.values()}
    if len(lengths) != 1 or not all(
        is_matrix(values) and _EMBEDDING.fullmatch(name) for name, values in matrices.items()
    ):
        return None
    (n,) = lengths
    lists = {name: one for name, one in named.items() if one.ndim == 1 and len(one) == n}
    if not lists or not n:
        return None
    columns = {name: _column(values) for name, values in lists.items()}
    draft = Draft(pd.DataFrame(columns), {"format": kind}, array_names=tuple(named))
    for name, matrix in matrices.items():
        add_vectors(draft, name, matrix)
    left = [name for name in named if name not in lists and name not in matrices]
    if left:
        draft.notices.append(f"Not used: {quoted(left)}, which {counted(n, 'row')} do not fit.")
    return draft


def is_matrix(values: AnyArray) -> bool:
    """Tell whether an array holds one vector of numbers a row."""
    return values.ndim == 2 and values.dtype.kind in "iuf" and values.shape[1] > 0


def _column(values: AnyArray) -> pd.Series[Any]:
    if values.dtype.kind in "biuf":
        return native_column(pd.Series(values))
    return column_text(cells_of(values))


def add_vectors(draft: Draft, name: str, matrix: AnyArray) -> None:
    """Put a matrix, one row for each of the table, behind its columns."""
    while name in draft.frame.columns:
        name += " (vectors)"
    check_cells(matrix.size, f"Array {name!r}")
    wide = np.float32 if matrix.dtype in (np.float16, np.float32) else np.float64
    vectors = Vectors(matrix.astype(wide))
    texts = pd.Series([counted(matrix.shape[1], "number")] * len(matrix), dtype="str")
    gone = np.asarray(np.isnan(vectors.values).all(axis=1))
    draft.frame = draft.frame.assign(**{name: texts.mask(gone)})
    draft.vectors[name] = vectors
    draft.notices += gap_notices(name, vectors, ~gone)


def join_vectors(
    draft: Draft, arrays: AnyArray | Mapping[str, AnyArray], file: str, wanted: str | None
) -> None:
    """Add the matrix of an array file to the table of another file.

    Rows are matched by an array of ids beside the matrix that a column holds too, else by order.

    Raises
    ------
    ChoiceError
        If it is not clear which array is meant.
    FileError
        If there is none, or rows cannot be matched.
    """
    name, matrix = _matrix_of(arrays, file, wanted)
    rows = None
    if isinstance(arrays, Mapping):
        rows = _by_ids(draft, arrays, len(matrix))
    n = len(draft.frame)
    if rows is None and len(matrix) != n:
        raise FileError(
            f"{file!r} holds {counted(len(matrix), 'vector')}, but the table beside it has "
            f"{counted(n, 'row')}; expected one vector a row, or an NPZ file with the array and "
            "the ids of its rows, which a column of the table holds too."
        )
    if rows is None:
        draft.notices.append(f"The vectors of {file!r} were taken for the rows, in their order.")
        add_vectors(draft, name, matrix)
        return
    wide = np.float32 if matrix.dtype in (np.float16, np.float32) else np.float64
    placed = np.full((n, matrix.shape[1]), np.nan, wide)
    placed[rows >= 0] = matrix[rows[rows >= 0]]
    gone, spare = np.flatnonzero(rows < 0), len(matrix) - len(np.unique(rows[rows >= 0]))
    if len(gone):
        told = counted(len(gone), "row has", "rows have")
        draft.notices.append(f"{told} no vector in {file!r} ({numbered('row', gone)}).")
    if spare:
        told = counted(spare, "vector belongs", "vectors belong")
        draft.notices.append(f"{told} to no row and {'is' if spare == 1 else 'are'} not used.")
    add_vectors(draft, name, placed)


def _matrix_of(
    arrays: AnyArray | Mapping[str, AnyArray], file: str, wanted: str | None
) -> tuple[str, AnyArray]:
    if isinstance(arrays, Mapping):
        found = {name: values for name, values in arrays.items() if is_matrix(values)}
        named = [name for name in found if _EMBEDDING.fullmatch(name)]
        if wanted is not None and wanted not in found:
            raise ChoiceError(f"{file!r} holds no matrix {wanted!r}", "X", tuple(found))
        if wanted is None and len(found) > 1 and len(named) != 1:
            raise ChoiceError(f"{file!r} holds {len(found)} matrices", "X", tuple(found))
        if found:
            name = wanted or (named[0] if len(named) == 1 else next(iter(found)))
            return name, found[name]
        shapes = listed([f"{name} {values.shape}" for name, values in arrays.items()], 4)
    else:
        if is_matrix(arrays):
            return os.path.splitext(os.path.basename(file))[0] or "vectors", arrays
        shapes = str(arrays.shape)
    raise FileError(
        f"{file!r} holds no matrix of numbers ({shapes}); expected one vector for each row of the "
        "table beside it."
    )


def _by_ids(draft: Draft, arrays: Mapping[str, AnyArray], n: int) -> IntArray | None:
    """Return which vector belongs to each row, -1 for none; None where nothing tells."""
    best: tuple[bool, float] = (False, 0.0)
    rows: IntArray | None = None
    told = ""
    for name, values in arrays.items():
        if values.ndim != 1 or len(values) != n:
            continue
        ids = label_text(_column(values))
        place = {text: at for at, text in enumerate(ids) if isinstance(text, str)}
        if len(place) < n:
            continue  # labels, or ids that stand there twice
        for column in draft.frame.columns:
            texts = label_text(draft.frame[column])
            if column != name and texts.duplicated().any():
                continue
            found = np.array([place.get(text, -1) for text in texts], dtype=np.int64)
            score = (column == name, float((found >= 0).mean()))
            if score[1] >= _LEAST_FOUND and score > best:
                best, rows, told = score, found, column
    if rows is not None:
        draft.notices.append(f"Vectors and rows were matched by {told!r}.")
    return rows
