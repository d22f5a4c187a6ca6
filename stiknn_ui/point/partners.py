"""Complements and substitutes on screen; a ticked row becomes the other point of a pair."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import streamlit as st

from stiknn_ui.page import content_columns
from stiknn_ui.point.ground import Ground
from stiknn_ui.point.tables import OF, Kind, Partners, partner_table
from stiknn_ui.uploads.shown import contents_of
from stiknn_ui.visit import state
from stiknn_ui.words import glossary

_OTHER: Final = "point-other"
_KINDS: Final[tuple[tuple[Kind, str, str], ...]] = (
    ("complements", "Strongest complements", "positive"),
    ("substitutes", "Strongest substitutes", "negative"),
)


def draw(ground: Ground, point: int, found: Partners) -> None:
    """Draw both tables."""
    other = other_point(ground, point, found)
    contents = contents_of(ground.analysis)
    for kind, title, sign in _KINDS:
        st.markdown(f"##### {title}", help=f"{glossary.means(kind)} The interaction is {sign}.")
        table = partner_table(ground, point, found, kind, most=6)
        if table.empty:
            st.markdown(f"None: no interaction of this point is {sign}.")
            continue
        points = table[OF].tolist()
        content_columns.add(table, contents, ground.analysis.rows[points], place=2)
        key = state.key_for(f"point-{kind}", [ground.analysis.key, str(point)])
        state.pin_rows(key, [points.index(other)] if other in points else [])
        st.dataframe(
            table,
            key=key,
            hide_index=True,
            height="content",
            column_order=[name for name in table.columns if name != OF],
            selection_mode="single-row",
            on_select=_ticked(key, points, other_key(ground, point)),
            column_config=content_columns.config()
            | {
                "interaction": st.column_config.NumberColumn(format="%.3g"),
                "distance": st.column_config.NumberColumn(format="%.3g"),
                "nearness": st.column_config.NumberColumn(
                    "nearness", help="1 = the nearest of all other points."
                ),
                "copy": st.column_config.CheckboxColumn(help="The same features, cell by cell."),
            },
            **content_columns.options(contents),
        )
    st.caption("Tick a row to see below which test points make up that interaction.")


def other_key(ground: Ground, point: int) -> str:
    """Return the key of the widget that holds the other point of the pair."""
    return state.key_for(_OTHER, [ground.analysis.key, str(point)])


def other_point(ground: Ground, point: int, found: Partners) -> int:
    """Return the other point of the pair, of two at least: the chosen one, or the strongest."""
    held = state.widget_value(other_key(ground, point))
    if held is not None and held != point and 0 <= held < ground.analysis.n:
        return int(held)
    strength = np.abs(found.row)
    strength[point] = -1.0
    return int(strength.argmax())


def _ticked(key: str, points: list[int], widget: str) -> Any:
    def take() -> None:
        rows = state.ticked_rows(key)
        if rows and 0 <= rows[0] < len(points):
            state.pinned(widget, points[rows[0]])
            state.pinned("point-parts-of", "pair")

    return take
