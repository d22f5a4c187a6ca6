"""What is done to the data on purpose: on any data set, seeded, and with the truth kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_SEED, DataSpec
from stiknn_ui.page.controls import choice, percent
from stiknn_ui.results.sources import classes_of
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_NOISE: Final = ("flip", "copies", "outliers", "thin")


@dataclass
class _NoiseDesk:
    """The data before all noise was removed, for taking that back."""

    before: DataSpec | None = None


def noise_form(dataset: Dataset | None) -> None:
    """Draw what is done to the data, with the names of the classes that they have now, if any."""
    data = state.settings().data
    classes = class_names(dataset)
    measured = dataset is not None and dataset.measured
    _share("Targets of other rows" if measured else "Flipped labels", "flip", 50)
    if data.flip and not measured:
        choice("A flipped label becomes", "data", "flip_kind", wording.FLIP_KIND)
        if data.flip_kind == "asymmetric" and len(classes) > 1:
            first, second = st.columns(2)
            with first:
                _class_choice("From class", "flip_from", classes, classes[0])
            source = _fitting(data.flip_from, classes, classes[0])
            others = [name for name in classes if name != source]
            with second:
                _class_choice("To class", "flip_to", others, others[0])
    with st.expander("Copies, outliers" + (", fewer of a class" if not measured else "")):
        _share("Copies", "copies", 50)
        _share("Outliers", "outliers", 50)
        if classes:
            _class_choice("Fewer rows of class", "thin_of", classes, classes[-1])
            name = _fitting(data.thin_of, classes, classes[-1])
            _share(f"Share of class {messages.plain(name)} taken away", "thin", 95)
        if data.source == "generated":
            last = classes[-1] if classes else "the last"
            _share(f"Class 0 is smaller than class {messages.plain(last)} by", "imbalance", 95)
    st.number_input(
        "Seed",
        min_value=0,
        max_value=MAX_SEED,
        step=1,
        help=wording.HELP["seed"],
        **state.bound("data", "seed"),
    )
    before = state.desk(_NoiseDesk).before
    if data.noisy:
        st.button(
            "Remove all noise",
            key="remove-noise",
            icon=":material/cleaning_services:",
            on_click=_remove_noise,
            help="Takes back flips, copies, outliers and what was taken away; the data stay.",
        )
    elif before is not None and (before.source, before.name) == (data.source, data.name):
        st.button(
            "Bring the noise back",
            key="restore-noise",
            icon=":material/undo:",
            on_click=_restore_noise,
        )


def class_names(dataset: Dataset | None) -> list[str]:
    """Return the classes of the data as text, in their order."""
    return [] if dataset is None else [str(label) for label in classes_of(dataset)]


def _fitting(name: str, classes: Sequence[str], usual: str) -> str:
    return name if name in classes else usual


def _class_choice(label: str, name: str, classes: Sequence[str], usual: str) -> None:
    st.selectbox(
        label,
        classes,
        help=wording.HELP[name],
        **state.bound(
            "data", name, shown=lambda held: _fitting(held, classes, usual), options=classes
        ),
    )


def _share(label: str, name: str, most: int) -> None:
    st.slider(
        label,
        min_value=0,
        max_value=most,
        step=1,
        format="%d %%",
        help=wording.HELP[name],
        **percent("data", name),
    )


def _remove_noise() -> None:
    state.desk(_NoiseDesk).before = state.settings().data
    state.change("data", **dict.fromkeys(_NOISE, 0.0))


def _restore_noise() -> None:
    here = state.desk(_NoiseDesk)
    before, here.before = here.before, None
    if before is not None:
        state.change("data", **{name: getattr(before, name) for name in _NOISE})
