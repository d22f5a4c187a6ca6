"""The file format of a result: a zip of plain NumPy arrays and a JSON header, no pickle."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.games import index_of
from stiknn_core.types import AnyArray
from stiknn_core.validation import check_choice, check_whole
from stiknn_core.validation.problem import METRICS, TIES

ARRAYS = ("matrix", "values", "labels", "ids")
HEADER = (
    "classes",
    "absent_classes",
    "k",
    "index",
    "score",
    "metric",
    "ties",
    "evaluation",
    "n_train",
    "n_test",
    "tied_test_points",
    "likelihood",
    "test_weight",
    "fingerprint",
)
_FORMAT = "stiknn-interactions"
_VERSION = 2


def write_result(target: Path, header: dict[str, Any], arrays: dict[str, AnyArray]) -> None:
    """Write beside ``target`` and move into place, so that nothing is left half written."""
    text = json.dumps({"format": _FORMAT, "version": _VERSION, **header})
    partial = target.with_name(target.name + ".part")
    try:
        with open(partial, "wb") as file:
            np.savez(
                file,
                allow_pickle=False,
                header=np.frombuffer(text.encode(), dtype=np.uint8),
                matrix=arrays["matrix"],
                values=arrays["values"],
                labels=arrays["labels"],
                ids=arrays["ids"],
            )
        os.replace(partial, target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise FileError(f"The result could not be saved to {target}: {error}.") from error


def read_result(source: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and arrays of a file from `write_result`; FileError if it is none."""
    try:
        file = open(source, "rb")  # noqa: SIM115 - np.load would leave it open when it fails
    except FileNotFoundError:
        raise FileError(f"There is no file {source}.") from None
    except OSError as error:
        raise FileError(f"{source} could not be read: {error.strerror}.") from error
    try:
        with file, np.load(file, allow_pickle=False) as content:
            header = json.loads(content["header"].tobytes())
            arrays = {name: np.array(content[name]) for name in ARRAYS}
    except Exception as error:
        # What a damaged zip makes its readers raise has no end: RuntimeError, zlib.error, ...
        raise FileError(f"{source} is not a result saved by this package.") from error
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise FileError(f"{source} is not a result saved by this package.")
    if header.get("version") == 1:  # from before there was any other score
        header = {**header, "version": _VERSION, "score": "plain"}
    if header.get("version") != _VERSION:
        raise FileError(
            f"{source} was saved in version {header.get('version')} of the format; this package "
            f"reads version {_VERSION} and before. Use the release that saved it."
        )
    try:
        return _checked(header), _fitting(arrays, header)
    except (StiknnError, KeyError, TypeError) as error:
        raise FileError(f"{source} is damaged: {error}") from error


def _checked(header: dict[str, Any]) -> dict[str, Any]:
    """Return the entries of the header, each of the right kind."""
    entries = {name: header[name] for name in HEADER}
    for name in ("classes", "absent_classes"):
        if not isinstance(entries[name], list):
            raise TypeError(f"{name} is not a list.")
        entries[name] = tuple(entries[name])
    index_of(entries["index"])
    check_choice("metric", entries["metric"], METRICS)
    check_choice("ties", entries["ties"], TIES)
    check_choice("evaluation", entries["evaluation"], ("leave-one-out", "test set"))
    for name, least in (("k", 1), ("n_train", 1), ("n_test", 1), ("tied_test_points", 0)):
        check_whole(name, entries[name], least=least)
    for name in ("likelihood", "test_weight"):
        number = entries[name]
        if isinstance(number, bool) or not isinstance(number, int | float) or math.isnan(number):
            raise TypeError(f"{name} is not a number.")
    for name in ("fingerprint", "score"):
        if not isinstance(entries[name], str):
            raise TypeError(f"{name} is not text.")
    return entries


def _fitting(arrays: dict[str, AnyArray], header: dict[str, Any]) -> dict[str, AnyArray]:
    """Return the arrays, if they have the right shapes and kinds."""
    n = header["n_train"]
    for name, shape in {"matrix": (n, n), "values": (n,), "labels": (n,), "ids": (n,)}.items():
        array = arrays[name]
        if array.shape != shape:
            raise TypeError(f"{name} must have shape {shape}; got {array.shape}.")
    if arrays["matrix"].dtype not in (np.float64, np.float32):
        raise TypeError(f"matrix must be of float64 or float32; got {arrays['matrix'].dtype}.")
    if arrays["values"].dtype != np.float64:
        raise TypeError(f"values must be of float64; got {arrays['values'].dtype}.")
    if not set(arrays["labels"].tolist()) <= set(header["classes"]):
        raise TypeError("a label is not among the classes.")
    return arrays
