"""The choice of a matrix that was computed elsewhere, where the server offers any."""

from __future__ import annotations

from typing import Any

import streamlit as st

from stiknn_ui.blocks import stored
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_KEY = "store-choice"


def chosen() -> str:
    """Return the stored matrix that is looked at; empty for the data of the controls."""
    desk = state.desk(BlockDesk)
    if desk.store and desk.store not in stored.offered():
        desk.store = ""
    return desk.store


def choice() -> None:
    """Draw the choice; nothing where no store is offered."""
    names = stored.offered()
    if not names:
        return
    key = state.key_for(_KEY, names)
    selectbox: Any = st.selectbox
    selectbox(
        "Computed matrices on this server",
        ["", *names],
        format_func=lambda name: messages.plain(name) if name else "None: the data below",
        key=state.pinned(key, chosen()),
        on_change=_choose,
        args=(key,),
        width=360,
        help="Matrices that were computed elsewhere and lie in the folder named by "
        f"{stored.FOLDER}. Only the parts that you look at are read.",
    )


def _choose(key: str) -> None:
    name = state.widget_value(key)
    if name == "" or name in stored.offered():
        state.desk(BlockDesk).store = name
