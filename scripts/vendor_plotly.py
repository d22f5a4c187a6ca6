"""Fetch the plotly.js of the linked view from npm: `python -m scripts.vendor_plotly [VERSION]`.

The basic bundle, a quarter of the whole plotly.js: it starts in a fraction of the time, and
the view draws axes and a picture only. Without a version, the one that the installed `plotly`
brings, so that all figures are of one plotly.js.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import tarfile
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

from scripts import node

PACKAGE: Final = "plotly.js-basic-dist-min"
FILE: Final = "plotly-basic.min.js"
VENDOR: Final = Path("stiknn_view/frontend/vendor")


def installed_version() -> str:
    """Return the version of the plotly.js in the installed Python package."""
    script = resources.files("plotly") / "package_data" / "plotly.min.js"
    found = re.search(rb"plotly\.js v([\d.]+)", script.read_bytes()[:400])
    if found is None:
        raise SystemExit("The installed plotly does not say which plotly.js it brings.")
    return found[1].decode()


def main() -> None:
    """Put script, licence and a note of what they are into the vendor folder."""
    version = sys.argv[1] if len(sys.argv) > 1 else installed_version()
    with tempfile.TemporaryDirectory() as folder:
        packed = node.run("npm", "pack", f"{PACKAGE}@{version}", "--json", folder=Path(folder))
        if packed.returncode:
            raise SystemExit(f"npm has no {PACKAGE} {version}, or could not be reached.")
        (about,) = json.loads(packed.stdout)
        archive = Path(folder) / about["filename"]
        _check(archive.read_bytes(), about["integrity"])
        with tarfile.open(archive) as files:
            parts = {name: _member(files, f"package/{name}") for name in (FILE, "LICENSE")}
    for name, content in parts.items():
        (VENDOR / name).write_bytes(content)
    note = {
        "package": PACKAGE,
        "version": version,
        "license": "MIT",
        "integrity": about["integrity"],
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()},
    }
    (VENDOR / "plotly.json").write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
    print(f"{PACKAGE} {version}, {len(parts[FILE]):,} bytes")


def _check(archive: bytes, integrity: str) -> None:
    """Compare an archive with what the registry says of it: npm's `sha512-<base64>`."""
    method, expected = integrity.split("-", 1)
    if base64.b64encode(hashlib.new(method, archive).digest()).decode() != expected:
        raise SystemExit("The archive is not what the registry says it is. Nothing was changed.")


def _member(files: tarfile.TarFile, name: str) -> bytes:
    member = files.extractfile(name)
    if member is None:
        raise SystemExit(f"The package has no {name}.")
    return member.read()


if __name__ == "__main__":
    main()
