"""The picture of suspicious digits in the README is what the package says of the data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from scripts import suspicious_digits
from scripts.few_colors import reduced
from tests.documents import ROOT, links

pytestmark = pytest.mark.slow  # grows a forest on 1,797 rows


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return suspicious_digits.suspects()


def test_the_picture_shows_the_first_suspects(table: pd.DataFrame) -> None:
    made = np.asarray(reduced(suspicious_digits.drawn(table)).convert("RGB"))
    with Image.open(suspicious_digits.PICTURE) as kept:
        same = np.array_equal(made, np.asarray(kept.convert("RGB")))
    assert same, "run `python -m scripts.suspicious_digits`, and describe it in the README anew"


def test_its_description_says_the_same(table: pd.DataFrame) -> None:
    told = ", ".join(f"{row.given} or {row.suggested}" for row in table.itertuples())
    descriptions = [one.text for one in links(ROOT / "README.md") if one.is_picture]
    assert any(text.endswith(told) for text in descriptions), told
