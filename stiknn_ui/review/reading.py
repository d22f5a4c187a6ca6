"""What a card gives to read and look at: texts and pictures of a point and its nearest. Pure."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stiknn_core.types import IntArray
from stiknn_ui.linked_view.packing import joined
from stiknn_ui.results.common_words import marked, words_of
from stiknn_ui.results.contents import MOST_SHOWN, MOST_WHOLE, Contents, shortened

_BESIDE: Final = 400  # letters of a text that stands beside the one that is looked at


def kinds(contents: Contents | None) -> dict[str, bool]:
    """Return what there will be on every card."""
    return {
        "texts": contents is not None and contents.has_texts,
        "pictures": contents is not None and contents.has_pictures,
        "pixelated": contents is not None and contents.pixelated,
    }


def pictures(
    contents: Contents | None, rows: IntArray, beside: IntArray
) -> dict[str, NDArray[Any]]:
    """Return the pictures of some points and of those around each, as sections of a window.

    Parameters
    ----------
    contents : Contents or None
    rows : (m,) int64
        Rows of the data set.
    beside : (m, w) int64
        Rows of their nearest points.
    """
    if contents is None or not contents.has_pictures:
        return {}
    wanted, place = np.unique(np.column_stack([rows, beside]), return_inverse=True)
    held, ends = joined(contents.thumbnails(wanted))  # some are near to several
    return {"pictureOf": place.astype("<i4"), "pictureEnds": ends, "pictureBytes": held}


def texts(
    contents: Contents | None, rows: IntArray, beside: IntArray, *, whole: bool = False
) -> list[dict[str, Any]] | None:
    """Return the texts of some points and of those around each; None where there are none.

    Returns
    -------
    list of dict
        "text" and each of "near" are pieces, of which every second is a word that the text shares
        with the other; "letters" counts those of the whole text, "cut" says whether it is longer.
    """
    if contents is None or not contents.has_texts:
        return None
    most = MOST_WHOLE if whole else MOST_SHOWN
    wanted, place = np.unique(np.column_stack([rows, beside]), return_inverse=True)
    held = contents.texts(wanted)
    words = [words_of(text[:MOST_SHOWN]) for text in held]
    found = []
    for own, *near in place.reshape(len(rows), -1).tolist():
        shared = [words[own] & words[one] for one in near]
        around = zip(near, shared, strict=True)
        told = {
            "text": marked(held[own][:most], set().union(*shared)),
            "letters": len(held[own]),
            "cut": len(held[own]) > most,
            "near": [marked(shortened(held[one], _BESIDE), both) for one, both in around],
        }
        found.append(told)
    return found
