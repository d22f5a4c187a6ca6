"""Pictures in 256 colours that look as they did, for small PNG and GIF files."""

from __future__ import annotations

import numpy as np
from PIL import Image
from scipy.spatial import cKDTree


def palette_of(picture: Image.Image) -> Image.Image:
    """Return a palette of 256 colours for a picture, to be given to `reduced`.

    Rare colours, such as the far end of a colour bar, count as much together as all frequent
    ones do: a palette of the frequent ones alone shows them in a wrong hue.
    """
    pixels = np.asarray(picture.convert("RGB"))
    kinds, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    mixed = np.concatenate([pixels, np.resize(kinds, pixels.shape)])
    found = Image.fromarray(mixed).quantize(256, Image.Quantize.MEDIANCUT)
    # The background stays exactly what it is: a tint of white is seen.
    entries = np.array(found.getpalette()).reshape(-1, 3)
    background = kinds[counts.argmax()]
    entries[np.abs(entries - background).sum(axis=1).argmin()] = background
    found.putpalette(entries.ravel().tolist())
    return found


def reduced(picture: Image.Image, palette: Image.Image | None = None) -> Image.Image:
    """Return a picture in few colours, by default those of its own `palette_of`."""
    chosen = palette_of(picture) if palette is None else palette
    entries = np.array(chosen.getpalette()).reshape(-1, 3)
    pixels = np.asarray(picture.convert("RGB"))
    kinds, which = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    # Pillow's own search is a rough one, which misses an entry that fits exactly.
    nearest = np.asarray(cKDTree(entries).query(kinds)[1], dtype=np.uint8)
    found = Image.fromarray(nearest[which].reshape(pixels.shape[:2]))
    found.putpalette(entries.astype(np.uint8).ravel().tolist())
    return found
