"""Which game: one control with a few of them by name, and everything they are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked import game
from stiknn_ui.asked.spec import ComputeSpec, ScoreName
from stiknn_ui.results import presets
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.scoring import WIDE
from stiknn_ui.visit import state
from stiknn_ui.words import games, wording

_LEAST_CHANCE: Final = 0.01
_MOST_SHAPE: Final = 100.0


def game_choice(
    part: Literal["compute", "other"],
    dataset: Dataset | None,
    *,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Choose a game by name; one that has none stands there as a choice of one's own."""
    offered = presets.presets_of(dataset)
    chosen = presets.preset_of(dataset, _asked(part))
    titles = [one.title for one in offered] + ([] if chosen else [presets.OWN])
    key = state.key_for(f"{part}.game", titles)
    selectbox: Any = st.selectbox
    selectbox(
        "Game",
        titles,
        help=wording.HELP["game"],
        width=width,
        key=state.pinned(key, chosen.title if chosen else presets.OWN),
        on_change=_take,
        args=(part, key, offered),
        persist_state="session",
    )


def said_of(part: Literal["compute", "other"], dataset: Dataset | None) -> str:
    """Return the sentence about the game that is chosen; empty for a choice of one's own."""
    chosen = presets.preset_of(dataset, _asked(part))
    return "" if chosen is None else chosen.help


def game_details(part: Literal["compute", "other"], dataset: Dataset | None) -> None:
    """Draw what a game is made of: the index and its numbers, the score and its width."""
    _index(part, dataset)
    _score(part, dataset)


def _index(part: Literal["compute", "other"], dataset: Dataset | None) -> None:
    selectbox: Any = st.selectbox
    selectbox(
        "Interaction",
        list(games.FAMILIES),
        format_func=lambda name: games.FAMILIES[name],
        help=wording.HELP["index"],
        **state.bound(part, "index", shown=game.family_of, stored=game.first_of),
    )
    family = game.family_of(_asked(part).index)
    if family == "weighted_banzhaf":
        _number(
            part,
            "Chance q of each other point",
            "q",
            wording.HELP["q"],
            lambda value: f"weighted_banzhaf({value:g})",
            (_LEAST_CHANCE, 1 - _LEAST_CHANCE, 0.05),
        )
    elif family == "beta":
        alpha, beta = game.numbers_of(_asked(part).index)
        with st.container(horizontal=True):
            _number(
                part,
                "α",
                "alpha",
                wording.HELP["alpha"],
                lambda value: f"beta({value:g}, {beta:g})",
                (_LEAST_CHANCE, _MOST_SHAPE, 1.0),
            )
            _number(
                part,
                "β",
                "beta",
                wording.HELP["beta"],
                lambda value: f"beta({alpha:g}, {value:g})",
                (_LEAST_CHANCE, _MOST_SHAPE, 1.0),
                place=1,
            )
    elif family == "calibrated":
        _least(part, dataset)


def _number(
    part: Literal["compute", "other"],
    label: str,
    name: str,
    help: str,
    written: Callable[[float], str],
    bounds: tuple[float, float, float],
    place: int = 0,
) -> None:
    """Draw one number of an index; ``written`` puts it back among the others."""
    low, high, step = bounds
    st.number_input(
        label,
        min_value=low,
        max_value=high,
        step=step,
        format="%g",
        help=help,
        **state.bound(
            part,
            "index",
            shown=lambda index: min(high, max(low, game.numbers_of(index)[place])),
            stored=lambda value: game.read_index(written(value)),
            options=(name,),
        ),
    )


def _least(part: Literal["compute", "other"], dataset: Dataset | None) -> None:
    most = _largest_set(dataset, _asked(part))
    st.number_input(
        "Others in a set at least (0 = 4 × k)",
        min_value=0,
        max_value=most,
        step=1,
        help=wording.HELP["at_least"],
        **state.bound(
            part,
            "index",
            shown=lambda index: min(most, int(game.numbers_of(index)[0])),
            stored=lambda value: f"calibrated({value})" if value else game.FOUR_K,
            options=("at least",),
        ),
    )


def _largest_set(dataset: Dataset | None, compute: ComputeSpec) -> int:
    """Return how many others there are beside a pair; any number where that is not known."""
    if dataset is not None:
        try:
            return max(1, parts_of(dataset, compute).ranked - 2)
        except StiknnError:
            pass  # said where the result is missed
    return 10**9


def _score(part: Literal["compute", "other"], dataset: Dataset | None) -> None:
    offered = presets.scores_of(dataset)
    usual = presets.score_of(dataset, "usual")

    def stored(name: ScoreName) -> ScoreName:
        return "usual" if name == usual else name

    selectbox: Any = st.selectbox
    selectbox(
        "What a neighbour brings",
        list(offered),
        format_func=lambda name: offered[name],
        help=wording.HELP["score"],
        **state.bound(
            part,
            "score",
            shown=lambda name: presets.score_of(dataset, name),
            stored=stored,
            options=list(offered),
        ),
    )
    score = presets.score_of(dataset, _asked(part).score)
    if score in WIDE:
        huber = score == "huber"
        st.number_input(
            "Straight beyond (0 = from the data)" if huber else "Bandwidth (0 = from the data)",
            min_value=0.0,
            max_value=1e9,
            format="%g",
            help=wording.HELP["delta" if huber else "bandwidth"],
            **state.bound(part, "width", options=(score,)),
        )


def _asked(part: Literal["compute", "other"]) -> ComputeSpec:
    asked: ComputeSpec = getattr(state.settings(), part)
    return asked


def _take(part: Literal["compute", "other"], key: str, offered: tuple[presets.Preset, ...]) -> None:
    chosen = next((one for one in offered if one.title == state.widget_value(key)), None)
    if chosen is not None:
        game_of = chosen.taken(_asked(part))
        state.change(part, score=game_of.score, index=game_of.index, width=game_of.width)
