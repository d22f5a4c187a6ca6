"""Version, authors and paper are told alike wherever they are told."""

from __future__ import annotations

import tomllib

import yaml

import stiknn_core
from tests.documents import ROOT

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_version_stands_in_one_place() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in told["project"]
    assert told["project"]["dynamic"] == ["version"]
    assert told["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "stiknn_core.__version__"}


def test_the_citation_is_of_this_version() -> None:
    assert str(CITATION["version"]) == stiknn_core.__version__


def test_the_citation_names_whom_the_licence_names() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith(f"{CITATION['license']} License")
    assert all(author["name"] in licence for author in CITATION["authors"])


def test_the_citation_names_the_paper_as_the_documents_do() -> None:
    (paper,) = CITATION["references"]
    method = " ".join((ROOT / "docs" / "method.md").read_text(encoding="utf-8").split())
    assert [author["family-names"] for author in paper["authors"]] == [
        "Belaid", "ElMekki", "Rabus", "Hüllermeier",
    ]  # fmt: skip
    names = (
        f"{' '.join(one[0] + '.' for one in author['given-names'].split())} "
        f"{author['family-names']}"
        for author in paper["authors"]
    )
    assert f"1. {', '.join(names)}: {paper['title'].split(' from ')[0]} from" in method
    assert f"]({paper['url']}), {paper['year']}" in method
