"""Which column is the label, which are features, and why the others are left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_core.phrases import quoted
from stiknn_core.tables.cells.annotators import (
    find_annotators,
    find_gold,
    find_long,
    find_opinions,
)
from stiknn_core.tables.cells.causes import Cause, Role, RoleName, role_for
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.free_text import holds_texts
from stiknn_core.tables.cells.labels import guess_measured, label_text, looks_continuous
from stiknn_core.tables.cells.numbers import is_text
from stiknn_core.tables.cells.told import nearly_numbers, short
from stiknn_core.tables.cells.wide import wide_vectors

FEW_VALUES = 20
"""Most different values of a text column that becomes one-hot features."""

_LABEL_NAMES = (
    "label", "labels", "class", "classes", "cls", "target", "y", "given_label", "noisy_label",
    "outcome", "species", "category", "diagnosis", "survived", "attrition", "churn", "default",
    "fraud", "spam", "response", "result", "output", "type", "group", "quality",
)  # fmt: skip
_TARGET_NAMES = ("target", "y", "label", "response", "outcome")
_LOOSE_NAMES = ("category", "result", "output", "type", "group", "quality")
"""Names that columns of one value have too, as ``type`` in every feature of GeoJSON."""
_NESTED_NAMES = ("label", "labels", "class", "target")
# What data frames call a nameless column when they write or read it.
_UNNAMED = re.compile(r"Unnamed: \d+(_level_\d+)?")
_ID_NAME = re.compile(
    r"(?i:^(id|ids|uid|uuid|guid|index|idx|row|row[ _]?(id|no|nr|number|names?)|nr|no|key|obs\.?|"
    r"rownames|#|№|n°|numéro|n[uú]mero|номер|编号|序号|番号|번호)$|"
    r"[ _.-](id|nr|no|key|number|index)$)|[a-z](ID|Id|Number|Index|Key|#)$"
)
_TRUTH_NAME = re.compile(
    r"(?i)^(true|clean|gold|correct|original|actual)[ _.-]?(.+)$|^(.+)[ _.-](true|clean|gold)$"
)
_SPLIT_NAME = re.compile(
    r"(?i)^(split|set|subset|partition|fold|part|usage|sample|(is|in)?[ _]?(train|test|training)"
    r"([ _.-]?(or[ _])?(train|test|set|split))?)$"
)
SPLIT_WORDS = {"train", "training", "test", "testing", "val", "valid", "validation", "dev"}
TRAIN_WORDS = {"train", "training"}
_MOST_MISSING: Final = 0.4
_MOST_ALIKE: Final = 0.5
"""Share of different cells up to which counting them says something."""
_ID_ORDER: Final[Mapping[Cause, int]] = {
    "annotated rows": -1, "unnamed counter": 0, "unnamed": 0, "id name": 1
}  # fmt: skip
"""Which of several ids names the rows, best first; the others come last."""
GUESSED: Final[tuple[Cause, ...]] = ("other name", "last", "few values")
"""Why a column is taken for the label that nothing calls so."""
_NO_LABEL: Final = ("empty", "date", "vector", "picture")


def propose_roles(
    frame: pd.DataFrame,
    facts: Mapping[str, ColumnFacts],
    unnamed: Sequence[str],
    flags: Mapping[str, str],
    nominal: Sequence[str],
) -> dict[str, Role]:
    """Propose a role for every column, in their order; there may be no label.

    ``unnamed``, ``flags`` and ``nominal`` are what a ``Draft`` tells of the columns.
    """
    truth = _find_truth(frame, facts)
    split = _find_split(frame, facts, flags)
    taken = {name for name in (truth and truth[0], split) if name}
    asked = {name for name, flag in flags.items() if flag == "label"}
    said = find_annotators(frame, facts, taken | asked, flags)
    gold = find_gold(frame, said, taken | asked) if said else None
    taken |= {*said, *([gold] if gold else [])}
    label = _find_label(frame, facts, taken, unnamed, flags, nominal, truth)
    if label and not said:
        said = find_long(frame, facts, label.column)
        said = said or find_opinions(frame, facts, label.column, taken)
        if said and label.cause in GUESSED and "says label's words" in _causes(said):
            said[label.column] = role_for(
                label.column, "annotator", "says label's words", label=next(iter(said))
            )
    if label and "annotator" in {one.role for one in said.values()} and label.cause in GUESSED:
        label = None  # what most annotators said
    roles: dict[str, Role] = dict(said)
    if label:
        roles[label.column] = label
    if gold:
        roles[gold] = role_for(gold, "truth", "truth")
    if truth and label and truth[0] not in roles and _same_values(frame, truth[0], label.column):
        roles[truth[0]] = role_for(truth[0], "truth", "truth")
    if split and split not in roles:
        roles[split] = role_for(split, "split", "split")
    label_name = label.column if label else None
    for name in frame.columns:
        if name not in roles:
            roles[name] = _role_of(frame, facts[name], name in unnamed, flags.get(name), label_name)
    roles = _texts_alone(_vector_parts(_one_id(roles), facts))
    return {name: roles[name] for name in frame.columns}


def _causes(roles: Mapping[str, Role]) -> set[Cause]:
    return {role.cause for role in roles.values()}


def _words(column: pd.Series[Any]) -> set[str]:
    return {text.casefold() for text in label_text(column).dropna().unique()}


def _find_split(
    frame: pd.DataFrame, facts: Mapping[str, ColumnFacts], flags: Mapping[str, str]
) -> str | None:
    for name, fact in facts.items():
        if flags.get(name) == "split":
            return name
        if 2 <= fact.distinct <= 4 and _SPLIT_NAME.match(name) and name not in flags:
            words = _words(frame[name])
            if words <= SPLIT_WORDS and words & TRAIN_WORDS:
                return name
            if words == {"true", "false"} and re.match(r"(?i)^(is|in)?[ _]?(train|test)", name):
                return name
    return None


def _find_truth(frame: pd.DataFrame, facts: Mapping[str, ColumnFacts]) -> tuple[str, str] | None:
    """Return a column of true labels and the column of given ones it belongs to."""
    lowered = {name.lower(): name for name in frame.columns}
    for name in frame.columns:
        match = _TRUTH_NAME.match(name)
        rest = (match.group(2) or match.group(3)).lower() if match else ""
        for partner in (rest, f"given_{rest}", f"noisy_{rest}", f"given {rest}"):
            if rest and partner in lowered and lowered[partner] != name:
                return name, lowered[partner]
    return None


def _same_values(frame: pd.DataFrame, truth: str, label: str) -> bool:
    a, b = _words(frame[truth]), _words(frame[label])
    return bool(a) and len(a & b) >= 0.5 * len(a)


def _find_label(
    frame: pd.DataFrame,
    facts: Mapping[str, ColumnFacts],
    taken: set[str],
    unnamed: Sequence[str],
    flags: Mapping[str, str],
    nominal: Sequence[str],
    truth: tuple[str, str] | None,
) -> Role | None:
    for name, flag in flags.items():
        if flag == "label":
            return role_for(name, "label", "marked label")

    def possible(name: str) -> bool:
        fact = facts[name]
        if name in taken or name in unnamed or name in flags or fact.kind in _NO_LABEL:
            return False
        return fact.distinct >= 1 and not looks_continuous(frame[name], fact)

    if truth and facts[truth[1]].kind != "empty":
        # Also where it measures something: the refusal then says so, and what to do.
        return role_for(truth[1], "label", "has truth", truth=truth[0])
    names = {name.lower(): name for name in reversed(list(frame.columns))}
    # Two header rows that were joined: "meta / label".
    names = {name.rpartition(" / ")[2]: whole for name, whole in names.items()} | names
    # Records inside records: "label.name", "fields.label".
    inside = {
        part: whole
        for name, whole in names.items()
        if "." in name and facts[whole].kind in ("text", "boolean") and facts[whole].known > 1
        for part in (name.rpartition(".")[2], name.partition(".")[0])
        if part in _NESTED_NAMES
    }
    names = inside | names
    for wanted in _LABEL_NAMES:
        classes = 2 if wanted in _LOOSE_NAMES else 1
        if wanted in names and possible(names[wanted]) and facts[names[wanted]].known >= classes:
            return role_for(names[wanted], "label", "label name")
    for wanted in _TARGET_NAMES:
        name = names.get(wanted, "")
        free = name not in taken and name not in unnamed and name not in flags
        if name and free and guess_measured(frame[name], facts[name]):
            return role_for(name, "label", "label name")
    n = len(frame)
    few = [
        name
        for name in frame.columns
        if possible(name)
        and 2 <= facts[name].distinct <= _most_classes(facts[name].kind, n)
        and frame[name].isna().mean() <= 0.4
        and not _ID_NAME.search(name)
    ]
    if not few:
        return None
    odd = _odd_one_out(list(frame.columns), few)
    if odd:
        return role_for(odd, "label", "other name", distinct=facts[odd].distinct)
    last = str(frame.columns[-1])
    if last in few:
        return role_for(last, "label", "last", distinct=facts[last].distinct)
    words = [name for name in few if facts[name].kind in ("text", "boolean") or name in nominal]
    chosen = (words or few)[0 if words and words[0] == frame.columns[0] else -1]
    return role_for(chosen, "label", "few values", distinct=facts[chosen].distinct)


def _odd_one_out(names: Sequence[str], few: Sequence[str]) -> str | None:
    """Return the column that is not numbered like all the others (``digit``, ``pixel_0_1``)."""
    stems = {name: re.sub(r"[\d_ .-]+", "", name.lower()) for name in names}
    counts = Counter(stems.values())
    common, count = counts.most_common(1)[0]
    if count < 3 or count < len(names) - 2:
        return None
    odd = [name for name in few if stems[name] != common]
    return odd[0] if len(odd) == 1 else None


def _most_classes(kind: str, n: int) -> int:
    # Two rows that share a word make a class; numbers share values more easily by chance.
    return min(FEW_VALUES, max(n - 1 if kind in ("text", "boolean") else n // 2, 2))


def _role_of(
    frame: pd.DataFrame, fact: ColumnFacts, unnamed: bool, flag: str | None, label: str | None
) -> Role:
    """Decide on a column that is neither label, truth nor split."""
    name, n = fact.name, len(frame)
    unnamed = unnamed or _UNNAMED.fullmatch(name) is not None
    filled = fact.filled
    unique = fact.distinct == n and n > 1
    if flag == "id":
        repeats = fact.distinct < 0.9 * n
        return role_for(name, "ignored" if repeats else "id", "marked id")
    if flag == "ignored":
        return role_for(name, "ignored", "marked ignored")
    if fact.kind == "empty":
        return role_for(name, "ignored", "empty")
    if fact.kind == "vector":
        return role_for(name, "vector", "vectors", width=fact.width)
    if fact.kind == "picture":
        return role_for(name, "picture", "pictures")
    if fact.lists:
        return role_for(name, "ignored", "lists", lists=fact.lists)
    if unnamed and fact.kind == "number" and fact.whole and unique:
        return role_for(name, "id", "unnamed counter")
    if unnamed and unique and fact.kind == "text":
        return role_for(name, "id", "unnamed")
    if fact.constant and n > 1:
        return role_for(name, "ignored", "constant")
    if fact.kind == "number":
        if unique and fact.whole and _ID_NAME.search(name):
            return role_for(name, "id", "id name")
        if label and _says_label(frame[name], frame[label], fact):
            return role_for(name, "ignored", "says label")
        return role_for(name, "feature", "number")
    if fact.kind == "date":
        sparse = fact.missing > _MOST_MISSING * n
        return role_for(name, "ignored", "date", None if sparse else "date")
    if label and _contains_label(frame[name], frame[label]):
        role: RoleName = "id" if unique or _ID_NAME.search(name) else "ignored"
        return role_for(name, role, "contains label")
    if label and _says_label(frame[name], frame[label], fact):
        return role_for(name, "ignored", "says label")
    if fact.amounts and not nearly_numbers(fact) and not fact.style.mixed:
        return role_for(name, "ignored", "unread", cell=short(fact.odd_cells[0][1]))
    if 0 < fact.not_numeric < filled:
        cause: Cause = "nearly number" if fact.not_numeric <= 0.5 * filled else "hardly number"
        return role_for(
            name, "ignored", cause, odd=fact.not_numeric, n=n, where=_where(fact.odd_cells)
        )
    if fact.style.mixed and fact.kind == "text":
        return role_for(name, "ignored", "mixed units", units=quoted(fact.style.mixed))
    texts = not _ID_NAME.search(name) and holds_texts(frame[name], fact)
    if unique and fact.longest <= 60 and not texts:
        return role_for(name, "id", "unique")
    if fact.missing > _MOST_MISSING * n:
        return role_for(name, "ignored", "mostly missing", missing=fact.missing, n=n)
    if fact.kind == "boolean":
        return role_for(name, "one-hot", "boolean")
    if not unique and fact.known <= FEW_VALUES and fact.known < filled:
        return role_for(name, "one-hot", "words", known=fact.known)
    if texts:
        return role_for(name, "ignored", "free text", "text")
    if fact.known > _MOST_ALIKE * filled:
        return role_for(name, "ignored", "hardly repeats", distinct=fact.distinct, filled=filled)
    return role_for(name, "ignored", "many words", "counts", known=fact.known)


def _where(odd: Sequence[tuple[int, str]]) -> str:
    """Name the first cell that is no number."""
    if not odd:
        return ""
    row, cell = odd[0]
    return f", such as {short(cell)!r} in row {row}"


def _contains_label(column: pd.Series[Any], label: pd.Series[Any]) -> bool:
    """Tell whether nearly every cell has the row's label in it, as in ``pop.00010.mp3``."""
    if not is_text(column) or len(column) < 4:
        return False
    cells, labels = column[:2000].fillna(""), label_text(label[:2000]).fillna("")
    if labels.nunique() < 2 or labels.str.len().min() < 2:
        return False
    hits = [
        told.casefold() in cell.casefold() and cell.casefold() != told.casefold()
        for cell, told in zip(cells, labels, strict=True)
        if told
    ]
    return bool(sum(hits) >= 0.9 * len(cells))


def _says_label(column: pd.Series[Any], label: pd.Series[Any], fact: ColumnFacts) -> bool:
    """Tell whether a column is the label in other words (one value for each class)."""
    if len(column) < 20 or fact.missing or not 2 <= fact.distinct <= FEW_VALUES:
        return False
    codes, values = pd.factorize(label)
    if len(values) != fact.distinct or (codes < 0).any():
        return False
    own, _ = pd.factorize(column)
    return len(np.unique(own * len(values) + codes)) == fact.distinct


def _vector_parts(roles: dict[str, Role], facts: Mapping[str, ColumnFacts]) -> dict[str, Role]:
    """Say of features that are numbers of one embedding that they are."""
    parts = {
        name: role_for(name, "feature", "vector part", width=len(names), stem=stem)
        for stem, names in wide_vectors(facts).items()
        for name in names
        if roles[name].role == "feature"
    }
    return roles | parts


def _one_id(roles: dict[str, Role]) -> dict[str, Role]:
    """Keep the best id; others are left out with their reason."""
    ids = [role for role in roles.values() if role.role == "id"]
    order = sorted(ids, key=lambda role: _ID_ORDER.get(role.cause, len(_ID_ORDER)))
    result = dict(roles)
    for role in order[1:]:
        result[role.column] = replace(role, role="ignored")
    return result


def _texts_alone(roles: dict[str, Role]) -> dict[str, Role]:
    """Take texts for features where there are no numbers, vectors or pictures."""
    if any(role.role in ("feature", "vector", "picture") for role in roles.values()):
        return roles
    return {
        name: role_for(name, "text", "only text") if role.offer == "text" else role
        for name, role in roles.items()
    }
