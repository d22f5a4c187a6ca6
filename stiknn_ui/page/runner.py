"""Get the result the controls ask for: at once, in the background, or not yet.

The old result stays on screen, marked as out of date, until the new one is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import EXAMPLE_COMPUTE, HOME_DATA, ComputeSpec, DataSpec
from stiknn_ui.page import life, sample_offer
from stiknn_ui.page.life import Task
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.describe import differences
from stiknn_ui.results.estimate import Estimate, estimate
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.result import result_key
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_WAIT_SMALL: Final = 1.5
_WAIT_LARGE: Final = 0.2
_WAIT_EXAMPLE: Final = 60.0
# Someone who opens a page or a link wants its picture: without one, more may start unasked.
_PATIENCE_AT_FIRST: Final = 3.0


@dataclass
class ResultDesk:
    """The result that all pages but one show.

    Attributes
    ----------
    shown : Analysis or None
        The last finished result; it stays until the next one is there. One for each visitor,
        which their page holds on to whatever the shelf of results drops.
    """

    shown: Analysis | None = None


def example() -> Analysis | None:
    """Return the example of the first page, which is computed when the server starts."""
    return life.obtain(
        Task(
            slot="example",
            key=result_key(HOME_DATA, EXAMPLE_COMPUTE),
            make=kept.making(kept.public_dataset(HOME_DATA), HOME_DATA, EXAMPLE_COMPUTE),
            shelf=kept.results,
            button="Compute the example",
            due=True,
            wait=_WAIT_EXAMPLE,
        )
    )


def obtain(
    dataset: Dataset | None,
    compute: ComputeSpec | None = None,
    desk: ResultDesk | None = None,
    name: str = "",
) -> Analysis | None:
    """Return the result to show, and draw what is to be said about it.

    Parameters
    ----------
    dataset : Dataset or None
        From ``data.current.dataset``.
    compute : ComputeSpec, optional
        How to compute; as the settings say by default.
    desk : ResultDesk, optional
        Where to keep the result, if not where all pages look for it.
    name : str, optional
        What to call it, where a page asks for more than one.

    Returns
    -------
    Analysis or None
        The result the controls ask for, or the last one, marked as out of date; None as
        long as there is none at all.
    """
    here = state.desk(ResultDesk) if desk is None else desk
    compute = compute or state.settings().compute
    data = state.settings().data
    slot = "compute" if desk is None else slot_of(name)
    life.let_go(slot, result_key(data, compute))
    if here.shown is not None and here.shown.key == result_key(data, compute):
        return here.shown
    found = None
    if dataset is not None:
        found = _work_on(dataset, compute, here, slot, name)
    if found is not None:
        here.shown = found
    elif here.shown is not None:
        mark_out_of_date(here.shown.data, here.shown.compute, compute, name)
    return here.shown


def slot_of(name: str) -> str:
    """Return the slot of a result that lies on a desk of its own."""
    return f"compute-{name}"


def mark_out_of_date(
    shown: DataSpec, computed: ComputeSpec, compute: ComputeSpec, name: str = ""
) -> None:
    """Say in what the result below is not what is asked for.

    Parameters
    ----------
    shown, computed : DataSpec, ComputeSpec
        What the result was made of, and how.
    compute : ComputeSpec
        How one is asked for.
    name : str, optional
        What it is called.
    """
    what = differences(shown, computed, state.settings().data, compute)
    said = f"{name}: " if name else ""
    text = f"{said}Out of date: the picture below still shows {what}."
    st.warning(messages.plain(text), icon=":material/history:")


def _work_on(
    dataset: Dataset, compute: ComputeSpec, here: ResultDesk, slot: str, name: str
) -> Analysis | None:
    """Start or watch the computation; the result if it came at once."""
    data = state.settings().data
    try:
        cost = _cost(dataset, data, compute)
    except StiknnError as error:
        messages.show_error(error)
        return None
    if cost.refusal:
        st.warning(messages.plain(cost.refusal), icon=":material/block:")
        sample_offer.offer_sample()
        return None
    first = here.shown is None
    return life.obtain(
        Task(
            slot=slot,
            key=result_key(data, compute),
            make=kept.making(dataset, data, compute),
            shelf=kept.results,
            button=f"{'Compute' if first else 'Recompute'} {name}".strip(),
            seconds=cost.seconds,
            due=cost.small or (first and cost.seconds < _PATIENCE_AT_FIRST),
            wait=_WAIT_SMALL if cost.small else _WAIT_LARGE,
            name=name,
            told=f"It will take {cost}.",
        )
    )


def _cost(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Estimate:
    parts = parts_of(dataset, compute)
    n, d = len(parts.train), dataset.X.shape[1]
    return estimate(n, parts.n_test, d, compute.space, grown=kept.has_forest(data, compute))
