"""A reload keeps the file: the tab holds a secret, the server what it names.

The secret lies in the tab's session storage, which no other tab, link or site can read, and
never in the address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from stiknn_ui.asked import links
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.tabs import MINUTES_AFTER, MOST_HOURS, Snapshot, TabFiles
from stiknn_ui.visit import state
from stiknn_ui.work import shelves

_TOGGLE: Final = "keep-for-tab"
_KEY: Final = "tab-secret"
_TOLD_KEY: Final = "tab-told"
_CODE: Final = """
export default function ({ data, setStateValue }) {
  const name = "stiknn-upload";
  try {
    if (data.secret) sessionStorage.setItem(name, data.secret);
    else if (data.forget) sessionStorage.removeItem(name);
    else setStateValue("answer", sessionStorage.getItem(name) || "none");
  } catch {
    setStateValue("answer", "none");
  }
}
"""
_TAB: Any = st.components.v2.component("stiknn_tab", js=_CODE, isolate_styles=False)


@dataclass
class TabDesk:
    """What is known of the visitor's tab.

    Attributes
    ----------
    secret : str
        Names what is kept for the tab; empty as long as nothing is.
    told : bool
        Whether the tab told it itself.
    off : bool
        Whether the person does not want anything kept.
    asked : bool
        Whether the tab was asked for its secret.
    answered : bool
        Whether it has answered, or is not asked.
    awaited : str
        Name of the file that the link of this visit needs; empty once there is one.
    params : mapping
        What the link said.
    """

    secret: str = ""
    told: bool = False
    off: bool = False
    asked: bool = False
    answered: bool = False
    awaited: str = ""
    params: Mapping[str, str] | None = None


def arrive(params: Mapping[str, str]) -> None:
    """Take note, at the beginning of a visit, of the file that its link needs."""
    here = state.desk(TabDesk)
    data = state.settings().data
    missing = data.source == "upload" and state.desk(UploadDesk).upload is None
    here.awaited, here.params = (data.name if missing else ""), dict(params)


def meet(place: DeltaGenerator) -> None:
    """Bring back what is kept for this tab, where a file is missing; once in each run.

    ``place`` is on the page in every run: without, all that follows would be drawn anew.
    """
    here = state.desk(TabDesk)
    lost = state.shown_source() == "upload" and state.desk(UploadDesk).upload is None
    if not (lost or here.asked) or here.answered:
        return
    here.asked = True
    with place:
        answer = _answer()
    if answer:
        here.answered = True
        kept = _files().take(answer, state.session())
        if kept is not None:
            here.secret, here.told = answer, True
            _bring_back(kept)


def remember() -> None:
    """Keep what this tab shows, at the end of each run; nothing where that is switched off."""
    here, uploaded = state.desk(TabDesk), state.desk(UploadDesk)
    if here.off:
        _TAB(data={"forget": True}, key=_TOLD_KEY, height=1)
    if here.off or uploaded.upload is None:
        return
    here.secret = here.secret or token_urlsafe(32)
    visit = state.session()
    data = visit.settings.data
    if data.source != "upload":
        data = visit.kept["upload"]
    settings = replace(visit.settings, data=data)
    snapshot = Snapshot(uploaded.upload, uploaded.test, settings, frozenset(visit.chosen))
    _files().put(here.secret, visit, snapshot)
    if not here.told:
        _TAB(data={"secret": here.secret}, key=_TOLD_KEY, height=1)


def looking() -> bool:
    """Whether the tab has still to say what it holds."""
    return not state.desk(TabDesk).answered


def switch() -> None:
    """Say that the file is kept for the tab, and offer to switch that off."""
    here = state.desk(TabDesk)
    st.toggle(
        "A reload of this tab finds the file again",
        key=state.pinned(_TOGGLE, not here.off),
        on_change=_switch,
        help="Then it stays in this server's memory for this browser tab alone, at most "
        f"{MOST_HOURS} hours, and is deleted {MINUTES_AFTER} minutes after the tab is closed. No "
        "link leads to it. Switched off, a reload asks for the file again.",
    )


def _switch() -> None:
    here = state.desk(TabDesk)
    here.off = not state.widget_value(_TOGGLE)
    if here.off and here.secret:
        _files().drop(here.secret)
        here.secret, here.told = "", False


def _bring_back(kept: Snapshot) -> None:
    uploaded, visit, here = state.desk(UploadDesk), state.session(), state.desk(TabDesk)
    uploaded.upload, uploaded.test = kept.upload, kept.test
    visit.kept["upload"] = kept.settings.data
    if here.awaited:
        # What the address says expressly comes first: it may be an earlier page of the tab.
        visit.settings = links.overridden(kept.settings, here.params or {})
        visit.chosen = set(kept.chosen)
    else:
        state.use_data(kept.settings.data)
    here.awaited = ""


def _answer() -> str:
    """Ask the tab for its secret; empty until it has answered."""
    return str(_TAB(data={}, key=_KEY, height=1, on_answer_change=_nothing).get("answer") or "")


def _nothing() -> None:
    """Make the answer a state value; Streamlit asks for a callback."""


def _files() -> TabFiles:
    return shelves.one("tab files", TabFiles)
