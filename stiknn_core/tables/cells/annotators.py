"""Which columns hold what several annotators said: one column each, or one row for each label."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_core.tables.cells.causes import Role, role_for
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.labels import label_text
from stiknn_core.tables.cells.numbers import TEXT_MISSING_WORDS, is_missing

_WHO: Final = r"annotator|worker|rater|coder|labell?er|expert|reviewer|reader|observer|grader"
ANNOTATOR: Final = re.compile(
    rf"(?i)^((human[ _.-]?)?({_WHO})s?[ _.-]?.+|(label|annotation|vote|rating)s?([ _.-].+|\d+))$"
)
"""Names of columns that hold what one annotator said."""
_NAMES: Final = re.compile(rf"(?i)^({_WHO})s?([ _.-]?(id|name|nr|no|key))?$")
_ITEM: Final = re.compile(
    r"(?i)^(task|item|id|example|sample|question|unit|instance|object|document|doc|image|file|"
    r"text|song|row|record)s?([ _.-]?(id|name|nr|no|key))?$"
)
_MOST_CLASSES: Final = 50
_SHARED: Final = 0.5
"""Share of a column's words that the columns beside it need to have too."""
_LEAST_AGREEMENT: Final = 0.3
"""Cohen's kappa from which columns with the words of the label are taken for other opinions."""
_EVERYWHERE: Final = ({"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"0", "1"})
_TRUTH: Final = re.compile(r"(?i)^(ground|gold|true|correct|actual)?[ _.-]?(truth|label|class)?$")


def said_of(column: pd.Series[Any]) -> pd.Series[str]:
    """Return what an annotator said of each row; missing where nothing.

    Empty cells and words such as NA and ? say nothing, and so does -1 beside whole numbers from 0
    up.
    """
    told = label_text(column)
    told = told.mask(is_missing(told, TEXT_MISSING_WORDS))
    if "-1" in set(told.dropna().unique()):
        others = [word for word in told.dropna().unique() if word != "-1"]
        if others and all(word.isdecimal() for word in others):
            told = told.mask(told == "-1")
    return told


def find_annotators(
    frame: pd.DataFrame,
    facts: Mapping[str, ColumnFacts],
    taken: Collection[str],
    flags: Mapping[str, str],
) -> dict[str, Role]:
    """Return the columns that are called like annotators and share their words; at least two."""
    called = [
        name
        for name in frame.columns
        if name not in taken
        and name not in flags
        and ANNOTATOR.match(name)
        and _may_be_labels(frame[name], facts[name])
    ]
    words = {name: set(said_of(frame[name]).dropna().unique()) for name in called}
    # Who said nothing at all is an annotator beside others.
    shared = [name for name in called if _shares(words, name)]
    if sum(bool(words[name]) for name in shared) < 2:
        return {}
    return {name: role_for(name, "annotator", "annotator name") for name in shared}


def find_opinions(
    frame: pd.DataFrame, facts: Mapping[str, ColumnFacts], label: str, taken: Collection[str]
) -> dict[str, Role]:
    """Return the columns that say the words of the label and mostly agree with it; at least two."""
    told = said_of(frame[label])
    words = set(told.dropna().unique())
    if facts[label].kind != "text" or len(words) < 2 or _everywhere(words):
        return {}
    found = []
    for name in frame.columns:
        fact = facts[name]
        if name == label or name in taken or fact.kind != "text" or fact.distinct > _MOST_CLASSES:
            continue
        other = said_of(frame[name])
        if set(other.dropna().unique()) <= words and _kappa(told, other) >= _LEAST_AGREEMENT:
            found.append(name)
    # One that never differs is the label once more.
    found = [name for name in found if not said_of(frame[name]).equals(told)]
    if len(found) < 2:
        return {}
    return {name: role_for(name, "annotator", "says label's words", label=label) for name in found}


def find_long(
    frame: pd.DataFrame, facts: Mapping[str, ColumnFacts], label: str | None
) -> dict[str, Role]:
    """Return the columns that name annotator and row where each label has a row of its own."""
    if label is None:
        return {}
    n = len(frame)
    for name in frame.columns:
        if name == label or not _NAMES.match(name) or not 1 < facts[name].distinct < n:
            continue
        for item in sorted(frame.columns, key=lambda one: not _ITEM.match(one)):
            if item in (name, label) or not 1 < facts[item].distinct < n:
                continue
            pairs = len(frame[[item, name]].drop_duplicates())
            if pairs >= 0.8 * n and (
                _ITEM.match(item) or _tells_all(frame.drop(columns=[name, label]), item, facts)
            ):
                return {
                    name: role_for(name, "annotator name", "names annotators"),
                    item: role_for(item, "id", "annotated rows"),
                }
    return {}


def find_gold(
    frame: pd.DataFrame, annotators: Collection[str], taken: Collection[str]
) -> str | None:
    """Return a column called like the truth that says the annotators' words, or None."""
    words: set[str] = set()
    for name in annotators:
        words |= set(said_of(frame[name]).dropna().unique())
    for name in frame.columns:
        match = _TRUTH.match(name)
        if name in taken or name in annotators or not match or not any(match.groups()):
            continue
        if match[1] is None and (match[2] or "").lower() != "truth":
            continue
        own = set(said_of(frame[name]).dropna().unique())
        if own and len(own & words) >= _SHARED * len(own):
            return str(name)
    return None


def _may_be_labels(column: pd.Series[Any], fact: ColumnFacts) -> bool:
    if fact.kind == "empty":
        return True
    if fact.kind == "number" and not fact.whole:
        return False
    return fact.kind in ("number", "text", "boolean") and fact.distinct <= _MOST_CLASSES


def _shares(words: Mapping[str, set[str]], name: str) -> bool:
    own = words[name]
    rest: set[str] = set().union(*(said for other, said in words.items() if other != name))
    return len(own & rest) >= _SHARED * len(own)


def _tells_all(frame: pd.DataFrame, item: str, facts: Mapping[str, ColumnFacts]) -> bool:
    """Tell whether a column of words decides all others: rows that share it are the same."""
    if facts[item].kind != "text" or len(frame.columns) < 2:
        return False
    codes, names = pd.factorize(frame[item])
    first = np.unique(codes, return_index=True)[1]
    if (codes < 0).any() or len(names) > 0.8 * len(codes):
        return False
    others = (pd.factorize(frame[name])[0] for name in frame.columns if name != item)
    return all(bool((other == other[first][codes]).all()) for other in others)


def _everywhere(words: set[str]) -> bool:
    return {word.casefold() for word in words} in _EVERYWHERE


def _kappa(a: pd.Series[Any], b: pd.Series[Any]) -> float:
    """Return Cohen's kappa over the rows of which both say something."""
    both = (a.notna() & b.notna()).to_numpy()
    if both.sum() < 2:
        return 0.0
    first, second = a[both].to_numpy(dtype=object), b[both].to_numpy(dtype=object)
    names, codes = np.unique(np.concatenate([first, second]).astype(str), return_inverse=True)
    one, two = np.split(codes, 2)
    shares = [np.bincount(each, minlength=len(names)) / len(each) for each in (one, two)]
    chance = float(shares[0] @ shares[1])
    agreed = float((one == two).mean())
    return 0.0 if chance >= 1 else (agreed - chance) / (1 - chance)
