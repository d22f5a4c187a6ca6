"""Rehearse a release: ``python -m scripts.release``, or ``make release``. Nothing is uploaded.

What would be released is built from the last commit, not from the folder as it is: source
distribution, and the wheel from that. The wheel is looked at and installed into two empty
environments: plain, where the command ranks a file without Streamlit, and with the dashboard.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import zipfile
from email.parser import HeaderParser
from pathlib import Path
from typing import Final

from uv import find_uv_bin

import stiknn_core

ROOT: Final = Path(__file__).parents[1]
MOST_BYTES: Final = 3_000_000
SAMPLE: Final = ROOT / "sample_data" / "circles_flipped.csv"


class NotReadyError(Exception):
    """What would be released is not fit for it."""


def run(*words: object, cwd: Path = ROOT, expected: int = 0) -> str:
    """Return what a command prints.

    Raises
    ------
    NotReadyError
        If it ends with another exit code.
    """
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)
    if done.returncode != expected:
        told = (done.stderr or done.stdout).strip()[-2000:]
        raise NotReadyError(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{told}")
    return done.stdout


def check_words(version: str, *, dirty: bool) -> list[str]:
    """Return what is still to be said or committed before this version can be released."""
    wanting = []
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)}$", changes, re.MULTILINE):
        wanting.append(f"CHANGELOG.md has no section ## {version}.")
    if (newest := re.search(r"^## (.+)$", changes, re.MULTILINE)) and newest[1] != version:
        wanting.append(f"CHANGELOG.md begins with {newest[1]!r}, not with {version}.")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if f"version: {version}\n" not in citation:
        wanting.append(f"CITATION.cff is not of version {version}.")
    if dirty:
        wanting.append("There are changes that are not committed; they would not be released.")
    return wanting


def build(folder: Path) -> tuple[Path, Path]:
    """Return source distribution and wheel of the last commit."""
    run("git", "clone", "--quiet", ROOT, folder / "source")
    run(find_uv_bin(), "build", "--out-dir", folder / "built", folder / "source")
    (source,) = (folder / "built").glob("*.tar.gz")
    (wheel,) = (folder / "built").glob("*.whl")
    return source, wheel


def check_wheel(wheel: Path, version: str) -> None:
    """Refuse a wheel that is too large, or says another version, licence or nothing of itself."""
    if wheel.stat().st_size >= MOST_BYTES:
        raise NotReadyError(
            f"The wheel has {wheel.stat().st_size:,} bytes; expected fewer than 3 MB."
        )
    with zipfile.ZipFile(wheel) as archive:
        about = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = HeaderParser().parsestr(archive.read(about).decode())
    if told["Version"] != version or told["License-Expression"] != "MIT":
        raise NotReadyError(f"The wheel says {told['Version']} and {told['License-Expression']}.")
    if len(str(told.get_payload())) < 1000:
        raise NotReadyError("The wheel has no README in it.")


def try_it(wheel: Path, place: Path, version: str) -> None:
    """Install plain and with the dashboard, and run what somebody would run first."""
    for extra in ("", "[app]"):
        env = place / (f"env{extra}".strip("]").replace("[", "-"))
        run(find_uv_bin(), "venv", "--python", sys.executable, env)
        named = f"stiknn-explorer{extra} @ {wheel.as_uri()}"
        pins = ROOT / "requirements-dev.txt"
        run(find_uv_bin(), "pip", "install", "--constraint", pins, "--python", env, named)
        stiknn, python = env / "bin" / "stiknn", env / "bin" / "python"
        if version not in run(stiknn, "--version", cwd=place):
            raise NotReadyError("stiknn --version says another version.")
        if not extra:
            run(stiknn, "suspects", SAMPLE, "-q", cwd=place)
            run(stiknn, "suspects", SAMPLE, "-q", "--fail-over", "0", cwd=place, expected=1)
            run(stiknn, "suspects", place / "none.csv", "-q", cwd=place, expected=2)
            light = "import sys, stiknn_core; assert 'streamlit' not in sys.modules"
            run(python, "-I", "-c", light, cwd=place)
        else:
            page = (
                "import stiknn_ui; from streamlit.testing.v1 import AppTest;"
                "script = str(stiknn_ui.ROOT / 'app.py');"
                "app = AppTest.from_file(script, default_timeout=240).run();"
                "assert not app.exception, app.exception"
            )
            run(python, "-I", "-c", page, cwd=place)


def main() -> int:
    """Rehearse; 0 if the last commit could be released as it is, 1 with what is wanting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default=stiknn_core.__version__, help="version to release")
    asked = parser.parse_args()
    wanting = check_words(asked.version, dirty=bool(run("git", "status", "--porcelain")))
    try:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            source, wheel = build(place)
            print(f"built: {source.name}, {wheel.name} ({wheel.stat().st_size / 1e6:.2f} MB)")
            check_wheel(wheel, asked.version)
            try_it(wheel, place, asked.version)
            print("installed and tried: plain, and with the dashboard")
    except NotReadyError as error:
        wanting.append(str(error))
    for one in wanting:
        print(f"wanting: {one}", file=sys.stderr)
    return 1 if wanting else 0


if __name__ == "__main__":
    sys.exit(main())
