"""Made-up blocks of points, for the page that shows them and for what is expected there."""

from typing import Any

import numpy as np


def made_up_blocks(n: int, n_classes: int, seed: int, points: int, dots: int) -> dict[str, Any]:
    """Return what `build_block_content` takes; dot d is of block d % n.

    The blocks of a class lie around a place of its own. Block 0 is a single point, and those
    after it get larger.
    """
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % n_classes
    angle = 2 * np.pi * codes / n_classes
    middle = np.c_[np.cos(angle), np.sin(angle)] * 3 + rng.normal(size=(n, 2)) * 0.7
    sizes = np.maximum(1, np.arange(n) * 2 * points // (n * (n - 1)))
    sizes[-1] += points - sizes.sum()
    near = np.exp(-np.linalg.norm(middle[:, None] - middle[None], axis=2))
    means = np.where(codes[:, None] == codes[None], -near, 0.3 * near) / points**2
    means[sizes == 1, sizes == 1] = np.nan
    values = rng.normal(size=n) / points
    units = np.arange(dots) % n
    return {
        "means": means,
        "sizes": sizes,
        "codes": codes,
        "classes": [f"kind {c}" for c in range(n_classes)],
        "names": [f"kind {u % n_classes} · {u // n_classes}" for u in range(n)],
        "values": values,
        "quality": rng.uniform(size=n),
        "dot_xy": middle[units] + rng.normal(size=(dots, 2)) * 0.15,
        "dot_units": units,
        "dot_values": values[units] + rng.normal(size=dots) / points,
        "dot_quality": rng.uniform(size=dots),
        "dot_codes": codes[units],
        "dot_ids": [f"P{d}" for d in range(dots)],
        "changed_dots": np.arange(0, dots, 17),
        "n_points": points,
        "name": f"made up {seed}",
    }
