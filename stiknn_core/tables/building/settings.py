"""How free text is to become features, as one small value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from stiknn_core.errors import ParameterError

MOST_COMPONENTS: Final = 500

WORD: Final = r"\b\w+\b"
"""What counts as a word of a text."""


@dataclass(frozen=True)
class TextSettings:
    """How free text becomes features.

    Attributes
    ----------
    words : bool
        Whether single words and pairs of neighbouring words count.
    characters : bool
        Whether runs of 3 to 5 characters within words count, which stand misspellings and endings.
    components : int
        Most components of the truncated SVD, 1 to 500; fewer where rows or terms are fewer.
    model : str or None
        Folder of a model of sentences (``model2vec``) that is used in place of all that; nothing is
        ever downloaded.

    Raises
    ------
    ParameterError
        If neither words nor characters are to count, or there are too few or many components.
    """

    words: bool = True
    characters: bool = True
    components: int = 100
    model: str | None = None

    def __post_init__(self) -> None:
        """Refuse settings that give no feature."""
        whole = isinstance(self.components, (int, np.integer))
        if (
            not whole
            or isinstance(self.components, bool)
            or not 1 <= self.components <= MOST_COMPONENTS
        ):
            raise ParameterError(
                f"components must be a whole number from 1 to {MOST_COMPONENTS}; "
                f"got {self.components!r}."
            )
        if not self.words and not self.characters:
            raise ParameterError("Texts need words=True, characters=True or both.")


USUAL_TEXT: Final = TextSettings()
