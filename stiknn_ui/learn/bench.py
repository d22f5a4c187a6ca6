"""The top of the Learn page: examples, what is set by buttons, and the board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import streamlit as st

from stiknn_ui.frontend.parts import send_code
from stiknn_ui.learn import component, payload, sharing, worksheet
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.games import choice
from stiknn_ui.learn.lesson import MAX_K, MAX_POINTS, MAX_TESTS
from stiknn_ui.learn.presets import FIRST, PRESETS, preset_of
from stiknn_ui.learn.scene import Scene
from stiknn_ui.page import address
from stiknn_ui.page.download import download
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_OWN: Final = "These are points of your own; *Undo* goes back."
_SPACES: Final = {"line": "Line", "plane": "Plane"}


def desk() -> Desk:
    """Return the visitor's desk, made on the first call."""
    return state.desk(Desk, lambda: Desk(PRESETS[FIRST].scene))


def keep_link() -> None:
    """Bring the address bar up to date."""
    address.write_own(desk().address())


def draw() -> None:
    """Draw examples, settings and the board."""
    here = desk()
    _presets(here)
    board(games=True)
    preset = preset_of(here.scene.lesson)
    # Below, so that the board stays where it is when a point is dragged away from an example.
    st.markdown(_OWN if preset is None else PRESETS[preset].text)


def moves(own: Mapping[str, str]) -> None:
    """Draw what takes a change back, and what shares it; ``own`` is what the link holds."""
    here = desk()
    address.copy_link(own=own)
    st.button("Undo", icon=":material/undo:", on_click=here.undo, disabled=not here.past)
    st.button("Redo", icon=":material/redo:", on_click=here.redo, disabled=not here.future)


def files() -> None:
    """Draw what takes the points away: the view as one file, and the worksheet."""
    scene = desk().scene
    download(
        "Share as one file",
        partial(sharing.shared_page, scene.lesson),
        sharing.FILE_NAME,
        "view",
        mime="text/html",
        help=wording.HELP["one_file"],
    )
    if worksheet.printable(scene.lesson):
        download(
            "Worksheet",
            partial(worksheet.sheet, scene),
            worksheet.FILE_NAME,
            "worksheet",
            mime="text/html",
            help=wording.HELP["worksheet"],
        )


def board(*, games: bool) -> None:
    """Draw settings, the board and its matrix; without games it is that of the paper."""
    here = desk()
    say(here)
    _settings(here, games=games)
    left, right = st.columns(2, gap="medium")
    with left, st.container(gap=None):
        send_code()
        component.show("board", payload.board(here), "edit", here.take)
    with right:
        choosing("matrix", here.scene, payload.matrix(here.scene), "pair")


def say(here: Desk) -> None:
    """Say what the link held that is not known, or what could not be done."""
    if here.notice:
        st.warning(messages.plain(here.notice), icon=":material/info:")


def _presets(here: Desk) -> None:
    st.pills(
        "Examples",
        list(PRESETS),
        format_func=lambda name: PRESETS[name].title,
        key=state.pinned("learn-preset", preset_of(here.scene.lesson)),
        on_change=_open,
        args=(preset_of(here.scene.lesson),),
    )


def _open(shown: str | None) -> None:
    """Begin the example that was pressed; the one shown begins anew."""
    name = state.widget_value("learn-preset") or shown
    if name is not None:
        desk().open(name)


def _settings(here: Desk, *, games: bool) -> None:
    scene = here.scene
    lesson = scene.lesson
    with st.container(horizontal=True, vertical_alignment="bottom", key="learn-settings"):
        st.segmented_control(
            "Points on a",
            list(_SPACES),
            format_func=lambda name: _SPACES[name],
            required=True,
            key=state.pinned("learn-space", lesson.space),
            on_change=lambda: here.lay(state.widget_value("learn-space")),
        )
        st.number_input(
            "k neighbours",
            min_value=1,
            max_value=MAX_K,
            step=1,
            width=130,
            key=state.pinned("learn-k", lesson.k),
            on_change=lambda: here.change(k=state.widget_value("learn-k")),
        )
        st.segmented_control(
            "Ties",
            list(wording.TIES),
            format_func=lambda name: wording.TIES[name],
            required=True,
            key=state.pinned("learn-ties", lesson.ties),
            on_change=lambda: here.change(ties=state.widget_value("learn-ties")),
            help=wording.HELP.get("ties"),
        )
        if len(lesson.tests) > 1:
            _test_choice(here)
        if not games:
            _add(here)
    if games:
        with st.container(horizontal=True, vertical_alignment="bottom", key="learn-game"):
            choice.draw(here)
            _add(here)


def _add(here: Desk) -> None:
    st.button(
        "Training point",
        icon=":material/add:",
        on_click=here.add_point,
        disabled=here.scene.lesson.n >= MAX_POINTS,
        help=f"Up to {MAX_POINTS}.",
    )
    st.button(
        "Test point",
        icon=":material/add:",
        on_click=here.add_test,
        disabled=len(here.scene.lesson.tests) >= MAX_TESTS,
        help=f"Up to {MAX_TESTS}; the matrix of other pages is a mean over them.",
    )


def _test_choice(here: Desk) -> None:
    tests = list(range(len(here.scene.lesson.tests)))
    key = state.key_for("learn-test", [str(test) for test in tests])
    st.segmented_control(
        "Seen from",
        tests,
        format_func=lambda test: f"T{test + 1}",
        required=True,
        key=state.pinned(key, here.scene.test),
        on_change=lambda: here.choose(test=state.widget_value(key)),
    )


def choosing(name: str, scene: Scene, message: payload.Message, choice: str) -> None:
    """Draw a part that reports one choice, which counts if it is about the points there are."""

    def heard(report: Any) -> None:
        here = desk()
        if isinstance(report, dict) and report.get("about") == payload.about(here.scene):
            chosen = report[choice]
            here.choose(**{choice: tuple(chosen) if isinstance(chosen, list) else chosen})

    component.show(name, message | {"about": payload.about(scene)}, choice, heard)
