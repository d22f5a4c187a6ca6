"""Words of many different values to a few features that know nothing of the label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd

from stiknn_core.tables.building.features import Applied, words_of
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.cells.missing import fill_word
from stiknn_core.types import BlockKind

_MOST_HASHES: Final = 16


@dataclass(frozen=True, eq=False)
class CountsFeature:
    """How often each word occurs in the training rows, and which word it is, hashed.

    Attributes
    ----------
    column : str
    counts : mapping of word to training rows
    hashes : int
        Features that the words share, at most 16.
    fill : str or None
        What a missing cell is filled with; None where none was asked for.
    """

    column: str
    counts: Mapping[str, int] = field(repr=False)
    hashes: int
    fill: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""
        hashes = (f"{self.column}: hash {place}" for place in range(1, self.hashes + 1))
        return (f"{self.column}: frequency", *hashes)

    @property
    def block(self) -> BlockKind:
        """What kind of block the features are."""
        return "words"

    def apply(self, part: Part) -> Applied:
        """Make the features of some rows; NaN where a word is missing and not filled in.

        The frequency is ``log10(1 + training rows with the word)``, 0 for a word of no training
        row; a hash is 1 or -1 in the one feature that the word falls into.
        """
        # Imported here: most tables have no such column.
        from sklearn.feature_extraction import FeatureHasher

        words = words_of(part.column(self.column))
        missing = np.array([word is None for word in words], dtype=bool)
        words[missing] = self.fill
        told = ["" if word is None else str(word) for word in words]
        often = np.log10([1 + self.counts.get(word, 0) for word in told])
        hasher = FeatureHasher(self.hashes, input_type="string")
        hashed = hasher.transform([[word] for word in told]).toarray()
        values = np.column_stack([often, hashed])
        if self.fill is None:
            values[missing] = np.nan
        return Applied(values, missing & (self.fill is not None))


def fit_counts(part: Part, column: str, *, fill: bool) -> CountsFeature:
    """Count the words of the training rows of one column; O(n)."""
    words = words_of(part.column(column)).tolist()
    counts = pd.Series([word for word in words if word is not None], dtype=object).value_counts()
    told = {str(word): int(count) for word, count in counts.items()}
    return CountsFeature(
        column, told, max(1, min(_MOST_HASHES, len(told))), fill_word(words) if fill else None
    )
