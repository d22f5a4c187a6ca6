"""What can be done with a data set that is too large for its full matrix."""

from __future__ import annotations

from typing import Any

import streamlit as st

from stiknn_ui.asked.spec import MAX_POINTS, MIN_SHARE
from stiknn_ui.blocks.estimate import BlockEstimate, tests_to_recommend
from stiknn_ui.page import life, sample_offer
from stiknn_ui.page.life import Slot, Task
from stiknn_ui.page.usual_tests import hold_out
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def choices(
    cost: BlockEstimate,
    n: int,
    t: int,
    task: Task[Any],
    slot: Slot,
) -> None:
    """Say what the block view would take, and offer it, fewer test points, or a sample.

    Parameters
    ----------
    cost : BlockEstimate
        Of the settings as they are.
    n, t : int
        Training and test points.
    task : Task
        What would be computed.
    slot : Slot
        What became of it so far.
    """
    if cost.refusal:
        st.warning(messages.plain(cost.refusal), icon=":material/block:")
        sample_offer.offer_sample()
        return
    tests = tests_to_recommend(n, t)
    told = (
        f"{n:,} training points are too many for one matrix of single pairs, so they are shown "
        f"as exact means of blocks; any part opens down to single pairs. It will take {task.cost}."
    )
    stopped = slot.job is not None and slot.job.state == "stopped"
    st.markdown(messages.plain(f"Stopped. {told}" if stopped else told))
    with st.container(horizontal=True, vertical_alignment="center", key="blocks-row"):
        if tests:
            rows = n + t if _held_out() else n
            st.button(
                f"Test on {tests:,} held-out rows",
                key="fewer-tests",
                type="primary",
                icon=":material/groups:",
                on_click=hold_out,
                args=(max(MIN_SHARE, tests / rows),),
                help="Much quicker: rows drawn by the seed of the hold-out, every class in its "
                "proportion, are the test points of all the others. Entries are exact for these; "
                "other test points would give slightly other ones.",
            )
        st.button(
            task.button,
            key=task.slot,
            type="secondary" if tests else "primary",
            icon=":material/play_arrow:",
            on_click=life.request,
            args=(task.slot, task.key),
        )
        st.markdown(f"or, for pairs of up to {MAX_POINTS:,} points at once,", width="content")
        sample_offer.offer_sample(primary=False)


def _held_out() -> bool:
    return state.settings().compute.evaluation == "hold-out"
