"""What the mouse shows of a dot beside its numbers, packed: its text, and its picture. Pure.

Texts of all dots travel at once; pictures are larger, and travel when they are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from stiknn_core.errors import ShapeError
from stiknn_ui.linked_view.packing import ViewContent, joined, pack_typed


def build_shown(
    name: str, texts: Sequence[str], *, pictures: bool = False, pixelated: bool = False
) -> ViewContent:
    """Pack the text of each dot of a view.

    Parameters
    ----------
    name : str
        Names the dots: other dots, or the same of other data, have another one.
    texts : sequence of m str
        In the order of the dots, empty where one has none; of length 0 where none has.
    pictures : bool
        Whether dots have pictures, which can be asked for.
    pixelated : bool
        Whether the pixels of the pictures are to be seen.
    """
    held, ends = joined([text.encode() for text in texts])
    header = {"n": len(texts), "name": name, "pictures": pictures, "pixelated": pixelated}
    return pack_typed("shown", header, {"textEnds": ends, "textBytes": held})


def build_pictures(of: str, dots: Sequence[int], files: Sequence[bytes]) -> ViewContent:
    """Pack the pictures of some dots.

    Parameters
    ----------
    of : str
        Id of the content from `build_shown` that the dots belong to.
    dots : sequence of m int
    files : sequence of m bytes
        JPEG or PNG; empty where a dot has none.

    Raises
    ------
    ShapeError
        If there is not one file for each dot.
    """
    if len(dots) != len(files):
        raise ShapeError(f"files must be one for each of {len(dots)} dots; got {len(files)}.")
    held, ends = joined(files)
    header = {"n": len(dots), "of": of, "dots": list(dots)}
    return pack_typed("pictures", header, {"pictureEnds": ends, "pictureBytes": held})
