"""Tables of how well scores find wrong labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from benchmarks.detection_noise import NOISES, REAL
from benchmarks.detection_scores import CEILING
from benchmarks.report import markdown_table

#: Scores this close to the best on a data set count as good as the best.
CLOSE = 0.02
#: The figure of the protocol is the mean of these.
COLUMNS = tuple(kind for kind in (*NOISES, REAL) if kind != "uniform 20 %")


@dataclass(frozen=True)
class Result:
    """How well one score did on one sample under a kind of noise.

    ``ap`` and ``auc`` are average precision and area under the ROC curve; the higher the better.
    """

    data: str
    kind: str
    seed: int
    score: str
    ap: float
    auc: float


def by_kind(results: Sequence[Result]) -> pd.DataFrame:
    """Return mean average precision, a score in a row, a kind in a column, and their ``mean``.

    The mean of a kind is over data sets, of each over its seeds; that of kinds leaves out uniform
    20 %, which is told beside it.
    """
    found = pd.DataFrame(results).pivot_table("ap", ["score", "data"], "kind", sort=False)
    table = found.groupby("score", sort=False).mean()
    table = table[[kind for kind in (*NOISES, REAL) if kind in table]]
    table["mean"] = table[[kind for kind in COLUMNS if kind in table]].mean(axis=1)
    return table


def summary(results: Sequence[Result]) -> str:
    """Return a Markdown table of mean average precision by kind, the best score first."""
    table = by_kind(results).sort_values("mean", ascending=False)
    rows = [
        [str(score), *(f"{one:.3f}" for one in line)]
        for score, line in zip(table.index, table.to_numpy(), strict=True)
    ]
    return markdown_table(["score", *map(str, table.columns)], rows)


def leads(results: Sequence[Result], ours: str, today: str) -> str:
    """Return a Markdown table: for each kind ours, today's, the best of all others, and leads."""
    table = by_kind(results)
    others = table.drop([score for score in table.index if str(score).startswith(ours)])
    others = others.drop([CEILING, today], errors="ignore")
    rows = []
    for kind in table.columns:
        best = str(others[kind].idxmax())
        column = table[kind]
        mine, old, other = float(column[ours]), float(column[today]), float(column[best])
        told = [f"{one:.3f}" for one in (mine, old, other)]
        rows.append(
            [str(kind), *told, best, f"{mine - old:+.3f}", f"{mine - max(old, other):+.3f}"]
        )
    return markdown_table(
        ["kind", ours, today, "best other", "which", "gain", "ahead of all"], rows
    )


def by_data_set(results: Sequence[Result], ours: str, without: str) -> str:
    """Return a Markdown table by data set: ours beside the best of all others, means of kinds.

    Scores whose name begins with ``without`` do not count.
    """
    found = pd.DataFrame(results)
    table = found.pivot_table("ap", "score", "data", sort=False).sort_index(axis=1)
    others = table.drop([one for one in table.index if str(one).startswith((ours, without))])
    others = others.drop(CEILING, errors="ignore")
    rows = []
    for data in table.columns:
        other = str(others[data].idxmax())
        lead = float(table[data][ours]) - float(table[data][other])
        verdict = "best" if lead >= 0 else "close" if lead >= -CLOSE else "behind"
        numbers = [f"{float(table[data][one]):.3f}" for one in (ours, other)]
        rows.append([str(data), *numbers, other, f"{lead:+.3f}", verdict])
    return markdown_table(["data set", ours, "best other", "which", "lead", ""], rows)
