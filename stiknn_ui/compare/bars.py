"""The two bars of controls: what A is computed with, and what B is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

import streamlit as st

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_K, MAX_SEED, ComputeSpec
from stiknn_ui.compare.desk import CompareDesk
from stiknn_ui.page import life, runner
from stiknn_ui.page.controls import choice, percent
from stiknn_ui.page.game import game_choice, game_details
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results.parts import parts_of
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_OTHER_K: Final = 20
_USUAL_K: Final = 5


def settle() -> ComputeSpec:
    """Make sure that there is a B, and that it suits these data; return it.

    Where data of another source brought A another scaling, a B of the same follows.
    """
    here = state.session()
    compute, other = here.settings.compute, here.settings.other
    if other is None:
        other = replace(compute, k=_USUAL_K if compute.k == _OTHER_K else _OTHER_K)
    desk = state.desk(CompareDesk)
    met, source = desk.met, here.settings.data.source
    if met is not None and met[0] != source and met[1] == other.scaling:
        other = replace(other, scaling=compute.scaling)
    desk.met = (source, compute.scaling)
    if other.evaluation not in _ways():
        other = _tested(other, "leave-one-out")
    if other != here.settings.other:
        here.settings = replace(here.settings, other=other)
    return other


def draw(dataset: Dataset | None, other_dataset: Dataset | None) -> None:
    """Draw both bars; what A and B are computed on decides how large k may be."""
    _bar("A", "compute", dataset)
    _bar("B", "other", other_dataset)


def _bar(side: str, part: Literal["compute", "other"], dataset: Dataset | None) -> None:
    compute: ComputeSpec = getattr(state.settings(), part)
    usable = _usable_k(dataset, compute)
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"bar-{side}"):
        st.markdown(f"### {side}", width=28)
        st.number_input(
            "k neighbours",
            min_value=1,
            max_value=usable,
            step=1,
            width=130,
            help=wording.HELP["k"],
            **state.bound(part, "k", shown=lambda k: min(k, usable)),
        )
        game_choice(part, dataset, width=190)
        _test_points(part, compute)
        # A forest tells classes apart; where a link brought one, this is the way back.
        if dataset is None or not dataset.measured or compute.space == "forest":
            choice("Neighbours in", part, "space", wording.SPACE, width=150)
        choice("Scaling", part, "scaling", wording.SCALING, width=170)
        with st.popover("More", icon=":material/tune:", width="content", key=f"more-{side}"):
            game_details(part, dataset)
            if compute.space == "features":
                choice("Distance", part, "metric", wording.METRIC)
            choice("Ties", part, "ties", wording.TIES)
            if compute.evaluation == "hold-out":
                _hold_out(part)
        if side == "A":
            st.button(
                "Swap",
                key="swap",
                icon=":material/swap_vert:",
                on_click=_swap,
                help="Exchange A and B.",
            )
        else:
            st.button(
                "As A",
                key="same",
                icon=":material/content_copy:",
                on_click=_copy,
                help="Set B to what A is, to change one thing from there.",
            )


def _hold_out(part: state.Part) -> None:
    st.slider(
        "Held-out share",
        min_value=1,
        max_value=90,
        step=1,
        format="%d %%",
        help=wording.HELP["share"],
        **percent(part, "share"),
    )
    st.number_input(
        "Seed of the hold-out",
        min_value=0,
        max_value=MAX_SEED,
        step=1,
        help=wording.HELP["split_seed"],
        **state.bound(part, "split_seed"),
    )


def _test_points(part: state.Part, compute: ComputeSpec) -> None:
    ways = _ways()
    key = state.key_for(f"{part}.evaluation", ways)
    selectbox: Any = st.selectbox
    selectbox(
        "Test points",
        list(ways),
        format_func=lambda option: wording.EVALUATION[option],
        help=f"{wording.HELP['evaluation']} Add a test file on Explore.",
        width=180,
        key=state.pinned(key, compute.evaluation),
        on_change=_test,
        args=(part, key),
        persist_state="session",
    )


def _ways() -> tuple[str, ...]:
    """Return which test points these data allow; a test file has to be there already."""
    here = state.session()
    uploaded = state.desk(UploadDesk)
    ways = list(wording.PUBLIC_EVALUATION)
    if here.settings.data.source == "upload" and uploaded.upload is not None:
        if uploaded.test is not None:
            ways.append("test-file")
        if here.settings.compute.split_column or uploaded.upload.table.columns_with("split"):
            ways.append("split-column")
    if here.settings.compute.evaluation not in ways:
        ways.append(here.settings.compute.evaluation)
    return tuple(ways)


@messages.guarded()
def _test(part: state.Part, key: str) -> None:
    value = state.widget_value(key)
    if value not in _ways():
        return
    if part == "compute":
        upload_session.test_on(value)
    else:
        here = state.session()
        assert here.settings.other is not None
        here.settings = replace(here.settings, other=_tested(here.settings.other, value))


def _tested(other: ComputeSpec, evaluation: Any) -> ComputeSpec:
    """Return B with other test points, of the file or the column that are there."""
    here = state.session()
    uploaded = state.desk(UploadDesk)
    changes: dict[str, Any] = {"evaluation": evaluation}
    if evaluation == "test-file" and uploaded.test is not None:
        changes |= {"test_name": uploaded.test.name, "test_digest": uploaded.test.digest}
    if evaluation == "split-column" and uploaded.upload is not None:
        marked = next(iter(uploaded.upload.table.columns_with("split")), "")
        changes["split_column"] = here.settings.compute.split_column or marked
    return replace(other, **changes)


def _swap() -> None:
    here = state.session()
    results = state.desk(ResultDesk)
    settings, desk = here.settings, state.desk(CompareDesk)
    assert settings.other is not None
    here.settings = replace(settings, compute=settings.other, other=settings.compute)
    results.shown, desk.b.shown = desk.b.shown, results.shown
    life.swap("compute", runner.slot_of("B"))
    # A person put this there: nothing may change it on its own.
    if settings.other.scaling != settings.compute.scaling:
        here.chosen.add("compute.scaling")
    if settings.other.split != settings.compute.split:
        here.chosen.add("compute.evaluation")


def _copy() -> None:
    here = state.session()
    here.settings = replace(here.settings, other=here.settings.compute)


def _usable_k(dataset: Dataset | None, compute: ComputeSpec) -> int:
    if dataset is None:
        return MAX_K
    try:
        return parts_of(dataset, compute).usable_k(MAX_K)[0]
    except StiknnError:
        return MAX_K
