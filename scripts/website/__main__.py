"""Write the site: ``python -m scripts.website [folder]``.

The folder is ``site/`` unless another is named.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from scripts import api_reference
from scripts.website import documents, gallery
from scripts.website.addresses import DOCS, FIRST, ROOT, address_of
from scripts.website.frame import framed, style


def write_documents(folder: Path) -> None:
    """Write all documents, those they link to, and the files that they show."""
    waiting = [FIRST, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        address = address_of(path)
        if path.suffix != ".md":
            (folder / address).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / address)
            continue
        document = documents.read(path)
        page = framed(address, document.title, document.body)
        (folder / address).write_text(page, encoding="utf-8")
        waiting += document.files


def write_gallery(folder: Path) -> None:
    """Write the gallery and its views."""
    (folder / "gallery").mkdir(exist_ok=True)
    for exhibit in gallery.EXHIBITS:
        text = gallery.file_of(exhibit)
        (folder / "gallery" / f"{exhibit.key}.html").write_text(text, encoding="utf-8")
    page = framed("gallery.html", "Gallery", gallery.listed())
    (folder / "gallery.html").write_text(page, encoding="utf-8")


def build(folder: Path) -> None:
    """Write all of the site into ``folder``, made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "style.css").write_text(style(), encoding="utf-8")
    write_documents(folder)
    write_gallery(folder)
    api_reference.build(folder / "api")


def main() -> None:
    """Build into the folder named on the command line."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    build(folder)
    print(f"{folder}/index.html")


if __name__ == "__main__":
    main()
