"""Write the API reference from the docstrings, a part of the site of `scripts.website`.

Any warning, such as a docstring that cannot be read, ends it with an error.
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from pathlib import Path
from typing import Final

import pdoc
import pdoc.render

from scripts.website.documents import code_colours
from scripts.website.frame import GROUPS

TEMPLATES: Final = Path(__file__).parent / "api_templates"
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

# What pdoc leaves without a name, and headings that it takes from docstrings out of their order.
_FOR_EARS: Final = (
    ('<a class="headerlink" ', '<a class="headerlink" aria-label="Link to this" '),
    ("<h6 ", '<h6 aria-level="2" '),
)


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


def own_what_is_inherited() -> None:
    """Put methods of bases within the package on the classes that people import.

    The bases are no part of the reference, so that what they bring would have no place in it.
    """
    package = importlib.import_module("stiknn_core")
    for name in package.__all__:
        found = getattr(package, name)
        for base in inspect.getmro(found)[1:] if inspect.isclass(found) else ():
            if base.__module__.startswith("stiknn_core.") and not hasattr(package, base.__name__):
                for method, value in vars(base).items():
                    public = inspect.isfunction(value) and not method.startswith("_")
                    if public and method not in vars(found):
                        setattr(found, method, value)


def build(folder: Path) -> None:
    """Write all pages into ``folder``, which stands in that of the site; made if it is missing."""
    own_what_is_inherited()
    pdoc.render.configure(
        docformat="numpy",
        show_source=False,
        include_undocumented=False,
        template_directory=TEMPLATES,
    )
    guides = {
        address: title
        for _, pages in GROUPS
        for address, title in pages.items()
        if "/" not in address
    }
    pdoc.render.env.globals |= {
        "public_names": public_names(),
        "guides": guides,
        "dark_code": code_colours(".pdoc-code", dark=True),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc(*MODULES, *HIDDEN, output_directory=folder)
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for found, better in _FOR_EARS:
            text = text.replace(found, better)
        path.write_text(text, encoding="utf-8")
