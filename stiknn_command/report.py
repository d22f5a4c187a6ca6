"""`stiknn report`: suspects and the matrix as one file."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from stiknn_command.outputs import check_target, write_bytes
from stiknn_command.page import suspects_page
from stiknn_command.progress import Told
from stiknn_command.ready import get_ready
from stiknn_command.suspects import find
from stiknn_core import games
from stiknn_core.interactions import interactions
from stiknn_core.labels.suspects import MOST_PAIRED
from stiknn_core.preparation import scale_features
from stiknn_core.types import Dataset
from stiknn_view.assets import plotly_source
from stiknn_view.page import part
from stiknn_view.results import scene_of


def report(asked: argparse.Namespace) -> None:
    """Rank the rows in the forest's space, show the matrix of the features, and write both."""
    check_target(asked.output, (".html",))
    told = Told(asked.quiet)
    asked = argparse.Namespace(
        **vars(asked), space=None, score="quality", below=1.0, fail_over=None
    )
    found, data = find(asked.file, asked, told)
    figures = [("Interactions", _view(data, asked.k, told))] if data.n <= MOST_PAIRED else []
    write_bytes(Path(asked.output), suspects_page(found, figures))
    if not figures:
        told.say(f"The matrix is drawn of up to {MOST_PAIRED:,} rows; the report is without it.")
    told.say(f"{asked.output} is written.")


def _view(data: Dataset, k: int, told: Told) -> str:
    """Return the linked view of the matrix as HTML, with the library that draws its axes."""
    get_ready("features", told.quiet)
    X, _ = scale_features(data.X, blocks=data.blocks)
    told.begin("Computing the matrix")
    frame = pd.DataFrame(X, index=data.ids, columns=list(data.feature_names))
    score = games.measured() if data.measured else games.plain()
    result = interactions(frame, data.y, k=k, score=score, progress=told.step)
    told.done()
    return f"<script>{plotly_source()}</script>{part(scene_of(result, frame, name=data.name))}"
