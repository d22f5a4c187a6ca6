"""Results that can be looked at: the linked view in a notebook, and as one file."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from stiknn_core.validation.extras import require


class Viewable:
    """What is shown by the package of the view, which is loaded when it is asked for."""

    def view(self, X: Any = None, **how: Any) -> Any:
        """Return the matrix linked to a scatter of the points, as a widget of notebooks.

        Parameters
        ----------
        X : (n, d) array or DataFrame, optional
            Features for the plane of the scatter; None takes those that came in.
        **how
            ``xy``, ``name``, ``order`` and ``color_by`` as in `stiknn_view.results.scene_of`.

        Returns
        -------
        stiknn_view.widget.LinkedView
            Its ``selected`` are ids of points, both ways.

        Raises
        ------
        MissingExtraError
            Without anywidget: ``pip install "stiknn-explorer[widget]"``.
        StiknnError
            If there are no features, or a matrix is of more than 4,000 points.

        Notes
        -----
        Of up to 4,000 points every pair is shown. A `stiknn_core.RankedNeighbors` of more shows the
        means of some 256 blocks, runs of the order, and at most 30,000 of the points, a sample
        with the shares of all classes. ``selected`` then are ids of all points of the selected
        blocks, drawn or not; setting some ids selects the blocks that hold any of them.
        """
        require("A view in a notebook", "widget", "anywidget")
        view: Any = import_module("stiknn_view.notebook").view_of
        return view(self, X, **how)

    def to_html(self, path: str | os.PathLike[str], X: Any = None, **how: Any) -> None:
        """Write the matrix linked to a scatter of the points as one HTML file.

        It opens from a disk or in a frame, without a server and without any request, and holds
        ids, labels and places in the scatter of the points that are drawn; of the
        features only what the two axes show.

        Parameters
        ----------
        path : path
        X, **how
            As in `view`.

        Raises
        ------
        StiknnError
            If there are no features, or a matrix is of more than 4,000 points.
        """
        scene: Any = import_module("stiknn_view.results").scene_of(self, X, **how)
        text: str = import_module("stiknn_view.page").page(scene)
        Path(path).write_text(text, encoding="utf-8")
