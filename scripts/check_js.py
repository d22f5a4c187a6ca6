"""Check the browser code with the tools of package.json: `python -m scripts.check_js [--fix]`.

Rules and format with Biome, types with TypeScript, both as pinned in package-lock.json.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from scripts import node

TOOLS: Final = Path("node_modules")
PINS: Final = (Path("package.json"), Path("package-lock.json"))


def main() -> int:
    """Return 0 if nothing is to be said about the code; with ``--fix`` put it into shape first."""
    _install()
    fix = ["--write"] if "--fix" in sys.argv[1:] else []
    rules = _run("@biomejs/biome/bin/biome", "check", "--error-on-warnings", *fix)
    types = _run("typescript/bin/tsc")
    return rules or types


def _install() -> None:
    """Install the tools, unless these very ones are there."""
    stamp = (
        TOOLS / f".installed-{sha256(b''.join(pin.read_bytes() for pin in PINS)).hexdigest()[:12]}"
    )
    if not stamp.exists():
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        if node.run("npm", "ci", *options).returncode:
            raise SystemExit("npm could not install the tools of package-lock.json.")
        stamp.touch()


def _run(tool: str, *arguments: str) -> int:
    done = node.run("node", str(TOOLS / tool), *arguments)
    print(done.stdout, end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
