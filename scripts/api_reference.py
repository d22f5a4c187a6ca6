"""Write the API reference from the docstrings: ``python -m scripts.api_reference [folder]``.

The folder is ``site/`` unless another is named. Any warning, such as a docstring that cannot be
read, ends it with an error.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from pathlib import Path
from typing import Final

import pdoc
import pdoc.render

ROOT: Final = Path(__file__).resolve().parents[1]
MODULES: Final = (
    "stiknn_core",
    "stiknn_core.datasets",
    "stiknn_core.distributed",
    "stiknn_core.duplicates",
    "stiknn_core.exporting",
    "stiknn_core.games",
    "stiknn_core.ordering",
    "stiknn_core.plane",
    "stiknn_core.plotting",
    "stiknn_core.preparation",
    "stiknn_core.scores",
    "stiknn_core.tables",
    "stiknn_core.units",
)
"""What people import in notebooks; all else is how it is done."""

# Functions share these modules' names; the package's page has them.
HIDDEN: Final = ("!stiknn_core.interactions", "!stiknn_core.values")


def public_names() -> dict[str, list[str]]:
    """Return the names of each module that have a place of their own: the documented ones."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(name)
        for lazy in getattr(module, "__all__", ()):
            getattr(module, lazy)  # pdoc takes what has not been loaded for missing
        found[name] = [
            member.name
            for member in pdoc.doc.Module(module).own_members
            if member.docstring and not member.name.startswith("_")
        ]
    return found


def guides() -> dict[str, str]:
    """Return file name and first heading of every page of ``docs/``."""
    return {
        path.name: path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        for path in sorted((ROOT / "docs").glob("*.md"))
    }


def build(folder: Path) -> None:
    """Write all pages into ``folder``, made if it is missing."""
    pdoc.render.configure(
        docformat="numpy",
        math=True,
        show_source=False,
        include_undocumented=False,
        template_directory=ROOT / "scripts" / "api_templates",
    )
    pdoc.render.env.globals |= {"public_names": public_names(), "guides": guides()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc(*MODULES, *HIDDEN, output_directory=folder)


def main() -> None:
    """Build into the folder named on the command line."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    build(folder)
    print(f"{folder}/index.html")


if __name__ == "__main__":
    main()
