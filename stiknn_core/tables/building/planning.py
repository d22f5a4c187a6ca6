"""What a person chose, with every gap filled from the proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np

from stiknn_core.errors import FeatureError, LabelError, ParameterError
from stiknn_core.phrases import listed, quoted
from stiknn_core.tables.building.crowd import Annotators, Crowd, gather, uneven_features
from stiknn_core.tables.building.features import EncodeKind, can_encode
from stiknn_core.tables.building.settings import USUAL_TEXT, TextSettings
from stiknn_core.tables.cells.causes import FEATURE_ROLES, Cause
from stiknn_core.tables.cells.labels import check_label, check_measured, guess_measured
from stiknn_core.tables.cells.missing import MissingPolicy
from stiknn_core.tables.cells.numbers import parse_numbers
from stiknn_core.tables.described import DescribedTable
from stiknn_core.types import Scaling

_LEAST_COUNTED: Final = 10
_OTHER_ROLES: Final = tuple(role for role in FEATURE_ROLES if role != "one-hot")
_TELLS_LABEL: Final[tuple[Cause, ...]] = ("contains label", "says label", "truth")


@dataclass(frozen=True)
class Choices:
    """What ``Table.to_dataset`` was asked for; see there."""

    label: str | int | None = None
    features: Sequence[str | int] | None = None
    ids: str | int | None = None
    missing: MissingPolicy = "refuse"
    missing_labels: Literal["refuse", "drop_rows"] | None = None
    one_hot: Sequence[str | int] | None = None
    ordered: Mapping[Any, Sequence[str]] | None = None
    true_label: str | int | bool = True
    scale: Scaling = "standard"
    name: str | None = None
    encode: Mapping[Any, EncodeKind] | None = None
    text: TextSettings = USUAL_TEXT
    measured: bool | None = None
    annotators: Annotators = None


@dataclass(frozen=True)
class Plan:
    """Choices with every gap filled from the proposals.

    ``encode`` holds all features whose kind is neither asked of ``one_hot`` and ``ordered`` nor
    seen from the cells alone.
    """

    label: str
    features: tuple[str, ...]
    ids: str | None
    one_hot: tuple[str, ...]
    ordered: Mapping[str, tuple[str, ...]]
    encode: Mapping[str, EncodeKind]
    truth: str | None
    missing: MissingPolicy
    drop_unlabelled: bool
    scale: Scaling
    name: str
    notices: tuple[str, ...]
    text: TextSettings
    measured: bool
    crowd: Crowd | None

    @property
    def named_label(self) -> str | None:
        """The label, or None where it is what most annotators said."""
        return None if self.crowd is not None and self.crowd.voted else self.label

    @property
    def words(self) -> tuple[str, ...]:
        """Features whose cells are read as text rather than as numbers."""
        told = [name for name, kind in self.encode.items() if kind in ("text", "counts", "date")]
        read = {*self.one_hot, *self.ordered, *told}
        return tuple(name for name in self.features if name in read)


def _check_options(choices: Choices) -> None:
    for name, value, allowed in (
        ("missing", choices.missing, get_args(MissingPolicy)),
        ("missing_labels", choices.missing_labels, ("refuse", "drop_rows", None)),
        ("scale", choices.scale, get_args(Scaling)),
        ("measured", choices.measured, (True, False, None)),
    ):
        if value not in allowed:
            told = quoted(allowed)
            raise ParameterError(f"{name} must be one of {told}; got {value!r}.")
    for name, names in (("features", choices.features), ("one_hot", choices.one_hot)):
        if isinstance(names, str):
            raise ParameterError(f"{name} must be a list of column names; got {names!r}.")
    if choices.ordered is not None and not isinstance(choices.ordered, Mapping):
        raise ParameterError("ordered must map column names to their levels from low to high.")
    if choices.encode is not None and not isinstance(choices.encode, Mapping):
        raise ParameterError(f"encode must map column names to {quoted(get_args(EncodeKind))}.")
    if not isinstance(choices.text, TextSettings):
        raise ParameterError(f"text must be TextSettings(...); got {choices.text!r}.")


def make_plan(table: DescribedTable, choices: Choices) -> tuple[DescribedTable, Plan]:
    """Fill the gaps of the choices from the proposals, which follow from the chosen label."""
    _check_options(choices)
    if choices.label is not None:
        (wanted,) = table.require([choices.label], "label")
        table = table if wanted == table.label else table.with_label(wanted)
    crowd = gather(table, choices.annotators, choices.label, choices.ids)
    table = table if crowd is None else crowd.table
    label = table.label if crowd is None else crowd.label
    if label is None:
        raise LabelError(
            "No column looks like a label",
            f"choose one with label= among {listed(table.columns)}",
            "label",
        )
    measured = choices.measured if crowd is None else False  # annotators say classes
    if measured is None:
        measured = guess_measured(table.cells[label], table.facts[label])
    if measured:
        check_measured(table.facts[label])
    else:
        check_label(table.cells[label], table.facts[label])
    levels = choices.ordered or {}
    ordered = {
        name: tuple(str(level) for level in levels[given])
        for given, name in zip(levels, table.require(tuple(levels), "ordered"), strict=True)
    }
    one_hot = table.columns_with("one-hot")
    if choices.one_hot is not None:
        one_hot = table.require(choices.one_hot, "one-hot")
    encode = _encoded(table, choices, ordered)
    words = [name for name, kind in encode.items() if kind == "one-hot"]
    one_hot = (*(name for name in one_hot if name not in encode), *words)
    split = table.columns_with("split")
    if choices.features is None:
        proposed = {*table.columns_with(*_OTHER_ROLES), *one_hot, *ordered, *encode}
        proposed -= {label, *split}
        features = tuple(name for name in table.columns if name in proposed)
    else:
        features = tuple(dict.fromkeys(table.require(choices.features, "feature")))
    if label in features:
        raise FeatureError(f"The label {label!r} cannot be a feature too; leave it out.")
    if crowd is not None:
        both = [name for name in features if name in crowd.columns]
        if both:
            raise FeatureError(
                f"Columns of annotators cannot be features too ({quoted(both)}); leave them out."
            )
    if not features:
        raise _no_feature(table, label)
    for name in features:
        kind = _kind_of(table, name)
        if kind is not None and name not in (*one_hot, *ordered, *encode):
            encode[name] = kind
    if choices.ids is None:
        named = (name for name in table.columns_with("id") if name not in features)
        # Without another name, a row is called what its picture is.
        ids = next(named, next(iter(table.pictures), None))
    else:
        (ids,) = table.require([choices.ids], "id")
    truth: str | None = None
    if not isinstance(choices.true_label, bool):
        (truth,) = table.require([choices.true_label], "label")
    elif choices.true_label:
        truth = table.column_with("truth")
    drop = (choices.missing_labels or choices.missing) == "drop_rows"
    notices = tuple(
        f"Feature {name!r} {table.roles[name].reason}; distances may say little with it."
        for name in features
        if table.roles[name].role == "id" or table.roles[name].cause in _TELLS_LABEL
    )
    notices += _lone_counter(table, features)
    if crowd is not None:
        notices += (*crowd.notices, *uneven_features(crowd, features))
        ids = ids if crowd.ids is None else crowd.ids
    return table, Plan(
        label, features, ids, one_hot, ordered, encode, truth, choices.missing, drop, choices.scale,
        choices.name or table.name, notices, choices.text, measured, crowd,
    )  # fmt: skip


def _kind_of(table: DescribedTable, name: str) -> EncodeKind | None:
    """Return the kind that a feature has without being asked for one."""
    if table.roles[name].role == "text":
        return "text"
    kind = table.facts[name].kind
    return kind if kind == "vector" or kind == "picture" else None


def _encoded(
    table: DescribedTable, choices: Choices, ordered: Mapping[str, Any]
) -> dict[str, EncodeKind]:
    """Return the kinds that were asked for, by column as it is written."""
    given = choices.encode or {}
    encode = dict(zip(table.require(tuple(given), "feature"), given.values(), strict=True))
    words = table.require(choices.one_hot or (), "one-hot")
    for name, kind in encode.items():
        if kind not in get_args(EncodeKind):
            raise ParameterError(
                f"encode takes the kinds {quoted(get_args(EncodeKind))}; got {kind!r} for {name!r}."
            )
        if name in ordered or name in words:
            other = "ordered" if name in ordered else "one_hot"
            raise ParameterError(f"Both encode and {other} name {name!r}; leave it out of one.")
        if not can_encode(table.facts[name], kind):
            raise FeatureError(
                f"Column {name!r} holds {table.facts[name].lists or f'no {kind}s'}",
                "choose another kind for it in encode",
                "encode",
            )
    return encode


def _lone_counter(table: DescribedTable, features: Sequence[str]) -> tuple[str, ...]:
    """Warn of a running number that is the only feature: it says where a row stands, no more."""
    (name, *others) = features
    fact = table.facts[name]
    if others or fact.kind != "number" or not fact.whole or fact.distinct != table.n_rows:
        return ()
    values = parse_numbers(table.cells[name], fact.style).values
    if len(values) < _LEAST_COUNTED or not np.array_equal(
        np.diff(values), np.ones(len(values) - 1)
    ):
        return ()
    return (f"The only feature, {name!r}, counts the rows; neighbours by it mean nothing.",)


def _no_feature(table: DescribedTable, label: str) -> FeatureError:
    others = [name for name in table.columns if name != label]
    if not others:
        return FeatureError(
            f"The table has only the label column {label!r}; expected at least one feature."
        )
    told = listed([f"{name!r} {table.roles[name].reason}" for name in others], 4)
    return FeatureError(
        f"No column is a feature: {told}",
        "choose features=, one_hot= for columns of words, or encode=",
        "features",
    )
