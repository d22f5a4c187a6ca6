"""What a person chose for the columns of an upload, and the options that follow. Pure.

Choices are kept apart from proposals, so that a column nobody has touched follows the
proposal for whatever file comes next.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal

from stiknn_core.errors import FeatureError, LabelError
from stiknn_core.phrases import listed
from stiknn_core.tables import Role, Table, TextSettings, carry_over
from stiknn_core.tables.building.features import can_encode
from stiknn_core.tables.building.settings import USUAL_TEXT
from stiknn_core.tables.cells.missing import MissingPolicy, Problems, find_problems

Use = Literal[
    "number", "one-hot", "ordered", "text", "counts", "date", "vector", "picture", "label", "id",
    "truth", "annotator", "annotator name", "ignored",
]  # fmt: skip
FEATURE_USES: Final = (
    "number", "one-hot", "ordered", "text", "counts", "date", "vector", "picture",
)  # fmt: skip
_READ_AS_WORDS: Final = ("one-hot", "ordered", "text", "counts", "date")
_ENCODED: Final = ("text", "counts", "date", "vector", "picture")
Extent = Literal["proposed", "all", "numbers"]

NONE: Final = "\0none"
"""Stands for "no such column", as None stands for the proposal."""

_BY_ROLE: Final[Mapping[str, Use]] = {
    "label": "label",
    "feature": "number",
    "one-hot": "one-hot",
    "text": "text",
    "vector": "vector",
    "picture": "picture",
    "id": "id",
    "truth": "truth",
    "split": "ignored",
    "annotator": "annotator",
    "annotator name": "annotator name",
    "ignored": "ignored",
}
_BY_OFFER: Final[Mapping[str, Use]] = {"text": "text", "counts": "counts", "date": "date"}


@dataclass(frozen=True)
class Choices:
    """What differs from the proposals.

    Attributes
    ----------
    label : str or None
        Label column; None follows the proposal, ``NONE`` is what most annotators said.
    ids, truth : str or None
        Column that names the rows, or holds true labels; ``NONE`` means no column.
    uses : tuple of (column, use)
        Columns whose use as a feature was chosen, sorted by name.
    orders : tuple of (column, levels from low to high)
        Order of the words of the "ordered" columns, where it was changed.
    missing : {"refuse", "drop_rows", "drop_columns", "impute"}
        What to do with missing and infinite values. Rows without a label are left out
        unless it says "refuse".
    extent : {"proposed", "all", "numbers"}
        Which columns are features, unless chosen one by one: those proposed, those offered
        besides, or those of numbers alone.
    text : TextSettings
        How free text becomes features.
    measured : bool or None
        Whether the label is a measured number; None follows the guess for its column.
    """

    label: str | None = None
    ids: str | None = None
    truth: str | None = None
    uses: tuple[tuple[str, Use], ...] = ()
    orders: tuple[tuple[str, tuple[str, ...]], ...] = ()
    missing: MissingPolicy = "refuse"
    extent: Extent = "proposed"
    text: TextSettings = USUAL_TEXT
    measured: bool | None = None

    def with_use(self, columns: Sequence[str], use: Use) -> Choices:
        """Return the choices with another use for some columns.

        There is one label, one id and one true label: of several columns the first is taken.
        """
        named = dict(self.uses)
        changed = self
        for column in columns:
            named.pop(column, None)
            changed = replace(
                changed,
                label=None if changed.label == column else changed.label,
                ids=NONE if changed.ids == column else changed.ids,
                truth=NONE if changed.truth == column else changed.truth,
            )
        if use == "annotator name":
            named = {name: told for name, told in named.items() if told != use}
            named |= dict.fromkeys(columns[:1], use)
        elif use in FEATURE_USES or use in ("annotator", "ignored"):
            named |= dict.fromkeys(columns, use)
        elif columns:
            slot = {"label": "label", "id": "ids", "truth": "truth"}[use]
            changed = replace(changed, **{slot: columns[0]})  # type: ignore[arg-type]
            if slot == "label":
                changed = replace(changed, measured=None)  # what was said was of another column
        return replace(changed, uses=tuple(sorted(named.items())))


def labelled(table: Table, choices: Choices) -> Table:
    """Return the table with the roles that follow from the chosen label; O(cells) if they do."""
    if choices.label is None or choices.label == table.label or choices.label not in table.facts:
        return table
    return table.with_label(choices.label)


def uses_of(table: Table, choices: Choices) -> dict[str, Use]:
    """Return what every column is used for, in the order of the columns."""
    told = labelled(table, choices)
    uses: dict[str, Use] = {
        name: _use_of(role, choices.extent) for name, role in told.roles.items()
    }
    chosen = {name: use for name, use in choices.uses if name in uses}
    label = None if choices.label == NONE else told.label
    if chosen.get(label or "") == "annotator":
        label = None  # one of them, found before there were others
    named = next((name for name, use in chosen.items() if use == "annotator name"), None)
    for slot, use in (
        (choices.ids, "id"),
        (choices.truth, "truth"),
        (choices.label, "label"),
        (named, "annotator name"),
    ):
        if slot is not None:
            uses |= {name: "ignored" for name, before in uses.items() if before == use}
    uses |= chosen
    for slot, use in ((choices.ids, "id"), (choices.truth, "truth"), (label, "label")):
        if slot in uses:
            uses[slot] = use  # type: ignore[assignment]
    return uses


def annotators_of(uses: Mapping[str, Use]) -> list[str] | str | None:
    """Return the columns of annotators, or the one that names them; None without any."""
    named = next((name for name, use in uses.items() if use == "annotator name"), None)
    each = [name for name, use in uses.items() if use == "annotator"]
    if named is not None and each:
        raise LabelError(
            "Annotators stand either in a column each or in one column of names: leave out one of "
            "the two under Columns."
        )
    return named if named is not None else each or None


def with_extent(choices: Choices, extent: Extent) -> Choices:
    """Return the choices with more or fewer columns as features; single choices still hold."""
    if extent != "numbers":
        return replace(choices, extent=extent)
    numbers = tuple((name, use) for name, use in choices.uses
                    if use == "number" or use not in FEATURE_USES)  # fmt: skip
    return replace(choices, extent=extent, uses=numbers)


def offers_of(table: Table, choices: Choices) -> dict[str, Use]:
    """Return the columns that could safely be features and are not, and what they would be.

    What a person left out is their choice.
    """
    told = labelled(table, choices)
    uses, chosen = uses_of(table, choices), dict(choices.uses)
    return {
        name: use
        for name, role in told.roles.items()
        if uses[name] == "ignored"
        and name not in chosen
        and (use := _use_of(role, "all")) in FEATURE_USES
    }


def _use_of(role: Role, extent: Extent) -> Use:
    use = _BY_ROLE[role.role]
    if extent == "all" and role.offer is not None:
        return _BY_OFFER[role.offer]
    if extent == "numbers" and use in FEATURE_USES and use != "number":
        return "ignored"
    return use


def levels_of(table: Table, choices: Choices, column: str) -> tuple[str, ...]:
    """Return the words of a column from low to high, as chosen, else in natural order."""
    chosen = dict(choices.orders).get(column)
    gone = table.facts[column].words
    cells = table.frame[column].dropna().astype(str).unique().tolist()
    natural = sorted((w for w in cells if w not in gone), key=lambda w: (_number(w), w))
    if chosen is None:
        return tuple(natural)
    kept = [word for word in chosen if word in natural]
    return (*kept, *(word for word in natural if word not in kept))


def measured_in(table: Table, choices: Choices) -> bool:
    """Whether the label is taken for a measured number: as chosen, else as guessed."""
    label = labelled(table, choices).label
    if label is None or table.facts[label].kind != "number":
        return False
    return table.guess_measured(label) if choices.measured is None else choices.measured


def problems_of(table: Table, choices: Choices) -> Problems:
    """Count missing and infinite cells of the columns in use; O(n d)."""
    uses = uses_of(table, choices)
    features = [name for name, use in uses.items() if use in FEATURE_USES]
    label = next((name for name, use in uses.items() if use == "label"), None)
    words = [name for name in features if uses[name] in _READ_AS_WORDS]
    # What annotators did not say is nothing that is missing.
    label = None if "annotator name" in uses.values() else label
    measured = measured_in(table, choices)
    cells, facts = table.cells, table.facts
    return find_problems(cells, features, label, facts, words, table.absent, measured=measured)


def repairs(problems: Problems, pictures: Collection[str]) -> tuple[MissingPolicy, ...]:
    """Return what may be done with missing values, what is proposed first.

    Nothing can stand in for a picture, so that where only some of ``pictures`` (the columns that
    hold any) are missing, nothing can be filled in.
    """
    bad = {*problems.missing, *problems.infinite}
    if not bad:
        return ("drop_rows",)
    filled: tuple[MissingPolicy, ...] = () if bad <= set(pictures) else ("impute",)
    return (*filled, "drop_rows", "drop_columns")


def plan_of(
    table: Table, choices: Choices, problems: Problems, split_column: str = ""
) -> tuple[Table, dict[str, Any]]:
    """Return the table and the options for its ``to_dataset`` and ``to_split``.

    A column that marks the split is no feature. If a label, features, or what to do with missing
    values must be chosen first, the error says so in the words of the page.
    """
    uses = uses_of(table, choices)
    label = next((name for name, use in uses.items() if use == "label"), None)
    annotators = annotators_of(uses)
    if label is None and not isinstance(annotators, list):
        raise LabelError("No column looks like a label: choose the column that holds it.")
    features = [n for n, use in uses.items() if use in FEATURE_USES and n != split_column]
    if not features:
        reasons = listed(
            [
                f"{name!r} {role.reason}"
                for name, role in labelled(table, choices).roles.items()
                if role.role == "ignored" and uses[name] == "ignored"
            ],
            4,
        )
        why = f" ({reasons})" if reasons else ""
        what = f"the label {label!r}" if label else "what annotators said"
        raise FeatureError(
            f"Only {what} is in use and no column is a feature{why}: choose some under Columns."
        )
    if problems.any and choices.missing == "refuse":
        raise missing_question(problems)
    ids = next((name for name, use in uses.items() if use == "id"), None)
    told = labelled(table, choices)
    if ids is None:
        told = _without_ids(told, features)
    voted = label is None or isinstance(annotators, str)
    options: dict[str, Any] = {
        "label": label,
        "features": features,
        "ids": ids,
        "one_hot": [name for name in features if uses[name] == "one-hot"],
        "ordered": {
            name: levels_of(table, choices, name) for name in features if uses[name] == "ordered"
        },
        "encode": {name: uses[name] for name in features if uses[name] in _ENCODED},
        "text": choices.text,
        "true_label": next((name for name, use in uses.items() if use == "truth"), False),
        "missing": choices.missing,
        "measured": measured_in(table, choices) and annotators is None,
        "missing_labels": "refuse" if choices.missing == "refuse" and not voted else "drop_rows",
        "annotators": False if annotators is None else annotators,
    }
    return told, options


def missing_question(problems: Problems) -> FeatureError:
    """Return what is said of missing values before they are used."""
    return FeatureError(f"{_capital(problems.sentence)}. Choose what to do with them.")


def carried(choices: Choices, table: Table) -> tuple[Choices, str]:
    """Keep the choices that another table can take, and name the chosen columns that are gone."""
    named = [name for name, _ in choices.uses]
    options = {
        "label": choices.label if choices.label != NONE else None,
        "ids": choices.ids if choices.ids != NONE else None,
        "true_label": choices.truth if choices.truth != NONE else None,
        "one_hot": named,
        "ordered": dict(choices.orders),
    }
    found = carry_over(options, table)
    kept = found.options
    return (
        Choices(
            label=NONE if choices.label == NONE else kept.get("label"),
            ids=NONE if choices.ids == NONE else kept.get("ids"),
            truth=NONE if choices.truth == NONE else kept.get("true_label"),
            uses=tuple(pair for pair in choices.uses if _can_have(table, *pair)),
            orders=tuple(kept["ordered"].items()),
            missing=choices.missing,
            extent=choices.extent,
            text=choices.text,
            measured=choices.measured if kept.get("label") == choices.label else None,
        ),
        found.sentence,
    )


def _can_have(table: Table, column: str, use: Use) -> bool:
    if column not in table.facts:
        return False
    return use not in _ENCODED or can_encode(table.facts[column], use)


def _without_ids(table: Table, features: Sequence[str]) -> Table:
    """Take back the proposal of an id, which ``to_dataset`` would follow.

    As a feature it stays one in the eyes of the check that warns of ids among features.
    """
    roles = dict(table.roles)
    for name in table.columns_with("id"):
        if name not in features:
            roles[name] = replace(roles[name], role="ignored")
    return replace(table, roles=MappingProxyType(roles))


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return float("inf")


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
