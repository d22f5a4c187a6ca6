"""The page: two bars, both results, and what they say about each other."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from stiknn_core.errors import StiknnError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import MAX_POINTS, ComputeSpec
from stiknn_ui.compare import (
    bars,
    downloads,
    noise_panel,
    panels,
    sentences,
    sweep_panel,
    tasks,
)
from stiknn_ui.compare.comparison import Compared, compare, compare_seconds, compared_key
from stiknn_ui.compare.desk import CompareDesk
from stiknn_ui.compare.matching import difference_line
from stiknn_ui.page import frame, life, runner, sample_offer
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.parts import parts_of
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording


def draw(dataset: Dataset | None, other: ComputeSpec, opening: DeltaGenerator) -> None:
    """Draw everything below the line of the data: A is computed on the data set, B as ``other``.

    Parameters
    ----------
    dataset : Dataset or None
    other : ComputeSpec
    opening : DeltaGenerator
        The place before any control: there it says in what A and B differ, and how much.
    """
    settings = state.settings()
    line = difference_line(settings.data, settings.compute, other)
    line = line or "A and B are the same: change one of them"
    opening.markdown(f"**{messages.plain(line)}.**")
    other_dataset = _other_dataset(dataset, other)
    bars.draw(dataset, other_dataset)
    if _too_large(dataset, state.settings().compute) or _too_large(other_dataset, other):
        return
    pair = _both(dataset, other_dataset, other)
    if pair is None:
        return
    a, b = pair
    line = difference_line(a.data, a.compute, b.compute, (a.given, b.given))
    messages.show_notices(
        [f"A: {said}" for said in a.notices if said not in b.notices]
        + [f"B: {said}" for said in b.notices if said not in a.notices]
    )
    compared = life.obtain(
        tasks.task(
            "compare",
            compared_key(a, b),
            lambda progress: compare(a, b, progress),
            compare_seconds(a, b),
            "Compare A and B",
        )
    )
    if compared is None:
        return
    if compared.common.n < 3:
        st.warning(
            f"A and B have {compared.common.n} training points in common, too few to compare. Hold "
            "out a smaller share.",
            icon=":material/block:",
        )
        return
    if line:
        said = sentences.opening(a, b, compared.pairs)
        opening.markdown(f"**{messages.plain(line)}.** {messages.plain(said)}")
    if compared.common.sentence:
        st.markdown(messages.plain(compared.common.sentence))
    _sections(a, b, compared)


def _sections(a: Analysis, b: Analysis, compared: Compared) -> None:
    """Draw the numbers and the open section."""
    panels.numbers(compared)
    st.segmented_control(
        "Section",
        list(wording.SECTION),
        format_func=lambda name: wording.SECTION[name],
        required=True,
        label_visibility="collapsed",
        **state.bound("view", "section"),
    )
    sides = {"A": a, "B": b}
    {
        "pictures": partial(panels.matrices, a, b, compared),
        "pairs": partial(panels.pairs, a, b, compared),
        "values": partial(panels.values, a, b, compared),
        "suspects": partial(panels.suspects, a, b, compared),
        "sweep": partial(sweep_panel.draw, sides),
        "errors": partial(noise_panel.draw, sides),
    }[state.settings().view.section]()
    downloads.draw(a, b, compared)


def _both(
    dataset: Dataset | None, other_dataset: Dataset | None, other: ComputeSpec
) -> tuple[Analysis, Analysis] | None:
    """Return the results to show, or None with their frame until there are two of these data."""
    a = runner.obtain(dataset, name="A")
    b = runner.obtain(other_dataset, other, state.desk(CompareDesk).b, "B")
    if a is None or b is None:
        frame.draw()
        return None
    return a, b


def _other_dataset(dataset: Dataset | None, other: ComputeSpec) -> Dataset | None:
    """Return what B is computed on: an upload may have its rows in another order."""
    settings = state.settings()
    if settings.data.source != "upload" or other.split == settings.compute.split:
        return dataset
    try:
        return upload_session.dataset(other)
    except StiknnError as error:
        messages.show_error(error)
        return None


def _too_large(dataset: Dataset | None, compute: ComputeSpec) -> bool:
    """Say what to do with too many points for a full matrix, if there are."""
    if dataset is None:
        return False
    try:
        n = len(parts_of(dataset, compute).train)
    except StiknnError:
        return False  # said where the result is missed
    if n <= MAX_POINTS:
        return False
    st.warning(
        f"Two matrices of {n:,} training points are too large to compare; this page takes up to "
        f"{MAX_POINTS:,}. Use a sample, or hold out a larger share.",
        icon=":material/block:",
    )
    sample_offer.offer_sample()
    return True
