"""The second opinion on labels, which is computed when a page is to rank by it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from stiknn_ui.asked.spec import RankBy
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.results import kept
from stiknn_ui.results.opinions import opinion_key, opinion_on, opinion_seconds
from stiknn_ui.results.result import Result
from stiknn_ui.words import cutting, messages, wording

_SLOT = "confusion"


def obtain(analysis: Result, by: RankBy) -> None:
    """See to it that the score is there that a page ranks by; until then say what ranks instead."""
    if by != "confusion":
        life.let_go(_SLOT, "")
        return
    n, d = analysis.n, analysis.dataset.X.shape[1]
    found = life.obtain(
        Task(
            slot=_SLOT,
            key=opinion_key(analysis),
            make=partial(opinion_on, analysis),
            shelf=kept.opinions,
            button="Compute this ranking",
            seconds=opinion_seconds(n, d, len(analysis.classes)),
            name=wording.RANK_BY[by],
        )
    )
    if found is None:
        st.caption("Ranked by label quality until then.")


def cut_line(analysis: Result, by: RankBy) -> None:
    """Say how many of the most suspicious may be wrong, as many as have another class suggested."""
    opinion = kept.opinion_of(analysis, by)
    if opinion is None or analysis.given.forest is None:
        return
    m = int((analysis.codes != analysis.suggested).sum())
    line = cutting.expected_line(m, *opinion.expected.among(m), of="the {} most suspicious")
    if line:
        st.markdown(messages.plain(line), help=cutting.HOW_SURE)
