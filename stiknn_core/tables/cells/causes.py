"""Why a column is proposed for its role: causes for programs, reasons for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

RoleName = Literal[
    "label", "feature", "one-hot", "text", "counts", "date", "vector", "picture", "id", "truth",
    "split", "annotator", "annotator name", "ignored",
]  # fmt: skip
FEATURE_ROLES: Final[tuple[RoleName, ...]] = ("feature", "one-hot", "text", "vector", "picture")
"""Roles of columns that features are made of."""

Cause = Literal[
    "marked label", "marked id", "marked ignored", "has truth", "label name", "other name",
    "last", "few values", "truth", "split", "empty", "unnamed counter", "unnamed", "constant",
    "id name", "unique", "contains label", "says label", "number", "date", "boolean",
    "nearly number", "hardly number", "mixed units", "unread", "words", "many words", "free text",
    "only text", "mostly missing", "hardly repeats", "vectors", "vector part",
    "pictures", "lists", "annotator name", "says label's words", "names annotators",
    "annotated rows", "majority",
]  # fmt: skip

_REASONS: Final[Mapping[Cause, str]] = {
    "marked label": "the file marks it as the class",
    "marked id": "the file marks it as a description",
    "marked ignored": "the file marks it to be left out",
    "has truth": "{truth!r} holds its true values",
    "label name": "is called {column!r}",
    "other name": "has {distinct} different values and another name",
    "last": "is the last column and has {distinct} different values",
    "few values": "has {distinct} different values",
    "truth": "holds the true label beside the given one",
    "split": "says which rows are for training and for testing",
    "empty": "is empty",
    "unnamed counter": "is an unnamed counter",
    "unnamed": "is unnamed and different in every row",
    "constant": "has the same value in every row",
    "id name": "is called like an id and different in every row",
    "unique": "is different in every row",
    "contains label": "contains the label",
    "says label": "says the same as the label",
    "number": "holds numbers",
    "date": "holds dates or times; their parts can become features",
    "boolean": "holds true and false",
    "nearly number": "is a number except in {odd:,} of {n:,} rows{where}",
    "hardly number": "{odd:,} of {n:,} are not numeric{where}",
    "mixed units": "holds numbers with different units ({units})",
    "unread": "holds numbers with more around them, such as {cell!r}",
    "words": "holds {known} different words",
    "many words": "holds {known:,} different words; they can be counted and hashed",
    "free text": "holds free text; its words can become features",
    "only text": "holds free text, and there are no numbers",
    "hardly repeats": "holds {distinct:,} different values in {filled:,} rows",
    "mostly missing": "has no value in {missing:,} of {n:,} rows",
    "vectors": "holds vectors of {width:,} numbers",
    "vector part": "is one of the {width:,} numbers of the embedding {stem!r}",
    "pictures": "holds pictures",
    "lists": "holds {lists}",
    "annotator name": "is called like an annotator and shares its words with the others",
    "says label's words": "says the words of {label!r} and mostly agrees with it",
    "names annotators": "names who gave each label",
    "annotated rows": "names the row that several annotators have labelled",
    "majority": "is what most annotators said",
}


@dataclass(frozen=True)
class Role:
    """What a column is proposed to be used for.

    Attributes
    ----------
    column : str
    role : RoleName
        "one-hot" is a feature of words, one 0/1 feature per word; "text", "vector" and "picture"
        become several features each, see ``FEATURE_ROLES``. "annotator" is a column with the
        labels of one annotator, "annotator name" one that says who gave the label of a row.
    cause : Cause
        What the proposal follows from.
    reason : str
        Half a sentence that says so, for people.
    offer : RoleName or None
        What a column that is left out could safely be used as: "text", "counts" or "date". None
        where it is in use, or would be no good.
    """

    column: str
    role: RoleName
    cause: Cause
    reason: str
    offer: RoleName | None = None


def role_for(
    column: str, role: RoleName, cause: Cause, offer: RoleName | None = None, **facts: object
) -> Role:
    """Return a role whose reason tells the facts behind its cause."""
    return Role(column, role, cause, _REASONS[cause].format(column=column, **facts), offer)
