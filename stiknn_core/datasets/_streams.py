"""Independent random streams, one for each purpose.

A stream depends on the seed, the purpose, and how often that purpose was served
before. So changing the share of flipped labels moves no point, and flipping twice
with one seed does not undo itself.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Purpose = Literal["points", "flip", "copies", "outliers", "thin"]

# Written out rather than derived, since the numbers decide every data set ever made.
_KEYS: dict[Purpose, int] = {"points": 0, "flip": 1, "copies": 2, "outliers": 3, "thin": 4}


def stream(seed: int, purpose: Purpose, repeat: int = 0) -> np.random.Generator:
    """Return the generator of one purpose; the same arguments give the same numbers."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_KEYS[purpose], repeat)))
