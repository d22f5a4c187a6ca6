"""`stiknn matrix` and `stiknn values`: results as files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import pandas as pd

from stiknn_command.outputs import check_target, write_frame
from stiknn_command.progress import Told
from stiknn_command.reading import dataset_of, read
from stiknn_command.ready import get_ready
from stiknn_core import games
from stiknn_core.cost import check_memory, estimate
from stiknn_core.exporting import matrix_to_frame
from stiknn_core.interactions import interactions
from stiknn_core.preparation import scale_features
from stiknn_core.values import values

_KINDS: Final = {"matrix": (".csv", ".npz", ".parquet"), "values": (".csv", ".json", ".parquet")}


def write_result(asked: argparse.Namespace) -> None:
    """Compute what is asked for, with leave-one-out testing, and write it."""
    path = Path(asked.output)
    check_target(asked.output, _KINDS[asked.command])
    told = Told(asked.quiet)
    data = dataset_of(read(asked.file, asked, told), asked, told)
    get_ready("features", asked.quiet)
    X, _ = scale_features(data.X, scaling=asked.scaling, blocks=data.blocks)
    given: dict[str, Any] = {
        "X": pd.DataFrame(X, index=data.ids),
        "y": data.y,
        "k": asked.k,
        "metric": asked.metric,
        "score": games.measured() if data.measured else games.plain(),
    }
    told.begin("Computing")
    if asked.command == "values":
        found = values(**given, kind=asked.kind, progress=told.step)
        write_frame(pd.DataFrame({"id": data.ids, "label": data.y, "value": found}), path)
    else:
        cost = estimate(data.n, data.n, X.shape[1])
        check_memory(f"The matrix of {data.n:,} rows", cost.bytes, "Take fewer rows.")
        result = interactions(**given, index=asked.index, progress=told.step)
        if path.suffix.lower() == ".npz":
            result.save(path)
        else:
            write_frame(matrix_to_frame(result.matrix, result.ids.tolist()), path)
    told.say(f"{asked.output} is written.")
