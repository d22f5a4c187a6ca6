"""Copies in the data, copies that contradict each other, and ties that matter."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from stiknn_core.duplicates import Duplicates
from stiknn_core.errors import StiknnError
from stiknn_core.types import AnyArray, Dataset, IntArray
from stiknn_ui.results import kept
from stiknn_ui.results.parts import parts_of
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_MOST_GROUPS: Final = 200
_MOST_IDS: Final = 12
# Beyond this, ties are counted with the matrix, which needs the same distances.
_MOST_DISTANCES: Final = 4_000_000
_NOTHING: Final = np.empty(0, dtype=np.int64)


def groups_table(dataset: Dataset, found: Duplicates) -> pd.DataFrame:
    """Return one row per group of copies, those with different labels first.

    Its columns are "rows", "labels", "ids" and "group", the place in ``found.groups``.
    """
    conflicts = set(found.conflicts)
    places = sorted(range(len(found.groups)), key=lambda place: place not in conflicts)
    lines = []
    for place in places[:_MOST_GROUPS]:
        rows = found.groups[place]
        counts = Counter(str(label) for label in dataset.y[rows].tolist())
        ids = [str(name) for name in dataset.ids[rows[:_MOST_IDS]].tolist()]
        more = f" and {len(rows) - _MOST_IDS:,} more" if len(rows) > _MOST_IDS else ""
        labels = ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
        lines.append((len(rows), labels, ", ".join(ids) + more, place))
    return pd.DataFrame(lines, columns=["rows", "labels", "ids", "group"])


def show(dataset: Dataset) -> IntArray:
    """Draw what was found, and return the rows to be ringed in the scatter, sorted.

    The data set is the one that the controls describe, noise included.
    """
    settings = state.settings()
    found = kept.duplicates_of(dataset, settings.data, settings.compute)
    tied, sentence = _ties(dataset)
    if not found.groups and not len(tied):
        st.caption(messages.plain(f"{found.sentence} {sentence}".strip()))
        return _NOTHING
    with st.container(border=True, key="duplicates"):
        st.markdown("**Copies and ties**")
        st.markdown(messages.plain(found.sentence))
        chosen = _groups(dataset, found) if found.groups else _NOTHING
        if sentence:
            st.markdown(messages.plain(sentence))
        if len(tied) and st.toggle("Show the rows with such ties", key="show-ties"):
            chosen = np.union1d(chosen, tied)
    return chosen


def _groups(dataset: Dataset, found: Duplicates) -> IntArray:
    table = groups_table(dataset, found)
    if len(found.groups) > len(table):
        st.caption(f"The first {len(table):,} groups; tick some to see where they are.")
    else:
        st.caption("Tick groups to see where they are.")
    event = st.dataframe(
        table,
        hide_index=True,
        height="content" if len(table) <= 5 else 220,
        column_order=["rows", "labels", "ids"],
        column_config={
            "rows": st.column_config.NumberColumn(width="small", help="Rows at this place."),
            "labels": st.column_config.TextColumn(help="Labels given there, and how often."),
            "ids": st.column_config.TextColumn(help="What the data call these rows."),
        },
        selection_mode="multi-row",
        on_select="rerun",
        key=f"copies-{_digest(found.group_of)}",
    )
    groups = [found.groups[int(table["group"].iloc[row])] for row in event["selection"]["rows"]]
    return np.sort(np.concatenate(groups)) if groups else _NOTHING


def _ties(dataset: Dataset) -> tuple[IntArray, str]:
    """Return the rows with ties between different labels, and the sentence that counts them."""
    settings = state.settings()
    try:
        parts = parts_of(dataset, settings.compute)
        if len(parts.train) * parts.n_test > _MOST_DISTANCES:
            return _NOTHING, "Ties are counted with the matrix, on the Explore page."
        tied = kept.tied_rows_of(dataset, settings.data, settings.compute)
    except StiknnError:
        return _NOTHING, ""  # the pages that compute say what does not fit
    if not len(tied):
        return tied, "No test point has neighbours with different labels at equal distance."
    have = "has" if len(tied) == 1 else "have"
    return tied, (
        f"{len(tied):,} of {parts.n_test:,} test points {have} neighbours with different labels at "
        "equal distance."
    )


def _digest(group_of: AnyArray) -> str:
    """Name a table by its groups, so that ticks never pass to the groups of other data."""
    return hashlib.sha256(group_of.tobytes()).hexdigest()[:12]
