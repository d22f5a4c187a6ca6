"""The link to share that restores what is on screen."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from stiknn_ui.asked import links
from stiknn_ui.visit import state


def copy_link(own: Mapping[str, str] | None = None) -> None:
    """Offer the link that restores what is on screen.

    Parameters
    ----------
    own : mapping of str to str, optional
        What the link of a page with a state of its own holds.
    """
    settings = state.settings()
    with st.popover("Copy link", icon=":material/link:", width="content"):
        if own is not None:
            st.markdown("Opens this page as you see it, anywhere it runs.")
            st.code(address(urlencode(own)), language=None, wrap_lines=True)
            return
        if settings.data.source == "upload":
            st.markdown(
                "Uploaded data never go into a link: this one carries the settings and the name of "
                "the file, and asks for the file."
            )
        else:
            st.markdown("Opens this page with the same data and settings, anywhere it runs.")
        st.code(
            address(links.to_query(settings, state.session().page)), language=None, wrap_lines=True
        )


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
