"""The way from any page to the close look at one point."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_view.selection import Selection

SCRIPT = "pages/point.py"


def closely_button(scope: str, point: int, name: str, *, key: str, label: str = "") -> None:
    """Offer to look at one point closely; pressing opens the page of that point.

    Parameters
    ----------
    scope : str
        What point ids belong to.
    point : int
    name : str
        What a person calls the point.
    key : str
        Name of the button on its page.
    label : str, optional
        What stands on it in place of the point's name.
    """
    text = label or f"Look closely at {name}"
    if st.button(
        messages.plain(text),
        key=key,
        icon=":material/my_location:",
        help="What its value is made of, its complements, its substitutes, and all test points.",
    ):
        look_at(scope, point)
        st.switch_page(SCRIPT)


@dataclass
class _CloseDesk:
    """The point that was looked at closely last, by scope."""

    points: dict[str, int] = field(default_factory=dict)


def looked_at() -> dict[str, int]:
    """Return the point that was looked at closely last, by scope; to be written to."""
    return state.desk(_CloseDesk).points


def look_at(scope: str, point: int) -> None:
    """Make a point the one that is looked at, and the only one that is selected."""
    state.change("view", point=point)
    looked_at()[scope] = point
    state.take(scope, Selection((point,), (point,), "table", state.next_seq()))
