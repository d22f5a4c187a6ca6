"""The section that goes through k from 1 to 30."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from stiknn_core.comparing.sweep import KSweep
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.compare import figures, sentences, sides, tasks
from stiknn_ui.compare.sweeping import ks_of, make_sweep, sweep_key, sweep_seconds
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.parts import parts_of
from stiknn_ui.words import messages

_CONFIG: Final = {"displaylogo": False}


def draw(both: dict[str, Analysis]) -> None:
    """Draw how alike the matrices of all k are, with all else as in A or in B."""
    st.markdown(
        "The same computation for every k from 1 to 30, all else left as it is: how alike are the "
        "matrices?"
    )
    side, one = sides.chosen(both, "sweep", same=_alike_but_for_k(both))
    sweep = life.obtain(_task(both, side))
    if sweep is None:
        return
    k = one.k
    said = sentences.sweep_sentences(sweep, k)
    st.markdown("\n".join(f"- {messages.plain(line)}" for line in said))
    shown = both.items() if _alike_but_for_k(both) else [(side, one)]
    left, right = st.columns(2)
    with left:
        st.plotly_chart(
            figures.sweep_heatmap(sweep, [(name, each.k) for name, each in shown]),
            config=_CONFIG,
            key="compare-sweep-heatmap",
            alt=f"Correlation of the pairs for every two k. {said[0]}",
        )
        st.caption("Correlation of the pairs for every two k.")
    with right:
        st.plotly_chart(
            figures.sweep_curves(sweep, k),
            config=_CONFIG,
            key="compare-sweep-curves",
            alt=f"Correlation of every k with k = {k}, of pairs and of values. {said[0]}",
        )
        st.plotly_chart(
            figures.spread_curve(sweep),
            config=_CONFIG,
            key="compare-sweep-spread",
            alt=f"Spread of the pairs times k. {said[-1]}",
        )


def known(both: dict[str, Analysis]) -> tuple[KSweep, Analysis] | None:
    """Return the sweep that was made of the side that is looked at, if one was."""
    side = sides.remembered("sweep", same=_alike_but_for_k(both))
    sweep = life.made(_task(both, side))
    return None if sweep is None else (sweep, both[side])


def _task(both: dict[str, Analysis], side: str) -> Task[KSweep]:
    one = both[side]
    parts = parts_of(one.dataset, one.compute)
    wanted = tuple(each.k for each in both.values()) if _alike_but_for_k(both) else (one.k,)
    ks = ks_of(parts, wanted)
    return tasks.task_of_side(
        "sweep",
        sweep_key(one.data, _but_for_k(one), ks),
        one,
        partial(make_sweep, one.dataset, one.compute, ks),
        sweep_seconds(parts, ks),
        "Go through all k",
    )


def _alike_but_for_k(both: dict[str, Analysis]) -> bool:
    return _but_for_k(both["A"]) == _but_for_k(both["B"])


def _but_for_k(one: Analysis) -> ComputeSpec:
    """Return what a sweep depends on: not k, but the least size of sets that may follow it."""
    return replace(one.compute, k=1, index=one.given.index.name)
