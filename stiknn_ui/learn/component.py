"""The browser's parts of the Learn page, as Streamlit components of our own.

Each is its own JavaScript with what all share (``frontend/learn/common.js``) and the colours of the
linked view, so that a class looks the same on every page. They show what ``payload`` tells and
report what a person does; nothing is computed there that Python does not compute as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any, Final

import streamlit as st


def _code(*modules: str) -> str:
    own = resources.files("stiknn_ui.frontend") / "learn"
    styles = json.dumps((own / "learn.css").read_text(encoding="utf-8"))
    palette = resources.files("stiknn_ui.frontend") / "shared" / "palette.js"
    parts = [palette, *(own / name for name in ("common.js", *modules))]
    code = "\n".join(part.read_text(encoding="utf-8") for part in parts)
    return f"const STYLES = {styles};\n{code}"


def _made(name: str, *modules: str) -> Any:
    return st.components.v2.component(
        f"stiknn_learn_{name}", js=_code(*modules), isolate_styles=False
    )


_BOARD: Final = _made("board", "board_plot.js", "board_table.js", "board.js")
_SUBSETS: Final = _made("subsets", "subsets.js")
_PAIRS: Final = _made("pairs", "pairs.js")
_STEPS: Final = _made("steps", "steps.js")
_AVERAGES: Final = _made("averages", "averages.js")

BOARD_KEY: Final = "learn-board"
SUBSETS_KEY: Final = "learn-subsets"
PAIRS_KEY: Final = "learn-pairs"
STEPS_KEY: Final = "learn-steps"
AVERAGES_KEY: Final = "learn-averages"

Message = dict[str, Any]
Heard = Callable[[], None]


def board(message: Message, heard: Heard) -> None:
    """Draw the points to be dragged and typed; ``edit`` tells where they are."""
    _BOARD(data=message, key=BOARD_KEY, on_edit_change=heard)


def subsets(message: Message, heard: Heard) -> None:
    """Draw v(S) of all subsets to be clicked; ``subset`` tells which is looked at."""
    _SUBSETS(data=message, key=SUBSETS_KEY, on_subset_change=heard)


def pairs(message: Message, heard: Heard) -> None:
    """Draw the matrix by the definition and the terms of the pair; ``pair`` tells which."""
    _PAIRS(data=message, key=PAIRS_KEY, on_pair_change=heard)


def steps(message: Message, heard: Heard) -> None:
    """Draw Algorithm 1, to be played; ``step`` tells where it rests."""
    _STEPS(data=message, key=STEPS_KEY, on_step_change=heard)


def averages(message: Message, heard: Heard) -> None:
    """Draw the matrices of single test points and their mean; ``taken`` tells of how many."""
    _AVERAGES(data=message, key=AVERAGES_KEY, on_taken_change=heard)
