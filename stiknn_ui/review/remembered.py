"""What is remembered of one visitor's review between reruns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NoReturn

import streamlit as st

from stiknn_ui.review.decisions import Record
from stiknn_ui.review.journal import Journal, Kept
from stiknn_ui.visit import state

Dialog = Literal["", "note", "bulk", "forget"]


@dataclass
class ReviewDesk:
    """One visitor's review.

    Attributes
    ----------
    token : str
        Token of the review that decisions are written to; empty until the first one.
    notice : str
        What a person should know about the review on the next draw.
    seen : Record
        The decisions as they were last read, which is how a person last saw them.
    fallback : Journal or None
        Keeps the decisions of this visit where they cannot be written to the disk.
    trouble : str
        Why they cannot.
    kept : Kept or None
        The upload that is kept with the review, because a person asked for it.
    about : str
        What is noted about the data of the review.
    cursor : dict
        The point in view of each review, by what is reviewed.
    thresholds : dict
        Where the line was drawn, by score and result.
    copies_together : bool
        Whether a decision about a point is one about all its copies.
    dialog : {"", "note", "bulk", "forget"}
        Which dialog of the review is open; meanwhile the keys of the page behind it rest.
    side : {"train", "test"}
        Whose labels are reviewed.
    reviewed_in : dict
        The point that a review selected last, by scope.
    """

    token: str = ""
    notice: str = ""
    seen: Record = field(default_factory=Record)
    fallback: Journal | None = None
    trouble: str = ""
    kept: Kept | None = None
    about: str = ""
    cursor: dict[str, int] = field(default_factory=dict)
    thresholds: dict[str, float] = field(default_factory=dict)
    copies_together: bool = True
    dialog: Dialog = ""
    side: Literal["train", "test"] = "train"
    reviewed_in: dict[str, str] = field(default_factory=dict)


def show_dialog(name: Dialog = "") -> None:
    """Open a dialog with the next run of the page, or none."""
    state.desk(ReviewDesk).dialog = name


def close_dialog() -> NoReturn:
    """Close the dialog that is open, which is done with."""
    show_dialog()
    st.rerun()
