"""Who a point is: its label, its text or picture, and where it stands among all."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.page.strip import sharp
from stiknn_ui.results.contents import MOST_SHOWN
from stiknn_ui.results.crowd import said_line, said_of
from stiknn_ui.results.doubt import TargetDoubt, distance_line
from stiknn_ui.results.result import Result
from stiknn_ui.results.suspects import SCORE_INFO
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.words import games, messages
from stiknn_ui.words.numbers import number

_SMALL: Final = 96  # pixels of a picture of few pixels
_LARGE: Final = 168


def draw(analysis: Result, point: int, copies: IntArray) -> None:
    """Say who the point is, what it says and shows, and where it stands among all."""
    given, suggested = analysis.doubt.told(point)
    (name,) = analysis.names([point])
    values = analysis.values
    (by, doubted), *_ = analysis.doubt.scores().items()
    picture, told = st.container(horizontal=True, key="point-head"), st.container()
    with picture:
        contents, row = contents_of(analysis), analysis.rows[[point]]
        (drawn,), (text,) = contents.thumbnails(row), contents.texts(row)
        if drawn:
            st.image(
                sharp(drawn, pixelated=contents.pixelated),
                width=_SMALL if contents.pixelated else _LARGE,
                alt=f"The point {name} as a picture",
            )
        with st.container():
            st.subheader(
                f"Point {messages.plain(name)}: given label {messages.plain(given)}, suggested "
                f"{messages.plain(suggested)}",
                anchor=False,
            )
            st.markdown(messages.plain(_standing(analysis, point, copies)))
            if analysis.dataset.votes is not None:
                (said,) = said_of(analysis.dataset, row)
                st.markdown(messages.plain(said_line(said)))
    with told:
        if contents.has_texts:
            _text(text)
        columns = st.columns(5)
        low = "Rank 1 is the lowest of all points, the most suspicious."
        index, score = analysis.given.index, analysis.given.score
        columns[0].metric(
            games.value_title(index),
            number(values[point], signed=True),
            help=f"{games.value_meaning(index, analysis.k)} {games.unit(score)}",
        )
        columns[1].metric(
            "Leave-one-out value",
            number(analysis.leave_one_out[point], signed=True),
            help=games.removal_info(score).meaning,
        )
        columns[2].metric("Rank by value, lowest first", _rank(values, point), help=low)
        title, order = ("Label quality", "Rank by quality, lowest first")
        if by == "distance":
            title, order = "Distance of the target", "Rank by distance, farthest first"
        columns[3].metric(title, number(abs(doubted[point])), help=SCORE_INFO[by].meaning)
        columns[4].metric(order, _rank(doubted, point), help=low)


def _text(text: str) -> None:
    """Draw a text as it is, its beginning first."""
    with st.container(border=True, key="point-text"):
        st.text(text[:MOST_SHOWN] or "No text.")
        if len(text) > MOST_SHOWN:
            rest = st.expander(
                f"Show all {len(text):,} letters", key="point-text-whole", on_change="rerun"
            )
            if rest.open:
                rest.text(text[MOST_SHOWN:])


def _rank(scores: FloatArray, point: int) -> str:
    return f"{1 + int((scores < scores[point]).sum()):,} of {len(scores):,}"


def _percentile(lower: int, others: int) -> str:
    """Say how many of the other points have a lower value."""
    if lower in (0, others):
        return f"{'All' if lower else 'None'} of the other points have a lower value."
    share = lower / others
    # Rounded it would say that it is none of them, or all.
    told = "less than 1%" if share < 0.005 else "more than 99%" if share > 0.995 else f"{share:.0%}"
    return f"{told[0].upper()}{told[1:]} of the other points have a lower value."


def removal_sentence(value: float, alone: float) -> str:
    """Say what removing a point alone changes, and why where its value suggests otherwise."""
    if alone:
        turn = "lower" if alone > 0 else "raise"
        told = f"Removing it alone would {turn} the utility by {number(abs(alone))}"
    else:
        told = "Removing it alone would not change the utility"
    if value < 0 <= alone or alone < 0 < value:
        return (
            f"{told}: its {'negative' if value < 0 else 'positive'} value is a mean over sets "
            "of the other points, and speaks of no single one."
        )
    return f"{told}."


def _standing(analysis: Result, point: int, copies: IntArray) -> str:
    """Say what else is known: the percentile, copies, and whether the label is wrong."""
    values = analysis.values
    said = []
    if isinstance(analysis.doubt, TargetDoubt):
        said.append(distance_line(analysis.doubt.said, point))
    said += [_percentile(int((values < values[point]).sum()), len(values) - 1)]
    said.append(removal_sentence(float(values[point]), float(analysis.leave_one_out[point])))
    if len(copies) > 1:
        labels = set(analysis.dataset.y[analysis.rows[copies]].tolist())
        told = "different labels" if len(labels) > 1 else "the same label"
        said.append(f"It is one of {len(copies):,} identical rows, with {told}.")
    if analysis.truth_known and analysis.dataset.y_true is not None:
        row = analysis.rows[point]
        true, given = analysis.dataset.y_true[row], analysis.dataset.y[row]
        wrong = f"Its label is known to be wrong; the true one is {true}."
        said.append(wrong if true != given else "Its label is known to be right.")
    return " ".join(said)
