"""Free text to features: TF-IDF of words and of characters, reduced by a truncated SVD."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import hstack

from stiknn_core.errors import FeatureError
from stiknn_core.tables.building import sentences
from stiknn_core.tables.building.features import Applied, words_of
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.building.settings import WORD, TextSettings
from stiknn_core.types import BlockKind, FloatArray

_MOST_TERMS: Final = 50_000
"""Of each kind; the most frequent stay."""
_LETTERS_LEARNED_FROM: Final = 10_000_000
_LETTERS_OF_ONE: Final = 10_000
"""Of one text; what stands behind is not looked at."""
_LEAST_VARIANCE: Final = 1e-9
_ROWS_AT_ONCE: Final = 2_000


@dataclass(frozen=True, eq=False)
class TextFeature:
    """How a column of texts becomes features: what was learned from its training rows.

    Attributes
    ----------
    column : str
    width : int
        Components, or numbers of a vector of the model.
    encode : callable
        From texts to (n, width) float64, each row of length 1, or 0 where nothing of a text is
        known.
    unknown : bool
        Whether nothing is known of some training text, such as an empty one. These have a feature
        of their own, the last: at 0 they would be nearer to all others than those to each other.
    fill : bool
        Whether a missing cell counts as an empty text.
    training : (tuple of n str, (n, width) float64)
        The training texts and their components, which would take long to make twice.
    """

    column: str
    width: int
    encode: Callable[[Sequence[str]], FloatArray] = field(repr=False)
    unknown: bool
    fill: bool
    training: tuple[tuple[str, ...], FloatArray] = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""
        names = [f"{self.column}: {place}" for place in range(1, self.width + 1)]
        return (*names, *([f"{self.column}: nothing known"] if self.unknown else []))

    @property
    def block(self) -> BlockKind:
        """What kind of block the features are."""
        return "text"

    def apply(self, part: Part) -> Applied:
        """Make the features of some rows; NaN where a text is missing and not filled in."""
        texts, missing = texts_of(part.column(self.column))
        known = self.training[1] if texts == self.training[0] else self.encode(texts)
        nothing = ~known.any(axis=1)
        if self.unknown:
            values = np.column_stack([known, nothing]).astype(np.float64)
        else:
            values = known.copy()
            # Only among test rows: as near to each training row as they are on the whole.
            values[nothing] = _unit(self.training[1].mean(axis=0, keepdims=True))
        if not self.fill:
            values[missing] = np.nan
        return Applied(values, missing & self.fill)


def texts_of(column: pd.Series[Any]) -> tuple[tuple[str, ...], NDArray[np.bool_]]:
    """Return the texts of a column, empty where missing, and which are missing."""
    words = words_of(column)
    missing = np.array([word is None for word in words], dtype=bool)
    return tuple("" if word is None else str(word) for word in words), missing


def fit_texts(part: Part, column: str, settings: TextSettings, *, fill: bool) -> TextFeature:
    """Learn terms, their weights and the components from the training rows of one column.

    Parameters
    ----------
    part : Part
        The training rows.
    column : str
    settings : TextSettings
    fill : bool
        Whether a missing cell counts as an empty text.

    Returns
    -------
    TextFeature
        The same for the same texts.

    Raises
    ------
    FeatureError
        If all texts are empty or equal, or the folder of the model cannot be used.
    MissingExtraError
        If a model is named and ``model2vec`` is not installed.

    Notes
    -----
    Terms count with ``1 + log(count)`` and by how few texts have them, each kind to length 1, and
    at most 50,000 of each kind. Learned from at most ten million letters: of longer columns from
    rows at equal steps. O(letters + rows x components).
    """
    texts, _ = texts_of(part.column(column))
    if not any(map(str.strip, texts)):
        raise FeatureError(
            f"All texts in column {column!r} are empty; leave it out of the features."
        )
    if len(texts) > 1 and len(set(texts)) == 1:
        raise FeatureError(
            f"Column {column!r} has the same text in every training row; leave it out of the "
            "features."
        )
    if settings.model is None:
        encode, known = _learned(column, texts, settings)
    else:
        encode = partial(sentences.encode, sentences.load(settings.model))
        known = encode(texts)
    unknown = not known.any(axis=1).all()
    return TextFeature(column, known.shape[1], encode, unknown, fill, (texts, known))


def _learned(
    column: str, texts: Sequence[str], settings: TextSettings
) -> tuple[Callable[[Sequence[str]], FloatArray], FloatArray]:
    """Return what makes features of texts, and those of these texts; see `fit_texts`."""
    # Imported here: most tables have no texts.
    from sklearn.decomposition import TruncatedSVD

    sample = _learned_from(texts)
    ways: list[dict[str, Any]] = []
    if settings.words:
        ways.append({"token_pattern": WORD, "ngram_range": (1, 2)})
    if settings.characters:
        ways.append({"analyzer": "char_wb", "ngram_range": (3, 5)})
    found = [fitted for way in ways if (fitted := _terms(sample, way)) is not None]
    if not found:
        raise FeatureError(
            f"No word tells the texts in column {column!r} apart; count characters too, or leave "
            "it out of the features."
        )
    told = hstack([counts for _, counts in found]).tocsr()
    # Two steps of iteration instead of five: the same labels were found, in two thirds of the time.
    svd = TruncatedSVD(min(settings.components, *told.shape), n_iter=2, random_state=0).fit(told)
    encode = partial(_encoded, [tfidf for tfidf, _ in found], svd)
    # To weigh all terms a second time would take a third of the time.
    return encode, _unit(svd.transform(told)) if len(sample) == len(texts) else encode(texts)


def _encoded(tfidf: Sequence[Any], svd: Any, texts: Sequence[str]) -> FloatArray:
    parts = [np.empty((0, svd.n_components))]
    for start in range(0, len(texts), _ROWS_AT_ONCE):
        some = texts[start : start + _ROWS_AT_ONCE]
        told = svd.transform(hstack([one.transform(some) for one in tfidf]).tocsr())
        parts.append(_unit(told))
    return np.vstack(parts)


def _learned_from(texts: Sequence[str]) -> list[str]:
    letters = sum(min(len(text), _LETTERS_OF_ONE) for text in texts)
    if letters <= _LETTERS_LEARNED_FROM:
        return list(texts)
    rows = max(2, len(texts) * _LETTERS_LEARNED_FROM // letters)
    return [texts[row] for row in np.linspace(0, len(texts) - 1, rows).astype(int)]


def _terms(texts: list[str], way: dict[str, Any]) -> tuple[Any, Any] | None:
    """Return fitted weights of the terms that two texts share, else of all, and the weighed texts.

    None where no term tells texts apart.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.utils.sparsefuncs import mean_variance_axis

    # A term of one text says nothing of which texts are alike, and most terms are such.
    for least in (2, 1):
        tfidf = TfidfVectorizer(
            preprocessor=_told, min_df=least, max_features=_MOST_TERMS, sublinear_tf=True,
            dtype=np.float32, **way,
        )  # fmt: skip
        try:
            weighed = tfidf.fit_transform(texts)
        except ValueError:  # no term is left; there is no other sign of it
            continue
        if mean_variance_axis(weighed, axis=0)[1].sum() > _LEAST_VARIANCE:
            return tfidf, weighed
    return None


def _told(text: str) -> str:
    return text[:_LETTERS_OF_ONE].lower()


def _unit(values: Any) -> FloatArray:
    values = np.asarray(values, dtype=np.float64)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    # What the components hardly hold of a text would be blown up noise.
    unit: FloatArray = np.divide(values, length, out=np.zeros_like(values), where=length > 1e-6)
    return unit
