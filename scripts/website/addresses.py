"""Where a file of the project stands in the site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
FIRST: Final = ROOT / "README.md"


@dataclass(frozen=True)
class Target:
    """What a link leads to.

    Attributes
    ----------
    address : str
        As it stands in the site.
    file : Path or None
        The file of the project behind it; None for an address on the web or a place on the page.
    """

    address: str
    file: Path | None


def address_of(path: Path) -> str:
    """Return where a file stands in the site: documents as pages, others as they are."""
    if path == FIRST:
        return "index.html"
    if path.suffix == ".md":
        place = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT)
        return "-".join(place.with_suffix(".html").parts).lower()
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    return f"files/{path.relative_to(ROOT).as_posix()}"


def target_of(path: Path, link: str) -> Target:
    """Return what a link of a document leads to.

    Raises
    ------
    ValueError
        If it leads to no file of the project, nor to a page on the web.
    """
    parts = urlsplit(link)
    if parts.scheme == "https" or not parts.path:
        return Target(link, None)
    file = (path.parent / unquote(parts.path)).resolve()
    if parts.scheme or not file.is_relative_to(ROOT) or not file.is_file():
        raise ValueError(f"{path.name} links to {link}, which is no file to show.")
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return Target(address_of(file) + fragment, file)
