"""What is kept of reviews for all visitors: the file of decisions, and what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import streamlit as st

from stiknn_ui.asked.spec import RankBy
from stiknn_ui.results.kept import opinion_of, scores_of
from stiknn_ui.results.result import Result
from stiknn_ui.review.journal import Journal
from stiknn_ui.review.keys import Places
from stiknn_ui.review.keys import places_of as places_of_rows
from stiknn_ui.review.saving import Saving
from stiknn_ui.review.subject import Subject, judging_points, training_points
from stiknn_ui.work import shelves
from stiknn_ui.work.shelves import Shelf

measured: Final = Shelf[Any]("measured", entries=128, megabytes=50)
"""What reviews measured when asked: results or jobs.

Keys begin with that of the analysis and name the decisions by a digest.
"""

_subjects: Final = Shelf[Any]("subjects", entries=40, megabytes=600)
"""Points under review, with the result they belong to."""


def saving(path: str) -> Saving:
    """Return what keeps decisions in the file at ``path``, opened once per server."""
    return shelves.one(f"saving|{path}", lambda: Saving(Journal(Path(path))))


def places_of(analysis: Result) -> Places:
    """Return what decisions on the rows of ``analysis`` belong to."""
    data, compute = analysis.data, analysis.compute
    found: Places = shelves.derived().obtain(
        f"places|{analysis.scope}", lambda: places_of_rows(analysis.dataset, data, compute)
    )
    return found


def labels_of(analysis: Result) -> dict[str, Any]:
    """Return the labels of all rows of the data set by their text."""

    def make() -> dict[str, Any]:
        return {str(label): label for label in np.unique(analysis.dataset.y).tolist()}

    found: dict[str, Any] = shelves.derived().obtain(f"labels|{analysis.scope}", make)
    return found


def training_points_of(analysis: Result, by: RankBy = "quality") -> Subject:
    """Return the training points of ``analysis`` with their findings.

    The second opinion is among them where it is to rank and has been computed.
    """
    opinion = opinion_of(analysis, by)

    def make() -> Subject:
        return training_points(analysis, scores_of(analysis, by), opinion)

    name = "train" if opinion is None else "train|confusion"
    found: Subject = _subjects().obtain(f"{name}|{analysis.key}", make)
    return found


def test_points_of(analysis: Result) -> Subject | None:
    """Return the test points of ``analysis``, their labels scored, if there are any."""

    def make() -> Subject | None:
        with st.spinner("Scoring the labels of the test points ..."):
            return judging_points(analysis)

    found: Subject | None = _subjects().obtain(f"tests|{analysis.key}", make)
    return found
