"""The points of the board as a data set on Explore: a small table that is used as an upload is."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from stiknn_ui.asked.spec import ScoreName
from stiknn_ui.learn import bench
from stiknn_ui.learn.lesson import Lesson, written
from stiknn_ui.uploads import session as uploads
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import Choices, Use
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages

FILE_NAME: Final = "learn_points.csv"
_LABEL: Final = "class"
_NAME: Final = "point"
_PART: Final = "part"
_HELP: Final = (
    "These points as a small table, with the test points marked in a column; k and the rule for "
    "ties come along. It takes the place of the data in use."
)

_SCORES: Final[dict[str, ScoreName]] = {"plain": "usual", "inverse": "inverse"}
_WIDTH: Final = 1.0
"""Bandwidth of the kernel that is played here: 1 / (1 + d)."""
_OTHER_GAME: Final = "Points of measured targets stay here; choose a game of classes first."


@dataclass
class _BridgeDesk:
    """The lesson that is on its way to Explore."""

    lesson: Lesson | None = None


def computed(lesson: Lesson) -> dict[str, Any]:
    """Return the settings with which Explore plays the same game."""
    return {
        "k": lesson.k,
        "ties": lesson.ties,
        "index": lesson.index,
        "score": _SCORES[lesson.score],
        "width": _WIDTH if lesson.score == "inverse" else 0.0,
        "metric": "euclidean",
        "scaling": "none",
        "space": "features",
        "split_column": _PART,
    }


def table_of(lesson: Lesson) -> bytes:
    """Return the points as CSV: name, class, place, and whether it is for training or testing."""
    out = io.StringIO()
    axes = _axes(lesson)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_NAME, _LABEL, *axes, _PART])
    for number, one in enumerate(lesson.everyone):
        training = number < lesson.n
        name = lesson.names[number] if training else f"T{number - lesson.n + 1}"
        places = [written(getattr(one, axis)) for axis in axes]
        writer.writerow([name, one.label, *places, "train" if training else "test"])
    return out.getvalue().encode()


def _axes(lesson: Lesson) -> list[str]:
    return ["x"] if lesson.space == "line" else ["x", "y"]


def button() -> None:
    """Draw the button, and go on to Explore once the table has been read."""
    lesson = bench.desk().scene.lesson
    known = lesson.score in _SCORES
    st.button(
        "Open on Explore",
        icon=":material/grid_on:",
        on_click=_send,
        disabled=not known,
        help=_HELP if known else _OTHER_GAME,
    )
    _go_on()


@messages.guarded()
def _send() -> None:
    lesson = bench.desk().scene.lesson
    state.desk(_BridgeDesk).lesson = lesson
    uploads.receive(FILE_NAME, table_of(lesson))


def _go_on() -> None:
    here, uploaded = state.desk(_BridgeDesk), state.desk(UploadDesk)
    lesson = here.lesson
    if lesson is None or "data" in uploaded.readings:
        return
    here.lesson = None
    known = uploads.current()
    if known is not None and known.file.name == FILE_NAME and uploaded.trouble is None:
        # Each column has its use here, whatever was chosen for another file.
        uses: tuple[tuple[str, Use], ...] = tuple((axis, "number") for axis in _axes(lesson))
        uploads.take(Upload(known.file, Choices(label=_LABEL, ids=_NAME, uses=uses)))
    if uploaded.draft is not None or uploaded.trouble is not None:
        state.open_form("upload")
        st.switch_page("pages/data.py")
    uploads.test_on("split-column")
    state.change("compute", **computed(lesson))
    st.switch_page("pages/explore.py")
