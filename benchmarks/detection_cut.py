"""How well the number of wrong labels is known, and the precision among the most suspicious."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.detection_data import Noisy
from benchmarks.detection_scores import COMBINED, OTHERS_SET, Scores, where_to_cut
from benchmarks.report import markdown_table
from stiknn_core.labels.expected import USUAL

#: An estimate within this factor of the truth counts as right.
FACTOR = 1.5
OURS = "second opinion"
CONFIDENT = "confident learning"
ALWAYS = f"always {USUAL:.0%} of the rows"


@dataclass(frozen=True)
class Cut:
    """How many labels one way to cut takes for wrong on one sample, and how many of them are.

    ``told`` is the precision that was to be expected, nan where none was told; ``inside`` whether
    the truth was in the range told.
    """

    data: str
    kind: str
    seed: int
    way: str
    n_wrong: int
    estimate: float
    precision: float
    recall: float
    told: float
    inside: float


def cuts_of(data: str, kind: str, seed: int, sample: Noisy, found: Scores) -> list[Cut]:
    """Return the cut of the second opinion, the set of confident learning, and a fixed share."""
    n, n_wrong = len(sample.wrong), int(sample.wrong.sum())
    expected = where_to_cut(found)
    order = np.argsort(found[COMBINED], kind="stable")
    theirs = found[OTHERS_SET]
    inside = float(expected.low <= n_wrong <= expected.high)
    flagged = {
        OURS: order[: max(1, round(expected.n_wrong))],
        CONFIDENT: np.flatnonzero(theirs),
        ALWAYS: order[: max(1, round(USUAL * n))],
        f"{OURS}, cut where theirs is": order[: int(theirs.sum())],
    }
    cuts = []
    for way, rows in flagged.items():
        right = int(sample.wrong[rows].sum())
        told = float(expected.precision[len(rows) - 1]) if way == OURS else float("nan")
        cuts.append(
            Cut(
                data,
                kind,
                seed,
                way,
                n_wrong,
                expected.n_wrong if way == OURS else float(max(1, len(rows))),
                right / max(1, len(rows)),
                right / n_wrong,
                told,
                inside if way == OURS else float("nan"),
            )
        )
    return cuts


def summary_of_cuts(cuts: Sequence[Cut]) -> str:
    """Return Markdown tables: by way and kind, then ours by data set."""
    found = pd.DataFrame(cuts)
    ratio = found["estimate"] / found["n_wrong"]
    found["close"] = ratio.between(1 / FACTOR, FACTOR)
    found["distance"] = ratio.map(math.log).abs()
    found["f1"] = 2 * found["precision"] * found["recall"]
    found["f1"] /= np.maximum(found["precision"] + found["recall"], 1e-12)
    parts = ["close", "distance", "precision", "told", "recall", "f1", "inside"]
    heads = [
        f"within {FACTOR}",
        "typical factor",
        "precision",
        "told",
        "recall",
        "F1",
        "in range",
    ]

    def lines(keys: list[str], rows: pd.DataFrame) -> str:
        table = rows.groupby(keys, sort=False)[parts].mean()
        table["distance"] = np.exp(table["distance"])
        cells = [
            [*(key if isinstance(key, tuple) else (key,)), *map(_told, line)]
            for key, line in zip(table.index, table.to_numpy(), strict=True)
        ]
        return markdown_table([*keys, *heads], cells)

    ours = found[found["way"] == OURS]
    return "\n\n".join(
        [lines(["way"], found), lines(["way", "kind"], found), lines(["data"], ours)]
    )


def _told(number: float) -> str:
    return "" if np.isnan(number) else f"{number:.2f}"
