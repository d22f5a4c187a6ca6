"""The browser's parts of the Learn page, as Streamlit components of our own.

They show what ``payload`` tells and report what a person does; nothing is computed there that
Python does not compute as well. The board comes first on the page and brings the code of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from stiknn_ui.frontend.parts import part, send_code

_BOARD: Final = part("learn_board", "learn/board.js")
_SUBSETS: Final = part("learn_subsets", "learn/subsets.js")
_PAIRS: Final = part("learn_pairs", "learn/pairs.js")
_STEPS: Final = part("learn_steps", "learn/steps.js")
_AVERAGES: Final = part("learn_averages", "learn/averages.js")

BOARD_KEY: Final = "learn-board"
SUBSETS_KEY: Final = "learn-subsets"
PAIRS_KEY: Final = "learn-pairs"
STEPS_KEY: Final = "learn-steps"
AVERAGES_KEY: Final = "learn-averages"

Message = dict[str, Any]
Heard = Callable[[], None]


def board(message: Message, heard: Heard) -> None:
    """Draw the points to be dragged and typed; ``edit`` tells where they are."""
    with st.container(gap=None):
        send_code()
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
