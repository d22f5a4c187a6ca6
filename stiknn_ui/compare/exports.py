"""Files to take away of a comparison, with all settings in columns of their own. Pure."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.comparing.sweep import KSweep
from stiknn_core.exporting import to_csv
from stiknn_core.ordering import Order
from stiknn_core.types import FloatArray
from stiknn_ui.compare.comparison import Compared
from stiknn_ui.compare.matching import Common
from stiknn_ui.compare.tables import value_places
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.exports import game_names, settings_of

_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9.=_-]+")


def summary_csv(a: Analysis, b: Analysis, compared: Compared) -> bytes:
    """Return what was compared and how well it agrees, in two lines: pairs and values."""
    measured = {"pairs": compared.pairs, "values": compared.values}
    frame = pd.DataFrame([{"compared": what, **asdict(one)} for what, one in measured.items()])
    return to_csv(frame.assign(n_common_points=compared.common.n, **_settings(a, b)))


def points_csv(a: Analysis, b: Analysis, compared: Compared) -> bytes:
    """Return one line per common point: values, places and label quality in A and in B."""
    common = compared.common
    places_a, places_b = value_places(a, b, common)
    frame = pd.DataFrame(
        {
            "id": [a.ids[point] for point in common.in_a],
            "label": a.doubt.columns(common.in_a)["label"],
            "value_a": a.values[common.in_a],
            "value_b": b.values[common.in_b],
            "place_a": places_a,
            "place_b": places_b,
            "moved": places_b - places_a,
            **_doubts(a, b, common),
            **_settings(a, b),
        }
    )
    return to_csv(frame)


def sweep_csv(sweep: KSweep, side: Analysis) -> bytes:
    """Return one line per k: spread, mean, and the correlation with every other k."""
    tables = [("pairs", sweep.correlation), ("values", sweep.value_correlation)]
    columns = {
        f"{what}_r_with_k={k}": table[:, place]
        for what, table in tables
        for place, k in enumerate(sweep.ks.tolist())
    }
    settings = {
        f"setting_{name}": value
        for name, value in settings_of(side, _AS_GIVEN).items()
        if name not in ("k", "order")
    }
    measured = {"k": sweep.ks, "spread": sweep.spread, "mean": sweep.mean}
    return to_csv(pd.DataFrame({**measured, **columns, **settings}))


def file_name(kind: str, a: Analysis, b: Analysis) -> str:
    """Return a file name that says what was compared."""
    parts = [kind, a.data.name.removesuffix(".csv")[:40], f"seed={a.data.seed}"]
    for side, one in (("A", a), ("B", b)):
        game = "-".join(game_names(one))
        parts.append(f"{side}=k{one.k}-{game}-{one.compute.evaluation}")
    return _NOT_IN_FILE_NAMES.sub("-", "_".join(parts)) + ".csv"


_AS_GIVEN = Order(np.arange(0), "input", "As given")


def _settings(a: Analysis, b: Analysis) -> dict[str, Any]:
    return {
        f"setting_{side}_{name}": value
        for side, one in (("a", a), ("b", b))
        for name, value in settings_of(one, _AS_GIVEN).items()
        if name != "order"
    }


def _doubts(a: Analysis, b: Analysis, common: Common) -> dict[str, FloatArray]:
    """Return label quality in both, or how far targets are from what is suggested."""
    if a.targets is None:
        names, (first, second) = ("quality_a", "quality_b"), (a.doubt.quality, b.doubt.quality)
    else:
        names = ("distance_a", "distance_b")
        first, second = (-one.doubt.scores()["distance"] + 0.0 for one in (a, b))
    return dict(zip(names, (first[common.in_a], second[common.in_b]), strict=True))
