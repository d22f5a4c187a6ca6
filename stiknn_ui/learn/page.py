"""The Learn page: lesson or puzzles, or the board with five sections below it."""

from __future__ import annotations

import streamlit as st

from stiknn_ui.learn import bench, component, payload, sentences
from stiknn_ui.learn.cards import page as cards
from stiknn_ui.learn.game import rank
from stiknn_ui.learn.orders import MOST_ORDERS, count_orders, orders
from stiknn_ui.learn.scene import Scene
from stiknn_ui.visit import state
from stiknn_ui.words import messages


def show() -> None:
    """Draw the whole page."""
    if cards.show():
        _play()
    cards.keep_link()


def _play() -> None:
    """Draw the board, and below it the method in five sections."""
    bench.draw(cards.course().address(bench.desk()))
    scene = bench.desk().scene
    left, right = st.columns(2, gap="large")
    with left:
        _neighbours(scene)
    with right:
        _game(scene)
    left, right = st.columns(2, gap="large")
    with left:
        _pair(scene)
    with right:
        _algorithm(scene)
    _agreement(scene)
    _average(scene)


def _neighbours(scene: Scene) -> None:
    st.markdown("#### 1. Neighbours, nearest first")
    right = messages.plain(scene.lesson.tests[scene.test].label)
    st.markdown(
        f"Seen from test point T{scene.test + 1} of class **{right}**. A point brings "
        rf"$u=\frac{{1}}{{k}}$ with $k={scene.lesson.k}$ if it has that class, else $0$."
    )
    st.markdown(sentences.neighbours_table(scene))
    messages.show_notices(sentences.remarks(scene))


def _game(scene: Scene) -> None:
    st.markdown("#### 2. The game: what a subset is worth")
    st.latex(r"v(S)=\frac{1}{k}\sum_{i=1}^{\min(k,s)}\mathbf{1}[\,y_i=y_{\text{test}}\,]")
    bench.choosing("subsets", scene, payload.subsets(scene), "subset")


def _pair(scene: Scene) -> None:
    st.markdown("#### 3. A pair, subset by subset")
    st.latex(
        r"\begin{gathered}\phi_{ij}=\frac{2}{n}\sum_{S\subseteq N\setminus\{i,j\}}"
        r"\frac{1}{\binom{n-1}{s}}\,\Delta_{ij}(S)\\"
        r"\Delta_{ij}(S)=v(Sij)-v(Si)-v(Sj)+v(S)\end{gathered}"
    )
    st.markdown(
        "Where j brings less once i is there, $\\Delta$ is **negative**: substitutes for this set. "
        "Where it brings more, or does less harm, it is **positive**. Choose a pair here, or in "
        "the matrix beside the board, which holds this sum for every pair."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _point_choice(scene, 0)
        _point_choice(scene, 1)
    component.show("pairs", payload.pairs(scene))
    st.markdown("All subsets of one size share a weight:")
    st.latex(sentences.pair_formula(scene))


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


def _algorithm(scene: Scene) -> None:
    st.markdown("#### 4. Algorithm 1, step by step")
    st.markdown(
        "The paper's shortcut needs no subsets: a start value in the far corner, one step for "
        "each cell beside the diagonal, then copies up the columns."
    )
    st.caption(
        "Two corrections to the algorithm as printed: its loop runs down to j = 1 and would touch "
        "rows 0 and −1, so here it ends at j = 3; and its start value is wrong for k > n, so here "
        "it is 0 where k ≥ n."
    )
    _order_choice(scene)
    bench.choosing("steps", scene, payload.steps(scene), "step")


def _order_choice(scene: Scene) -> None:
    groups = rank(scene.lesson, scene.test).groups
    number = count_orders(groups)
    if number == 1:
        return
    if number > MOST_ORDERS:
        st.caption(
            f"The tied points can come in {number:,} orders. Played is that of the rows; the mean "
            "below is over all of them."
        )
        return
    ways = orders(groups)
    names = scene.lesson.names
    told = [", ".join(names[i] for i in way) for way in ways]
    key = state.key_for("learn-order", told)
    st.selectbox(
        "Order of the tied points",
        list(range(number)),
        format_func=lambda way: f"Order {way + 1} of {number}: {told[way]}",
        key=state.pinned(key, scene.order),
        on_change=lambda: bench.desk().choose(order=state.widget_value(key)),
    )


def _agreement(scene: Scene) -> None:
    st.markdown("#### Both ways agree")
    with st.container(border=True):
        st.markdown(sentences.verdict(scene))
    by_order = sentences.order_by_order(scene)
    if by_order:
        st.markdown("Algorithm 1 in each order of the tied points, and the mean:")
        st.latex(by_order)
    with st.expander("From pairs to the value of a point", icon=":material/functions:"):
        st.markdown(
            "Half of every pair belongs to each of its two points. With the main term "
            r"$\phi_{ii}=v(\{i\})-v(\emptyset)$ that is the KNN-Shapley value:"
        )
        st.latex(r"\text{value}_i=\phi_{ii}+\tfrac{1}{2}\sum_{j\neq i}\phi_{ij}")
        st.markdown(sentences.values_table(scene))
        st.markdown(sentences.efficiency(scene))


def _average(scene: Scene) -> None:
    st.markdown("#### 5. Now average over test points")
    st.latex(r"\phi_{ij}(v)=\frac{1}{t}\sum_{p=1}^{t}\phi_{ij}(u_p)")
    if len(scene.lesson.tests) == 1:
        st.markdown("There is one test point so far. Add a second one to see their mean.")
        st.button("Add a test point", icon=":material/add:", on_click=bench.desk().add_test)
        return
    st.markdown(
        "Sorted by its own distances, each test point makes a pattern of columns: a cell depends "
        "only on the farther point. In one common order the patterns differ, and their mean is the "
        "matrix."
    )
    bench.choosing("averages", scene, payload.averages(scene), "taken")
