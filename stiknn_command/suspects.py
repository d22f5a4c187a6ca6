"""`stiknn suspects`: rows ranked by how doubtful their labels are, and too many of them told."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from stiknn_command import shown
from stiknn_command.found import Found
from stiknn_command.lines import lines_of
from stiknn_command.outputs import check_target
from stiknn_command.problems import sentence_of
from stiknn_command.progress import Told
from stiknn_command.reading import STDIN, Given, dataset_of, read
from stiknn_command.ready import get_ready
from stiknn_command.written import write_suspects
from stiknn_core.errors import ParameterError
from stiknn_core.labels.suspects import MOST_PAIRED, rank_suspects
from stiknn_core.labels.targets import MOST_TARGETS, target_support, too_many_targets
from stiknn_core.preparation import scale_features
from stiknn_core.types import Dataset, Space

_KINDS: Final = (".csv", ".json", ".html")
_FAR: Final = 2.0
"""Standard deviations from which a measured target is flagged,"""
_MAD: Final = 1.4826
"""each so many median distances, as of a normal distribution."""


def suspects(asked: argparse.Namespace) -> int:
    """Rank the rows of each file; return 2 if one could not be read, else 1 if one is over."""
    _check(asked)
    told = Told(asked.quiet)
    worst, several = 0, len(asked.files) > 1
    for name in asked.files:
        try:
            found, _ = find(name, asked, told)
            if asked.output:
                write_suspects(found, Path(asked.output))
                told.say(f"{asked.output} is written.")
        except ValueError as error:  # of several files the others are looked at all the same
            if not several:
                raise
            Told().say(f"stiknn: {name}: {sentence_of(error)}")
            worst = 2
            continue
        told.done()
        shown.show(found, asked.format, asked.most, told)
        worst = max(worst, int(found.over))
    return worst


def _check(asked: argparse.Namespace) -> None:
    if asked.files.count(STDIN) > 1:
        raise ParameterError("Standard input can be read once; give - once.")
    if not asked.output:
        return
    check_target(asked.output, _KINDS)
    if len(asked.files) > 1:
        raise ParameterError("-o takes the rows of one file; give one file, or leave -o out.")


def find(name: str, asked: argparse.Namespace, told: Told) -> tuple[Found, Dataset]:
    """Rank the rows of one file; return what was found, and the data that it was found in."""
    given = read(name, asked, told)
    data = dataset_of(given, asked, told)
    if data.measured:
        table = _ranked_targets(data, asked, told)
        settings = {"k": asked.k, "space": "features", "score": "distance"}
        return _found(given, data, table, settings, asked), data
    paired = data.n <= MOST_PAIRED
    space: Space = asked.space or "forest"
    if space == "features":
        get_ready("features", asked.quiet)
    else:
        get_ready("forest pairs" if paired else "forest", asked.quiet)
    table = _ranked(data, asked, space, told)
    flagged = table["given"] != table["suggested"]
    if asked.below < 1:
        flagged &= table["quality"] < asked.below
    table["flagged"] = flagged
    settings = {"k": asked.k, "space": space, "score": asked.score, "below": asked.below}
    return _found(given, data, table, settings, asked), data


def _found(
    given: Given,
    data: Dataset,
    table: pd.DataFrame,
    settings: dict[str, Any],
    asked: argparse.Namespace,
) -> Found:
    """Return a ranked table with where its rows stand in the file."""
    rows = np.asarray(data.source_rows)[table["position"].to_numpy()]
    table.insert(3, "table_row", rows)
    lines = lines_of(given)
    table.insert(4, "line", 0 if lines is None else lines[rows])
    label = str(data.params["label"])
    return Found(given.name, table, label, settings, asked.fail_over, data.measured)


def _ranked_targets(data: Dataset, asked: argparse.Namespace, told: Told) -> pd.DataFrame:
    """Rank rows by how far their measured target is from what their neighbours say."""
    if asked.score != "quality" or asked.below < 1:
        raise ParameterError(
            "Measured targets are ranked by their distance from what the neighbours say, and have "
            "no label quality; leave --score and --below out, or give --label-is classes."
        )
    if asked.space == "forest":
        raise ParameterError(
            "Neighbours in a random forest are for classes, and this label is a measured number; "
            "leave --space out, or give --label-is classes."
        )
    if data.n > MOST_TARGETS:
        raise ParameterError(too_many_targets(data.n))
    get_ready("features", asked.quiet)
    X, _ = scale_features(data.X, blocks=data.blocks)
    told.begin("Ranking")
    said = target_support(X, data.y, k=asked.k, progress=told.step)
    told.done()
    order = np.lexsort((np.arange(data.n), -said.distance))
    spread = _MAD * float(np.median(said.distance))
    outside = (said.targets < said.low) | (said.targets > said.high)
    return pd.DataFrame(
        {
            "rank": np.arange(1, data.n + 1),
            "id": data.ids[order],
            "position": order,
            "given": said.targets[order],
            "suggested": said.suggested[order],
            "low": said.low[order],
            "high": said.high[order],
            "distance": said.distance[order],
            "flagged": (outside & (said.distance > _FAR * spread))[order],
        }
    )


def _ranked(data: Dataset, asked: argparse.Namespace, space: Space, told: Told) -> pd.DataFrame:
    X = data.X
    if space == "features":
        X, _ = scale_features(X, blocks=data.blocks)
    told.begin("Ranking")
    ranked = rank_suspects(
        pd.DataFrame(X, index=data.ids), data.y,
        k=asked.k, space=space, score=asked.score, progress=told.step,
    )  # fmt: skip
    told.done()
    return ranked
