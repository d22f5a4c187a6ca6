"""What is installed by `pip install .` is whole, and does what the documents show.

Wheel and source distribution are built; the wheel is installed with what it declares into an
environment of its own, where the documents' code runs: first without extras, then with those that
the documents name. Then the dashboard is installed, and started by its command.
"""

from __future__ import annotations

import filecmp
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest
from uv import find_uv_bin

import stiknn_core
from tests.block_code import write_files
from tests.documents import DOCUMENTS, ROOT, name_of, python_blocks
from tests.patience import PATIENCE

# The newest releases of the day must not decide whether a change passes.
PINS = ROOT / "requirements-dev.txt"
NOT_SOURCES = (".git", ".venv", ".*_cache", "__pycache__", "build", "dist", "site", "node_modules",
    ".hypothesis", "test-artifacts", "*.egg-info")  # fmt: skip
PACKAGES = ("stiknn_command", "stiknn_core", "stiknn_ui", "stiknn_view")
OF_THE_DASHBOARD = "stiknn_ui/carried/"
MOST_BYTES = 3_000_000


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
    # The source distribution first, and the wheel from that: what it lacks is missed here.
    uv("build", "--out-dir", folder / "built", folder / "copy")
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
    for mark in (ROOT / "stiknn_core" / "_kernels" / "__pycache__").glob("ready-*"):
        (installed / "_kernels" / "__pycache__").mkdir(exist_ok=True)
        shutil.copy2(mark, installed / "_kernels" / "__pycache__")
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
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in {".py", ".js", ".css", ".typed"} or "vendor" in path.parts
        if path.is_file() and path.parent.name != "__pycache__"
    }
    carried = [ROOT / "app.py", ROOT / ".streamlit" / "config.toml", ROOT / "docs" / "reading.md"]
    carried += [*(ROOT / "pages").glob("*.py"), *(ROOT / "sample_data").iterdir()]
    carried += (ROOT / "docs" / "pictures").glob("pattern-*.png")
    wanted |= {OF_THE_DASHBOARD + path.relative_to(ROOT).as_posix() for path in carried}
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        told = HeaderParser().parsestr(archive.read(about).decode())
    assert {name for name in names if ".dist-info/" not in name} == wanted
    assert {f"{OF_THE_DASHBOARD}pages/explore.py", "stiknn_core/py.typed"} <= wanted
    assert wheel.stat().st_size < MOST_BYTES
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert told["Version"] == stiknn_core.__version__
    asked = [one for one in told.get_all("Requires-Dist", []) if "streamlit" in one]
    assert len(asked) == 1
    assert "extra ==" in asked[0]


@pytest.mark.slow
def test_documents_run_where_only_the_package_is(wheel: Path, place: Path) -> None:
    install(wheel, place, set())
    became = run_documents(place, set())
    assert sum(line.endswith(" runs") for line in became) >= 9
    assert {line.rpartition(" lacks ")[2] for line in became if " lacks " in line} == {
        "['distributed']",
        "['files']",
        "['widget']",
    }

    extras = {
        extra for path in DOCUMENTS for block in python_blocks(path) for extra in block.extras
    }
    install(wheel, place, extras)
    assert all(line.endswith(" runs") for line in run_documents(place, extras))


def command(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [place / "env" / "bin" / "stiknn", *words], cwd=place, capture_output=True, text=True
    )


@pytest.mark.slow
def test_the_command_without_the_dashboard(wheel: Path, place: Path) -> None:
    install(wheel, place, set())
    run = command(place, "suspects", "sample_data/circles_flipped.csv", "--fail-over", "5%")
    assert run.returncode == 1, run.stderr
    assert "19 of 200 rows flagged (9.5 %), more than the limit of 5%." in run.stdout
    run = command(place, "--version")
    assert run.stdout == f"stiknn {stiknn_core.__version__}\n"
    run = command(place, "sample_data/circles_flipped.csv", "--no-browser")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "stiknn: The dashboard needs streamlit, which is not installed; run pip install "
        '"stiknn-explorer[app]".\n'
    )


@pytest.mark.slow
def test_the_command_with_the_dashboard(wheel: Path, place: Path) -> None:
    """Its scripts, pages, theme and sample files are found, whatever folder it is started in."""
    install(wheel, place, {"app"})
    log = place / "server.log"
    words = ["sample_data/circles_flipped.csv", "--no-browser"]
    with log.open("w") as output:
        server = subprocess.Popen(
            [place / "env" / "bin" / "stiknn", *words], cwd=place, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE
        while not (said := re.search(r"^STI-KNN Explorer: (http\S+)$", log.read_text(), re.M)):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.2)
        with urllib.request.urlopen(said[1], timeout=PATIENCE) as answer:
            assert b"<script" in answer.read()
    finally:
        os.killpg(server.pid, signal.SIGINT)
        server.wait(timeout=PATIENCE)
    check = (
        "import pathlib, stiknn_ui;"
        "from stiknn_ui.uploads.files import sample_files;"
        "from stiknn_ui.page.reading import DOCUMENT;"
        "assert pathlib.Path(stiknn_ui.__file__).parent in stiknn_ui.ROOT.parents;"
        "assert len(sample_files()) > 5 and DOCUMENT.exists();"
        "from streamlit.testing.v1 import AppTest;"
        "app = AppTest.from_file(str(stiknn_ui.ROOT / 'app.py'), default_timeout=240).run();"
        "assert not app.exception, app.exception"
    )
    run = subprocess.run(
        [place / "env" / "bin" / "python", "-I", "-c", check], cwd=place,
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr


@pytest.mark.slow
def test_an_editable_install_takes_the_scripts_from_the_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    copy = wheel.parents[1] / "copy"
    uv("venv", "--python", sys.executable, tmp_path / "env")
    uv("pip", "install", "--no-deps", "--python", tmp_path / "env", "--editable", copy)
    told = subprocess.check_output(
        [tmp_path / "env" / "bin" / "python", "-c", "import stiknn_ui; print(stiknn_ui.ROOT)"],
        cwd=tmp_path, text=True,
    )  # fmt: skip
    assert Path(told.strip()) == copy


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_other_pythons(wheel: Path, tmp_path: Path, version: str) -> None:
    """The package computes on each Python that it names, as far as the machine has it."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        pytest.skip("this Python runs all other tests, in an environment of its own too")
    found = python_of(version)
    if found is None:
        pytest.skip(f"there is no Python {version} on this machine")
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    uv("venv", "--python", found, tmp_path / "env")
    uv("pip", "install", "--constraint", PINS, "--python", tmp_path / "env", wheel)
    run = command(tmp_path, "values", "sample_data/moons_unbalanced.csv", "-o", "values.csv")
    assert run.returncode == 0, run.stderr
    assert len((tmp_path / "values.csv").read_text(encoding="utf-8-sig").splitlines()) == 211


def python_of(version: str) -> str | None:
    """Return an interpreter that starts: of uv, or of pyenv, whose shims name what is not there."""
    places = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for wanted in [version, *map(str, places)]:
        run = subprocess.run(
            [find_uv_bin(), "python", "find", "--no-python-downloads", wanted],
            capture_output=True, text=True,
        )  # fmt: skip
        if run.returncode == 0:
            return run.stdout.strip()
    return None
