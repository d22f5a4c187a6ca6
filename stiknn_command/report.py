"""`stiknn report`: suspects and the matrix as one file."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from stiknn_command.found import Found
from stiknn_command.outputs import check_target, write_bytes
from stiknn_command.page import suspects_page
from stiknn_command.progress import Told
from stiknn_command.ready import get_ready
from stiknn_command.suspects import find
from stiknn_core.interactions import interactions
from stiknn_core.labels.suspects import MOST_PAIRED
from stiknn_core.ordering import leaf_order
from stiknn_core.preparation import scale_features
from stiknn_core.types import Dataset


def report(asked: argparse.Namespace) -> None:
    """Rank the rows in the forest's space, draw the matrix of the features, and write both."""
    check_target(asked.output, (".html",))
    told = Told(asked.quiet)
    asked = argparse.Namespace(
        **vars(asked), space="forest", score="quality", below=1.0, fail_over=None
    )
    found, data = find(asked.file, asked, told)
    figures = [("Matrix", _matrix(found, data, asked.k, told))] if data.n <= MOST_PAIRED else []
    write_bytes(Path(asked.output), suspects_page(found, figures))
    if not figures:
        told.say(f"The matrix is drawn of up to {MOST_PAIRED:,} rows; the report is without it.")
    told.say(f"{asked.output} is written.")


def _matrix(found: Found, data: Dataset, k: int, told: Told) -> str:
    """Return the sorted matrix as HTML, with the library that draws it."""
    import plotly.io as pio

    from stiknn_core.plotting import interaction_heatmap

    get_ready("features", told.quiet)
    X, _ = scale_features(data.X, blocks=data.blocks)
    told.begin("Computing the matrix")
    result = interactions(pd.DataFrame(X, index=data.ids), data.y, k=k, progress=told.step)
    told.done()
    codes = np.unique(result.labels, return_inverse=True)[1]
    figure = interaction_heatmap(result, leaf_order(codes, result.matrix))
    figure.update_layout(height=760, title=None, margin={"t": 24, "b": 40})
    drawn: str = pio.to_html(
        figure,
        config={"displaylogo": False, "responsive": True},
        include_plotlyjs=True,
        full_html=False,
        div_id="matrix",
    )
    return drawn
