"""The browser code, gathered once and named by its content.

Streamlit sends inline JavaScript again with every change of a component's data. So each
component has only a few lines of its own (``stubs/``), and the real code travels as *data* of
one of them: compressed bytes that never change, which Streamlit replaces by a short reference
from the second run on. The modules travel as they are written; nothing builds or joins them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from importlib import resources
from typing import Final

ROOMS: Final = ("alone", "compare", "learn", "linked_view", "review", "shared")
"""Folders whose modules and style sheets travel."""

PLOTLY: Final = "plotly-basic.min.js"
"""The basic bundle: it starts several times faster than the whole of plotly.js."""

ID_LENGTH: Final = 16
_FOLDER: Final = "frontend"


@cache
def code_payload() -> bytes:
    """Return the modules of all pages: 16 bytes of id, then JSON ``{path: source}`` as gzip."""
    return _code({path: text for path, text in sources().items() if not path.startswith("alone/")})


def _code(modules: dict[str, str]) -> bytes:
    own = json.dumps(modules, ensure_ascii=False).encode()
    return hashlib.sha256(own).hexdigest()[:ID_LENGTH].encode() + _packed(own)


@cache
def alone_payload() -> bytes:
    """Return the modules of the linked view in a home of its own, as `code_payload` does."""
    rooms = ("alone/", "linked_view/", "shared/")
    return _code({path: text for path, text in sources().items() if path.startswith(rooms)})


@cache
def plotly_payload() -> bytes:
    """Return plotly.js as gzip: apart, since only axes need it, after the first picture."""
    return _packed(plotly_source().encode())


def plotly_source() -> str:
    """Return plotly.js, its basic bundle, as it is."""
    return _text(f"vendor/{PLOTLY}")


def sources() -> dict[str, str]:
    """Return all modules and style sheets by their path, ``"shared/palette.js"``."""
    root = resources.files(__package__) / _FOLDER
    return {
        f"{room}/{name}": _text(f"{room}/{name}")
        for room in ROOMS
        for name in sorted(item.name for item in (root / room).iterdir())
        if name.endswith((".js", ".css"))
    }


def stub(name: str) -> str:
    """Return what a component carries itself, ``"code.js"``."""
    return _text(f"stubs/{name}")


def joined(name: str) -> str:
    """Return a stub behind the loader that it imports, as one module: ``"page.js"``."""
    loader, _, _ = stub("code.js").rpartition("export default")
    head, _, body = stub(name).partition('import { run, start, tab } from "./code.js";')
    return f"{loader}{head}{body}"


def part_stub(module: str, note: str) -> str:
    """Return the JavaScript of a component that one of the modules draws.

    Parameters
    ----------
    module : str
        Path as in :func:`sources`; it exports ``show({host, data, send})`` and may export
        ``close(host)``.
    note : str
        What stands there while the code is on its way.
    """
    named = f"const PART = {json.dumps(module)};\nconst NOTE = {json.dumps(note)};\n"
    return named + stub("part.js")


def _packed(plain: bytes) -> bytes:
    return gzip.compress(plain, mtime=0)


def _text(path: str) -> str:
    return (resources.files(__package__) / _FOLDER / path).read_text(encoding="utf-8")
