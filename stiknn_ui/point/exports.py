"""The numbers of one point as files. Pure."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.exporting import to_csv
from stiknn_core.ordering import Order
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.point.ground import Ground
from stiknn_ui.point.tables import Partners
from stiknn_ui.results.exports import game_names, settings_of

_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9.=_-]+")


def row_csv(ground: Ground, point: int, partners: Partners) -> bytes:
    """Return one line per training point: its interaction with the point, in the data's order."""
    everyone = np.arange(ground.analysis.n)
    doubt = ground.analysis.doubt
    columns = {
        "id": ground.names(everyone),
        "label": doubt.columns(np.arange(ground.analysis.n))["label"],
        "interaction": partners.row,
    }
    if partners.far is not None:
        columns["distance"] = partners.far
    itself = everyone == point
    return to_csv(pd.DataFrame({**columns, "itself": itself, **_settings(ground, point)}))


def parts_csv(
    ground: Ground,
    point: int,
    places: IntArray,
    value_parts: FloatArray,
    other: int,
    pair_parts: FloatArray,
) -> bytes:
    """Return one line per test point: its part in the value, and in one interaction.

    Parameters
    ----------
    ground : Ground
    point : int
    places : (t,) int64
        How near the point is to each test point, 1 = nearest; 0 = itself.
    value_parts : (t,) float64
        Their mean is the value.
    other : int
        The other point of the interaction.
    pair_parts : (t,) float64
        Their mean is the interaction.
    """
    table = pd.DataFrame(
        {
            "id": ground.names_of_tests(np.arange(len(places))),
            "label": ground.labels_of_tests,
            "place_of_point": places,
            "part_in_value": value_parts,
            "part_in_interaction": pair_parts,
            "setting_with": ground.name(other),
            **_settings(ground, point),
        }
    )
    return to_csv(table)


def file_name(kind: str, ground: Ground, point: int) -> str:
    """Return a file name with the data, the point and the settings."""
    analysis = ground.analysis
    parts = [kind, analysis.data.name[:40], f"point={point}", f"k={analysis.k}"]
    parts += game_names(analysis)
    return _NOT_IN_FILE_NAMES.sub("-", "_".join(parts)) + ".csv"


def _settings(ground: Ground, point: int) -> dict[str, Any]:
    as_given = Order(np.arange(ground.analysis.n), "input", "As given")
    told = {"point": ground.name(point), **settings_of(ground.analysis, as_given)}
    for unused in ("order", "plane"):  # nothing here is sorted or drawn
        told.pop(unused, None)
    return {f"setting_{name}": value for name, value in told.items()}
