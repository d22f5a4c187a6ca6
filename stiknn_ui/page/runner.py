"""Get the result the controls ask for: at once, in the background, or not yet.

A result belongs to its data and its settings. Of other data nothing is shown, only the frame and
what is being done; of the same data the picture from before stays, marked, until the new one is
there, and nothing can be decided on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import pandas as pd
import streamlit as st

from stiknn_core.cost import describe_bytes
from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import (
    EXAMPLE_COMPUTE,
    HOME_DATA,
    ComputeSpec,
    DataSpec,
    fits_a_matrix,
)
from stiknn_ui.page import life, sample_offer
from stiknn_ui.page.life import Task
from stiknn_ui.results import kept
from stiknn_ui.results.all_rows import AllRows, rows_key
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.describe import differences
from stiknn_ui.results.estimate import Estimate, estimate, estimate_rows
from stiknn_ui.results.result import Result, result_key
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_WAIT: Final = 0.6
# Nothing stands on the page meanwhile that could be looked at.
_WAIT_BLANK: Final = 0.3
_WAIT_EXAMPLE: Final = 60.0
_ROWS: Final = "rows"

Shown = TypeVar("Shown", bound=Result)
Standing = Literal["asked for", "of these data", "of other data"]


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


@dataclass
class RowsDesk:
    """The rows of a large data set on one visitor's pages.

    Attributes
    ----------
    shown : str
        Key of the last finished result, on a shelf; it stays until the next one is there.
    """

    shown: str = ""


def standing(shown: Result | None, data: DataSpec, compute: ComputeSpec) -> Standing:
    """Say how a result stands to what is asked for; none at all is of other data."""
    if shown is None or shown.data != data:
        return "of other data"
    return "asked for" if shown.compute == compute else "of these data"


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
    *,
    old: bool = True,
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
    old : bool
        Whether the last result of the same data may stand there until the new one comes.

    Returns
    -------
    Analysis or None
        The result the controls ask for, or the last one of the same data, marked as out of date;
        None as long as there is neither: then the page draws the frame. See `settled`.
    """
    here = state.desk(ResultDesk) if desk is None else desk
    compute = compute or state.settings().compute
    data = state.settings().data
    slot = "compute" if desk is None else slot_of(name)
    life.let_go(slot, result_key(data, compute))
    if here.shown is not None and standing(here.shown, data, compute) == "asked for":
        return here.shown
    found = None
    if dataset is not None:
        found = _work_on(dataset, compute, here, slot, name)
    if found is not None:
        here.shown = found
    return stay(found or (here.shown if old else None), compute, name)


def large(dataset: Dataset | None) -> bool:
    """Whether these data are too many points for the full matrix."""
    if dataset is None:
        return False
    here = state.settings()
    try:
        return not fits_a_matrix(len(kept.parts(dataset, here.data, here.compute).train))
    except StiknnError:
        return False  # said where the result is missed


def obtain_rows(dataset: Dataset | None, *, old: bool = True) -> Analysis | AllRows | None:
    """Return what is known of every row, with the matrix where there is one; see `obtain`."""
    if dataset is None or not large(dataset):
        return obtain(dataset, old=old)
    desk, data, compute = state.desk(RowsDesk), state.settings().data, state.settings().compute
    key = rows_key(data, compute)
    life.let_go(_ROWS, key)
    found = kept.rows().get(key)
    if found is None:
        parts = kept.parts(dataset, data, compute)
        n, d = len(parts.train), dataset.X.shape[1]
        grown = kept.has_forest(data, compute)
        n_classes = 0 if dataset.measured else len(pd.unique(dataset.y))
        cost = estimate_rows(n, parts.n_test, d, n_classes, compute.space, grown=grown)
        if cost.refusal:
            st.warning(messages.plain(cost.refusal), icon=":material/block:")
            sample_offer.offer_sample()
            return None
        found = life.obtain(
            Task(
                slot=_ROWS,
                key=key,
                make=kept.making_rows(dataset, data, compute),
                shelf=kept.rows,
                button="Rank all rows",
                seconds=cost.seconds,
                alike=f"rows in {compute.space}",
                needs=describe_bytes(cost.cost.bytes),
            )
        )
    if found is not None:
        desk.shown = key
    return stay(found or (kept.rows().get(desk.shown) if old else None), compute)


def stay(shown: Shown | None, compute: ComputeSpec, name: str = "") -> Shown | None:
    """Return a result if it may be shown, with what is to be said of it; else None.

    Parameters
    ----------
    shown : Result or None
    compute : ComputeSpec
        How one is asked for.
    name : str, optional
        What it is called, where there is more than one.
    """
    match standing(shown, state.settings().data, compute):
        case "of other data":
            return None
        case "of these data" if shown is not None:
            mark_out_of_date(shown, compute, name)
    return shown


def settled(analysis: Result) -> bool:
    """Whether this is the result that the controls ask for, so that it can be decided upon."""
    settings = state.settings()
    return standing(analysis, settings.data, settings.compute) == "asked for"


def slot_of(name: str) -> str:
    """Return the slot of a result that lies on a desk of its own."""
    return f"compute-{name}"


def mark_out_of_date(shown: Result, compute: ComputeSpec, name: str = "") -> None:
    """Say in what the result below is not what is asked for."""
    what = differences(shown.data, shown.compute, state.settings().data, compute)
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
    blank = standing(here.shown, data, compute) == "of other data"
    return life.obtain(
        Task(
            slot=slot,
            key=result_key(data, compute),
            make=kept.making(dataset, data, compute),
            shelf=kept.results,
            button=f"{'Compute' if blank else 'Recompute'} {name}".strip(),
            seconds=cost.seconds,
            wait=_WAIT_BLANK if blank else _WAIT,
            alike=f"result in {compute.space}",
            needs=describe_bytes(cost.cost.bytes),
            name=name,
        )
    )


def _cost(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Estimate:
    parts = kept.parts(dataset, data, compute)
    n, d = len(parts.train), dataset.X.shape[1]
    return estimate(n, parts.n_test, d, compute.space, grown=kept.has_forest(data, compute))
