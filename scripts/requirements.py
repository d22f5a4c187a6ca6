"""Write the requirements files anew: what the direct ones bring along, and the sums of all files.

The last part of each file is what the others bring along, and is found out here. To add or change a
requirement, write its line in a part before, without sums, and run ``make requirements``. Versions
that still fit stay as they are.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from packaging.markers import Marker
from uv import find_uv_bin

ROOT: Final = Path(__file__).parents[1]
FILES: Final = (
    "requirements.txt",
    "requirements-dev.txt",
    "tests/browsers/requirements.txt",
    "tests/notebooks/requirements.txt",
    "benchmarks/requirements-paper.txt",
)
"""The second on top of the first, and each other one on top of these two."""
_BASE: Final = FILES[:2]
_PART: Final = "# --- "
_PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
_MACHINES: Final = (
    ("linux", "x86_64"),
    ("linux", "aarch64"),
    ("darwin", "x86_64"),
    ("darwin", "arm64"),
)


@dataclass
class Part:
    """A part of a file: lines that say what it is, and its requirements, without sums."""

    told: list[str]
    pins: list[str] = field(default_factory=list)


def parts_of(text: str) -> list[Part]:
    """Return the parts of a requirements file; the first is what stands above all headings."""
    parts = [Part([])]
    for line in re.sub(r" \\\n +--hash=\S+", "", text).splitlines():
        if line.startswith(_PART):
            parts.append(Part(["", line]))
        elif "==" in line and not line.startswith("#"):
            parts[-1].pins.append(line)
        elif line:
            parts[-1].told.append(line)
    return parts


def name_of(pin: str) -> str:
    """Return the name of what a line pins, as indexes spell it."""
    return re.sub(r"[-_.]+", "-", pin.partition("==")[0].strip()).lower()


def blocks_of(compiled: str) -> dict[str, list[str]]:
    """Return the lines of each requirement with its sums, by name."""
    found: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=\S)", compiled.strip()):
        marker = block.partition(";")[2].partition("\\")[0].strip()
        if not marker or _holds_anywhere(Marker(marker)):
            found.setdefault(name_of(block), []).append(block)
    return found


def _holds_anywhere(marker: Marker) -> bool:
    """Tell whether a marker holds on any machine that the dashboard is made for."""
    return any(
        marker.evaluate(
            {
                "sys_platform": system,
                "platform_system": system.capitalize(),
                "platform_machine": machine,
                "python_version": python,
                "python_full_version": f"{python}.0",
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
            }
        )
        for system, machine in _MACHINES
        for python in _PYTHONS
    )


def written(parts: list[Part], blocks: dict[str, list[str]], before: set[str]) -> str:
    """Return a file: its direct requirements in their order, and then what they bring along."""
    direct = [list(dict.fromkeys(map(name_of, part.pins))) for part in parts[:-1]]
    known = before.union(*direct)
    names = [*direct, [name for name in blocks if name not in known]]
    lines = []
    for part, here in zip(parts, names, strict=True):
        lines += [*part.told, *(block for name in here for block in blocks[name])]
    return "\n".join(lines) + "\n"


def resolve(direct: list[str], pins: list[str], fixed: list[str]) -> str:
    """Return what uv finds: for every platform, with the sums of all files of a release."""
    with tempfile.TemporaryDirectory() as folder:
        asked, fixed_file, found = (Path(folder, name) for name in ("asked", "fixed", "found"))
        asked.write_text("\n".join(direct))
        fixed_file.write_text("\n".join(fixed))
        found.write_text("\n".join(pins))  # uv keeps what it finds there, where it still fits
        subprocess.run(
            [
                *(find_uv_bin(), "pip", "compile", "--quiet", "--universal", "--generate-hashes"),
                *("--python-version", _PYTHONS[0], "--no-header", "--no-annotate"),
                *("--constraint", fixed_file, "--output-file", found, asked),
            ],
            check=True,
        )
        return found.read_text()


def main() -> None:
    """Write all files anew."""
    before: set[str] = set()
    direct: list[str] = []
    fixed: list[str] = []
    for name in FILES:
        path = ROOT / name
        parts = parts_of(path.read_text(encoding="utf-8"))
        wanted = [pin for part in parts[:-1] for pin in part.pins]
        pins = [*fixed, *(pin for part in parts for pin in part.pins)]
        blocks = blocks_of(resolve([*direct, *wanted], pins, fixed))
        path.write_text(written(parts, blocks, before), encoding="utf-8")
        if name in _BASE:
            direct += wanted
            before |= set(blocks)
            fixed = [block.partition(" \\")[0] for held in blocks.values() for block in held]
        print(
            f"{name}: {len(wanted)} asked for, {len(blocks)} with what was before", file=sys.stderr
        )


if __name__ == "__main__":
    main()
