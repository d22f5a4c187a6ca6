"""Feature columns to numbers: as they are, as ordered levels, or one 0/1 feature per word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import FeatureError
from stiknn_core.phrases import counted, listed
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.labels import label_text
from stiknn_core.tables.cells.missing import fill_value, fill_word
from stiknn_core.tables.cells.numbers import (
    TEXT_MISSING_WORDS,
    NumberFormat,
    is_missing,
    is_text,
    parse_numbers,
)
from stiknn_core.types import AnyArray, BlockKind, FloatArray

FeatureKind = Literal[
    "number", "boolean", "one-hot", "ordered", "text", "counts", "date", "vector", "picture",
]  # fmt: skip
EncodeKind = Literal["number", "one-hot", "text", "counts", "date", "vector", "picture"]
"""Kinds that can be asked for by name; the others follow from the cells or have an option."""

_MOST_CATEGORIES = 1000


class Applied(NamedTuple):
    """Features of some rows, made of one column.

    Attributes
    ----------
    values : (n, m) float64
        NaN or infinite where a cell has no value and there is no stand-in.
    filled : (n,) bool
        Which cells got the stand-in.
    unseen : tuple of str
        Words that the training rows do not have (one-hot only); their rows are all 0.
    """

    values: FloatArray
    filled: NDArray[np.bool_]
    unseen: tuple[str, ...] = ()


class Fitted(Protocol):
    """What was learnt from the training rows of one column, to make features of any rows."""

    @property
    def column(self) -> str:
        """The column of the table."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""

    @property
    def block(self) -> BlockKind | None:
        """What kind of block the features are; None where they stand for themselves."""

    def apply(self, part: Part) -> Applied:
        """Make the features of some rows."""


@dataclass(frozen=True)
class Feature:
    """How one column of the table becomes features.

    Attributes
    ----------
    column : str
    kind : FeatureKind
    levels : tuple of str
        Words in the order of their columns (one-hot) or of their numbers (ordered).
    fill : float or str or None
        Stand-in for a missing or infinite cell; None where none was asked for.
    """

    column: str
    kind: FeatureKind
    levels: tuple[str, ...] = ()
    fill: float | str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the resulting features."""
        if self.kind == "one-hot":
            return tuple(f"{self.column}={level}" for level in self.levels)
        return (self.column,)

    @property
    def block(self) -> BlockKind | None:
        """What kind of block the features are; None where they stand for themselves."""
        return "words" if self.kind == "one-hot" else None

    def apply(self, part: Part) -> Applied:
        """Make the features of some rows."""
        style = part.table.facts[self.column].style
        return apply_feature(self, part.column(self.column), style)


def can_encode(fact: ColumnFacts, kind: EncodeKind) -> bool:
    """Tell whether a column holds what a kind of feature is made of."""
    if kind in ("text", "counts"):
        return fact.kind not in ("vector", "picture")
    return kind not in ("date", "vector", "picture") or fact.kind == kind


def choose_kinds(
    frame: pd.DataFrame,
    facts: Mapping[str, ColumnFacts],
    features: Sequence[str],
    one_hot: Sequence[str],
    ordered: Mapping[str, Sequence[str]],
    encode: Mapping[str, EncodeKind],
) -> dict[str, FeatureKind]:
    """Decide how each feature column is read.

    Words must be in ``one_hot``, ``ordered`` or ``encode``.
    """
    kinds: dict[str, FeatureKind] = {}
    odd: list[str] = []
    for name in features:
        fact = facts[name]
        if name in ordered:
            kinds[name] = "ordered"
        elif name in one_hot:
            kinds[name] = "boolean" if fact.kind == "boolean" else "one-hot"
        elif name in encode and encode[name] != "number" and fact.kind != "empty":
            kinds[name] = encode[name]
        elif fact.kind == "number" or (fact.kind == "boolean" and not is_text(frame[name])):
            kinds[name] = "number"
        elif fact.kind == "empty":
            raise FeatureError(f"Column {name!r} is empty; leave it out of the features.")
        else:
            odd.append(f"{name!r}: {fact.not_numeric:,} of {len(frame):,}")
    if odd:
        raise FeatureError(
            f"{counted(len(odd), 'feature column is', 'feature columns are')} not numeric "
            f"({listed(odd, 5)})",
            "leave them out, or name them in one_hot, ordered or encode",
            "one_hot",
        )
    return kinds


def words_of(column: pd.Series[Any]) -> AnyArray:
    """Return cells as words, None where missing."""
    texts = label_text(column)
    gone = is_missing(texts, TEXT_MISSING_WORDS)
    return np.array([None if no else word for word, no in zip(texts, gone, strict=True)], object)


def fit_feature(
    column: pd.Series[Any],
    kind: FeatureKind,
    style: NumberFormat,
    levels: Sequence[str],
    *,
    fill: bool,
) -> Feature:
    """Learn levels and stand-ins from the training rows of one column.

    The stand-in is the median of numbers or the most frequent word; ``levels`` are the order of
    an "ordered" column.
    """
    name = str(column.name)
    if kind == "number":
        median = fill_value(parse_numbers(column, style).values) if fill else None
        return Feature(name, kind, fill=median)
    words = words_of(column)
    stand_in = fill_word(words.tolist()) if fill else None
    if kind == "one-hot":
        levels = sorted({str(word) for word in words if word is not None}, key=_natural)
        if len(levels) > _MOST_CATEGORIES:
            raise FeatureError(
                f"Column {name!r} has {len(levels):,} different words; at most "
                f"{_MOST_CATEGORIES:,} can become one-hot features, so leave it out."
            )
    return Feature(name, kind, tuple(str(level) for level in levels), stand_in)


def _natural(word: str) -> tuple[float, str]:
    """Sort whole numbers by size and before words."""
    return (float(word) if word.isdecimal() and len(word) < 15 else float("inf"), word)


def apply_feature(feature: Feature, column: pd.Series[Any], style: NumberFormat) -> Applied:
    """Turn a column into features."""
    if feature.kind == "number":
        numbers = parse_numbers(column, style)
        if numbers.not_numeric.any():
            raise FeatureError(
                f"Column {feature.column!r} has {counted(int(numbers.not_numeric.sum()), 'cell')} "
                "that are not numeric; mend them or leave the column out."
            )
        values = numbers.values.copy()
        filled = ~np.isfinite(values)
        if feature.fill is not None:
            values[filled] = feature.fill
        return Applied(values[:, None], filled & (feature.fill is not None))
    words = words_of(column)
    filled = np.array([word is None for word in words], dtype=bool)
    words[filled] = feature.fill
    if feature.kind == "boolean":
        told = np.array([word.casefold() if word else "" for word in words])
        values = np.where(told == "true", 1.0, np.where(told == "false", 0.0, np.nan))
        return Applied(values[:, None], filled & (feature.fill is not None))
    place = {level: number for number, level in enumerate(feature.levels)}
    codes = np.array([-2 if word is None else place.get(word, -1) for word in words], dtype=int)
    unseen = tuple(
        sorted({str(word) for word, code in zip(words, codes, strict=True) if code == -1})
    )
    if feature.kind == "ordered":
        if unseen:
            raise FeatureError(
                f"Column {feature.column!r} holds {listed(unseen, 5)}, which its order "
                f"({listed(feature.levels)}) does not name",
                "add it to ordered",
                "ordered",
            )
        return Applied(np.where(codes < 0, np.nan, codes)[:, None].astype(float), filled)
    values = (codes[:, None] == np.arange(len(feature.levels))).astype(np.float64)
    values[codes == -2] = np.nan
    return Applied(values, filled & (feature.fill is not None), unseen)
