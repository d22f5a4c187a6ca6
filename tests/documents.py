"""What the tests of the documents share: which there are, their code, links and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
_BESIDE_DOCS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "sample_data/README.md")
DOCUMENTS = [*(ROOT / name for name in _BESIDE_DOCS), *sorted((ROOT / "docs").glob("*.md"))]

_PARSER = MarkdownIt("gfm-like", {"linkify": False})
_EXTRAS = re.compile(r"pip install [^`]*\[([\w,]+)\]")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Link:
    """A link or a picture of a document: its target and, for a picture, its description."""

    target: str
    is_picture: bool
    text: str


@dataclass(frozen=True)
class Block:
    """A block of Python: its first line, and the extras that the paragraph above it names."""

    line: int
    code: str
    extras: tuple[str, ...]


def links(path: Path) -> list[Link]:
    """Return all links and pictures of a document."""
    found = []
    for token in _PARSER.parse(path.read_text(encoding="utf-8")):
        for part in token.children or ():
            if part.type == "link_open":
                found.append(Link(str(part.attrs["href"]), False, ""))
            elif part.type == "image":
                found.append(Link(str(part.attrs["src"]), True, part.content))
    return found


def anchor(heading: str) -> str:
    """Return the anchor of a heading."""
    return _NOT_IN_ANCHORS.sub("", heading.lower()).replace(" ", "-")


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    tokens = _PARSER.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for token, heading in pairwise(tokens):
        if token.type == "heading_open":
            own = anchor("".join(part.content for part in heading.children or ()))
            number = sum(one == own or one.startswith(f"{own}-") for one in found)
            found.add(f"{own}-{number}" if own in found else own)
    return found


def python_blocks(path: Path) -> list[Block]:
    """Return each block that is marked as Python, in order."""
    found, before = [], ""
    for token in _PARSER.parse(path.read_text(encoding="utf-8")):
        if token.type == "inline":
            before = token.content
        elif token.type == "fence" and token.info.strip() == "python" and token.map is not None:
            extras = tuple(name for names in _EXTRAS.findall(before) for name in names.split(","))
            found.append(Block(token.map[0] + 1, token.content, extras))
            before = ""
    return found


def name_of(path: Path) -> str:
    """Return the path within the project, as a test is called by it."""
    return str(path.relative_to(ROOT))
