"""From the description of a data set to the data set."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import replace
from io import BytesIO
from pathlib import PurePath

import numpy as np

from stiknn_core.datasets import (
    add_copies,
    add_outliers,
    flip_labels,
    load_bundled,
    load_csv,
    make_dataset,
    thin_class,
)
from stiknn_core.types import Dataset
from stiknn_ui.spec import DataSpec


def build(spec: DataSpec, upload: Dataset | None = None) -> Dataset:
    """Return the data set that ``spec`` describes.

    Parameters
    ----------
    spec : DataSpec
    upload : Dataset or None
        The table as it was uploaded; only used where ``spec.source`` is ``"upload"``.

    Raises
    ------
    StiknnError
        If a setting is impossible for these data; the message names it.
    """
    if spec.source == "generated":
        return make_dataset(
            spec.name,  # type: ignore[arg-type]  # checked by make_dataset, with a sentence
            n=spec.n,
            noise=spec.noise,
            seed=spec.seed,
            n_classes=spec.n_classes,
            imbalance=spec.imbalance,
            flip=spec.flip,
            flip_kind=spec.flip_kind,
            copies=spec.copies,
            outliers=spec.outliers,
        )
    if spec.source == "bundled":
        return disturbed(load_bundled(spec.name), spec)  # type: ignore[arg-type]
    if upload is None:
        raise LookupError("the uploaded table is gone")
    return disturbed(upload, spec)


def disturbed(dataset: Dataset, spec: DataSpec) -> Dataset:
    """Return real data with the noise that ``spec`` asks for, each kind seeded on its own."""
    if spec.thin:
        dataset = thin_class(dataset, last_class(dataset), 1 - spec.thin, spec.seed)
    if spec.flip:
        dataset = flip_labels(dataset, spec.flip, spec.seed, kind=spec.flip_kind)
    if spec.copies:
        dataset = add_copies(dataset, spec.copies, spec.seed)
    if spec.outliers:
        dataset = add_outliers(dataset, spec.outliers, spec.seed)
    return dataset


def last_class(dataset: Dataset) -> object:
    """Return the class that sorts last, which is the one that ``thin`` takes rows from."""
    return np.unique(dataset.y).tolist()[-1]


def read_upload(name: str, content: bytes, label: str | None = None) -> tuple[DataSpec, Dataset]:
    """Read an uploaded CSV file.

    Parameters
    ----------
    name : str
        File name, shown on screen and in exports; any folder in it is dropped.
    content : bytes
        The file.
    label : str or None
        Column that holds the labels; None lets the loader choose.

    Returns
    -------
    (DataSpec, Dataset)
        The spec carries a digest of content and label, so it never equals another file's.

    Raises
    ------
    StiknnError
        If it is not a labelled table; the message says why.
    """
    dataset = load_csv(BytesIO(content), label=label)
    name = PurePath(name.replace("\\", "/")).name or "upload"
    digest = hashlib.sha256(content)
    digest.update(b"\0label\0" + (label or "").encode())
    spec = DataSpec(source="upload", name=name, flip=0.0, digest=digest.hexdigest())
    return spec, replace(dataset, name=name)


def column_names(content: bytes) -> list[str]:
    """Return the column names of a CSV file that was already read without an error."""
    header = next(csv.reader(content.decode("utf-8-sig", errors="replace").splitlines()), [])
    return list(dict.fromkeys(name.strip() for name in header if name.strip()))
