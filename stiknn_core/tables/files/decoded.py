"""One picture: from the bytes of a file to what is shown of it and what is measured on it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import (
    BmpImagePlugin,  # noqa: F401  # loaded with this module, so that no picture waits for it
    ExifTags,
    GifImagePlugin,  # noqa: F401
    Image,
    ImageOps,
    JpegImagePlugin,  # noqa: F401
    MpoImagePlugin,  # noqa: F401
    PngImagePlugin,  # noqa: F401
    TiffImagePlugin,  # noqa: F401
    UnidentifiedImageError,
    WebPImagePlugin,  # noqa: F401
)

from stiknn_core.tables.files.gradients import SIDE, gradients_of
from stiknn_core.tables.limits import MAX_PICTURE_PIXELS

_FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF")
THUMBNAIL: Final = 128
"""Most pixels of a thumbnail in width and height."""
GREY: Final = 32
"""Pixels of the grey version in width and height."""
_TINY: Final = 32
_SMALLER: Final = (THUMBNAIL, 64, 32)
_QUALITY: Final = 80
_SCAN: Final = b"\xff\xda"  # begins a pass over all pixels of a JPEG; few have more than ten
_MOST_PASSES: Final = 20 * MAX_PICTURE_PIXELS
# What Pillow raises of content that is no whole picture; broken ones make all of these.
_TROUBLE: Final = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError,
    OverflowError, EOFError, ArithmeticError, NotImplementedError, RuntimeError,
)  # fmt: skip


class PictureError(Exception):
    """A picture that cannot be read; the message is the end of a sentence about it."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """What is kept of a picture.

    Attributes
    ----------
    thumbnail : bytes
    grey : (32, 32) uint8
    gradients : (576,) float32
    """

    thumbnail: bytes
    grey: NDArray[np.uint8]
    gradients: NDArray[np.float32]


def decoded(content: bytes, most_bytes: int) -> Decoded:
    """Return what is kept of a picture, with a thumbnail of about ``most_bytes`` at most.

    Raises
    ------
    PictureError
        If it is no picture of a kind that is read, is broken, or has too many pixels.
    """
    if not content:
        raise PictureError("is empty")
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if image.width * image.height > MAX_PICTURE_PIXELS:
                raise PictureError(_too_many(f"{image.width:,} × {image.height:,}"))
            if image.width * image.height * content.count(_SCAN) > _MOST_PASSES:
                raise PictureError("is written in too many passes")
            size, small = image.size, _small(image)
        return _measured(small, max(size) <= _TINY, most_bytes)
    except UnidentifiedImageError:
        raise PictureError("is no JPEG, PNG, WebP, BMP, TIFF or GIF") from None
    except Image.DecompressionBombError:
        raise PictureError(_too_many("too many")) from None
    except _TROUBLE as error:
        cut = "truncated" in str(error).lower() or isinstance(error, EOFError)
        raise PictureError("ends too early" if cut else "is damaged") from None


def _too_many(what: str) -> str:
    return f"has {what} pixels, and at most {MAX_PICTURE_PIXELS // 1_000_000} million are read"


def _small(image: Image.Image) -> Image.Image:
    """Return a picture of "L" or "RGB", upright, at most as large as a thumbnail."""
    # JPEG can be decoded at a half, a quarter or an eighth of its size.
    image.draft("L" if image.mode == "L" else "RGB", (THUMBNAIL, THUMBNAIL))
    image.load()
    turn = _turn(image)
    plain = _plain(image)
    if max(plain.size) > THUMBNAIL:
        plain.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BICUBIC, reducing_gap=2.0)
    return plain if turn is None else plain.transpose(turn)


def _turn(image: Image.Image) -> Image.Transpose | None:
    """Return how a camera was held, as the picture says."""
    try:
        told = image.getexif().get(ExifTags.Base.Orientation)
    except Exception:  # whatever is wrong with that note, the picture is there
        return None
    return _TURNS.get(told) if isinstance(told, int) else None


# The numbers of EXIF, as in `PIL.ImageOps.exif_transpose`.
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _plain(image: Image.Image) -> Image.Image:
    """Return a picture of any mode as "L" or "RGB"; what is transparent lies on white."""
    if image.mode in ("L", "RGB"):
        return image
    if image.mode == "1":
        return image.convert("L")
    if image.mode.startswith(("I", "F")):
        return _eight_bits(image)
    if image.has_transparency_data:
        seen = image.convert("RGBA")
        seen.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BICUBIC, reducing_gap=2.0)
        ground = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(ground, seen).convert("RGB")
    return image.convert("RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """Return grey of 16 or 32 bits in eight; numbers of no known range from least to most."""
    values = np.asarray(image)
    if image.mode.startswith("I;16") or (0 <= values.min() and 255 < values.max() < 65_536):
        return Image.fromarray((values.astype(np.uint16) >> 8).astype(np.uint8))
    values = values.astype(np.float32)
    known = np.isfinite(values)
    if not known.all():
        values = np.where(known, values, values[known].min() if known.any() else 0)
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 255 and image.mode != "F":
        low, high = 0.0, 255.0
    span = high - low
    scaled = (values - low) * (255 / span if span > 0 else 0)
    return Image.fromarray(scaled.astype(np.uint8))


def _measured(small: Image.Image, tiny: bool, most_bytes: int) -> Decoded:
    grey = small.convert("L")
    return Decoded(
        _thumbnail(small, tiny, most_bytes),
        np.asarray(grey.resize((GREY, GREY), Image.Resampling.BILINEAR)),
        gradients_of(np.asarray(grey.resize((SIDE, SIDE), Image.Resampling.BILINEAR))),
    )


def _thumbnail(small: Image.Image, tiny: bool, most_bytes: int) -> bytes:
    stream = io.BytesIO()
    if tiny:
        small.save(stream, "PNG")
        return stream.getvalue()
    for side in _SMALLER:
        stream = io.BytesIO()
        shown = ImageOps.contain(small, (side, side)) if max(small.size) > side else small
        shown.save(stream, "JPEG", quality=_QUALITY)
        if stream.tell() <= most_bytes:
            break
    return stream.getvalue()
