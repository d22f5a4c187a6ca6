"""Tables of how well scores find flipped labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from benchmarks.report import markdown_table

#: Scores this close to the best on a data set count as good as the best.
CLOSE = 0.02


@dataclass(frozen=True)
class Result:
    """How well one score did on one sample with a share ``rate`` of its labels flipped.

    ``ap`` and ``auc`` are average precision and area under the ROC curve; the higher the better.
    """

    data: str
    rate: float
    seed: int
    score: str
    ap: float
    auc: float


def summary(results: Sequence[Result]) -> str:
    """Return a Markdown table of means over data sets and seeds, the best score first."""
    found = pd.DataFrame(results)
    by_data = mean_ap(results)
    close = (by_data >= by_data.max() - CLOSE).sum(axis=1)
    precision, area = (found.pivot_table(what, "score", "rate") for what in ("ap", "auc"))
    overall = precision.mean(axis=1)
    rows = [
        [
            score,
            *(f"{one:.3f}" for one in (*precision.loc[score], *area.loc[score])),
            f"{close[score]} of {by_data.shape[1]}",
        ]
        for score in sorted(overall.index, key=lambda score: (overall[score], score), reverse=True)
    ]
    heads = [f"{name}, {rate:.0%}" for name in ("AP", "AUC") for rate in precision.columns]
    return markdown_table(["score", *heads, f"best or within {CLOSE}"], rows)


def by_data_set(results: Sequence[Result], chosen: str) -> str:
    """Return a Markdown table of the chosen score beside the best other one, by data set."""
    rows = []
    for data, scores in mean_ap(results).items():
        others = scores.drop(chosen)
        rival = str(others.idxmax())
        lead = scores[chosen] - others[rival]
        verdict = "best" if lead >= 0 else "close" if lead >= -CLOSE else "behind"
        cells = [str(data), f"{scores[chosen]:.3f}", f"{others[rival]:.3f}", rival, f"{lead:+.3f}"]
        rows.append([*cells, verdict])
    return markdown_table(["data set", chosen, "best other", "which", "lead", ""], rows)


def mean_ap(results: Sequence[Result]) -> pd.DataFrame:
    """Return the mean average precision over rates and seeds, a score's in a row."""
    # Scores stay in the order they came in, in which the first of equal ones is named.
    found = pd.DataFrame(results).pivot_table("ap", "score", "data", sort=False)
    return found.sort_index(axis=1)
