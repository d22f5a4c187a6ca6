"""Pictures one by one, measured and made small; what is none is named."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stiknn_core.errors import FileError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.contents import Pictures
from stiknn_core.tables.limits import MAX_PICTURES, MAX_THUMBNAIL_BYTES
from stiknn_core.tables.telling import tell
from stiknn_core.validation.extras import require

_BEGUN, _DONE = 0.05, 0.7
"""Shares of the work of reading a file that are behind before and after the pictures."""
_NAMED = 3


@dataclass(frozen=True)
class Measured:
    """A column of pictures and those of its files that could not be read.

    Attributes
    ----------
    pictures : Pictures
    broken : tuple of (file, end of a sentence)
    """

    pictures: Pictures
    broken: tuple[tuple[str, str], ...] = field(repr=False)

    @property
    def notices(self) -> list[str]:
        """Sentences about what could not be read."""
        if not self.broken:
            return []
        few = listed([f"{name!r} {why}" for name, why in self.broken], _NAMED)
        told = counted(
            len(self.broken),
            "picture could not be read and counts",
            "pictures could not be read and count",
        )
        return [f"{told} as missing: {few}."]


def measure(files: Sequence[str], read: Callable[[int], bytes | None]) -> Measured:
    """Return what is kept of pictures, one at a time.

    ``read`` gives the bytes of one by its place, or None; what it raises as a FileError is the end
    of a sentence about that picture.

    Raises
    ------
    FileError
        If there are too many, or none of them can be read.
    MissingExtraError
        If Pillow is not installed.
    """
    n = len(files)
    check_number(n)
    require("Reading pictures", "pictures", "PIL")
    from stiknn_core.tables.files.decoded import GREY, PictureError, decoded
    from stiknn_core.tables.files.gradients import WIDTH

    thumbnails = [b""] * n
    grey = np.zeros((n, GREY * GREY), dtype=np.uint8)
    gradients = np.full((n, WIDTH), np.nan, dtype=np.float32)
    broken: list[tuple[str, str]] = []
    with warnings.catch_warnings():
        # Readers warn of odd notes inside of pictures, whose pixels are there all the same.
        warnings.simplefilter("ignore")
        for place, name in enumerate(files):
            tell("Reading pictures", _BEGUN + (_DONE - _BEGUN) * place / n)
            try:
                content = read(place)
                if content is None:
                    continue
                found = decoded(content, MAX_THUMBNAIL_BYTES // n)
            except (PictureError, FileError) as error:
                broken.append((name, str(error)))
                continue
            thumbnails[place] = found.thumbnail
            grey[place] = found.grey.ravel()
            gradients[place] = found.gradients
    measured = Measured(Pictures(tuple(thumbnails), grey, gradients), tuple(broken))
    if not any(thumbnails):
        few = listed([f"{name!r} {why}" for name, why in broken], _NAMED)
        raise FileError(
            f"None of {counted(n, 'picture')} could be read ({few or 'there is nothing in them'}); "
            "expected JPEG, PNG, WebP, BMP, TIFF or GIF."
        )
    return measured


def check_number(count: int) -> None:
    """Refuse more pictures than are read."""
    if count > MAX_PICTURES:
        raise FileError(
            f"There are {count:,} pictures; at most {MAX_PICTURES:,} are read, so draw a sample "
            "first."
        )


def rows_of(pictures: Pictures, rows: NDArray[np.intp]) -> Pictures:
    """Return pictures for the rows of a table: each the picture at its place, or none at -1."""
    none = rows < 0
    grey, gradients = pictures.grey[rows], pictures.gradients[rows]
    grey[none], gradients[none] = 0, np.nan
    thumbnails = tuple(b"" if at < 0 else pictures.thumbnails[at] for at in rows.tolist())
    return Pictures(thumbnails, grey, gradients)
