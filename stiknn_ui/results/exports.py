"""Files to take away: CSV that opens in Excel and loads back in pandas, with its settings.

Settings stand in the corner cell of the matrix, in columns of their own in the table of
points, and in every file name; a comment line above the header would break both readers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from stiknn_core.exporting import dataset_to_frame, matrix_to_frame, records_of, to_csv, to_json
from stiknn_core.ordering import Order
from stiknn_core.plane import Plane
from stiknn_core.types import Dataset, IntArray
from stiknn_ui.asked import plane_choice
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.results.result import Result
from stiknn_ui.results.suspects import POINT

_ABOUT = ("rank", "id", "position", "given", "suggested")
_NOISE = ("flip", "copies", "outliers", "thin", "sample")
_ENDINGS = (
    ".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz", ".csv", ".tsv", ".txt", ".xlsx", ".xlsm",
    ".xlsb", ".xls", ".ods", ".fods", ".parquet", ".feather", ".arrow", ".orc", ".json", ".jsonl",
    ".sqlite", ".db", ".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt", ".arff", ".npz", ".npy",
)  # fmt: skip
_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9.=_-]+")


def settings_of(
    analysis: Result, order: Order | None = None, plane: Plane | None = None
) -> dict[str, str | int | float]:
    """Return everything that is needed to get the same numbers again, by name."""
    data, compute = analysis.data, analysis.compute
    settings: dict[str, str | int | float] = {"dataset": data.name, "n_train": analysis.n}
    if data.source == "generated":
        settings |= {"n": data.n, "noise": data.noise, "n_classes": data.n_classes}
        settings |= {"imbalance": data.imbalance}
    settings |= {"seed": data.seed, "flip": data.flip, "flip_kind": data.flip_kind}
    settings |= {"copies": data.copies, "outliers": data.outliers, "thin": data.thin}
    named = {"flip_from": data.flip_from, "flip_to": data.flip_to, "thin_of": data.thin_of}
    settings |= {name: value for name, value in named.items() if value}
    if data.sample:
        settings |= {"sample": data.sample}
    if data.source == "upload":
        told = analysis.dataset.params
        settings |= {name: str(told[name]) for name in ("label", "missing") if name in told}
    settings |= {"k": analysis.k, **game_of(analysis)}
    # In the forest's space the engine was given distances; a person wants to know of what.
    settings |= {"metric": "forest" if compute.space == "forest" else compute.metric}
    settings |= {"ties": compute.ties, "evaluation": compute.evaluation}
    if compute.evaluation == "hold-out":
        settings |= {"held_out": compute.share, "split_seed": compute.split_seed}
    elif compute.evaluation == "test-file":
        settings |= {"test_file": compute.test_name}
    elif compute.evaluation == "split-column":
        settings |= {"split_column": compute.split_column}
    settings |= {"n_test": analysis.n_test, "scaling": compute.scaling}
    if order is not None:
        settings |= {"order": order.name}
    shown = plane_choice.named(plane or analysis.plane)
    if shown:
        settings |= {"plane": shown}
    return settings


def game_of(analysis: Result) -> dict[str, str | float]:
    """Return the index, the score and its width, as they were used and as the core writes them."""
    score = analysis.given.score
    game: dict[str, str | float] = {"index": analysis.given.index.name, "score": score.name}
    if score.kind in ("kernel", "measured") and len(score.options) == 2 and score.options[1]:
        game["width"] = score.options[1]
    return game


def matrix_csv(analysis: Analysis, order: Order, plane: Plane | None = None) -> bytes:
    """Return the matrix as shown, with ids on both axes and settings in the corner cell.

    ``pd.read_csv(file, index_col=0)`` and ``read_table`` give the same numbers back. Positions
    decide, so rows and columns keep the chosen order. O(n^2) memory, some 100 bytes a cell.
    """
    positions = order.positions
    ids = [analysis.ids[position] for position in positions]
    settings = settings_of(analysis, order, plane)
    corner = "; ".join(f"{name}={value}" for name, value in settings.items())
    frame = matrix_to_frame(analysis.interactions.matrix[np.ix_(positions, positions)], ids)
    return to_csv(frame.rename(columns={frame.columns[0]: f"id [{corner}]"}))


def points_csv(
    analysis: Result, order: Order | None, table: pd.DataFrame, plane: Plane | None = None
) -> bytes:
    """Return one row per training point: findings, features, and the settings as columns.

    Parameters
    ----------
    analysis : Result
    order : Order or None
        Gives the column ``matrix_position``: 0 = first row of the matrix; None where there is none.
    table : DataFrame
        From ``suspects_table``; its ranking becomes the column ``rank``, 1 = most suspicious.
    plane : Plane or None
        What the scatter shows; None for the usual one.
    """
    points = table[POINT].to_numpy()
    export = table.drop(columns=POINT)
    export.insert(0, "rank", np.arange(1, len(table) + 1))
    if order is not None:
        place = np.empty(analysis.n, dtype=np.int64)
        place[order.positions] = np.arange(analysis.n)
        export["matrix_position"] = place[points]
    taken = set(export.columns)
    features = analysis.dataset.feature_names
    names = [f"feature_{name}" if name in taken else name for name in features]
    values = pd.DataFrame(analysis.dataset.X[analysis.rows][points], columns=names)
    settings = {f"setting_{k}": v for k, v in settings_of(analysis, order, plane).items()}
    extra = pd.DataFrame(settings, export.index)
    return to_csv(pd.concat([export, values, extra], axis=1))


def points_json(analysis: Result, table: pd.DataFrame) -> bytes:
    """Return the findings of ``suspects_table`` as JSON, in its order; see ``findings_json``."""
    points = table[POINT].to_numpy()
    renamed = table.drop(columns=POINT).rename(columns={"label": "given"})
    renamed.insert(0, "rank", np.arange(1, len(table) + 1))
    renamed.insert(2, "position", positions_of(analysis.dataset, analysis.rows[points]))
    scores = [name for name in renamed if name not in (*_ABOUT, "known_flip")]
    return findings_json(renamed, [str(name) for name in scores], settings_of(analysis))


def findings_json(
    table: pd.DataFrame,
    scores: Sequence[str],
    settings: Mapping[str, str | int | float],
    decisions: Sequence[Mapping[str, object] | None] | None = None,
) -> bytes:
    """Return suspects as one JSON object: its settings, and a list of them in their order.

    Parameters
    ----------
    table : DataFrame of m rows
        Columns rank, id, position, given and suggested, and the scores.
    scores : sequence of str
        Columns that stand together under "scores".
    settings : mapping of name to value
    decisions : sequence of m mappings or None, optional
        What was decided of each; null where nothing was. None leaves the field out.
    """
    about = records_of(table.drop(columns=list(scores)))
    found = records_of(table[list(scores)])
    decided = [None] * len(table) if decisions is None else decisions
    suspects = (
        one | {"scores": scored} | ({} if decisions is None else {"decision": decision})
        for one, scored, decision in zip(about, found, decided, strict=True)
    )
    start = json.dumps(dict(settings), ensure_ascii=False).encode()
    return b'{"settings": ' + start + b',\n"suspects": ' + to_json(suspects).rstrip() + b"}\n"


def positions_of(dataset: Dataset, rows: IntArray) -> IntArray:
    """Return where rows of a data set stand, from 0: in their file, or where none is, in the data.

    Rows that were added to those of a file have -1.
    """
    return rows if dataset.source_rows is None else dataset.source_rows[rows]


def data_csv(dataset: Dataset) -> bytes:
    """Return the data set as it is now, noise included: id, features, label, true label.

    ``read_table`` gives the same rows, names and labels back, and the truth beside them.
    """
    return to_csv(dataset_to_frame(dataset))


def data_file_name(data: DataSpec) -> str:
    """Return a file name that says which data these are and what was done to them."""
    name = data.name
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    parts = ["data", name[:40], f"seed={data.seed}"]
    parts += [f"{what}={getattr(data, what):g}" for what in _NOISE if getattr(data, what)]
    return _NOT_IN_FILE_NAMES.sub("-", "_".join(parts)) + ".csv"


def game_names(analysis: Result) -> list[str]:
    """Return what a file name says of the game: its index, and any score but the plain one."""
    score = analysis.given.score.name
    return [analysis.given.index.name, *([] if score == "plain" else [score])]


def file_name(kind: str, analysis: Result, order: Order | None, extension: str = "csv") -> str:
    """Return a file name that carries data set, seed, k, index, metric, scaling and order."""
    settings: Mapping[str, object] = settings_of(analysis, order)
    parts = [kind, str(settings["dataset"]).removesuffix(".csv")[:40]]
    parts += [f"seed={settings['seed']}", f"k={settings['k']}", *game_names(analysis)]
    parts += [str(settings[name]) for name in ("metric", "evaluation", "scaling")]
    if order is not None:
        parts.append(f"order={order.name}")
    return _NOT_IN_FILE_NAMES.sub("-", "_".join(parts)) + f".{extension}"
