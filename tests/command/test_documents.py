"""Every shell line, hook, workflow and container file of the documents does what is said."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from stiknn_command import arguments
from tests.command.conftest import table_text
from tests.documents import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMAND, HOSTING = (ROOT / "docs" / name for name in ("command.md", "hosting.md"))


def blocks(path: Path, kind: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


LINES = [line for block in blocks(COMMAND, "sh") for line in block.splitlines()]
INSTALLS = [line for line in LINES if re.match(r"pip|pipx|uvx", line)]
OPENS = [line for line in LINES if re.search(r"(^|\| )stiknn( -$| sample|$)", line)]
COMPUTES = [line for line in LINES if line not in INSTALLS + OPENS]


def test_lines_are_found() -> None:
    assert (len(INSTALLS), len(OPENS)) == (4, 4)
    assert len(COMPUTES) >= 11


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with sample data, and a `stiknn` and a `pip` on the path of its shell."""
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    (tmp_path / "bin").mkdir()
    for name, does in {
        "stiknn": f'exec {shlex.quote(sys.executable)} -m stiknn_command "$@"',
        "pip": 'echo "$@" >> pip.log',
    }.items():
        script = tmp_path / "bin" / name
        script.write_text(f"#!/bin/sh\n{does}\n")
        script.chmod(0o755)
    return tmp_path


def shell(line: str, place: Path) -> subprocess.CompletedProcess[str]:
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    # As GitHub runs steps.
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line], cwd=place, text=True,
        capture_output=True, env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("line", COMPUTES)
def test_a_line_of_the_document_runs(line: str, place: Path) -> None:
    before = set(place.iterdir())
    run = shell(line, place)
    assert run.returncode == 0, run.stderr
    for written in re.findall(r"-o (\S+)", line):
        assert (place / written).stat().st_size > 1_000
    assert len(set(place.iterdir()) - before) == line.count(" -o ")


@pytest.mark.parametrize("line", OPENS)
def test_lines_that_open_the_dashboard_are_understood(line: str) -> None:
    """That they do is tested in a browser: tests/browser/test_command.py."""
    words = shlex.split(line.rpartition("|")[2])
    assert words[0] == "stiknn"
    asked = arguments.parser().parse_args(arguments.whole(words[1:]))
    assert asked.command == "open"
    assert asked.file in (None, "-") or (ROOT / asked.file).exists()


@pytest.mark.parametrize("line", INSTALLS)
def test_what_is_installed_is_what_the_project_is_called(line: str) -> None:
    (name, extras) = re.findall(r"(stiknn-explorer)(?:\[(\w+)\])?", line)[0]
    assert name == PROJECT["name"]
    assert not extras or extras in PROJECT["optional-dependencies"]
    assert set(PROJECT["scripts"]) == {"stiknn"}


def test_every_option_is_in_the_document_and_every_extra() -> None:
    text = COMMAND.read_text(encoding="utf-8")
    below: Any = arguments.parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    options = {option for one in below.values() for option in one._option_string_actions}
    options -= {"-h", "--help", "-q", "-o", "--output"}
    assert not {option for option in options if not re.search(rf"{option}\b", text)}
    assert not {name for name in PROJECT["optional-dependencies"] if f"`{name}`" not in text}


def write_table(place: Path, wrong: tuple[int, ...]) -> None:
    (place / "data").mkdir(exist_ok=True)
    text = table_text(wrong=wrong).replace("name,height,width,kind", "name,height,width,label")
    (place / "data" / "train.csv").write_text(text)


@pytest.mark.slow
def test_the_hook(place: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (example,) = (yaml.safe_load(one) for one in blocks(COMMAND, "yaml") if "hooks:" in one)
    (used,) = example["repos"][0]["hooks"]
    assert used["id"] == hook["id"]
    for words in (hook["args"], used["args"]):
        line = shlex.join([*shlex.split(hook["entry"]), *map(str, words), "data/train.csv"])
        for wrong, code in (((), 0), ((1, 2, 3, 8), 1)):
            write_table(place, wrong)
            run = shell(line, place)
            assert run.returncode == code, run.stdout + run.stderr


@pytest.mark.slow
def test_the_workflow(place: Path) -> None:
    (flow,) = (yaml.safe_load(one) for one in blocks(COMMAND, "yaml") if "jobs:" in one)
    steps = flow["jobs"]["labels"]["steps"]
    install, look = (step["run"] for step in steps if "run" in step)
    assert shell(install, place).returncode == 0
    assert (place / "pip.log").read_text() == f"install {PROJECT['name']}\n"
    write_table(place, wrong=(1, 2, 3, 8))
    run = shell(look, place)
    assert run.returncode == 1, run.stderr
    *warnings, last = run.stdout.splitlines()
    assert {line.partition("line=")[2].partition(",")[0] for line in warnings} == {
        "3", "4", "5", "10",
    }  # fmt: skip
    assert last.startswith("::error file=data/train.csv,")
    kept = next(step["with"]["path"] for step in steps if "upload" in step.get("uses", ""))
    assert (place / kept).exists()
    assert {step.get("if") for step in steps if "upload" in step.get("uses", "")} == {"always()"}


# --- containers --------------------------------------------------------------------------
def dockerfile() -> list[str]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_the_image_copies_what_there_is_and_what_the_package_is_made_of() -> None:
    copied: set[str] = set()
    for line in dockerfile():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _ = line.split()[1:]
            for source in sources:
                assert (ROOT / source).exists(), source
                copied.add(source.split("/")[0])
    hidden = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert not copied & set(hidden)
    carried = re.findall(r"^CARRIED = (\(.*?^\))", (ROOT / "setup.py").read_text(), re.M | re.S)[0]
    needed = {pattern.split("/")[0] for pattern in ast.literal_eval(carried)}
    needed |= {"setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"}
    needed |= {path.parent.name for path in ROOT.glob("stiknn_*/__init__.py")}
    assert needed <= copied


def test_the_image_is_no_root_and_says_how_it_is() -> None:
    lines = dockerfile()
    last = max(n for n, line in enumerate(lines) if line.startswith("FROM "))
    assert "USER stiknn" in lines[last:]
    (start,) = (line for line in lines[last:] if line.startswith("CMD "))
    words = json.loads(start.removeprefix("CMD "))
    asked = arguments.parser().parse_args(arguments.whole(words[1:]))
    assert (asked.host, asked.port, asked.no_browser) == ("0.0.0.0", 8501, True)
    assert f"EXPOSE {asked.port}" in lines
    (health,) = (line for line in lines if line.startswith("HEALTHCHECK "))
    code = json.loads(health.partition("CMD ")[2])[-1]
    compile(code, "health", "exec")
    assert "_stcore/health" in code


def test_the_proxy_passes_the_path_that_the_server_has() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    server, proxy = compose["services"]["stiknn"], compose["services"]["proxy"]
    path = server["environment"]["STREAMLIT_SERVER_BASE_URL_PATH"]
    caddy = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    assert f"reverse_proxy /{path}/* stiknn:8501" in caddy
    assert server["read_only"] is True
    assert "ports" not in server
    assert all(port.startswith("127.0.0.1:") for port in proxy["ports"])
    assert proxy["volumes"][0].startswith("./Caddyfile:")
    for line in [line for block in blocks(HOSTING, "sh") for line in block.splitlines()]:
        assert re.match(r"docker (build|run|compose up) ", line), line
