"""The button that takes a file away; what it holds is made when it is pressed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def download(
    label: str,
    make: Callable[[], bytes | str],
    file_name: str,
    kind: str,
    *,
    mime: str = "text/csv",
    help: str | None = None,
) -> None:
    """Offer a file; pressing the button runs nothing of the page.

    Parameters
    ----------
    label : str
        What stands on the button.
    make : callable
        Returns what the file holds.
    file_name : str
    kind : str
        What the file is; names the button on its page.
    mime : str
    help : str, optional
    """
    st.download_button(
        label,
        data=make,
        file_name=file_name,
        mime=mime,
        key=f"download-{kind}",
        icon=":material/download:",
        on_click="ignore",
        help=help,
    )
