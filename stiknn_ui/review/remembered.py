"""What is remembered of one visitor's review between reruns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NoReturn

import numpy as np
import streamlit as st

from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Record
from stiknn_ui.review.journal import Kept
from stiknn_ui.review.standing import Standing
from stiknn_ui.visit import state
from stiknn_view.packing import ViewContent

Dialog = Literal["", "bulk", "forget"]


@dataclass
class ReviewDesk:
    """One visitor's review.

    Attributes
    ----------
    token : str
        Token of the review that decisions are written to; empty until the first one.
    begun : bool
        Whether the review was begun in this visit, and not opened by a link.
    notice : str
        What a person should know about the review on the next draw.
    busy : bool
        Whether the last thing to write has to be tried again.
    seen : Record
        The decisions as they were last read, which is how a person last saw them.
    decided, decided_of, decided_at
        What of them is decided of the rows of one data set, the scope it belongs to, and the record
        it was made of.
    kept : Kept or None
        The upload that is kept with the review, because a person asked for it.
    about : str
        What is noted about the data of the review.
    thresholds : dict
        Where the line was drawn, by score and result.
    dialog : {"", "bulk", "forget"}
        Which dialog of the review is open.
    side : {"train", "test"}
        Whose labels are reviewed.
    told : tuple of (int, str)
        What the card says of operations that changed nothing, and a number that tells it from
        what it said before.
    standing : Standing or None
        All decisions as the browser got them last.
    window : tuple or None
        What was sent last of a few points, and its name.
    looked : int
        The last wish of the browser to look closely at a point, by its number.
    """

    token: str = ""
    begun: bool = False
    notice: str = ""
    busy: bool = False
    seen: Record = field(default_factory=Record)
    decided: Decided = field(default_factory=lambda: Decided(np.empty(0, dtype=np.int64)))
    decided_of: str = ""
    decided_at: Record = field(default_factory=Record)
    kept: Kept | None = None
    about: str = ""
    thresholds: dict[str, float] = field(default_factory=dict)
    dialog: Dialog = ""
    side: Literal["train", "test"] = "train"
    told: tuple[int, str] = (0, "")
    standing: Standing | None = None
    window: tuple[str, ViewContent] | None = None
    looked: int = 0


def show_dialog(name: Dialog = "") -> None:
    """Open a dialog with the next run of the page, or none."""
    state.desk(ReviewDesk).dialog = name


def close_dialog() -> NoReturn:
    """Close the dialog that is open, which is done with."""
    show_dialog()
    st.rerun()
