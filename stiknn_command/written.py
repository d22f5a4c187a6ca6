"""What `stiknn suspects` found, as a file."""

from __future__ import annotations

import json
from pathlib import Path

from stiknn_command.found import Found
from stiknn_command.outputs import write_bytes
from stiknn_command.page import suspects_page
from stiknn_command.shown import as_json
from stiknn_core.exporting import to_csv


def write_suspects(found: Found, path: Path) -> None:
    """Write all rows, ranked, as the ending of the file says."""
    match path.suffix.lower():
        case ".csv":
            table = found.table
            table = table.assign(line=table["line"].astype(object).where(table["line"] > 0, None))
            write_bytes(path, to_csv(table))
        case ".json":
            write_bytes(path, (json.dumps(as_json(found), allow_nan=False) + "\n").encode())
        case _:
            write_bytes(path, suspects_page(found))
