"""Tables of how well scores find flipped labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.report import markdown_table

#: Scores this close to the best on a data set count as good as the best.
CLOSE = 0.02


@dataclass(frozen=True)
class Result:
    """How well one score did on one sample.

    Attributes
    ----------
    data, score : str
    rate : float
        Share of labels that were flipped.
    seed : int
    ap, auc : float
        Average precision and area under the ROC curve; the higher the better.
    """

    data: str
    rate: float
    seed: int
    score: str
    ap: float
    auc: float


def summary(results: Sequence[Result]) -> str:
    """Return a Markdown table of means over data sets and seeds, the best score first."""
    rates = sorted({result.rate for result in results})
    by_data = mean_ap(results)
    best = {data: max(scores.values()) for data, scores in by_data.items()}
    lines = []
    for score in {result.score for result in results}:
        mine = [result for result in results if result.score == score]
        at = [[result for result in mine if result.rate == rate] for rate in rates]
        precision = [_mean(result.ap for result in some) for some in at]
        area = [_mean(result.auc for result in some) for some in at]
        close = sum(scores[score] >= best[data] - CLOSE for data, scores in by_data.items())
        lines.append((float(np.mean(precision)), score, precision, area, close))
    heads = [f"AP, {rate:.0%}" for rate in rates] + [f"AUC, {rate:.0%}" for rate in rates]
    rows = [
        [score, *(f"{one:.3f}" for one in (*precision, *area)), f"{close} of {len(by_data)}"]
        for _, score, precision, area, close in sorted(lines, reverse=True)
    ]
    return markdown_table(["score", *heads, f"best or within {CLOSE}"], rows)


def by_data_set(results: Sequence[Result], chosen: str) -> str:
    """Return a Markdown table of the chosen score beside the best other one, by data set."""
    rows = []
    for data, scores in sorted(mean_ap(results).items()):
        others = {score: ap for score, ap in scores.items() if score != chosen}
        rival = max(others, key=lambda score: others[score])
        lead = scores[chosen] - others[rival]
        verdict = "best" if lead >= 0 else "close" if lead >= -CLOSE else "behind"
        cells = [data, f"{scores[chosen]:.3f}", f"{others[rival]:.3f}", rival, f"{lead:+.3f}"]
        rows.append([*cells, verdict])
    return markdown_table(["data set", chosen, "best other", "which", "lead", ""], rows)


def mean_ap(results: Iterable[Result]) -> dict[str, dict[str, float]]:
    """Return the mean average precision over rates and seeds, by data set and score."""
    gathered: dict[str, dict[str, list[float]]] = {}
    for result in results:
        gathered.setdefault(result.data, {}).setdefault(result.score, []).append(result.ap)
    return {
        data: {score: _mean(found) for score, found in scores.items()}
        for data, scores in gathered.items()
    }


def as_records(results: Iterable[Result]) -> list[Mapping[str, object]]:
    """Return the results as plain records for JSON."""
    return [vars(result).copy() for result in results]


def _mean(numbers: Iterable[float]) -> float:
    return float(np.mean(list(numbers)))
