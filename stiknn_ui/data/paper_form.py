"""The paper's data sets, and any other from OpenML, which is asked only when a person says so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from stiknn_core.datasets.registry import REGISTRY
from stiknn_core.types import Dataset
from stiknn_ui.asked import paper_sets
from stiknn_ui.asked.spec import MAX_POINTS, MIN_POINTS, DataSpec
from stiknn_ui.page import life
from stiknn_ui.page.life import Task
from stiknn_ui.results import kept
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_OTHER: Final = ""
_CHOICE: Final = "paper-set"
_NUMBER: Final = "openml-number"
_DOWNLOAD: Final = (
    "This asks openml.org for the data set and keeps a copy on this server. Nothing of yours is "
    "sent."
)


@dataclass
class FetchDesk:
    """A set from OpenML that one visitor has chosen but does not use yet: it may have to come."""

    wanted: str = ""


def paper_form() -> None:
    """Draw the list of the paper's sets and what belongs to the chosen one."""
    data, wanted = state.settings().data, state.desk(FetchDesk).wanted
    chosen = wanted or data.name
    key = state.pinned(_CHOICE, chosen if chosen in REGISTRY else _OTHER)
    st.selectbox(
        "Data set",
        [*REGISTRY, _OTHER],
        format_func=lambda name: paper_sets.line(name) if name else "Another number on OpenML",
        key=key,
        on_change=_choose,
        persist_state="session",
    )
    if chosen in REGISTRY:
        st.caption(messages.plain(REGISTRY[chosen].about))
    else:
        _number_form(chosen)
    # The set in use draws its own button beside, where the data would be.
    if wanted and wanted != data.name:
        _offer(wanted)
    if data.source == "paper" and _sampled(data.name):
        # The overloads of number_input cannot see through keyword arguments made elsewhere.
        number_input: Any = st.number_input
        number_input(
            "Rows at most",
            min_value=MIN_POINTS,
            max_value=MAX_POINTS,
            step=500,
            help=wording.HELP["sample"],
            **state.bound("data", "sample", shown=lambda rows: rows or MAX_POINTS),
        )


def ready(spec: DataSpec) -> bool:
    """Whether the rows of ``spec`` are on this server; if not, say so and offer to fetch them."""
    if spec.source != "paper" or not paper_sets.needs_fetching(spec.name):
        return True
    if kept.fetched().get(spec.name) is not None:
        return True
    name = paper_sets.title(spec.name)
    st.info(
        messages.plain(f"{name} comes from OpenML and is not on this server yet."),
        icon=":material/cloud_download:",
    )
    _offer(spec.name)
    return False


def settle() -> None:
    """Use a set that was waited for, once it has come."""
    data = state.settings().data
    # Someone who went on to other data meanwhile finds it there when coming back.
    if data.source != "paper":
        return
    for name in {state.desk(FetchDesk).wanted, data.name} - {""}:
        slot = state.desk(life.Slots)[_slot(name)]
        whole = None if slot.job is None else slot.job.result
        if whole is not None:
            slot.job = None
            _use(name, whole)


def _use(name: str, whole: Dataset) -> None:
    state.desk(FetchDesk).wanted = ""
    spec = state.settings().data
    if spec.name != name or spec.source != "paper":
        spec = paper_sets.first_spec(name)
    if whole.n <= (spec.sample or MAX_POINTS):
        spec = replace(spec, sample=0)
    state.use_data(spec)


def _choose() -> None:
    here = state.desk(FetchDesk)
    name = state.widget_value(_CHOICE)
    if name == _OTHER:
        here.wanted = _typed()
    elif name is not None:
        _ask(name)


def _choose_number() -> None:
    _ask(_typed())


def _typed() -> str:
    number = state.widget_value(_NUMBER)
    known = paper_sets.other_number(state.settings().data.name)
    return f"openml-{number or known or 61}"


def _ask(name: str) -> None:
    """Use a set that needs no download, and make the others wait for their button."""
    here = state.desk(FetchDesk)
    whole = kept.fetched().get(name)
    if whole is not None:
        _use(name, whole)
    elif paper_sets.needs_fetching(name):
        here.wanted = name
    else:
        here.wanted = ""
        state.use_data(paper_sets.first_spec(name))


def _number_form(chosen: str) -> None:
    st.number_input(
        "Number on OpenML",
        min_value=1,
        max_value=paper_sets.MAX_OPENML,
        step=1,
        key=state.pinned(_NUMBER, paper_sets.other_number(chosen) or 61),
        on_change=_choose_number,
        persist_state="session",
        help="The number in the address of the data set: 61 in openml.org/d/61 is iris.",
    )


def _offer(name: str) -> None:
    """Draw the button that fetches a set, what came of it, or how it is going."""
    fetched = life.obtain(
        Task(
            slot=_slot(name),
            key=name,
            make=kept.fetching(name),
            shelf=kept.fetched,
            button="Fetch from OpenML",
            due=False,  # it asks another server
            told=_DOWNLOAD,
            doing=f"Fetching {paper_sets.title(name)} from OpenML ...",
            line=kept.downloads,
        )
    )
    if fetched is not None:
        _use(name, fetched)
        st.rerun()  # what stands above was drawn without it
    job = state.desk(life.Slots)[_slot(name)].job
    if job is not None and job.error is not None and state.desk(FetchDesk).wanted:
        st.caption("The data from before are still in use.")


def _slot(name: str) -> str:
    return f"fetch-{name}"


def _sampled(name: str) -> bool:
    n = REGISTRY[name].n if name in REGISTRY else None
    whole = kept.fetched().get(name)
    n = n if whole is None else whole.n
    return n is None or n > MAX_POINTS
