"""A result as a widget: what travels is coarser, so that it is quickly there."""

from __future__ import annotations

from typing import Any, Final

from stiknn_core import Interactions, RankedNeighbors
from stiknn_view.results import scene_of
from stiknn_view.widget import LinkedView

COARSE: Final = 1023
"""Largest code of a cell on the way to a notebook: 0.6 MB for 1,000 points."""


def view_of(result: Interactions | RankedNeighbors, X: Any = None, **how: Any) -> LinkedView:
    """Return the widget of a result; see `Interactions.view`."""
    return LinkedView(scene_of(result, X, limit=COARSE, **how))
