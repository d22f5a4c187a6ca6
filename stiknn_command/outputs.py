"""Files that the command writes: beside, then moved into place, so that none is half written."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.exporting import to_csv
from stiknn_core.phrases import listed


def check_target(target: str, kinds: Sequence[str]) -> None:
    """Refuse a file of a kind that is not written, or in no folder, before anything is computed."""
    path = Path(target)
    if path.suffix.lower() not in kinds:
        raise ParameterError(f"-o must end in one of {listed(kinds)}; got {target!r}.")
    if not path.parent.is_dir():
        raise FileError(f"There is no folder {str(path.parent)!r}; make it first.")
    if path.is_dir():
        raise FileError(f"{target!r} is a folder; name a file.")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    partial = path.with_name(f"{path.name}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise FileError(f"{str(path)!r} could not be written: {error.strerror}.") from None


def write_frame(frame: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV, JSON or Parquet."""
    match path.suffix.lower():
        case ".csv":
            write_bytes(path, to_csv(frame))
        case ".json":
            write_bytes(path, (json.dumps(records_of(frame), allow_nan=False) + "\n").encode())
        case _:
            frame.columns = frame.columns.map(str)
            write_bytes(path, frame.to_parquet(index=False))


def records_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows for JSON, numbers in full: what pandas writes itself has 15 digits."""
    columns = [frame[name].tolist() for name in frame.columns]
    return [dict(zip(frame.columns, row, strict=True)) for row in zip(*columns, strict=True)]
