"""Annotators ranked by how far what they said lies from what the points around say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.errors import LabelError, ShapeError
from stiknn_core.labels.dawid_skene import check_votes, dawid_skene
from stiknn_core.types import FloatArray, LabelSupport, Votes


def rank_annotators(votes: Votes, y: Any, support: LabelSupport) -> pd.DataFrame:
    """Rank annotators by how far their labels lie below the label support, the farthest first.

    Parameters
    ----------
    votes : Votes
        On n rows, by a annotators; ``Dataset.votes``.
    y : (n,) array
        The label of each row, such as what most annotators gave; ``Dataset.y``.
    support : LabelSupport
        Of the same rows; ``stiknn_core.label_support`` with ``score=games.votes(...)`` lets test
        points count by the shares of their annotators.

    Returns
    -------
    DataFrame of a rows
        annotator; rows: how many they labelled; agreement: share of these on which the label of
        most *other* annotators is theirs (of several with as many votes, its share of them), NaN
        where nobody else labelled any; support: mean share of the label support that the classes
        they gave have, in [0, 1]; disagreement: mean of how much more the label of the row has,
        in [-1, 1], high = suspicious; standard_error of that mean over rows, NaN for fewer than
        two; dawid_skene: share of their labels that are wrong by the model of Dawid and Skene,
        which sees no features, in [0, 1], high = suspicious. Annotators without a row come last.

    Raises
    ------
    ShapeError
        If votes, labels and support are not of as many rows.
    LabelError
        If a label in ``y`` is no class of the support, or nobody labelled anything.
    ParameterError
        If ``votes`` are none.

    Notes
    -----
    O(labels c) for each step of ``dawid_skene``.
    """
    check_votes(votes)
    labels = np.asarray(y)
    sizes = (len(votes.said), len(labels), len(support.quality))
    if len(set(sizes)) > 1:
        raise ShapeError(
            f"votes, y and support must be of the same rows; got {sizes[0]:,}, {sizes[1]:,} and "
            f"{sizes[2]:,}."
        )
    shares = support.shares
    column = {str(name): place for place, name in enumerate(support.classes)}
    names, codes = np.unique(labels.astype(str), return_inverse=True)
    unknown = [name for name in names.tolist() if name not in column]
    if unknown:
        raise LabelError(
            f"The support has no class {unknown[0]!r}; give labels and support of the same rows."
        )
    own = shares[np.arange(len(labels)), np.array([column[str(n)] for n in names])[codes]]
    # What no training point has as its label has no support.
    wide = np.concatenate([shares, np.zeros((len(shares), 1))], axis=1)
    place = np.array([column.get(name, -1) for name in votes.classes])
    others = _agreement(votes)
    posterior = dawid_skene(votes).posterior
    lines = []
    for number, annotator in enumerate(votes.annotators):
        rows = np.flatnonzero(votes.said[:, number] >= 0)
        said = votes.said[rows, number]
        given = wide[rows, place[said]]
        below = own[rows] - given
        few = len(rows) < 2
        lines.append(
            {
                "annotator": annotator,
                "rows": len(rows),
                "agreement": others[number],
                "support": _mean(given),
                "disagreement": _mean(below),
                "standard_error": np.nan if few else below.std(ddof=1) / np.sqrt(len(rows)),
                "dawid_skene": 1 - _mean(posterior[rows, said]),
            }
        )
    table = pd.DataFrame(lines)
    return table.sort_values("disagreement", ascending=False, kind="stable", ignore_index=True)


def _agreement(votes: Votes) -> FloatArray:
    """Return how far each annotator agrees with most of the others, (a,)."""
    counts, found = votes.counts, np.full(len(votes.annotators), np.nan)
    for number, said in enumerate(votes.said.T):
        rows = np.flatnonzero(said >= 0)
        rest = counts[rows].copy()
        rest[np.arange(len(rows)), said[rows]] -= 1
        most = rest.max(axis=1, initial=0)
        known = most > 0
        if known.any():
            top = rest[known] == most[known, None]
            right = top[np.arange(len(top)), said[rows][known]] / top.sum(axis=1)
            found[number] = right.mean()
    return found


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else np.nan
