"""Files of a part of the matrix; see `results.exports` for what they have in common. Pure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stiknn_core.exporting import matrix_to_frame, to_csv
from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.blocks.analysis import BlockAnalysis
from stiknn_ui.blocks.levels import BlocksPart, Part
from stiknn_ui.results.exports import settings_of
from stiknn_ui.results.result import Result


def matrix_csv(analysis: BlockAnalysis, part: Part, order: Order, plane: Plane) -> bytes:
    """Return the matrix of a part as shown: interactions of pairs, or means of blocks.

    Settings stand in the corner cell. Blocks without a pair of points have an empty cell.
    """
    if isinstance(part, BlocksPart):
        cells = np.asarray(part.blocks.means)
        names = [f"{unit.label} ({unit.stop - unit.start})" for unit in part.units.blocks]
    else:
        cells = part.matrix
        names = analysis.names(part.level.points)
    shown = cells[np.ix_(order.positions, order.positions)]
    settings = settings_of(analysis, order, plane) | {"part": part.level.title}
    corner = "; ".join(f"{name}={value}" for name, value in settings.items())
    frame = matrix_to_frame(shown, [names[position] for position in order.positions])
    return to_csv(frame.rename(columns={frame.columns[0]: f"id [{corner}]"}))


def points_csv(
    analysis: BlockAnalysis, part: Part, order: Order, plane: Plane, told: Result
) -> bytes:
    """Return one row per point of a part, in the order of the matrix, with its findings.

    These are read from ``told``; see `shelf.told_of`.
    """
    points = part.level.points
    blocks: list[str] = []
    if isinstance(part, BlocksPart):
        positions = part.order.positions
        blocks = [part.units.blocks[unit].label for unit in part.units.unit_of[positions].tolist()]
    else:
        positions = order.positions
    chosen = points[positions]
    frame = pd.DataFrame(
        {
            "id": analysis.names(chosen),
            "row": analysis.rows[chosen],
            **told.doubt.columns(chosen),
            **_doubts(told, chosen),
            "value": told.values[chosen],
            "matrix_position": np.arange(len(chosen)),
        }
    )
    if not np.isnan(told.leave_one_out).any():
        frame["leave_one_out"] = told.leave_one_out[chosen]
    if blocks:
        frame["block"] = blocks
    settings = {f"setting_{k}": v for k, v in settings_of(told, order, plane).items()}
    return to_csv(pd.concat([frame, pd.DataFrame(settings, frame.index)], axis=1))


def _doubts(told: Result, chosen: IntArray) -> dict[str, FloatArray]:
    """Return the label quality of points, or how far their targets are from the suggested."""
    if told.targets is None:
        return {"quality": told.doubt.quality[chosen]}
    return {"distance": -told.doubt.scores()["distance"][chosen] + 0.0}
