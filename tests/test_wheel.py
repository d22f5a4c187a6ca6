"""What is installed by `pip install .` is whole, and does what the documents show.

The wheel is built and installed with what it declares into an environment of its own, where the
documents' code runs: first without extras, then with those that the documents name.
"""

from __future__ import annotations

import filecmp
import json
import shutil
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest
from uv import find_uv_bin

import stiknn_core
from tests.block_code import write_files
from tests.documents import DOCUMENTS, ROOT, name_of, python_blocks

# The newest releases of the day must not decide whether a change passes.
PINS = ROOT / "requirements-dev.txt"
NOT_SOURCES = (".*", "__pycache__", "build", "dist", "site", "docs", "node_modules", "*.egg-info")


def uv(*arguments: object) -> None:
    """Run uv with what it has kept, and ask the network only if that is not enough."""
    for network in (["--offline"], []):
        command = [find_uv_bin(), *map(str, arguments), *network]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 0:
            return
    pytest.fail(f"{' '.join(command)}\n{run.stderr}")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of all sources: building leaves traces."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "copy", ignore=shutil.ignore_patterns(*NOT_SOURCES))
    uv("build", "--wheel", "--out-dir", folder / "built", folder / "copy")
    (built,) = (folder / "built").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that documents name, and an empty environment in it."""
    folder = tmp_path_factory.mktemp("clean")
    shutil.copytree(ROOT / "sample_data", folder / "sample_data")
    write_files(folder)
    uv("venv", "--python", sys.executable, folder / "env")
    return folder


def install(wheel: Path, place: Path, extras: set[str]) -> None:
    """Install the wheel, and take along what was compiled from the same sources.

    Numba goes by date and size of a source. Files that are the same to the last byte get the
    date of their original; of others nothing is taken, and they are compiled anew.
    """
    named = f"stiknn-explorer[{','.join(sorted(extras))}] @ {wheel.as_uri()}"
    uv("pip", "install", "--constraint", PINS, "--python", place / "env", named)
    (installed,) = (place / "env").glob("lib/python*/site-packages/stiknn_core")
    for source in (ROOT / "stiknn_core").rglob("*.py"):
        target = installed / source.relative_to(ROOT / "stiknn_core")
        if not filecmp.cmp(source, target, shallow=False):
            continue
        target.unlink()  # it may share its bytes with the cache of uv
        shutil.copy2(source, target)
        for kept in (source.parent / "__pycache__").glob(f"{source.stem}.*.nb?"):
            (target.parent / "__pycache__").mkdir(exist_ok=True)
            shutil.copy2(kept, target.parent / "__pycache__")


def run_documents(place: Path, extras: set[str]) -> list[str]:
    """Run documents in the environment; return what became of each block.

    All of them without extras, and with extras those that name some.
    """
    blocks = {
        name_of(path): [
            (block.line, block.code, sorted(set(block.extras) - extras))
            for block in python_blocks(path)
        ]
        for path in DOCUMENTS
        if not extras or any(block.extras for block in python_blocks(path))
    }
    (place / "blocks.json").write_text(json.dumps(blocks), encoding="utf-8")
    program = ROOT / "tests" / "block_code.py"
    run = subprocess.run(
        [place / "env" / "bin" / "python", "-I", program, "blocks.json"],
        cwd=place, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout.splitlines()


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "stiknn_core").rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        told = HeaderParser().parsestr(archive.read(about).decode())
    assert {name for name in names if ".dist-info/" not in name} == wanted
    assert "stiknn_core/py.typed" in wanted
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert told["Version"] == stiknn_core.__version__
    assert not any("streamlit" in one for one in told.get_all("Requires-Dist", []))


@pytest.mark.slow
def test_documents_run_where_only_the_package_is(wheel: Path, place: Path) -> None:
    install(wheel, place, set())
    became = run_documents(place, set())
    assert sum(line.endswith(" runs") for line in became) >= 9
    assert {line.rpartition(" lacks ")[2] for line in became if " lacks " in line} == {
        "['distributed']",
        "['files']",
    }

    extras = {
        extra for path in DOCUMENTS for block in python_blocks(path) for extra in block.extras
    }
    install(wheel, place, extras)
    assert all(line.endswith(" runs") for line in run_documents(place, extras))
