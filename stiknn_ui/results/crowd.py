"""What annotators said of rows, for tables, cards and sentences. Pure: no streamlit."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from stiknn_core import rank_annotators
from stiknn_core.phrases import counted
from stiknn_core.types import Dataset, FloatArray, IntArray
from stiknn_ui.results.result import Result

MOST_NAMED: Final = 12
"""Annotators that are named for one label; the others are counted."""
_LONGEST: Final = 40  # letters of a name

Said = list[tuple[str, str, int]]
"""Of one row each label that was given: its annotators' names, and how many they are."""


def given_share(dataset: Dataset, rows: IntArray) -> FloatArray:
    """Return the share of annotators that gave each of some rows its label, (m,) float64.

    NaN where nobody labelled it.
    """
    votes = dataset.votes
    assert votes is not None
    counts = votes.of(rows).counts
    place = {name: code for code, name in enumerate(votes.classes)}
    own = np.array([place.get(str(name), -1) for name in dataset.y[rows].tolist()], dtype=np.int64)
    given = np.where(own >= 0, counts[np.arange(len(rows)), own], 0)
    total = counts.sum(axis=1)
    shares: FloatArray = np.full(len(rows), np.nan)
    np.divide(given, total, out=shares, where=total > 0)
    return shares


def said_of(dataset: Dataset, rows: IntArray) -> list[Said]:
    """Return who said what of each of some rows, the commonest label first."""
    votes = dataset.votes
    if votes is None:
        return [[] for _ in rows]
    found = []
    for said in votes.of(rows).said:
        codes, counts = np.unique(said[said >= 0], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        found.append(
            [
                (votes.classes[code], _names(np.flatnonzero(said == code), votes.annotators), count)
                for code, count in zip(codes[order].tolist(), counts[order].tolist(), strict=True)
            ]
        )
    return found


def said_line(said: Said) -> str:
    """Say who said what of one row."""
    if not said:
        return "No annotator has labelled this row."
    return "Annotators: " + " · ".join(f"{label} ({names})" for label, names, _ in said) + "."


def votes_line(dataset: Dataset) -> str:
    """Say how many annotators there are, how much they labelled and how far they agree."""
    votes = dataset.votes
    assert votes is not None
    counts = votes.counts
    total = counts.sum(axis=1)
    seen = total[total > 0]
    active = int((votes.said >= 0).any(axis=0).sum())
    told = [counted(active, "annotator")]
    if len(seen):
        few, many = int(seen.min()), int(seen.max())
        spread = f"{few}" if few == many else f"{seen.mean():.1f} on average, {few} to {many}"
        told.append(f"labels a row: {spread}")
    pairs = int((total * (total - 1)).sum())
    if pairs:
        agreed = int((counts * (counts - 1)).sum())
        told.append(f"two labels of one row agree in {agreed / pairs:.0%} of all cases")
    alone = int((total == 0).sum())
    if alone:
        told.append(f"{counted(alone, 'row')} that nobody labelled")
    return "; ".join(told) + "."


def ranked_annotators(result: Result) -> pd.DataFrame:
    """Return the annotators of the training points, the most doubtful first."""
    votes = result.dataset.votes
    assert votes is not None
    return rank_annotators(votes.of(result.rows), result.dataset.y[result.rows], result.support)


def _names(which: IntArray, annotators: tuple[str, ...]) -> str:
    names = [annotators[place] for place in which[:MOST_NAMED].tolist()]
    cut = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in names]
    rest = len(which) - len(cut)
    return ", ".join(cut) + (f" and {rest:,} more" if rest else "")
