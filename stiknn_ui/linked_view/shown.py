"""What the mouse shows of a point beside its numbers: its text and its picture, packed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from stiknn_core.errors import ShapeError
from stiknn_ui.linked_view.packing import ViewContent, joined, pack_typed


def build_shown(
    texts: Sequence[str], pictures: Sequence[bytes], *, pixelated: bool = False
) -> ViewContent:
    """Pack what the mouse shows of each dot of a view.

    Parameters
    ----------
    texts : sequence of m str
        In the order of the dots; empty where one has none, or no text at all.
    pictures : sequence of m bytes
        JPEG or PNG, likewise.
    pixelated : bool
        Whether the pixels of the pictures are to be seen.

    Raises
    ------
    ShapeError
        If there are texts and pictures, but not as many of both.
    """
    if texts and pictures and len(texts) != len(pictures):
        raise ShapeError(
            f"texts and pictures must be of the same dots; got {len(texts)} and {len(pictures)}."
        )
    words, word_ends = joined([text.encode() for text in texts])
    files, file_ends = joined(pictures)
    header = {"n": max(len(texts), len(pictures)), "pixelated": pixelated}
    sections: dict[str, NDArray[Any]] = {
        "textEnds": word_ends,
        "textBytes": words,
        "pictureEnds": file_ends,
        "pictureBytes": files,
    }
    return pack_typed("shown", header, sections)
