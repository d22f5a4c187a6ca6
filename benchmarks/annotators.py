"""Annotators with known errors over real data: `python -m benchmarks.annotators [music.csv]`.

Annotators are made up, each with an error rate of its own and a part of the rows, over labels that
are taken for right. What is measured: how well the value ranks wrong labels when test points count
by the majority or by shares, and how well annotators are ranked by their error rates. Music:
features of songs by 10 genres (Rodrigues et al. 2013), not part of this repository.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score

from benchmarks.report import machine, markdown_table
from stiknn_core import games, label_support, rank_annotators, read_table
from stiknn_core.preparation import scale_features
from stiknn_core.types import FloatArray, IntArray, Votes

K = 5


def simulated(
    true: IntArray, c: int, annotators: int, each: float, most: float, seed: int
) -> tuple[Votes, FloatArray]:
    """Return votes and the annotators' error rates, drawn evenly from 2 % up to ``most``.

    ``each`` is how many labels a row gets on average; every row has one at least.
    """
    rng = np.random.default_rng(seed)
    errors = rng.uniform(0.02, most, annotators)
    seen = rng.random((len(true), annotators)) < each / annotators
    alone = ~seen.any(axis=1)
    seen[alone, rng.integers(0, annotators, int(alone.sum()))] = True
    wrong = rng.random(seen.shape) < errors
    other = (true[:, None] + rng.integers(1, c, seen.shape)) % c
    said = np.where(seen, np.where(wrong, other, true[:, None]), -1)
    names = tuple(f"a{number}" for number in range(annotators))
    # Letters, so that text and number sort alike.
    return Votes(names, tuple(chr(97 + code) for code in range(c)), said), errors


def measured(X: FloatArray, true: IntArray, seed: int, **crowd: float) -> dict[str, float]:
    """Return what one draw of annotators gives."""
    c = int(true.max()) + 1
    votes, errors = simulated(true, c, seed=seed, **crowd)  # type: ignore[arg-type]
    given = np.array([votes.classes[code] for code in votes.counts.argmax(axis=1).tolist()])
    wrong = given != np.array(votes.classes)[true]
    found = {"wrong": float(wrong.mean())}
    counts, others = votes.counts_for(sorted(set(given.tolist())))
    score = games.votes(counts, others)
    for name, game in (("majority", games.plain()), ("shares", score)):
        support = label_support(X, given, k=K, score=game)
        found[f"AP {name}"] = float(average_precision_score(wrong, -support.quality))
        table = (
            rank_annotators(votes, given, support).set_index("annotator").loc[[*votes.annotators]]
        )
        if name == "shares":
            told = {"agreement": 1 - table["agreement"], "Dawid-Skene": table["dawid_skene"]}
            found |= {key: _rank(column, errors) for key, column in told.items()}
        found[f"disagreement, {name}"] = _rank(table["disagreement"], errors)
    own = (votes.counts.max(axis=1) / votes.counts.sum(axis=1)).astype(float)
    found["AP share alone"] = float(average_precision_score(wrong, -own))
    return found


def _rank(column: Any, errors: FloatArray) -> float:
    return float(spearmanr(column, errors, nan_policy="omit").statistic)


def main() -> None:
    """Print one table for all data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("music", nargs="?", help="music_genre_gold.csv")
    parser.add_argument("--seeds", type=int, default=10)
    asked = parser.parse_args()
    digits = load_digits()
    sets = [("digits", digits.data, digits.target, {"annotators": 20, "most": 0.8})]
    if asked.music:
        table = read_table(asked.music)
        music = table.to_dataset(label="class")
        codes = np.unique(music.y, return_inverse=True)[1]
        sets.append(("music", scale_features(music.X)[0], codes, {"annotators": 44, "most": 0.8}))
    lines = []
    for name, X, true, crowd in sets:
        for each in (2.0, 4.0):
            runs = [
                measured(np.asarray(X, float), true, seed, each=each, **crowd)
                for seed in range(asked.seeds)
            ]
            told = {key: np.array([run[key] for run in runs]) for key in runs[0]}
            cells = [f"{one.mean():.2f} ± {one.std():.2f}" for one in told.values()]
            lines.append([f"{name}, {each:.0f} labels a row", *cells])
            heads = ["data", *told]
    print(machine())
    print(markdown_table(heads, lines))


if __name__ == "__main__":
    main()
