"""The link to share that restores what is on screen."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from stiknn_ui.asked import links
from stiknn_ui.asked.selection import MOST_IN_LINK
from stiknn_ui.frontend.parts import copy_button
from stiknn_ui.visit import state


def copy_link(own: Mapping[str, str] | None = None) -> None:
    """Draw the button that copies the link to what is on screen.

    What is selected goes along where it is little: the browser adds it, which knows it first.

    Parameters
    ----------
    own : mapping of str to str, optional
        What the link of a page with a state of its own holds.
    """
    settings = state.settings()
    told, query = "Copied", ""
    if own is not None:
        query = urlencode(own)
    else:
        query = links.to_query(settings, state.session().page)
        if settings.data.source == "upload":
            told = "Copied the settings; uploaded data never go into a link"
    copy_button("Copy link", query, told, most=0 if own is not None else MOST_IN_LINK)


def write(params: dict[str, str]) -> None:
    """Bring the address bar up to date."""
    if st.query_params.to_dict() != params:
        st.query_params.from_dict(params)


def write_own(own: Mapping[str, str]) -> None:
    """Bring the address bar of a page with a state of its own up to date; a review stays in it."""
    review = st.query_params.get("review")
    write({**own, **({"review": review} if review else {})})


def address(query: str) -> str:
    """Return the address of this page with other query parameters."""
    return urlunsplit(urlsplit(st.context.url or "/")._replace(query=query, fragment=""))
