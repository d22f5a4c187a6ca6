"""The theorem on one page, with the points of Learn as its example."""

from __future__ import annotations

from typing import Final

import streamlit as st

from stiknn_ui.learn import bench, pair_choice
from stiknn_ui.learn.cards.model import by_rank
from stiknn_ui.learn.fractions_text import tex
from stiknn_ui.learn.game import rank
from stiknn_ui.learn.games import formulas, proof_text
from stiknn_ui.learn.games.index import index_of
from stiknn_ui.learn.games.proof import Proof, proof
from stiknn_ui.learn.orders import count_orders
from stiknn_ui.learn.presets import FIRST, PRESETS
from stiknn_ui.learn.scene import Scene
from stiknn_ui.learn.sentences import phi
from stiknn_ui.page import address

_EXAMPLE: Final = Scene(by_rank("baba"), pair=(0, 1))


def show() -> None:
    """Draw the page."""
    here = bench.desk()
    if not st.query_params and here.scene == PRESETS[FIRST].scene:
        here.show(_EXAMPLE)  # whose pairs are not zero, for who comes without points
    here.arrive(st.query_params.to_dict())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/learn.py", label="Back to Learn", icon=":material/arrow_back:")
        address.copy_link(own=here.address())
    bench.say(here)
    scene = here.scene
    found = proof(scene)
    left, right = st.columns(2, gap="large")
    with left:
        _theorem()
    with right:
        _example(scene, found)
    st.markdown("#### The proof, with these points")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(proof_text.linear())
        st.markdown(proof_text.nearer(found))
        st.markdown(proof_text.farther(found, scene.lesson.k))
    with right:
        st.markdown(proof_text.behind(found))
        st.markdown(proof_text.weighed(found))
        st.markdown(proof_text.added(found, phi(scene)))
        with st.container(border=True):
            st.markdown(proof_text.verdict(found))
    bench.keep_link()


def _theorem() -> None:
    st.markdown("#### The farther point decides")
    st.markdown(
        "One test point, its training points ranked from near to far, 1 to $n$. Point $l$ brings a "
        "number $u_l$, **whatever it is**, and $v(S)$ adds up $u$ over the $k$ nearest of $S$. An "
        r"index weighs sets **by their size alone**: $\phi_{ij}=\sum_S p_s\,\Delta_{ij}(S)$. If "
        "the farther of the two has rank $m$, then"
    )
    st.latex(r"\phi_{ij}=-w_{m+1}\,u_m+\sum_{l>m}(w_l-w_{l+1})\,u_l")
    st.latex(r"w_{m+1}=\sum_s p_s\binom{m-2}{k-1}\binom{n-m}{s-k+1}")
    st.markdown(
        "the weight of all sets that hold exactly $k-1$ of the $m-2$ points nearer than the "
        "farther one, its partner aside. Only $w$ knows the index, only $u$ the score, and the "
        "nearer one's rank is nowhere."
    )
    st.caption(
        r"$S$ is any set of the other points and $s$ its size; $\Delta_{ij}(S)=v(Sij)-v(Si)-v(Sj)"
        "+v(S)$ is what both bring to it beyond the sum of what each brings; $[\\ldots]$ is 1 "
        "where it holds, else 0."
    )


def _example(scene: Scene, found: Proof) -> None:
    lesson = scene.lesson
    st.markdown("#### These points as the example")
    pair_choice.draw(scene)
    near, far = found.names[found.nearer - 1], found.names[found.farther - 1]
    index = index_of(lesson.index)
    brings = ", ".join(f"{line.name} (${tex(line.brings)}$)" for line in found.lines)
    st.markdown(
        f"Seen from T{scene.test + 1}, $k={lesson.k}$, near to far, with what a point brings: "
        f"{brings}. Of the two, **{far}** is farther, of rank $m={found.farther}$; {near} has rank "
        f"{found.nearer}."
    )
    st.markdown(
        f"Score: {formulas.SCORES[lesson.score]}. Index: {formulas.index_name(index)}, "
        f"${formulas.weight(index)}$. So"
    )
    st.markdown(proof_text.weights_table(found))
    number = count_orders(rank(lesson, scene.test).groups)
    if number > 1:
        st.caption(
            f"Tied points are taken in order {scene.order + 1} of {number:,}. All is linear in "
            "$u$, so the mean over orders follows."
        )
