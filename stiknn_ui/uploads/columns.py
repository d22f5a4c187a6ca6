"""The table of an upload's columns: what each is used for, why, and how to change it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from stiknn_core.phrases import listed
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import FEATURE_USES, Choices, Extent, Use, levels_of, with_extent
from stiknn_ui.uploads.readings import readings
from stiknn_ui.uploads.table import (
    IN_FILE,
    MOST_SHOWN,
    READ_AS,
    USE,
    columns_frame,
    edits_of,
    found_columns,
    order_from,
    summary,
    unused_columns,
)
from stiknn_ui.uploads.texts import text_settings
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_TABLE: Final = "What each column is used for"
_SEARCH: Final = "columns-find"
_ALL_USE: Final = "columns-all-use"
_ALL_USES: Final[tuple[Use, ...]] = (
    "number", "one-hot", "ordered", "text", "counts", "date", "annotator", "ignored",
)  # fmt: skip
_MOST_ORDERS: Final = 12
_MOST_NAMED: Final = 4


def columns_panel() -> None:
    """Draw what the columns of the open upload are used for, if there is one."""
    upload = upload_session.current()
    if upload is None:
        return
    st.markdown(f"**Columns.** {messages.plain(summary(upload))}")
    search = str(state.widget_value(_SEARCH) or "")
    names = found_columns(upload, search)
    readings(upload, names if search else None)
    _unused(upload)
    # Open where something was a guess: cells stand there beside what was read from them.
    guessed = bool(upload.file.doubtful)
    with st.expander(_TABLE, icon=":material/view_column:", expanded=guessed):
        _search_row(upload)
        shown = names[:MOST_SHOWN]
        if len(names) > len(shown):
            st.caption(
                f"The first {len(shown)} of {len(names):,} columns; {len(names) - len(shown):,} "
                "more are found by searching, and the box above changes them all."
            )
        # Edits are counted from what the table began with: other choices, another table.
        key = f"columns-{upload.spec.digest[:12]}-{search}"
        st.data_editor(
            columns_frame(upload, shown),
            key=key,
            hide_index=True,
            height="auto" if len(shown) <= 9 else 360,
            disabled=["column", "why", "holds", "different", "missing", IN_FILE, READ_AS],
            column_config={
                USE: st.column_config.SelectboxColumn(
                    options=list(wording.USES.values()), required=True, width="medium"
                ),
                IN_FILE: st.column_config.TextColumn(help="A few cells as they stand there."),
                READ_AS: st.column_config.TextColumn(help="What was read from these cells."),
                "why": st.column_config.TextColumn(help="Why this use is proposed."),
                "different": st.column_config.NumberColumn(help="Different values."),
            },
            on_change=_take_edits,
            args=(key, tuple(shown)),
        )
        _orders(upload)
    text_settings(upload)


def _unused(upload: Upload) -> None:
    """Say which columns are left out, and offer all that can be used, or numbers alone."""
    usable, others = unused_columns(upload)
    # Numbers alone would be nothing where there are none.
    parted = len({use == "number" for use in upload.uses.values() if use in FEATURE_USES}) == 2
    if usable or parted:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if usable:
                few = f"Could be used too: {listed(list(usable), _MOST_NAMED)}."
                st.markdown(messages.plain(few), width="content")
                _extent_button("Use all columns", "all")
            if parted:
                _extent_button("Only the numbers", "numbers")
    if others:
        st.caption(messages.plain(f"Left out: {others}."))


def _extent_button(label: str, extent: Extent) -> None:
    st.button(
        label,
        key=f"use-{extent}",
        on_click=_use_extent,
        args=(extent,),
        help=wording.HELP[f"columns_{extent}"],
    )


def _search_row(upload: Upload) -> None:
    search, use, button = st.columns([2, 2, 1], vertical_alignment="bottom")
    search.text_input(
        "Find columns", key=_SEARCH, help=wording.HELP["columns_find"], persist_state="session"
    )
    selectbox: Any = use.selectbox
    selectbox(
        "Use all that are found as",
        list(_ALL_USES),
        format_func=lambda choice: wording.USES[choice],
        key=_ALL_USE,
        persist_state="session",
    )
    button.button("Apply", key="columns-apply", on_click=_use_all, width="stretch")


def _orders(upload: Upload) -> None:
    ordered = [name for name, use in upload.uses.items() if use == "ordered"]
    for name in ordered[:_MOST_ORDERS]:
        levels = levels_of(upload.table, upload.choices, name)
        key = f"order-{name}"
        st.text_input(
            messages.plain(f"Order of the words of {name}, from low to high"),
            key=state.pinned(key, " < ".join(levels)),
            on_change=_take_order,
            args=(name, key, levels),
            persist_state="session",
        )


@messages.guarded()
def _take_edits(key: str, names: tuple[str, ...]) -> None:
    upload = upload_session.current()
    if upload is None:
        return
    choices = upload.choices
    for name, use in edits_of(state.widget_value(key), names):
        choices = choices.with_use([name], use)
    upload_session.choose(choices)


@messages.guarded()
def _use_extent(extent: Extent) -> None:
    upload = upload_session.current()
    if upload is not None:
        upload_session.choose(with_extent(upload.choices, extent))


@messages.guarded()
def _use_all() -> None:
    upload = upload_session.current()
    use: Use | None = state.widget_value(_ALL_USE)
    if upload is None or use is None:
        return
    found = found_columns(upload, str(state.widget_value(_SEARCH) or ""))
    # The label, the names and the true label are chosen one by one.
    free = [name for name in found if upload.uses[name] not in ("label", "id", "truth")]
    upload_session.choose(upload.choices.with_use(free, use))


@messages.guarded()
def _take_order(name: str, key: str, levels: tuple[str, ...]) -> None:
    upload = upload_session.current()
    if upload is None:
        return
    order = order_from(str(state.widget_value(key) or ""), levels)
    orders = dict(upload.choices.orders) | {name: order}
    choices: Choices = replace(upload.choices, orders=tuple(sorted(orders.items())))
    upload_session.choose(choices)
