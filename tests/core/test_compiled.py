"""Compiled loops: kept on every machine, all of them ready before they are needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stiknn_core import values
from stiknn_core._kernels.compiled import take_along

ROOT = Path(__file__).resolve().parents[2]

#: Prints how many loops there are, and those that are not ready or had to be compiled.
REPORT = """
from importlib import import_module
from pathlib import Path
import numpy as np
import stiknn_core
from numba.core.dispatcher import Dispatcher

def report(loops):
    missed = sorted(n for n, loop in loops.items() if sum(loop.stats.cache_misses.values()))
    # A loop that others call is inside them, once these come from their files.
    inner = {name for loop in loops.values() for name in loop.py_func.__code__.co_names}
    idle = sorted(
        name
        for name, loop in loops.items()
        if not loop.signatures and loop.py_func.__name__ not in inner
    )
    places = {loop.stats.cache_path for loop in loops.values()}
    return missed, idle, places

loops = {}
for file in sorted((Path(stiknn_core.__file__).parent / "_kernels").glob("*.py")):
    for name, thing in vars(import_module(f"stiknn_core._kernels.{file.stem}")).items():
        if isinstance(thing, Dispatcher):
            loops[f"{file.stem}.{name}"] = thing
"""


def run(code: str, folder: Path = ROOT, **environment: str) -> str:
    """Run ``code`` in a process of its own and return what it prints."""
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", **environment},
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.mark.slow
def test_precompiling_leaves_nothing_to_a_first_click() -> None:
    """Every loop is made ready, for all kinds of arrays that an analysis of the app brings."""
    out = run(
        REPORT + "from stiknn_core.precompile import precompile\n"
        "from stiknn_ui.results.analysis import analyse\n"
        "from stiknn_ui.results.sources import build\n"
        "from stiknn_ui.asked.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA\n"
        "precompile()\n"
        "print(len(loops) > 15, report(loops)[1])\n"
        "before = {name: list(loop.signatures) for name, loop in loops.items()}\n"
        "analyse(build(EXAMPLE_DATA, None), EXAMPLE_DATA, EXAMPLE_COMPUTE, lambda a, b: None)\n"
        "print([name for name, loop in loops.items() if list(loop.signatures) != before[name]])"
    )
    assert out.splitlines() == ["True []", "[]"]


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """A copy of the package in a place where nothing can be written, not even by root."""
    shutil.copytree(
        ROOT / "stiknn_core", tmp_path / "stiknn_core", ignore=shutil.ignore_patterns("__pycache__")
    )
    for folder in (tmp_path / "stiknn_core").rglob("*/"):
        (folder / "__pycache__").touch()
    (tmp_path / "stiknn_core" / "__pycache__").touch()
    return tmp_path


@pytest.mark.slow
def test_neither_package_nor_home_can_be_written_to(sealed: Path) -> None:
    (sealed / "home").touch()
    (sealed / "tmp").mkdir()
    nowhere = str(sealed / "home")
    code = REPORT + (
        f"assert stiknn_core.__file__.startswith({str(sealed)!r})\n"
        "matrix = np.array([[1.0, 2.0], [0.0, 3.0]])\n"
        "loops['pairs.mirror'](matrix, 0, 2)\n"
        "print(matrix.tolist())\n"
        "print(*report(loops)[2])"
    )
    places = {"HOME": nowhere, "XDG_CACHE_HOME": nowhere, "TMPDIR": str(sealed / "tmp")}
    matrix, place = run(code, sealed, **places).splitlines()
    assert matrix == "[[1.0, 2.0], [2.0, 3.0]]"
    assert Path(place).is_relative_to(sealed / "tmp")
    assert not any((sealed / "tmp").iterdir()), "the folder of a process goes with it"


@pytest.mark.slow
def test_what_came_with_the_package_is_taken_along(tmp_path: Path) -> None:
    """As in an image built by root: compiled loops are there, but not to be written to."""
    data = [[0.0], [1.0], [3.0]], [0, 1, 1]
    values(*data)  # compiled now, and beside the source
    code = REPORT + f"stiknn_core.values(*{data})\nprint(report(loops)[0])"
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path / "elsewhere")).strip() == "[]"
    assert list((tmp_path / "elsewhere").rglob("*.nbi"))


def test_own_files_are_kept_and_odd_folders_ignored(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    take_along(source, target)  # nothing there
    source.mkdir()
    for name in ("a.nbi", "a.1.nbc", "b.nbi", "b.1.nbc"):
        (source / name).write_text("new")
    (target / "a.nbi").write_text("own")
    take_along(source, target)
    found = {file.name: file.read_text() for file in target.iterdir()}
    assert found == {"a.nbi": "own", "b.nbi": "new", "b.1.nbc": "new"}
    take_along(source, source / "a.nbi")  # a file where a folder should be
