"""Which point is looked at: from the link, the list, a button, or a click in a picture."""

from __future__ import annotations

import streamlit as st

from stiknn_core.types import IntArray
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.page.closely import look_at, looked_at
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.result import Result
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording
from stiknn_view.selection import Selection


def settle(scope: str, n: int) -> int:
    """Return the point to look at, before anything of it is drawn.

    Who comes from a page where one point is selected sees that one; a choice made since, in the
    list or by a link, is selected in the picture as well.
    """
    here = state.session()
    point = here.settings.view.point
    if point >= n:
        st.warning(
            f"There is no point {point:,}: these are {n:,} points, from 0 to {n - 1:,}. "
            "Point 0 is shown.",
            icon=":material/my_location:",
        )
        point = 0
    seen = looked_at().get(scope)
    chosen = here.selections.get(scope, Selection()).points
    if seen is None and len(chosen) == 1:
        point = chosen[0]
    if seen != point or here.settings.view.point != point:
        look_at(scope, point)
    return point


def follow(scope: str, point: int, selection: Selection) -> int:
    """Return the point that was clicked in the picture, or the one from before."""
    if len(selection.points) == 1 and selection.points[0] != point:
        point = selection.points[0]
        state.change("view", point=point)
        looked_at()[scope] = point
    return point


def chooser(analysis: Result, point: int, by: RankBy, order: IntArray) -> None:
    """Draw the list of points and the way through the ranking, most suspicious first."""
    place = int((order == point).argmax())
    with st.container(horizontal=True, vertical_alignment="bottom", key="point-chooser"):
        if isinstance(analysis, Analysis):
            names = [
                f"{name} · {analysis.doubt.told(point)[0]}"
                for point, name in enumerate(analysis.ids)
            ]
            st.selectbox(
                "Point",
                range(analysis.n),
                format_func=names.__getitem__,
                width=260,
                help="Type a part of its name. A click on a point in the picture works too.",
                **state.bound("view", "point", options=[analysis.scope]),
            )
        else:
            st.number_input(
                "Point",
                min_value=0,
                max_value=analysis.n - 1,
                step=1,
                width=200,
                help="Position among the training points, from 0.",
                **state.bound("view", "point", options=[analysis.scope]),
            )
        for label, icon, other in (
            ("Previous", ":material/chevron_left:", place - 1),
            ("Next", ":material/chevron_right:", place + 1),
        ):
            inside = 0 <= other < len(order)
            st.button(
                label,
                key=f"point-{label.lower()}",
                icon=icon,
                disabled=not inside,
                on_click=state.change,
                args=("view",),
                kwargs={"point": int(order[other]) if inside else point},
                help=f"The {'more' if label == 'Previous' else 'less'} suspicious one.",
            )
        st.markdown(
            f"**{place + 1:,}** of {analysis.n:,}, most suspicious first, by "
            f"{messages.plain(wording.RANK_BY[by])}",
            width="content",
        )
