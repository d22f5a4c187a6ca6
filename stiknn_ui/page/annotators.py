"""The panel of annotators: who lies how far from what the points around say."""

from __future__ import annotations

from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from stiknn_core.exporting import to_csv
from stiknn_ui.page.download import download
from stiknn_ui.results import exports
from stiknn_ui.results.crowd import ranked_annotators, votes_line
from stiknn_ui.results.result import Result
from stiknn_ui.words import messages
from stiknn_ui.work import shelves

_MOST_SHOWN: Final = 1_000
_COLUMNS: Final = {
    "annotator": ("annotator", "What the data call them."),
    "rows": ("rows", "Training points that they labelled."),
    "agreement": (
        "agreement",
        "Share of their rows on which most of the other annotators gave the same label.",
    ),
    "support": ("support", "Mean share of the label support that the labels they gave have."),
    "disagreement": (
        "disagreement",
        "How much more of the support the labels of these rows have than those they gave, on "
        "average; high = suspicious.",
    ),
    "standard_error": ("± standard error", "Of the disagreement, over their rows."),
    "dawid_skene": (
        "wrong by Dawid-Skene",
        "Share of their labels that are wrong by the model of Dawid and Skene, which looks at the "
        "labels alone and at no feature; high = suspicious.",
    ),
}


def show(result: Result) -> None:
    """Draw the annotators of a result, the most doubtful first; nothing where there are none."""
    votes = result.dataset.votes
    if votes is None or not (votes.said[result.rows] >= 0).any():
        return
    table: pd.DataFrame = shelves.derived().obtain(
        f"annotators|{result.key}", partial(ranked_annotators, result)
    )
    with st.expander("Annotators", icon=":material/group:", key="annotators"):
        st.markdown(messages.plain(votes_line(result.dataset)))
        st.dataframe(
            table.head(_MOST_SHOWN),
            hide_index=True,
            height="content" if len(table) <= 12 else 420,
            column_config={
                name: st.column_config.Column(title, help=help)
                if name in ("annotator", "rows")
                else st.column_config.NumberColumn(title, help=help, format="%.3f")
                for name, (title, help) in _COLUMNS.items()
            },
        )
        st.caption(
            "Disagreement counts only where somebody gave another label than the row has. Who "
            "labelled hard rows has more of it."
        )
        if len(table) > _MOST_SHOWN:
            st.caption(f"The first {_MOST_SHOWN:,} of {len(table):,}; the file holds all.")
        download(
            "Annotators (CSV)",
            partial(to_csv, table),
            exports.file_name("annotators", result, None),
            "annotators",
        )
