"""Two boxes that choose the pair which is worked out."""

from __future__ import annotations

import streamlit as st

from stiknn_ui.learn import bench
from stiknn_ui.learn.scene import Scene
from stiknn_ui.visit import state


def draw(scene: Scene) -> None:
    """Draw the boxes beside each other."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _point_choice(scene, 0)
        _point_choice(scene, 1)


def _point_choice(scene: Scene, which: int) -> None:
    names = scene.lesson.names
    label = "ij"[which]
    key = state.key_for(f"learn-{label}", names)
    st.selectbox(
        label,
        list(range(len(names))),
        format_func=lambda i: names[i],
        width=110,
        key=state.pinned(key, scene.pair[which]),
        on_change=_point_chosen,
        args=(key, which),
    )


def _point_chosen(key: str, which: int) -> None:
    here = bench.desk()
    chosen, pair = state.widget_value(key), list(here.scene.pair)
    if chosen is None:
        return
    if chosen == pair[1 - which]:  # the other one makes room
        pair[1 - which] = pair[which]
    pair[which] = chosen
    here.choose(pair=(pair[0], pair[1]))
