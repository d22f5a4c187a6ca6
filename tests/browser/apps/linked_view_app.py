"""A page with nothing but the linked view and made-up data.

Query parameters: ``n`` points, ``classes``, ``seed``; ``names=html`` gives the points
and classes names that look like markup. Classes are interleaved (0, 1, 2, 0, 1, ...).
``kind=blocks`` makes ``n`` blocks instead, of ``points`` points, of which ``dots`` are drawn.
"""

import json
import sys
from pathlib import Path

import numpy as np
import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from stiknn_core.ordering import order_points
from stiknn_ui.linked_view.component import linked_view
from stiknn_view.block_payload import build_block_content
from stiknn_view.options import ViewOptions
from stiknn_view.packing import ViewContent
from stiknn_view.payload import build_content
from stiknn_view.selection import NOTHING, Selection, newest
from tests.browser.apps.made_up_blocks import made_up_blocks

MARKUP = "<b>bold</b><img src=x onerror=alert(1)> & more"


@st.cache_resource(max_entries=8)
def make(n: int, n_classes: int, seed: int, names: str) -> tuple[ViewContent, dict]:
    """Build one content and what the orders need."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % n_classes
    angle = 2 * np.pi * codes / n_classes
    xy = np.c_[np.cos(angle), np.sin(angle)] * 2 + rng.normal(size=(n, 2)) * 0.6
    near = np.exp(-np.linalg.norm(xy[:, None] - xy[None], axis=2))
    same = codes[:, None] == codes[None]
    matrix = np.where(same, -near, 0.3 * near) * np.abs(rng.normal(1, 0.4, size=(n, n))) / n**2
    matrix = np.triu(matrix, 1)
    matrix = matrix + matrix.T + np.eye(n) * 0.5 / n
    values = matrix.diagonal() + (matrix.sum(axis=1) - matrix.diagonal()) / 2
    classes = [f"kind {c}" for c in range(n_classes)]
    ids = [f"P{i:03d}" for i in range(n)]
    if names == "html":
        classes[0] = MARKUP
        ids[0] = "<i>first</i>"
    content = build_content(
        matrix=matrix,
        xy=xy,
        codes=codes,
        classes=classes,
        ids=ids,
        values=values,
        quality=rng.uniform(size=n),
        suggested=(codes + (rng.uniform(size=n) < 0.1)) % n_classes,
        changed=np.arange(0, n, 17),
        axis_titles=("x1 <u>", "x2 & y") if names == "html" else ("x1", "x2"),
        name=f"made up {seed}",
    )
    return content, {
        "codes": codes,
        "xy": xy,
        "values": values,
        "matrix": matrix,
        "classes": classes,
    }


@st.cache_resource(max_entries=8)
def make_blocks(
    n: int, n_classes: int, seed: int, points: int, dots: int
) -> tuple[ViewContent, dict]:
    """Build one content of blocks and what the orders need."""
    given = made_up_blocks(n, n_classes, seed, points, dots)
    middle = np.array([given["dot_xy"][given["dot_units"] == u].mean(axis=0) for u in range(n)])
    facts = {name: given[name] for name in ("codes", "values", "classes")}
    matrix = np.nan_to_num(given["means"])
    return build_block_content(**given), facts | {"xy": middle, "matrix": matrix}


st.set_page_config(layout="wide")
asked = st.query_params
state = st.session_state
state.setdefault("picked", NOTHING)

with st.sidebar:
    seed = st.number_input("seed", value=int(asked.get("seed", 0)))
    order_name = st.selectbox("order", ["class", "value", "cluster", "input"])
    color_by = st.selectbox("color", ["class", "value", "quality", "interaction"])
    show_changed = st.checkbox("changed")
    shown = st.radio("page", ["view", "other"])
    if st.button("pick 3 and 5"):
        state.picked = Selection((3, 5), (3, 5), "table", state.picked.seq + 1)
    st.button("rerun")

sizes = int(asked.get("n", 60)), int(asked.get("classes", 3)), int(seed)
if asked.get("kind") == "blocks":
    content, facts = make_blocks(
        *sizes, int(asked.get("points", 3000)), int(asked.get("dots", 600))
    )
else:
    content, facts = make(*sizes, asked.get("names", ""))
if state.get("content") != content.content_id:
    state.content = content.content_id
    state.picked = NOTHING

if shown == "view":
    order = order_points(order_name, **facts)
    options = ViewOptions(
        color_by=color_by,
        show_changed=show_changed,
        caption="made up · k = 5 · euclidean · STII · order: class · seed 0",
    )
    reported = linked_view(
        content, order=order, selection=state.picked, options=options, key="view"
    )
    state.picked = newest(state.picked, reported)

runs = state.runs = state.get("runs", 0) + 1
picked = state.picked
st.text(
    "python: "
    + json.dumps({"rows": picked.rows, "cols": picked.cols, "origin": picked.origin, "runs": runs})
)
