"""What is installed is pinned to the last byte, and the files are what the script makes of them."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from scripts.requirements import FILES, blocks_of, name_of, parts_of, written
from tests.documents import ROOT

SUM = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
APP, DEV = FILES[:2]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins(name: str) -> list[Requirement]:
    return [Requirement(pin) for part in parts_of(text_of(name)) for pin in part.pins]


@pytest.mark.parametrize("name", FILES)
def test_every_requirement_has_its_sums_and_no_address(name: str) -> None:
    lines = text_of(name).splitlines()
    pinned = [n for n, line in enumerate(lines) if "==" in line and not line.startswith("#")]
    assert pinned
    for number in pinned:
        assert lines[number].endswith(" \\"), lines[number]
        assert SUM.fullmatch(lines[number + 1]), lines[number]
    for line in lines:
        assert not line.startswith(" ") or SUM.fullmatch(line), line
        assert "://" not in line
        assert not re.match(r"\s*-(i|f|-index|-find|-extra|-trusted)", line), line


def test_what_runs_here_is_what_is_pinned() -> None:
    for pin in pins(APP):
        if pin.marker is None or pin.marker.evaluate():
            assert str(pin.specifier) == f"=={metadata.version(pin.name)}", pin.name


def test_intel_macs_get_the_last_numba_that_they_can_run() -> None:
    intel = {"sys_platform": "darwin", "platform_machine": "x86_64"}
    for name in ("numba", "llvmlite", "numpy"):
        held = [pin for pin in pins(APP) if pin.name == name]
        assert len(held) == 2
        for machine in (intel, {"sys_platform": "linux", "platform_machine": "x86_64"}):
            assert sum(pin.marker.evaluate(machine) for pin in held) == 1  # type: ignore[union-attr]


def test_what_the_package_asks_for_is_direct() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    asked = {name_of(f"{Requirement(one).name}==") for one in project["dependencies"]}
    direct = {name_of(pin) for part in parts_of(text_of(APP))[:-1] for pin in part.pins}
    assert asked <= direct
    assert {name_of(f"{pin.name}==") for pin in pins(DEV)}.isdisjoint(
        name_of(f"{pin.name}==") for pin in pins(APP)
    ), "the second file begins with the first"


COMPILED = """\
a-b==1 \\
    --hash=sha256:00 \\
    --hash=sha256:01
brought==2 ; sys_platform == 'darwin' \\
    --hash=sha256:02
brought==3 ; sys_platform != 'darwin' \\
    --hash=sha256:03
other==4 ; implementation_name == 'pypy' \\
    --hash=sha256:04
windows==5 ; sys_platform == 'win32' \\
    --hash=sha256:05
z==6 ; python_full_version < '3.12' \\
    --hash=sha256:06
"""
BEFORE = """\
# About it.
-r other.txt

# --- direct
z==6
A_B==1 \\
    --hash=sha256:ff

# --- what those bring along
gone==1
"""


def test_a_file_keeps_what_people_wrote_and_gets_the_rest() -> None:
    blocks = blocks_of(COMPILED)
    assert list(blocks) == ["a-b", "brought", "z"], "nothing for machines nobody has"
    after = written(parts_of(BEFORE), blocks, set())
    lines = [line for line in after.splitlines() if not line.startswith("    ")]
    assert lines == [
        "# About it.",
        "-r other.txt",
        "",
        "# --- direct",
        "z==6 ; python_full_version < '3.12' \\",
        "a-b==1 \\",
        "",
        "# --- what those bring along",
        "brought==2 ; sys_platform == 'darwin' \\",
        "brought==3 ; sys_platform != 'darwin' \\",
    ]
    assert "--hash=sha256:00 \\\n    --hash=sha256:01\n" in after
    assert written(parts_of(after), blocks, set()) == after, "a second time changes nothing"
    assert "brought" not in written(parts_of(BEFORE), blocks, {"brought"})


@pytest.mark.parametrize("name", FILES)
def test_the_files_have_the_form_that_the_script_writes(name: str) -> None:
    text = text_of(name)
    sums = text.count("--hash=")
    assert sums > 0
    blocks: dict[str, list[str]] = {}
    for block in re.findall(r"(?m)^\w.*==.* \\\n(?:    --hash.*\n)+", text):
        blocks.setdefault(name_of(block), []).append(block.rstrip("\n"))
    assert written(parts_of(text), blocks, set()) == text


def test_the_installer_takes_the_sums_of_uv_itself() -> None:
    script = (ROOT / "scripts" / "install.sh").read_text()
    (command,) = re.findall(r"^sed -n '(.*)' requirements-dev.txt", script, re.M)
    told = subprocess.run(
        ["sed", "-n", command, DEV], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    first, *rest = told.splitlines()
    assert re.fullmatch(r"uv==[\d.]+ \\", first)
    assert len(rest) > 5
    assert all(SUM.fullmatch(line) for line in rest)
    assert not rest[-1].endswith("\\")
