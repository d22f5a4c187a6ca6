"""The second opinion on the labels of one result: its name, its time, and what makes it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stiknn_core.quiet import without_warnings
from stiknn_ui.results.result import Result
from stiknn_ui.work.progress import Progress

if TYPE_CHECKING:
    from stiknn_core.labels.opinions import SecondOpinion

# Of the linear model, measured on a two-core machine: 1.0 s for 2,000 x 10 and four classes, 4.8 s
# for 2,000 x 200, 8.5 s for 4,000 x 64 and ten classes, 10 s for 100,000 x 20 and 2 to 60 classes,
# since a step reads no more then.
_START: Final = 0.2
_CELL: Final = 2.5e-6
_MOST_CELLS: Final = 4_000_000
_ROW: Final = 4e-6


def opinion_key(analysis: Result) -> str:
    """Return the key of the second opinion on a result."""
    return f"confusion|{analysis.key}"


def opinion_seconds(n: int, n_features: int, n_classes: int) -> float:
    """Return about how long a second opinion takes, which is the time of its linear model."""
    cells = min(n * (n_features + 20) * n_classes, _MOST_CELLS)
    return _START + _CELL * cells + _ROW * n


def opinion_on(analysis: Result, progress: Progress | None = None) -> SecondOpinion:
    """Compute the second opinion on the training labels; see `stiknn_core.labels.opinions`."""
    # Loaded when it is asked for, like all that grows trees.
    from stiknn_core.labels.opinions import second_opinion

    given = analysis.given
    X = analysis.dataset.X[analysis.rows]
    with without_warnings():
        return second_opinion(X, given.y, analysis.support, given.forest, progress=progress)
