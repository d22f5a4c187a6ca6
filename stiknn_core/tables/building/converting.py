"""From a table and a person's choices to data sets; everything is learned from training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stiknn_core.errors import FeatureError, ShapeError
from stiknn_core.phrases import counted, listed
from stiknn_core.preparation import spread_notice
from stiknn_core.tables.building.crowd import Crowd, matched, votes_of
from stiknn_core.tables.building.features import Fitted, choose_kinds
from stiknn_core.tables.building.fitting import fit
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.building.planning import Choices, Plan, make_plan
from stiknn_core.tables.cells.labels import (
    check_measured,
    label_array,
    label_notices,
    label_text,
    one_spelling,
    target_notices,
    target_values,
    unlabelled,
)
from stiknn_core.tables.cells.missing import Problems, find_problems
from stiknn_core.tables.cells.wide import wide_vectors
from stiknn_core.tables.described import DescribedTable
from stiknn_core.types import AnyArray, Block, Dataset, FloatArray, IntArray


def convert(
    table: DescribedTable,
    choices: Choices,
    train_rows: IntArray | None = None,
    test: Part | None = None,
) -> tuple[Dataset, Dataset | None]:
    """Turn a table, or two parts, into data sets.

    ``train_rows`` are rows of ``table``, None takes all; ``test`` are rows of the same table or
    of a matched one. Without a test part there is no second data set.
    """
    given = table
    table, plan = make_plan(table, choices)
    rows = np.arange(table.n_rows, dtype=np.int64) if train_rows is None else train_rows
    train = Part(table, rows, [*table.notices, *plan.notices])
    if test is not None and test.table is not given:
        test.log.extend(test.table.notices)
    crowds: list[Crowd] = []
    if plan.crowd is not None:
        train, test, crowds = _standing(train, test, plan.crowd, given, choices)
    elif test is not None and test.table is given:
        test = replace(test, table=table)
    parts = [_labelled(part, plan) for part in (train, test) if part is not None]
    parts, features = _treat_missing(parts, plan)
    least = 2 if test is None else 1
    if len(parts[0].rows) < least:
        raise ShapeError(
            f"Only {counted(len(parts[0].rows), 'row')} can be used for training; expected at "
            f"least {least}, so load more rows."
        )
    if test is not None and not len(parts[1].rows):
        raise ShapeError("No row is left for testing; expected at least one.")
    fitted = _fit(parts[0], plan, features)
    sides, told = _targets(parts, plan) if plan.measured else _classes(parts, plan)
    matrices = [_matrix(part, fitted) for part in parts]
    names = tuple(name for feature in fitted for name in feature.names)
    if not names:
        raise FeatureError("No feature is left; choose other columns or another way with missing.")
    train.log.extend(told)
    blocks = _blocks(fitted, table)
    uneven = spread_notice(matrices[0], names, blocks) if plan.scale == "none" else None
    if uneven:
        train.log.append(uneven)
    datasets = []
    for part, X, own in zip(parts, matrices, sides, strict=True):
        truth, flipped = _truth(part, plan, own)
        datasets.append(
            Dataset(
                X=X,
                y=own,
                name=plan.name,
                feature_names=names,
                ids=_ids(part, plan.ids),
                y_true=truth,
                flipped=flipped,
                source_rows=part.rows.copy(),
                params=_params(table, plan, features),
                notices=tuple(dict.fromkeys(part.log)),
                blocks=blocks,
                measured=plan.measured,
            )
        )
    if crowds:
        told = [str(name) for own in sides for name in own.tolist()]
        both = zip(datasets, votes_of(parts, crowds, told), strict=True)
        datasets = [replace(dataset, votes=votes) for dataset, votes in both]
    return datasets[0], datasets[1] if test is not None else None


def _standing(
    train: Part, test: Part | None, crowd: Crowd, given: DescribedTable, choices: Choices
) -> tuple[Part, Part | None, list[Crowd]]:
    """Keep the rows that stand for themselves, where each label has a row of its own."""

    def own(part: Part, of: Crowd) -> Part:
        return replace(part, table=of.table, rows=part.rows[of.line[part.rows] >= 0])

    if test is None:
        return own(train, crowd), None, [crowd]
    other = crowd
    if test.table is not given:
        other = matched(crowd, test.table, choices.label)
        test.log.extend(other.notices)
    return own(train, crowd), own(test, other), [crowd, other]


def _labelled(part: Part, plan: Plan) -> Part:
    """Refuse or leave out rows without a label."""
    missing = without_label(part.table, plan)[part.rows]
    if not missing.any():
        return part
    gone = part.rows[missing]
    if not plan.drop_unlabelled:
        raise unlabelled(plan.named_label, gone, plan.measured)
    why = "that nobody labelled" if plan.named_label is None else "without a label"
    why = "without a finite target" if plan.measured else why
    part.log.append(f"Left out: {counted(len(gone), 'row')} {why}.")
    return replace(part, rows=part.rows[~missing])


def without_label(table: DescribedTable, plan: Plan) -> NDArray[np.bool_]:
    """Tell which rows of a table have no label, or no finite target, (n,)."""
    if plan.measured:
        return np.isnan(target_values(table.cells[plan.label], table.facts[plan.label]))
    return label_text(table.cells[plan.label]).isna().to_numpy()


def _classes(parts: Sequence[Part], plan: Plan) -> tuple[list[AnyArray], list[str]]:
    """Return the classes of the rows of each part, and what is to be said of them."""
    labels = [_texts(part, plan.label) for part in parts]
    told = []
    if parts[0].table.facts[plan.label].kind == "boolean":
        spellings = sorted({name for part in labels for name in part})
        if len(spellings) > 2:
            told.append(f"{listed(spellings)} in {plan.label!r} were read as two classes.")
        labels = [one_spelling(part, labels[0]) for part in labels]
    y = label_array([name for part in labels for name in part])
    sides = np.split(y, np.cumsum([len(part) for part in labels])[:-1])
    return sides, [*told, *label_notices(plan.label, labels[0])]


def _targets(parts: Sequence[Part], plan: Plan) -> tuple[list[AnyArray], list[str]]:
    """Return the targets of the rows of each part, and what is to be said of them."""
    for part in parts[1:]:
        check_measured(part.table.facts[plan.label])
    sides = [target_values(part.column(plan.label), part.table.facts[plan.label]) for part in parts]
    return sides, target_notices(plan.label, sides[0])


def _treat_missing(parts: list[Part], plan: Plan) -> tuple[list[Part], tuple[str, ...]]:
    """Refuse or leave out what is missing, as planned; return the rows and features to use."""
    features = plan.features

    def counts(part: Part) -> Problems:
        frame, facts = part.frame(features), part.table.facts
        return find_problems(frame, features, None, facts, plan.words, part.absent)

    found = [counts(part) for part in parts]
    if not any(problems.any for problems in found):
        return parts, features
    if plan.missing == "refuse":
        problems = next(problems for problems in found if problems.any)
        raise FeatureError(
            f"Features have {problems.sentence}",
            "drop the rows or columns, or fill the cells, with missing='drop_rows', "
            "'drop_columns' or 'impute'",
            "missing",
        )
    empty = next((name for name in features if parts[0].table.facts[name].kind == "empty"), None)
    if empty is not None and plan.missing != "drop_columns":
        raise FeatureError(f"Column {empty!r} is empty; leave it out of the features.")
    kept: list[Part] = []
    for part, problems in zip(parts, found, strict=True):
        bad = problems.missing_by_row + problems.infinite_by_row
        all_rows = plan.missing == "drop_rows"
        out = bad > 0 if all_rows else bad == len(features)
        if out.any():
            why = "missing or infinite features" if all_rows else "no usable feature at all"
            part.log.append(f"Left out: {counted(int(out.sum()), 'row')} with {why}.")
        if plan.missing == "impute":
            out |= _without_picture(part, features, out)
        kept.append(replace(part, rows=part.rows[~out]))
    if plan.missing == "drop_columns":
        again = [counts(part) for part in kept]
        bad_names = {name for told in again for name in (*told.missing, *told.infinite)}
        gone = [name for name in features if name in bad_names]
        features = tuple(name for name in features if name not in bad_names)
        if gone:
            parts[0].log.append(
                f"Left out: {counted(len(gone), 'column')} with missing or infinite values "
                f"({listed(gone)})."
            )
        if not features:
            raise FeatureError(
                "Every feature column has missing or infinite values; drop rows or impute instead."
            )
    return kept, features


def _without_picture(
    part: Part, features: Sequence[str], known: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which rows lack a picture, which nothing can stand in for; ``known`` are out already."""
    gone: NDArray[np.bool_] = np.zeros(len(part.rows), dtype=bool)
    for name in features:
        if name in part.table.pictures:
            gone |= part.absent[name]
    count = int((gone & ~known).sum())
    if count:
        part.log.append(f"Left out: {counted(count, 'row')} without a picture.")
    return gone


def _fit(part: Part, plan: Plan, features: tuple[str, ...]) -> list[Fitted]:
    table = part.table
    kinds = choose_kinds(
        table.cells, table.facts, features, plan.one_hot, plan.ordered, plan.encode
    )
    return [fit(part, name, kind, plan) for name, kind in kinds.items()]


def _matrix(part: Part, fitted: Sequence[Fitted]) -> FloatArray:
    parts: list[FloatArray] = []
    filled: dict[str, int] = {}
    for feature in fitted:
        values, stand_ins, unseen = feature.apply(part)
        parts.append(values)
        if stand_ins.any():
            filled[feature.column] = int(stand_ins.sum())
        if unseen:
            part.log.append(
                f"Column {feature.column!r} has words that no training row has "
                f"({listed(unseen, 5)}); their features are 0."
            )
    if filled:
        told = listed([f"{name!r}: {count:,}" for name, count in filled.items()], 5)
        part.log.append(
            f"Filled in: {counted(sum(filled.values()), 'value')} from the training rows ({told})."
        )
    if len(parts) == 1:
        return parts[0]
    return np.hstack(parts) if parts else np.empty((len(part.rows), 0))


def _blocks(fitted: Sequence[Fitted], table: DescribedTable) -> tuple[Block, ...]:
    """Tell which features belong together: those of one column, or of one embedding."""
    stems = {name: stem for stem, names in wide_vectors(table.facts).items() for name in names}
    found: list[Block] = []
    start = 0
    for feature in fitted:
        stop = start + len(feature.names)
        stem = stems.get(feature.column) if len(feature.names) == 1 else None
        if feature.block and stop > start:
            found.append(Block(feature.column, feature.block, start, stop))
        elif stem and found and found[-1] == Block(stem, "vector", found[-1].start, start):
            found[-1] = replace(found[-1], stop=stop)
        elif stem:
            found.append(Block(stem, "vector", start, stop))
        start = stop
    return tuple(found)


def _texts(part: Part, column: str) -> list[str]:
    return [str(told) for told in label_text(part.column(column))]


def _truth(part: Part, plan: Plan, own: AnyArray) -> tuple[AnyArray | None, IntArray]:
    """Return the true labels in the kind of the given ones, and the rows where they differ.

    None and no row where some are missing.
    """
    none: IntArray = np.empty(0, dtype=np.int64)
    if plan.truth is None or plan.truth not in part.table.facts:
        return None, none
    if plan.measured:
        values = target_values(part.column(plan.truth), part.table.facts[plan.truth])
        known = part.table.facts[plan.truth].kind == "number" and not np.isnan(values).any()
        return (values, np.flatnonzero(own != values)) if known else (None, none)
    if label_text(part.column(plan.truth)).isna().any():
        return None, none
    texts = _texts(part, plan.truth)
    told, given = np.array(texts, object), np.array(_texts(part, plan.label), object)
    flipped = np.flatnonzero(given != told).astype(np.int64)
    truth = label_array(texts)
    if truth.dtype.kind == own.dtype.kind:
        return truth, flipped
    return None if own.dtype.kind == "i" else told, flipped


def _ids(part: Part, column: str | None) -> AnyArray:
    if column is None or column not in part.table.facts:
        return part.rows.copy()
    told = label_text(part.column(column))
    texts: list[str] = []
    seen: dict[str, int] = {}
    changed = 0
    for row, cell in zip(part.rows, told, strict=True):
        text = f"row {row}" if not isinstance(cell, str) else cell
        seen[text] = seen.get(text, 0) + 1
        if seen[text] > 1:
            changed += 1
            while f"{text} ({seen[text]})" in seen:
                seen[text] += 1
            text = f"{text} ({seen[text]})"
            seen[text] = 1
        texts.append(text)
    if changed:
        part.log.append(f"{counted(changed, 'id')} in {column!r} occurred before and got a number.")
    return label_array(texts)


def _params(table: DescribedTable, plan: Plan, features: tuple[str, ...]) -> dict[str, Any]:
    return {
        "source": table.name,
        "format": table.decisions.get("format"),
        "label": plan.label,
        "features": features,
        "ids": plan.ids,
        "one_hot": plan.one_hot,
        "ordered": dict(plan.ordered),
        "encode": dict(plan.encode),
        "text": asdict(plan.text) if "text" in plan.encode.values() else None,
        "true_label": plan.truth,
        "missing": plan.missing,
        "measured": plan.measured,
        "scaling": plan.scale,
        "annotators": None if plan.crowd is None else plan.crowd.asked,
    }
