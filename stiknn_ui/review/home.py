"""Where the app keeps what must outlive the server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_FILE: Final = "reviews.sqlite"


def stiknn_home() -> Path:
    """Return the folder named by ``STIKNN_HOME``, by default ``~/.stiknn``; makes nothing.

    Where there is no home directory it still begins with ``~``: then no file can be made in it.
    """
    named = Path(os.environ.get("STIKNN_HOME") or "~/.stiknn")
    try:
        return named.expanduser().absolute()
    except RuntimeError:
        return named


def database_path() -> Path:
    """Return the file that decisions are written to, which need not exist."""
    return stiknn_home() / _FILE


def make_private_file(path: Path) -> None:
    """Make a file and its folders, for this user only; what is there already stays as it is.

    Raises
    ------
    OSError
        If that is not allowed.
    """
    if not path.is_absolute():
        raise FileNotFoundError(f"there is no home directory for {path}")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def where() -> str:
    """Return where decisions are written to, for a sentence."""
    return short(database_path())


def short(path: Path) -> str:
    """Return a path for a sentence, with ``~`` for the home directory."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (RuntimeError, ValueError):
        return str(path)
