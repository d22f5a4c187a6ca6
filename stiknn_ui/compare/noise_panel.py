"""The section about test points: how sure the entries are, and how many would be enough."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import streamlit as st

from stiknn_ui.compare import figures, sentences, sides, tasks
from stiknn_ui.compare.errors import ErrorSummary, error_seconds, errors_key, measure_errors
from stiknn_ui.page import life
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.words import messages

_CONFIG: Final = {"displaylogo": False}


def draw(both: dict[str, Analysis]) -> None:
    """Draw the standard errors of A or of B and what they do to the picture."""
    st.markdown(
        "Every entry is a mean over test points. With other test points it would come out a little "
        "differently: by about its standard error."
    )
    same = both["A"].compute == both["B"].compute
    _, one = sides.chosen(both, "errors", same=same)
    if one.n_test < 4:
        st.markdown("There are too few test points to say how far they may be off.")
        return
    found = life.obtain(
        tasks.task_of_side(
            "errors",
            errors_key(one.data, one.compute),
            one,
            partial(measure_errors, one.dataset, one.compute),
            error_seconds(one.n, one.n_test),
            "Measure standard errors",
        )
    )
    if found is None:
        return
    _numbers(found)
    said = sentences.error_sentences(found, judged_by_itself=one.judged_by_itself)
    said.append(sentences.halves_sentence(found.halves))
    figure, words = st.columns([3, 2])
    with figure:
        st.plotly_chart(
            figures.errors_figure(found),
            config=_CONFIG,
            key="compare-errors",
            alt=f"Correlation of two matrices against their number of test points. {said[-1]}",
        )
    with words:
        st.markdown("\n".join(f"- {messages.plain(line)}" for line in said))


def _numbers(found: ErrorSummary) -> None:
    whole = found.whole
    spread, needed = whole.spread or 1.0, whole.needed()
    with st.container(horizontal=True, key="compare-error-numbers"):
        st.metric(
            "Median standard error",
            f"{found.median:.2g}",
            help=f"Half of the pairs have less. The spread of the pairs is {whole.spread:.2g}, so "
            f"this is {100 * found.median / spread:.0f} % of it.",
            width=190,
        )
        st.metric(
            "95 % stay below",
            f"{found.high:.2g}",
            help=f"{100 * found.high / spread:.0f} % of the spread.",
            width=160,
        )
        st.metric(
            "Reliability",
            "none" if math.isnan(whole.reliability) else f"{whole.reliability:.2f}",
            help="Correlation to expect between this matrix and one with as many other test "
            f"points, {whole.n_test:,}.",
            width=130,
        )
        st.metric(
            "Test points for r = 0.95",
            "none" if not math.isfinite(needed) else f"{math.ceil(needed):,}",
            help="How many test points two matrices would need to correlate by 0.95.",
            width=200,
        )
