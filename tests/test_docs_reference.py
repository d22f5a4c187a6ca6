from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import stiknn_core
from tests.documents import ROOT

pytestmark = pytest.mark.slow  # builds the whole reference


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the reference in a process of its own, as `make docs` does, without Streamlit."""
    folder = tmp_path_factory.mktemp("reference") / "site"
    code = (
        "import sys; sys.modules['streamlit'] = None\n"
        "from pathlib import Path; from scripts.api_reference import build\n"
        "build(Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True, cwd=ROOT, timeout=240)
    return folder


def anchors(page: Path) -> set[str]:
    return set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8")))


def test_every_public_name_has_its_place(site: Path) -> None:
    assert set(stiknn_core.__all__) <= anchors(site / "stiknn_core.html")
    page = (site / "stiknn_core.html").read_text(encoding="utf-8")
    assert page.count("Exact pairwise Shapley interactions") >= 1


def test_the_first_page_lists_guides_and_names_that_exist(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    for guide in (ROOT / "docs").glob("*.md"):
        assert f'href="../docs/{guide.name}"' in text
    targets = re.findall(r'href="(stiknn_core[^"#]*\.html)#([^"]+)"', text)
    assert len(targets) > len(stiknn_core.__all__)
    lost = [f"{page}#{name}" for page, name in targets if name not in anchors(site / page)]
    assert not lost


def test_a_page_without_a_formula_asks_no_other_machine(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', text), page.name
