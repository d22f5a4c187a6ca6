"""Draw the most suspicious of scikit-learn's digits: ``python -m scripts.suspicious_digits``.

Nothing was changed in the data: `rank_suspects` as it is, with its defaults, over all 1,797 rows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from PIL import Image, ImageDraw, ImageFont
from sklearn.datasets import load_digits

from scripts.few_colors import reduced
from stiknn_core import rank_suspects

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs/pictures/suspicious-digits.png"
SHOWN: Final = 8
_SIDE: Final = 96  # pixels of a digit
_GAP: Final = 12
_BELOW: Final = 44
_INK: Final = 16  # of the darkest pixel
_GROUND: Final = (255, 255, 255)
_TEXT: Final = (29, 36, 48)


def suspects() -> pd.DataFrame:
    """Return the first suspects, as `rank_suspects` gives them."""
    digits = load_digits()
    return rank_suspects(digits.data, digits.target, k=5).head(SHOWN)


def drawn(table: pd.DataFrame) -> Image.Image:
    """Return the pictures of some rows side by side, with the label and the suggested one."""
    images = load_digits().images
    step = _SIDE + _GAP
    sheet = Image.new("RGB", (step * len(table) + _GAP, _SIDE + 2 * _GAP + _BELOW), _GROUND)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    for place, row in enumerate(table.itertuples()):
        left = _GAP + place * step
        dark = 255 - np.round(images[row.position] * 255 / _INK).astype(np.uint8)
        digit = Image.fromarray(dark).resize((_SIDE, _SIDE), Image.Resampling.NEAREST)
        sheet.paste(digit.convert("RGB"), (left, _GAP))
        pen.rectangle((left - 1, _GAP - 1, left + _SIDE, _GAP + _SIDE), outline=(180, 186, 196))
        told = f"label {row.given}\nsuggested {row.suggested}"
        pen.multiline_text((left, _GAP + _SIDE + 6), told, _TEXT, font)
    return sheet


def main() -> None:
    """Write the picture."""
    reduced(drawn(suspects())).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
