"""Where compiled loops are kept, so that each is compiled once per machine.

Numba keeps them beside the source or, where it may not write there, in the cache folder of the
user, and refuses to start where it may write to neither. Then a folder of this process takes
their place. Wherever they go, those that came with the package are taken along, so that an
image that was built by one user and is run by another compiles nothing.

To be imported before any module that declares one.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import numba

_BESIDE_SOURCE = Path(__file__).parent / "__pycache__"


def _find_a_place() -> None:
    """Make sure that there is a folder for compiled loops, before any is declared."""
    # Numba fills its settings in from the environment, where no type checker sees it.
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    try:
        place = compiled_folder()
    except RuntimeError:  # "no locator available"
        folder = tempfile.mkdtemp(prefix="stiknn-compiled-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        numba.config.CACHE_DIR = folder  # type: ignore[attr-defined]
        place = compiled_folder()
    if place != _BESIDE_SOURCE:
        take_along(_BESIDE_SOURCE, place)


def take_along(source: Path, target: Path) -> None:
    """Copy compiled loops that ``target`` lacks; on any difficulty, leave them to be compiled."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        for index in source.glob("*.nbi"):
            if (target / index.name).exists():
                continue
            # The index last: what it names has to be there.
            for file in (*source.glob(f"{index.stem}.*.nbc"), index):
                partial = target / f"{file.name}.{os.getpid()}.part"
                shutil.copyfile(file, partial)
                os.replace(partial, target / file.name)
        for mark in source.glob("ready-*"):  # of `stiknn_core.precompile`
            (target / mark.name).touch()
    except OSError:
        return


def compiled_folder() -> Path:
    """Return the folder that Numba chooses for loops of this package."""
    return Path(str(numba.njit(cache=True)(_nothing).stats.cache_path))


def _nothing() -> None:
    """Stand in for any compiled loop: declared, never compiled."""


_find_a_place()
