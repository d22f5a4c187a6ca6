"""How the free text of an upload becomes features: said in a line, and changed below it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import streamlit as st

from stiknn_core.phrases import counted
from stiknn_core.tables import TextSettings
from stiknn_core.tables.building.settings import MOST_COMPONENTS
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.build import Upload
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

FOLDER: Final = "STIKNN_TEXT_MODEL"
"""Names the folder of a sentence model. A visitor never names a path on the server."""
_TERMS: Final = "text-terms"
_COMPONENTS: Final = "text-components"
_MODEL: Final = "text-model"
_WAYS: Final = {
    "words and characters": (True, True),
    "words": (True, False),
    "characters": (False, True),
}


def model_folder() -> str:
    """Return the folder of this server's sentence model; empty without one."""
    folder = os.environ.get(FOLDER, "")
    return folder if folder and Path(folder).is_dir() else ""


def told(settings: TextSettings) -> str:
    """Say in a few words how texts become features."""
    if settings.model is not None:
        return "Text: vectors of this server's sentence model."
    return f"Text: {counted(settings.components, 'component')} of {_way(settings)}."


def text_settings(upload: Upload) -> None:
    """Draw how free text becomes features, where there is any."""
    if "text" not in upload.uses.values():
        return
    settings = upload.choices.text
    st.caption(told(settings))
    with st.expander("How texts become features", icon=":material/notes:"):
        if model_folder():
            st.toggle(
                "Use this server's sentence model",
                key=state.pinned(_MODEL, settings.model is not None),
                on_change=_take,
                help=wording.HELP["text_model"],
                persist_state="session",
            )
        if settings.model is not None:
            return
        terms, components = st.columns(2)
        pills: Any = terms.segmented_control
        pills(
            "Terms",
            list(_WAYS),
            required=True,
            key=state.pinned(_TERMS, _way(settings)),
            on_change=_take,
            help=wording.HELP["text_terms"],
            persist_state="session",
        )
        components.number_input(
            "Components",
            1,
            MOST_COMPONENTS,
            key=state.pinned(_COMPONENTS, settings.components),
            on_change=_take,
            help=wording.HELP["text_components"],
            persist_state="session",
        )


def _way(settings: TextSettings) -> str:
    pair = (settings.words, settings.characters)
    return next(name for name, way in _WAYS.items() if way == pair)


@messages.guarded()
def _take() -> None:
    upload = upload_session.current()
    if upload is None:
        return
    known = upload.choices.text
    words, characters = _WAYS.get(str(state.widget_value(_TERMS)), (known.words, known.characters))
    components = state.widget_value(_COMPONENTS)
    chosen = TextSettings(
        words=words,
        characters=characters,
        components=known.components if components is None else int(components),
        model=model_folder() or None if state.widget_value(_MODEL) else None,
    )
    upload_session.choose(replace(upload.choices, text=chosen))
