"""The site of `make docs`: every page is there, leads somewhere, and asks no other machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import stiknn_core
from scripts.website import documents, gallery
from scripts.website.frame import GROUPS
from tests.documents import ROOT
from tests.patience import PATIENCE

SITE = pytest.mark.slow  # builds all of it


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site in a process of its own, as `make docs` does, without Streamlit."""
    folder = tmp_path_factory.mktemp("reference") / "site"
    code = (
        "import sys; sys.modules['streamlit'] = None\n"
        "from pathlib import Path; from scripts.website.__main__ import build\n"
        "build(Path(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(folder)], check=True, cwd=ROOT, timeout=PATIENCE
    )
    return folder


def anchors(page: Path) -> set[str]:
    return set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8")))


def text_of(page: Path) -> str:
    """Return a page without its scripts, which hold templates of links."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def problem_of(page: Path, link: str) -> str:
    """Return what is wrong with a link of a page; empty if nothing is."""
    parts = urlsplit(link)
    if parts.scheme:
        return "" if parts.scheme in ("https", "data") else "not a public address"
    file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not file.is_file():
        return "no such file"
    if parts.fragment and file.suffix == ".html" and parts.fragment not in anchors(file):
        return "no such place"
    return ""


@SITE
def test_every_public_name_has_its_place(site: Path) -> None:
    assert set(stiknn_core.__all__) <= anchors(site / "api" / "stiknn_core.html")
    inherited = {"Interactions.view", "Interactions.to_html", "RankedNeighbors.view"}
    assert inherited <= anchors(site / "api" / "stiknn_core.html")
    page = (site / "api" / "stiknn_core.html").read_text(encoding="utf-8")
    assert page.count("Exact pairwise Shapley interactions") >= 1


@SITE
def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    found = {
        f"{page.relative_to(site)} -> {link}": problem
        for page in site.rglob("*.html")
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', text_of(page))
        if (problem := problem_of(page, link))
    }
    assert not found
    assert problem_of(site / "index.html", "nowhere.html") == "no such file"
    assert problem_of(site / "index.html", "method.html#nowhere") == "no such place"


@SITE
def test_every_page_is_reached_from_every_page(site: Path) -> None:
    pages = {address for _, group in GROUPS for address in group}
    for guide in (ROOT / "docs").glob("*.md"):
        assert f"{guide.stem}.html" in pages
    links = set(re.findall(r'href="([^"#]+)', text_of(site / "reading.html")))
    assert pages <= links
    reference = set(re.findall(r'href="\.\./([^"#]+)', text_of(site / "api" / "index.html")))
    assert pages - {"api/index.html"} <= reference


@SITE
def test_no_page_asks_another_machine(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="https?:', text), (
            page.name
        )
        assert not re.search(r'\bsrc = "https?:', text), page.name
    assert "url(" not in (site / "style.css").read_text(encoding="utf-8")


@SITE
def test_formulas_and_keys_are_drawn_and_marks_of_scripts_are_gone(site: Path) -> None:
    method = text_of(site / "method.html")
    assert method.count("<math") > 40
    assert "$" not in re.sub(r"<(pre|math).*?</\1>", "", method, flags=re.DOTALL)
    assert "<kbd>A</kbd>" in text_of(site / "tutorial.html")
    assert "&lt;!--" not in text_of(site / "paper.html")


@SITE
def test_each_exhibit_is_embedded_linked_and_small(site: Path) -> None:
    page = text_of(site / "gallery.html")
    for exhibit in gallery.EXHIBITS:
        address = f"gallery/{exhibit.key}.html"
        assert f'<iframe src="{address}"' in page
        assert f'<a href="{address}"' in page
        assert (site / address).stat().st_size < 2_500_000


def document(folder: Path, text: str) -> documents.Document:
    path = folder / "one.md"
    path.write_text(text, encoding="utf-8")
    return documents.read(path)


def test_html_in_a_document_stays_text(tmp_path: Path) -> None:
    body = document(
        tmp_path, "# One\n<script>alert(1)</script> [x](javascript:alert(1)) <kbd>A</kbd> `<b>`"
    ).body
    assert "<script" not in body
    assert "href" not in body
    assert "<b>" not in body
    assert "<kbd>A</kbd>" in body


@pytest.mark.parametrize("link", ["nowhere.md", "ftp://a.example/", "http://a.example/"])
def test_a_link_to_nowhere_ends_the_build(tmp_path: Path, link: str) -> None:
    with pytest.raises(ValueError, match="is no file to show"):
        document(tmp_path, f"# One\n[link](<{link}>)")
