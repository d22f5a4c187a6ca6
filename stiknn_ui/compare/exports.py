"""Files to take away of a comparison, with all settings in columns of their own. Pure."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from stiknn_core.comparing.agreement import Agreement
from stiknn_core.comparing.sweep import KSweep
from stiknn_core.exporting import to_csv
from stiknn_core.ordering import Order
from stiknn_ui.compare.comparison import Compared
from stiknn_ui.compare.tables import value_places
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.exports import settings_of

_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9.=_-]+")
_MEASURES = ("n", "pearson", "spearman", "slope", "intercept", "spread_a", "spread_b")
_SIGNS = ("same_sign", "same_sign_by_chance")


def summary_csv(a: Analysis, b: Analysis, compared: Compared) -> bytes:
    """Return what was compared and how well it agrees, in two lines: pairs and values."""
    rows = []
    for what, agreement in (("pairs", compared.pairs), ("values", compared.values)):
        rows.append({"compared": what, **_numbers(agreement)})
    frame = pd.DataFrame(rows)
    common = compared.common
    frame["n_common_points"] = common.n
    return to_csv(pd.concat([frame, _settings(a, b, frame.index)], axis=1))


def points_csv(a: Analysis, b: Analysis, compared: Compared) -> bytes:
    """Return one line per common point: values, places and label quality in A and in B."""
    common = compared.common
    places_a, places_b = value_places(a, b, common)
    frame = pd.DataFrame(
        {
            "id": [a.ids[point] for point in common.in_a],
            "label": [a.classes[a.codes[point]] for point in common.in_a],
            "value_a": a.interactions.values[common.in_a],
            "value_b": b.interactions.values[common.in_b],
            "place_a": places_a,
            "place_b": places_b,
            "moved": places_b - places_a,
            "quality_a": a.support.quality[common.in_a],
            "quality_b": b.support.quality[common.in_b],
        }
    )
    return to_csv(pd.concat([frame, _settings(a, b, frame.index)], axis=1))


def sweep_csv(sweep: KSweep, side: Analysis) -> bytes:
    """Return one line per k: spread, mean, and the correlation with every other k."""
    frame = pd.DataFrame({"k": sweep.ks, "spread": sweep.spread, "mean": sweep.mean})
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
    return to_csv(
        pd.concat(
            [frame, pd.DataFrame(columns), pd.DataFrame(settings, frame.index)],
            axis=1,
        )
    )


def file_name(kind: str, a: Analysis, b: Analysis) -> str:
    """Return a file name that says what was compared."""
    parts = [kind, a.data.name.removesuffix(".csv")[:40], f"seed={a.data.seed}"]
    for side, one in (("A", a), ("B", b)):
        parts.append(f"{side}=k{one.k}-{one.compute.index}-{one.compute.evaluation}")
    return _NOT_IN_FILE_NAMES.sub("-", "_".join(parts)) + ".csv"


_AS_GIVEN = Order(np.arange(0), "input", "As given")


def _numbers(agreement: Agreement) -> dict[str, float]:
    return {name: getattr(agreement, name) for name in (*_MEASURES, *_SIGNS)}


def _settings(a: Analysis, b: Analysis, index: pd.Index) -> pd.DataFrame:
    told: dict[str, str | int | float] = {}
    for side, one in (("a", a), ("b", b)):
        settings = settings_of(one, _AS_GIVEN)
        told |= {f"setting_{side}_{name}": value for name, value in settings.items()}
        told.pop(f"setting_{side}_order")
    return pd.DataFrame(told, index)
