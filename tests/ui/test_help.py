from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.datasets import ORIGINS
from stiknn_ui.page import help as page_help
from stiknn_ui.page import reading
from stiknn_ui.shell import PAGES
from stiknn_ui.words import glossary
from tests.patience import PATIENCE
from tests.ui.review_pages import opened
from tests.ui.waiting import wait_for_page

ROOT = Path(__file__).parents[2]
SMALL = {"dataset": "moons", "n": "40", "flip": "0.1", "seed": "1"}


def visit(page: str, data: dict[str, str] = SMALL) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    for name, value in data.items():
        at.query_params[name] = value
    at.switch_page(f"pages/{page}.py")
    at.run()
    wait_for_page(at)
    assert not at.exception
    return at


@pytest.mark.slow
@pytest.mark.parametrize("page", page_help.TEXTS)
def test_its_page_offers_it(page: str) -> None:
    assert page in PAGES
    at = visit(page)
    assert page_help.TEXTS[page].strip() in {element.value.strip() for element in at.markdown}


@pytest.mark.slow
@pytest.mark.parametrize("page", page_help.MEASURED)
def test_it_speaks_of_measured_targets_where_there_are_some(page: str) -> None:
    told = page_help.MEASURED[page].strip()
    assert len(told.split()) < 80
    for data, there in ((SMALL, False), ({"dataset": "diabetes"}, True)):
        texts = {element.value.strip() for element in visit(page, data).markdown}
        assert (told in texts) == there


def test_another_page_offers_none() -> None:
    at = visit("data")
    texts = {text.strip() for text in page_help.TEXTS.values()}
    assert not texts & {element.value.strip() for element in at.markdown}


def test_it_is_short_and_names_what_is_there() -> None:
    for text in page_help.TEXTS.values():
        assert len(text.split()) < 200, "at length is what docs/reading.md is for"
    at = opened(visit("review"))
    labels = {tab.label for tab in at.tabs}
    labels |= {one.proto.popover.label for one in at.get("popover")}
    named = re.findall(r"\*(Take away|Effect)\*", page_help.TEXTS["review"])
    assert len(named) == 2
    assert set(named) <= labels


def test_what_it_leads_to_are_pages() -> None:
    assert page_help.NEXT.keys() == page_help.TEXTS.keys()
    for slug, pages in page_help.NEXT.items():
        assert set(pages) <= PAGES.keys() - {slug}
        assert all(PAGES[page].script == f"pages/{page}.py" for page in pages)
        assert all(PAGES[page].title == page.capitalize() for page in pages)


def test_the_long_text_opens_over_the_page_with_its_pictures() -> None:
    at = visit("explore")
    at.button(key="read-more").click().run()
    assert not at.exception
    texts = [element.value for element in at.markdown]
    assert any("There are only k places in a neighbourhood" in text for text in texts)
    assert len(at.get("image")) == reading.DOCUMENT.read_text(encoding="utf-8").count("![")


@pytest.mark.parametrize("page", ["home", "suspects"])
def test_the_glossary_opens_over_the_page_with_every_term(page: str) -> None:
    at = (
        visit(page)
        if page != "home"
        else AppTest.from_file(str(ROOT / "app.py")).run(timeout=PATIENCE)
    )
    at.button(key="glossary").click().run(timeout=PATIENCE)
    assert not at.exception
    texts = [element.value for element in at.markdown]
    for term in glossary.TERMS.values():
        assert any(term.title in text and term.said in text for text in texts), term.title


def test_the_long_text_comes_in_parts() -> None:
    document = "# Title\n\nSee [this](other.md).\n\n![A, b](pictures/a.png)\n\nEnd.\n"
    assert reading.parts(document) == [("See this.", "A, b", "pictures/a.png"), ("End.", "", "")]
    for _, _, picture in reading.parts(reading.DOCUMENT.read_text(encoding="utf-8"))[:-1]:
        assert (reading.DOCUMENT.parent / picture).is_file()


@pytest.mark.slow
def test_the_source_of_known_data_is_told_with_what_differs() -> None:
    at = visit("data", {"dataset": "iris"})
    (told,) = (one.value for one in at.caption if "doi.org" in one.value)
    origin = ORIGINS["iris"]
    for said in (origin.title, origin.by, origin.address, origin.keeper, origin.licence):
        assert said in told
    assert told.endswith(f"As scikit-learn has it: {origin.remark}.")
