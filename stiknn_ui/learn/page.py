"""The Learn page: lesson or puzzles, or the board with five sections below it."""

from __future__ import annotations

import streamlit as st

from stiknn_ui.learn import bench, component, pair_choice, payload, played, sentences
from stiknn_ui.learn.cards import page as cards
from stiknn_ui.learn.game import rank
from stiknn_ui.learn.games import formulas
from stiknn_ui.learn.games.index import index_of
from stiknn_ui.learn.games.score import label_word
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
    bench.draw()
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
    lesson = scene.lesson
    right = messages.plain(lesson.tests[scene.test].label)
    called = label_word(lesson.score)
    st.markdown(
        f"Seen from test point T{scene.test + 1} of {called} **{right}**. "
        f"{formulas.brings(lesson.score, lesson.k)}"
    )
    st.markdown(sentences.neighbours_table(scene))
    messages.show_notices(sentences.remarks(scene))


def _game(scene: Scene) -> None:
    st.markdown("#### 2. The game: what a subset is worth")
    st.latex(formulas.utility(scene.lesson.score))
    bench.choosing("subsets", scene, payload.subsets(scene), "subset")


def _pair(scene: Scene) -> None:
    st.markdown("#### 3. A pair, subset by subset")
    st.latex(formulas.pair_definition(index_of(scene.lesson.index)))
    st.markdown(
        "Where j brings less once i is there, $\\Delta$ is **negative**: substitutes for this set. "
        "Where it brings more, or does less harm, it is **positive**. Choose a pair here, or in "
        "the matrix beside the board, which holds this sum for every pair."
    )
    pair_choice.draw(scene)
    component.show("pairs", payload.pairs(scene))
    st.markdown("All subsets of one size share a weight:")
    st.latex(sentences.pair_formula(scene))


def _algorithm(scene: Scene) -> None:
    if not index_of(scene.lesson.index).paper:
        _theorem(scene)
        return
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


def _theorem(scene: Scene) -> None:
    st.markdown("#### 4. The theorem, column by column")
    st.markdown(
        "Algorithm 1 belongs to the paper's index alone. For any index the same holds with other "
        "weights *w* of the ranks: the farther point decides, so a column is one number."
    )
    st.latex(r"\phi_{ij}=-w_{m+1}\,u_m+\sum_{l>m}(w_l-w_{l+1})\,u_l")
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
        by = played.name(scene.lesson)
        st.markdown(f"{by[0].upper()}{by[1:]} in each order of the tied points, and the mean:")
        st.latex(by_order)
    st.page_link(
        "pages/theorem.py", label="Why they agree: the theorem", icon=":material/lightbulb:"
    )
    if not index_of(scene.lesson.index).paper:
        _diagonal(scene)
        return
    with st.expander("From pairs to the value of a point", icon=":material/functions:"):
        st.markdown(
            "Half of every pair belongs to each of its two points. With the diagonal, "
            r"$\phi_{ii}=v(\{i\})-v(\emptyset)$, that is the KNN-Shapley value:"
        )
        st.latex(r"\text{value}_i=\phi_{ii}+\tfrac{1}{2}\sum_{j\neq i}\phi_{ij}")
        st.markdown(sentences.values_table(scene))
        st.markdown(sentences.efficiency(scene))


def _diagonal(scene: Scene) -> None:
    with st.expander("The diagonal: the value of a point", icon=":material/functions:"):
        called = formulas.value_name(index_of(scene.lesson.index))
        st.markdown(
            f"For this index the diagonal is the {called}: what a point adds to every set of "
            "others, weighed by size. Diagonal and pairs do not add up to $v(N)$ in general; that "
            "is particular to Shapley-Taylor."
        )
        st.latex(r"\text{value}_i=\sum_{S\subseteq N\setminus\{i\}}p_s\,\bigl(v(Si)-v(S)\bigr)")
        st.markdown(sentences.diagonal_table(scene))


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
