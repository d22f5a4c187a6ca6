"""Files to take away: CSV that opens in Excel and loads back in pandas, with its settings.

Settings stand in the corner cell of the matrix, in columns of their own in the table of
points, and in every file name; a comment line above the header would break both readers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from stiknn_core.ordering import Order
from stiknn_ui.analysis import Analysis
from stiknn_ui.suspects import POINT

ENCODING = "utf-8-sig"
"""UTF-8 with a byte-order mark, without which Excel garbles accents."""

_RISKY = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9.=_-]+")


def settings_of(analysis: Analysis, order: Order) -> dict[str, str | int | float]:
    """Return everything that is needed to get the same numbers again, by name."""
    data, compute, result = analysis.data, analysis.compute, analysis.interactions
    settings: dict[str, str | int | float] = {"dataset": data.name, "n_train": result.n_train}
    if data.source == "generated":
        settings |= {"n": data.n, "noise": data.noise, "n_classes": data.n_classes}
        settings |= {"imbalance": data.imbalance}
    settings |= {"seed": data.seed, "flip": data.flip, "flip_kind": data.flip_kind}
    settings |= {"copies": data.copies, "outliers": data.outliers, "thin": data.thin}
    settings |= {"k": result.k, "index": result.index, "metric": result.metric}
    settings |= {"ties": result.ties, "evaluation": compute.evaluation}
    if compute.evaluation == "hold-out":
        settings |= {"held_out": compute.share, "split_seed": compute.split_seed}
    return settings | {"n_test": result.n_test, "scaling": compute.scaling, "order": order.name}


def matrix_csv(analysis: Analysis, order: Order) -> bytes:
    """Return the matrix as shown, with ids on both axes and settings in the corner cell.

    ``pd.read_csv(file, index_col=0)`` gives the same numbers back. Positions decide, so
    rows and columns keep the chosen order. O(n^2) memory, about 20 bytes a cell.
    """
    positions = order.positions
    ids = [harmless(analysis.ids[position]) for position in positions]
    corner = "; ".join(f"{name}={value}" for name, value in settings_of(analysis, order).items())
    frame = pd.DataFrame(
        analysis.interactions.matrix[np.ix_(positions, positions)],
        index=pd.Index(ids, name=f"id [{corner}]"),
        columns=ids,
    )
    return frame.to_csv(lineterminator="\r\n").encode(ENCODING)


def points_csv(analysis: Analysis, order: Order, table: pd.DataFrame) -> bytes:
    """Return one row per training point: findings, features, and the settings as columns.

    Parameters
    ----------
    analysis : Analysis
    order : Order
        Gives the column ``matrix_position``: 0 = first row of the matrix.
    table : DataFrame
        From ``suspects_table``; its ranking becomes the column ``rank``, 1 = most suspicious.
    """
    place = np.empty(analysis.n, dtype=np.int64)
    place[order.positions] = np.arange(analysis.n)
    points = table[POINT].to_numpy()
    export = table.drop(columns=POINT)
    export.insert(0, "rank", np.arange(1, len(table) + 1))
    export["matrix_position"] = place[points]
    features = analysis.dataset.X[analysis.rows]
    taken = set(export.columns)
    for name, column in zip(analysis.dataset.feature_names, features.T, strict=True):
        export[f"feature_{name}" if name in taken else name] = column[points]
    settings = settings_of(analysis, order)
    extra = pd.DataFrame(
        {f"setting_{name}": value for name, value in settings.items()}, export.index
    )
    export = pd.concat([export, extra], axis=1)
    for name in export.select_dtypes(include=["object", "string"]).columns:
        export[name] = [harmless(cell) for cell in export[name]]
    export.columns = [harmless(name) for name in export.columns]
    return export.to_csv(index=False, lineterminator="\r\n").encode(ENCODING)


def file_name(kind: str, analysis: Analysis, order: Order, extension: str = "csv") -> str:
    """Return a file name that carries data set, seed, k, index, metric, scaling and order."""
    settings: Mapping[str, object] = settings_of(analysis, order)
    parts = [kind, str(settings["dataset"]).removesuffix(".csv")[:40]]
    parts += [f"seed={settings['seed']}", f"k={settings['k']}", str(settings["index"])]
    parts += [str(settings[name]) for name in ("metric", "evaluation", "scaling")]
    parts.append(f"order={settings['order']}")
    return _NOT_IN_FILE_NAMES.sub("-", "_".join(parts)) + f".{extension}"


def harmless(cell: object) -> str:
    """Return text that no spreadsheet runs as a formula; numbers stay as they are."""
    text = str(cell)
    if text.startswith(_RISKY) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text
