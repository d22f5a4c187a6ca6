"""What supports the label of one row, and which rows are nearest to it."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.desk import BlockDesk
from stiknn_ui.blocks.levels import N_NEAR, near_level
from stiknn_ui.page import content_columns
from stiknn_ui.results.all_rows import AllRows
from stiknn_ui.results.inputs import N_NEAREST
from stiknn_ui.results.result import Result
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.visit import state
from stiknn_ui.words import glossary

_MOST_CLASSES: Final = 8


def draw(rows: AllRows, point: int) -> None:
    """Draw both tables side by side."""
    if rows.targets is not None:
        draw_near(rows, point, "Its nearest rows")
        return
    classes, near = st.columns(2, gap="large")
    with classes:
        st.markdown("##### What supports its label", help=glossary.means("support"))
        st.dataframe(
            class_table(rows, point),
            hide_index=True,
            height="content",
            column_config={
                "share": st.column_config.ProgressColumn(
                    min_value=0.0,
                    max_value=1.0,
                    format="%.3f",
                    help="Of its support, each class divided by the square root of its "
                    "frequency; that of the given class is the label quality.",
                )
            },
        )
    with near:
        draw_near(rows, point, "Its nearest rows")


def draw_near(result: Result, point: int, title: str) -> None:
    """Draw the points nearest to one, with what they say and show."""
    st.markdown(f"##### {title}")
    contents = contents_of(result)
    (near,), (far,) = result.given.nearest(np.array([point]), N_NEAREST)
    table = near_table(result, near, far)
    content_columns.add(table, contents, result.rows[near], place=1)
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config={
            **content_columns.config(wide=True),
            "distance": st.column_config.NumberColumn(format="%.3g"),
        },
        **content_columns.options(contents),
    )


def class_table(rows: AllRows, point: int) -> pd.DataFrame:
    """Return the classes with the largest shares of the support, the given one among them."""
    (shares,) = rows.shares_of(np.array([point]))
    given = int(rows.codes[point])
    order = np.argsort(-shares, kind="stable")[:_MOST_CLASSES]
    if given not in order:
        order[-1] = given
    return pd.DataFrame(
        {
            "class": [rows.classes[code] for code in order],
            "given": order == given,
            "share": shares[order],
        }
    )


def near_table(rows: Result, near: IntArray, far: FloatArray) -> pd.DataFrame:
    """Return what is known of the points nearest to one, with their distances."""
    if rows.targets is not None:
        told = rows.doubt.columns(near)
        about = {"given target": told["label"], "suggested": told["suggested"]}
        return pd.DataFrame({"id": rows.names(near), **about, "distance": far})
    return pd.DataFrame(
        {
            "id": rows.names(near),
            "given label": [rows.classes[code] for code in rows.codes[near]],
            "suggested": [rows.classes[code] for code in rows.suggested[near]],
            "label quality": rows.doubt.quality[near],
            "distance": far,
        }
    )


def near_button(blocks: BlockAnalysis, point: int) -> None:
    """Offer the point among those nearest to it as single pairs, on Explore."""
    if st.button(
        f"This row among its {min(N_NEAR, blocks.n):,} nearest, as single pairs",
        key="open-near",
        icon=":material/filter_center_focus:",
    ):
        desk = state.desk(BlockDesk)
        desk.level(blocks)
        desk.open(near_level(blocks, point))
        st.switch_page("pages/explore.py")
