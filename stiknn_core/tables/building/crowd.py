"""What several annotators said: gathered from columns or rows, and the label that most gave."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import FeatureError, LabelError, ParameterError
from stiknn_core.phrases import counted, listed, quoted
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.cells.annotators import said_of
from stiknn_core.tables.cells.causes import role_for
from stiknn_core.tables.cells.columns import examine
from stiknn_core.tables.cells.labels import check_label, label_array, label_text, one_spelling
from stiknn_core.tables.cells.numbers import PLAIN
from stiknn_core.tables.described import DescribedTable
from stiknn_core.types import AnyArray, IntArray, Votes

Annotators = str | int | Sequence[str | int] | Literal[False] | None
"""How annotators are asked for; see ``Table.to_dataset``."""

MAJORITY: Final = "majority of annotators"
"""What the label is called where no column of the file holds it."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Who said what of the rows of a table.

    Attributes
    ----------
    table : DescribedTable
        With the label in a column of its own, and annotators that are no features.
    label : str
        The column that holds the label of each row.
    annotators : tuple of str
    classes : tuple of str
    said : (m, a) int64
        Position in ``classes`` of what each annotator said, -1 = nothing; one line for each row
        that stands for itself.
    line : (n,) int64
        Line of ``said`` of each row of the table; -1 where another row stands for it.
    columns : tuple of str
        The columns of the annotators, or the one that names them.
    ids : str or None
        Of rows that name annotators, the column that says which belong together.
    voted : bool
        Whether the label is what most annotators said.
    source : str or None
        Of rows that name annotators, the column of what they said; else the label beside them.
    notices : tuple of str
    """

    table: DescribedTable
    label: str
    annotators: tuple[str, ...]
    classes: tuple[str, ...]
    said: IntArray
    line: IntArray
    columns: tuple[str, ...]
    ids: str | None
    voted: bool
    source: str | None
    notices: tuple[str, ...]

    @property
    def asked(self) -> Mapping[str, Any]:
        """What `gather` was asked for, by the names of its arguments; JSON can hold it."""
        columns = list(self.columns) if self.ids is None else self.columns[0]
        return {"asked": columns, "label": self.source, "ids": self.ids}

    @property
    def together(self) -> IntArray:
        """Number of the row that each row of the table belongs to, (n,) int64; -1 for none."""
        if self.ids is None:
            return self.line
        return pd.factorize(label_text(self.table.cells[self.ids]))[0].astype(np.int64)


def gather(table: DescribedTable, asked: Annotators, label: Any, ids: Any) -> Crowd | None:
    """Return what annotators said, or None where there are none.

    Parameters
    ----------
    table : DescribedTable
    asked : Annotators
        None takes the proposed columns.
    label : str or None
        The label as asked for. Of columns of annotators it is the label beside them; without
        one it is what most of them said. Of rows that name annotators it is what these said.
    ids : str or None
        The column that names the rows; None takes the proposed one.
    """
    if asked is False or (not isinstance(asked, str | int) and asked is not None and not asked):
        return None
    if asked is None:
        columns, names = table.columns_with("annotator"), table.column_with("annotator name")
        if columns:
            # A label that somebody chose may be one of them.
            wanted = None if label is None else str(label)
            columns = tuple(name for name in columns if name != wanted)
            return _of_columns(table, columns, wanted or table.label) if columns else None
        return None if names is None else _of_rows(table, names, label, ids)
    if isinstance(asked, str | int):
        (name,) = table.require([asked], "annotator")
        return _of_rows(table, name, label, ids)
    columns = tuple(dict.fromkeys(table.require(asked, "annotator")))
    return _of_columns(table, columns, None if label is None else str(label))


def _of_columns(table: DescribedTable, columns: tuple[str, ...], label: str | None) -> Crowd:
    """Gather labels that stand in one column for each annotator."""
    if label is not None:
        (label,) = table.require([label], "label")
    if label in columns:
        raise LabelError(
            f"The label {label!r} is a column of an annotator too; leave it out of one of them."
        )
    for name in columns:
        check_label_of_annotator(table, name)
    told = [said_of(table.cells[name]) for name in columns]
    line = np.arange(table.n_rows, dtype=np.int64)
    beside = [] if label is None else [label_text(table.cells[label])]
    classes, coded = _coded([*told, *beside])
    said = np.stack(coded[: len(told)], axis=1)
    majority, drawn = _majority(said, len(classes))
    notices = _told(columns, classes, said)
    beside_them, voted = label, label is None
    if label is None:
        table, label = _with_majority(table, columns, classes, majority)
        notices += _draws(drawn, line >= 0)
    else:
        roles = _roles(table, columns)
        table = dataclasses.replace(table, roles=MappingProxyType(roles))
        known = (coded[-1] >= 0) & (majority >= 0) & ~drawn
        other = int((known & (coded[-1] != majority)).sum())
        if other:
            rows = counted(other, "row, where", "rows, where")
            notices.append(f"Labels are those of {label!r}; in {rows} most annotators differ.")
    return Crowd(
        table, label, columns, classes, said, line, columns, None, voted, beside_them,
        tuple(notices),
    )  # fmt: skip


def _of_rows(table: DescribedTable, column: str, label: Any, ids: Any) -> Crowd:
    """Gather labels of which each has a row that names the annotator and what was labelled."""
    item = table.column_with("id") if ids is None else table.require([ids], "id")[0]
    source = table.label if label is None else table.require([label], "label")[0]
    if item is None:
        raise ParameterError(
            f"Rows name annotators in {column!r}, and no column says which belong together",
            "name it with ids=",
            "ids",
        )
    if source is None:
        raise LabelError(
            "No column looks like a label",
            f"choose one with label= among {listed(table.columns)}",
            "label",
        )
    if len({item, source, column}) < 3:
        raise ParameterError(
            f"Annotators, ids and label need a column each; got {quoted((column, item, source))}."
        )
    check_label_of_annotator(table, source)
    who, which = label_text(table.cells[column]), label_text(table.cells[item])
    named = (who.notna() & which.notna()).to_numpy()
    if not named.any():
        raise LabelError(f"No row names both {column!r} and {item!r}; choose other columns.")
    notices = []
    if not named.all():
        lost = counted(int((~named).sum()), "row that does", "rows that do")
        notices.append(f"Left out: {lost} not name both {column!r} and {item!r}.")
    rows = np.flatnonzero(named)
    annotator, annotators = pd.factorize(who[named], sort=True)
    of, items = pd.factorize(which[named])
    (classes, (code,)) = _coded([said_of(table.cells[source])])
    code = code[rows]
    said = np.full((len(items), len(annotators)), -1, dtype=np.int64)
    given = code >= 0
    # Of several labels for one row the last counts, as where a person has changed their mind.
    said[of[given], annotator[given]] = code[given]
    changed = given & (said[of, annotator] != code)
    if changed.any():
        first = np.flatnonzero(changed)[0]
        pairs = len(np.unique(of[changed] * len(annotators) + annotator[changed]))
        what = counted(pairs, "row has", "rows have")
        notices.append(
            f"{what} several labels of one annotator ({annotators[annotator[first]]!r} on "
            f"{items[of[first]]!r}); the last one counts."
        )
    line = np.full(table.n_rows, -1, dtype=np.int64)
    first_of = np.unique(of, return_index=True)[1]
    line[rows[first_of]] = np.arange(len(items))
    majority, drawn = _majority(said, len(classes))
    spread = np.full(table.n_rows, -1, dtype=np.int64)
    spread[rows] = majority[of]
    drawn_rows = np.zeros(table.n_rows, dtype=bool)
    drawn_rows[rows] = drawn[of]
    names = tuple(str(name) for name in annotators)
    notices += [*_told(names, classes, said), *_draws(drawn_rows, line >= 0)]
    notices.append(
        f"{counted(len(rows), 'label')} of {counted(len(names), 'annotator')} for "
        f"{counted(len(items), 'row')}, told apart by {item!r}."
    )
    table, name = _with_majority(table, (column, source), classes, spread)
    return Crowd(
        table, name, names, classes, said, line, (column,), item, True, source, tuple(notices)
    )  # fmt: skip


def matched(crowd: Crowd, test: DescribedTable, label: Any) -> Crowd:
    """Return what the annotators of a training table said of a test table."""
    missing = [name for name in crowd.columns if name not in test.facts]
    if crowd.ids is not None:
        missing += [name for name in (crowd.ids,) if name not in test.facts]
    there = [name for name in crowd.columns if name in test.facts]
    if not there or (crowd.ids is not None and missing):
        raise FeatureError(
            f"The test table lacks the columns of the annotators ({quoted(missing)}); expected the "
            "columns of the training table."
        )
    if crowd.ids is not None:
        return _of_rows(test, crowd.columns[0], label, crowd.ids)
    return _of_columns(test, tuple(there), None if crowd.voted else crowd.label)


def votes_of(parts: Sequence[Part], crowds: Sequence[Crowd], labels: Sequence[str]) -> list[Votes]:
    """Return the votes on the rows of some parts, all with the same annotators and classes."""
    annotators = tuple(dict.fromkeys(name for crowd in crowds for name in crowd.annotators))
    named = {*labels, *(name for crowd in crowds for name in crowd.classes)}
    classes = _sorted(named)
    found = []
    for part, crowd in zip(parts, crowds, strict=True):
        place = np.array([*(classes.index(name) for name in crowd.classes), -1], dtype=np.int64)
        said = np.full((len(part.rows), len(annotators)), -1, dtype=np.int64)
        columns = [annotators.index(name) for name in crowd.annotators]
        said[:, columns] = place[crowd.said[crowd.line[part.rows]]]
        found.append(Votes(annotators, classes, said))
    return found


def uneven_features(crowd: Crowd, features: Sequence[str]) -> list[str]:
    """Say where rows that belong together have different features: the first one's are taken."""
    if crowd.ids is None:
        return []
    of = crowd.together
    first = np.unique(of, return_index=True)[1]
    first = first[1:] if (of < 0).any() else first
    differ = np.zeros(len(of), dtype=bool)
    for name in features:
        codes = pd.factorize(crowd.table.cells[name])[0]
        differ |= (of >= 0) & (codes != codes[first][of])
    if not differ.any():
        return []
    names = counted(len(np.unique(of[differ])), "row has", "rows have")
    return [f"{names} different features beside its labels; the first are taken."]


def check_label_of_annotator(table: DescribedTable, name: str) -> None:
    """Refuse a column that measures something; an empty one is an annotator who said nothing."""
    if table.facts[name].kind != "empty":
        check_label(table.cells[name], table.facts[name])


def _coded(columns: Sequence[pd.Series[Any]]) -> tuple[tuple[str, ...], list[IntArray]]:
    """Return the classes that some columns name, sorted, and each column as positions in them."""
    texts = [column.to_numpy(dtype=object) for column in columns]
    gone = [np.array([not isinstance(cell, str) for cell in text], dtype=bool) for text in texts]
    told = [str(cell) for text, no in zip(texts, gone, strict=True) for cell in text[~no]]
    if not told:
        raise LabelError("No annotator labelled any row; choose columns with class names.")
    if {word.casefold() for word in told} <= {"true", "false"}:
        told = one_spelling(told, told)
    classes = _sorted(set(told))
    place = {name: position for position, name in enumerate(classes)}
    codes, start = [], 0
    for no in gone:
        coded = np.full(len(no), -1, dtype=np.int64)
        count = int((~no).sum())
        coded[~no] = [place[word] for word in told[start : start + count]]
        codes.append(coded)
        start += count
    return classes, codes


def _sorted(names: set[str]) -> tuple[str, ...]:
    return tuple(str(name) for name in np.unique(label_array(sorted(names))).tolist())


def _majority(said: IntArray, n_classes: int) -> tuple[IntArray, NDArray[np.bool_]]:
    """Return what most said of each row, -1 where nobody said anything, and where it is a draw."""
    counts = np.zeros((len(said), n_classes), dtype=np.int64)
    row, annotator = np.nonzero(said >= 0)
    np.add.at(counts, (row, said[row, annotator]), 1)
    most = counts.max(axis=1)
    first = np.where(most > 0, counts.argmax(axis=1), -1).astype(np.int64)
    return first, (most > 0) & ((counts == most[:, None]).sum(axis=1) > 1)


def _with_majority(
    table: DescribedTable, columns: Sequence[str], classes: tuple[str, ...], codes: IntArray
) -> tuple[DescribedTable, str]:
    """Return the table with the label that most gave as a column, and its name."""
    name = MAJORITY
    while name in table.facts:
        name = f"{name} (found)"
    words: AnyArray = np.array([*classes, None], dtype=object)
    column = pd.Series(words[codes], index=table.cells.index, dtype="str", name=name)
    roles = {
        other: role_for(other, "ignored", role.cause, label=name) if role.role == "label" else role
        for other, role in _roles(table, columns).items()
    }
    roles[name] = role_for(name, "label", "majority")
    facts = {**table.facts, name: examine(column, PLAIN)}
    return dataclasses.replace(
        table,
        cells=pd.concat([table.cells, column], axis=1),
        roles=MappingProxyType(roles),
        facts=MappingProxyType(facts),
    ), name


def _roles(table: DescribedTable, columns: Sequence[str]) -> dict[str, Any]:
    """Return the roles of a table with some columns as those of annotators."""
    told = {name: role_for(name, "annotator", "annotator name") for name in columns}
    return {**table.roles, **told}


def _told(names: Sequence[str], classes: Sequence[str], said: IntArray) -> list[str]:
    """Say what is odd about the labels: who gave none, or none that anybody else gave."""
    given = np.stack([np.bincount(one[one >= 0], minlength=len(classes)) for one in said.T])
    found = []
    silent = [name for name, count in zip(names, given.sum(axis=1), strict=True) if not count]
    if silent:
        one = counted(len(silent), "annotator has", "annotators have")
        found.append(f"{one} labelled no row ({quoted(silent)}).")
    if len(names) - len(silent) == 1:
        found.append("There is one annotator only, so that shares of annotators say nothing.")
        return found
    for place, name in enumerate(names):
        own = given[place] > 0
        rest = (given > 0).sum(axis=0) - own > 0
        if own.any() and not (own & rest).any():
            words = quoted([classes[code] for code in np.flatnonzero(own).tolist()], 3)
            found.append(
                f"Annotator {name!r} gave only labels that nobody else gave ({words}); check that "
                "they are classes of the same kind."
            )
    return found


def _draws(drawn: NDArray[np.bool_], standing: NDArray[np.bool_]) -> list[str]:
    count = int((drawn & standing).sum())
    if not count:
        return []
    rows = counted(count, "row as many annotators gave another label",
                   "rows as many annotators gave another label")  # fmt: skip
    return [f"On {rows}; the class that sorts first is taken."]
