"""Which test points there are: the control, and what it means for both sides."""

from __future__ import annotations

import math
from typing import Any, Final

import pandas as pd
import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_SEED, MAX_SHARE, MIN_SHARE, Evaluation, fits_a_matrix
from stiknn_ui.page.evaluation_sides import sides_line, sides_table
from stiknn_ui.results import kept
from stiknn_ui.results.parts import Parts
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.build import in_page_words
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_KEY: Final = "compute.evaluation"
_FILE_KEY: Final = "test-file"
_FEW_VALUES: Final = 4
_PERCENT: Final = 100


def evaluation_choice() -> None:
    """Draw the choice of test points; a test file or a column only for an upload."""
    names: dict[str, str] = dict(wording.PUBLIC_EVALUATION)
    if state.settings().data.source == "upload":
        names = dict(wording.EVALUATION)
    selectbox: Any = st.selectbox
    selectbox(
        "Test points",
        list(names),
        format_func=lambda option: names[option],
        help=wording.HELP["evaluation"],
        key=state.pinned(_KEY, _chosen()),
        on_change=_choose,
        persist_state="session",
    )


def evaluation_details(dataset: Dataset | None) -> None:
    """Draw what the chosen test points need, and how many rows are on either side.

    Parameters
    ----------
    dataset : Dataset or None
        What the controls describe; None if they do not fit the data.
    """
    evaluation = _chosen()
    if evaluation == "leave-one-out":
        return
    match evaluation:
        case "hold-out":
            _hold_out(dataset)
        case "test-file":
            _test_file()
        case "split-column":
            _split_column()
    if dataset is not None and not _waits_for_test():
        try:
            here = state.settings()
            _sides(dataset, kept.parts(dataset, here.data, here.compute))
        except StiknnError:
            return  # said where the result is missed


def _waits_for_test() -> bool:
    """Whether a test file was chosen and is still to come; other data end the wait."""
    here = state.desk(UploadDesk)
    here.wants_test &= state.settings().data.source == "upload"
    return here.wants_test


def _chosen() -> Evaluation:
    """Return what the box shows: a test file even before it is there."""
    if _waits_for_test():
        return "test-file"
    return state.settings().compute.evaluation


def _hold_out(dataset: Dataset | None) -> None:
    if dataset is not None and not fits_a_matrix(dataset.n):
        _held_out_rows(dataset.n)
    else:
        st.slider(
            "Held-out share",
            min_value=1,
            max_value=90,
            step=1,
            format="%d %%",
            help=wording.HELP["share"],
            **state.bound(
                "compute",
                "share",
                shown=lambda share: max(1, round(share * _PERCENT)),
                stored=lambda value: value / _PERCENT,
            ),
        )
    st.number_input(
        "Seed of the hold-out",
        min_value=0,
        max_value=MAX_SEED,
        step=1,
        help=wording.HELP["split_seed"],
        **state.bound("compute", "split_seed"),
    )


def _held_out_rows(n: int) -> None:
    """Draw the share as a number of rows: a small part of very many is enough to test on."""
    least, most = math.ceil(MIN_SHARE * n), math.floor(MAX_SHARE * n)
    st.number_input(
        "Held-out rows",
        min_value=least,
        max_value=most,
        step=100,
        help=wording.HELP["held_out_rows"],
        **state.bound(
            "compute",
            "share",
            shown=lambda share: min(most, max(least, round(share * n))),
            stored=lambda rows: rows / n,
        ),
    )


def _test_file() -> None:
    here = state.desk(UploadDesk)
    name = here.test.name if here.test is not None else ""
    if name:
        st.caption(messages.plain(name))
    st.file_uploader(
        "A table with the same columns",
        key=_FILE_KEY,
        on_change=_receive_test,
        help=wording.HELP["test_file"],
    )
    if here.wants_test and here.test_error is None:
        st.caption("Until it is there, nothing else changes.")
    if isinstance(here.test_error, StiknnError):
        st.error(messages.plain(in_page_words(here.test_error)), icon=":material/error:")
    elif here.test_error is not None:
        messages.show_unexpected(here.test_error)


def _split_column() -> None:
    upload = state.desk(UploadDesk).upload
    if upload is None:
        return
    table = upload.table
    chosen = state.settings().compute.split_column
    names = [
        name
        for name, fact in table.facts.items()
        if 2 <= fact.known <= _FEW_VALUES and upload.uses[name] != "label"
    ]
    if chosen and chosen not in names:
        names.insert(0, chosen)
    key = state.key_for("split-column", names)
    selectbox: Any = st.selectbox
    selectbox(
        "Column that marks the split",
        ["", *names],
        format_func=lambda name: name or "choose a column",
        key=state.pinned(key, chosen),
        on_change=_choose_column,
        args=(key, tuple(names)),
        help=wording.HELP["split_column"],
        persist_state="session",
    )


def _sides(dataset: Dataset, parts: Parts) -> None:
    if parts.test is None:
        return
    st.caption(messages.plain(sides_line(dataset.y, parts.train, parts.test)))
    with st.expander("Classes on both sides"):
        counts: pd.DataFrame = sides_table(dataset.y, parts.train, parts.test)
        st.dataframe(counts, hide_index=True, height="content" if len(counts) < 9 else 320)


@messages.guarded()
def _choose() -> None:
    value = state.widget_value(_KEY)
    if value in wording.EVALUATION:
        upload_session.test_on(value)


@messages.guarded()
def _choose_column(key: str, names: tuple[str, ...]) -> None:
    column = state.widget_value(key)
    if column == "" or column in names:
        state.change("compute", split_column=column)


@messages.guarded()
def _receive_test() -> None:
    file = state.widget_value(_FILE_KEY)
    if file is not None:
        upload_session.receive_test(file.name, file.getvalue())
