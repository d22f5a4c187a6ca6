"""Documents opened over the page: how to read the matrix, at length, and every term."""

from __future__ import annotations

import re
from typing import Final

import streamlit as st

from stiknn_ui import ROOT
from stiknn_ui.words import glossary

DOCUMENT: Final = ROOT / "docs" / "reading.md"
TITLE: Final = "How to read the matrix"
_PICTURE: Final = re.compile(r"^!\[(.*?)\]\((.*?)\)$", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")


# The help that led here would cover it: it stays open.
_ALONE: Final = "<style>[data-testid=stPopoverBody] { display: none }</style>"


@st.dialog(TITLE, width="large")
def read() -> None:
    """Draw the document with its pictures."""
    st.html(_ALONE)
    for text, alt, picture in parts(DOCUMENT.read_text(encoding="utf-8")):
        st.markdown(text)
        if picture:
            st.image(str(DOCUMENT.parent / picture), caption=alt, alt=alt)


@st.dialog("Glossary", width="large")
def _terms() -> None:
    """Draw every term with its sentence."""
    st.html(_ALONE)
    st.markdown(glossary.INTRODUCTION)
    for term in glossary.TERMS.values():
        st.markdown(f"**{term.title}**  \n{term.said}")


def glossary_button() -> None:
    """Offer the glossary, which is `docs/glossary.md`."""
    if st.button("Glossary", key="glossary", icon=":material/dictionary:"):
        _terms()


def parts(document: str) -> list[tuple[str, str, str]]:
    """Return the document in parts: text, then the words and the file of the picture below it.

    Its title stands above it already, and links to other documents lead nowhere here, so that only
    their words are left.
    """
    body = document.partition("\n")[2]
    pieces = _PICTURE.split(body)
    texts = [_LINK.sub(r"\1", text).strip() for text in pieces[::3]]
    return list(zip(texts, [*pieces[1::3], ""], [*pieces[2::3], ""], strict=True))
