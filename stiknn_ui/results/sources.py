"""From the description of a data set to the data set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stiknn_core.datasets import (
    add_copies,
    add_outliers,
    flip_labels,
    load_bundled,
    load_paper_dataset,
    make_dataset,
    swap_targets,
    thin_class,
)
from stiknn_core.tables import sample_rows
from stiknn_core.types import Dataset
from stiknn_ui.asked.paper_sets import needs_fetching
from stiknn_ui.asked.spec import DataSpec


def build(spec: DataSpec, fetched: Dataset | None = None) -> Dataset:
    """Return the public data set that ``spec`` describes; uploads are built by their session.

    Parameters
    ----------
    spec : DataSpec
    fetched : Dataset or None
        All rows of a set from OpenML, which is never fetched from here.

    Raises
    ------
    StiknnError
        If a setting is impossible for these data; the message names it.
    LookupError
        If it is an upload, or from OpenML and not fetched yet.
    """
    if spec.source == "generated":
        made = make_dataset(
            spec.name,  # type: ignore[arg-type]  # checked by make_dataset, with a sentence
            n=spec.n,
            noise=spec.noise,
            seed=spec.seed,
            n_classes=spec.n_classes,
            imbalance=spec.imbalance,
        )
        return disturbed(_sampled(made, spec), spec)
    if spec.source == "bundled":
        return disturbed(_sampled(load_bundled(spec.name), spec), spec)  # type: ignore[arg-type]
    if spec.source == "paper" and fetched is not None:
        return disturbed(_sampled(fetched, spec), spec)
    if spec.source == "paper" and not needs_fetching(spec.name):
        made = load_paper_dataset(spec.name, n=spec.sample or None, seed=spec.seed)
        return disturbed(made, spec)
    raise LookupError("an uploaded table is known to its session only, and OpenML is asked first")


def _sampled(dataset: Dataset, spec: DataSpec) -> Dataset:
    return sample_rows(dataset, spec.sample, spec.seed) if spec.sample else dataset


def disturbed(dataset: Dataset, spec: DataSpec) -> Dataset:
    """Return real data with the noise that ``spec`` asks for, each kind seeded on its own."""
    if dataset.measured:
        return _crowded(swap_targets(dataset, spec.flip, spec.seed), spec)
    used = [spec.thin_of] if spec.thin else []
    if spec.flip and spec.flip_kind == "asymmetric":
        used += [spec.flip_from, spec.flip_to]
    dataset = _missed(dataset, [name for name in used if name])
    if spec.thin:
        thinned = class_named(dataset, spec.thin_of)
        thinned = last_class(dataset) if thinned is None else thinned
        dataset = thin_class(dataset, thinned, 1 - spec.thin, spec.seed)
    if spec.flip:
        pair: dict[str, object] = {}
        if spec.flip_kind == "asymmetric":
            source, target = (class_named(dataset, n) for n in (spec.flip_from, spec.flip_to))
            pair = {"source": source, "target": None if target == source else target}
        dataset = flip_labels(dataset, spec.flip, spec.seed, kind=spec.flip_kind, **pair)
    return _crowded(dataset, spec)


def _crowded(dataset: Dataset, spec: DataSpec) -> Dataset:
    """Return the data with the copies and outliers that are asked for."""
    if spec.copies:
        dataset = add_copies(dataset, spec.copies, spec.seed)
    if spec.outliers:
        dataset = add_outliers(dataset, spec.outliers, spec.seed)
    return dataset


def _missed(dataset: Dataset, names: list[str]) -> Dataset:
    """Note the classes that the noise was meant for but the data do not have."""
    gone = sorted({name for name in names if class_named(dataset, name) is None})
    if not gone:
        return dataset
    said = f"These data have no class {' or '.join(map(repr, gone))}, so the noise takes another."
    return replace(dataset, notices=(*dataset.notices, said))


def last_class(dataset: Dataset) -> object:
    """Return the class that sorts last, which is the one that ``thin`` takes rows from."""
    return classes_of(dataset)[-1]


def classes_of(dataset: Dataset) -> list[object]:
    """Return the classes in their order; none of measured targets."""
    return [] if dataset.measured else list(np.unique(dataset.y).tolist())


def class_named(dataset: Dataset, name: str) -> object | None:
    """Return the class that reads ``name``; None where the data have no such class."""
    return next((label for label in classes_of(dataset) if name and str(label) == name), None)
