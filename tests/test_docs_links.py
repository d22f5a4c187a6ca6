from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.documents import DOCUMENTS, ROOT, anchors, links, name_of

# A label for the eye and for readers of screens; a file name is none.
FEWEST_WORDS = 4


def size_of(picture: Path) -> tuple[float, float]:
    """Return width and height of a picture, which is read whole."""
    if picture.suffix == ".svg":
        box = ElementTree.parse(picture).getroot().attrib["viewBox"].split()
        return float(box[2]), float(box[3])
    with Image.open(picture) as image:
        image.load()
        return image.size


def problem_of(path: Path, target: str) -> str:
    """Return what is wrong with a link; empty if nothing is."""
    parts = urlsplit(target)
    if parts.scheme in {"http", "https"}:
        return "" if parts.scheme == "https" and "." in parts.netloc else "not a public address"
    if parts.scheme or target.startswith("/"):
        return "neither a file of the project nor a web page"
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if ROOT not in (file, *file.parents):
        return "outside the project"
    if not file.exists():
        return "no such file"
    if file.is_file() and not file.stat().st_size:
        return "empty"
    if parts.fragment and (file.suffix != ".md" or parts.fragment not in anchors(file)):
        return "no such heading"
    return ""


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    problems = {
        link.target: problem for link in links(path) if (problem := problem_of(path, link.target))
    }
    assert not problems


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    readme = ROOT / "README.md"
    assert problem_of(readme, "docs/nowhere.md") == "no such file"
    assert problem_of(readme, "docs/method.md#nowhere") == "no such heading"
    assert problem_of(readme, "#nowhere") == "no such heading"
    assert problem_of(readme, "../elsewhere.md") == "outside the project"
    assert (
        problem_of(readme, "javascript:alert(1)") == "neither a file of the project nor a web page"
    )
    assert problem_of(readme, "docs/method.md#ties") == ""
    page = tmp_path / "page.md"
    page.write_text("# A & b: c\n## Ties\n## Ties\n[x](y.md) ![four words say it](z.png)")
    assert anchors(page) == {"a--b-c", "ties", "ties-1"}
    assert [link.target for link in links(page)] == ["y.md", "z.png"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_pictures_open_and_are_described(path: Path) -> None:
    for link in links(path):
        if link.is_picture:
            assert min(size_of(path.parent / link.target)) >= 100, link.target
            assert len(link.text.split()) >= FEWEST_WORDS, f"describe {link.target}"


def test_every_picture_and_page_of_the_docs_is_linked() -> None:
    linked = {
        (path.parent / link.target.split("#")[0]).resolve()
        for path in DOCUMENTS
        for link in links(path)
    }
    files = [*(ROOT / "docs").glob("*.*"), *(ROOT / "docs" / "pictures").glob("*.*")]
    files += (ROOT / "docs" / "notebooks").glob("*.ipynb")
    lost = [str(file.relative_to(ROOT)) for file in files if file.resolve() not in linked]
    assert not lost, f"nobody finds what no page links to: {lost}"


def test_pictures_stay_small() -> None:
    sizes = {file.name: file.stat().st_size for file in (ROOT / "docs").rglob("*.png")}
    sizes |= {file.name: file.stat().st_size for file in (ROOT / "docs").rglob("*.gif")}
    assert sizes["linked.gif"] < 2_500_000
    assert not {name for name, size in sizes.items() if name.endswith(".png") and size > 500_000}
