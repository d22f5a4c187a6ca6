"""Pictures: rows whose features may be pixels, and small pictures as files. Pure."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Final, TypeAlias

import numpy as np
from PIL import Image

from stiknn_core.types import Dataset, FloatArray

Ends: TypeAlias = tuple[float, float]

IMAGE_SIZES: Final = (64, 784)
"""Numbers of features that may be the pixels of a square picture."""
_FEW_VALUES: Final = 2
_PNG: Final = b"\x89PNG"


def range_of(dataset: Dataset) -> Ends | None:
    """Return the least and the largest of all values, if they may be pixels; else None."""
    X = dataset.X
    if X.shape[1] not in IMAGE_SIZES or dataset.blocks:
        return None
    low, high = float(X.min()), float(X.max())
    if high <= low or low < 0 or len(np.unique(X[:50])) <= _FEW_VALUES:
        return None
    return low, high


def png_of(values: FloatArray, ends: Ends) -> bytes:
    """Return a row of pixels as a square picture in greys, black = the least of all values."""
    low, high = ends
    side = round(len(values) ** 0.5)
    grey = np.round(255 * (values - low) / (high - low)).astype(np.uint8)
    return _written(Image.fromarray(grey.reshape(side, side)), "PNG")


def enlarged(picture: bytes, side: int) -> bytes:
    """Return a picture with every pixel as a square, at least ``side`` wide, so that none blurs."""
    with Image.open(BytesIO(picture)) as held:
        zoom = max(1, -(-side // held.width))
        size = (zoom * held.width, zoom * held.height)
        return _written(held.resize(size, Image.Resampling.NEAREST), "PNG")


def shrunk(picture: bytes, side: int) -> bytes:
    """Return a picture at most ``side`` pixels wide and high; the same where it is no larger."""
    if not picture:
        return picture
    with Image.open(BytesIO(picture)) as held:
        if max(held.size) <= side:
            return picture
        held.draft("RGB", (side, side))  # a JPEG is opened at a fraction of its size at once
        small = held.convert("RGB")
        small.thumbnail((side, side), Image.Resampling.BILINEAR)
        return _written(small, "JPEG")


def data_uri(picture: bytes) -> str | None:
    """Return a picture as the address of an image; None for an empty one."""
    if not picture:
        return None
    kind = "png" if picture.startswith(_PNG) else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


def _written(picture: Image.Image, kind: str) -> bytes:
    held = BytesIO()
    picture.save(held, kind, compress_level=1)  # small ones, made by the dozen
    return held.getvalue()
