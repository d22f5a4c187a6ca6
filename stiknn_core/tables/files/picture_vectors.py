"""Arrays of embeddings that lie beside pictures, as columns of vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stiknn_core.errors import FileError
from stiknn_core.phrases import quoted
from stiknn_core.tables.files.archives import Archive
from stiknn_core.tables.files.arrays import load_arrays
from stiknn_core.tables.files.draft import Draft
from stiknn_core.tables.files.matrices import add_vectors, is_matrix, join_vectors
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES
from stiknn_core.types import AnyArray


def add_embeddings(
    draft: Draft,
    archive: Archive,
    files: Sequence[str],
    pictures: int,
    rows: NDArray[np.intp],
    wanted: str | None,
) -> None:
    """Add a column for the matrix of each file of arrays.

    Its rows are those of the table, matched by ids or by order, or else the ``pictures`` as they
    are sorted, of which ``rows`` gives each row of the table its own, -1 for none. ``wanted`` says
    which matrix is meant where there are several.
    """
    for name in files:
        try:
            arrays = load_arrays(archive.read(name, MAX_UNPACKED_BYTES))
        except FileError as error:
            raise FileError(f"{name!r}: {error}") from None
        lone = _lone(arrays)
        if lone is not None and len(lone) == pictures != len(rows):
            exact = lone if lone.dtype.kind == "f" else lone.astype(np.float64)
            column = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
            add_vectors(draft, column, np.where((rows < 0)[:, None], np.nan, exact[rows]))
            draft.notices.append(
                f"The vectors of {name!r} were taken for the pictures as they are sorted."
            )
        else:
            join_vectors(draft, arrays, name, wanted)


def features_of_vectors(draft: Draft) -> None:
    """Where embeddings come with pictures, make features of those alone."""
    if draft.vectors and draft.pictures:
        for name in draft.pictures:
            draft.flags.setdefault(name, "id")
        draft.notices.append(
            f"The features are the numbers in {quoted(draft.vectors)}; the pictures are shown, and "
            "are no features unless they are chosen."
        )


def _lone(arrays: AnyArray | dict[str, AnyArray]) -> AnyArray | None:
    """Return the only array of a file, if it is a matrix."""
    named = arrays if isinstance(arrays, dict) else {"": arrays}
    lone = next(iter(named.values())) if len(named) == 1 else None
    return lone if lone is not None and is_matrix(lone) else None
