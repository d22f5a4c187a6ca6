"""What ranks the labels of one sample: our scores, and what others would do.

Low is always suspicious. Nothing here looks at which labels are wrong, but for the ceiling.
Names that begin with an underscore are parts that others are made of, or sets; no ranking.
"""

from __future__ import annotations

from typing import Any, get_args

from benchmarks.detection_data import Noisy
from benchmarks.detection_models import (
    ceiling,
    confident_learning,
    data_oob,
    neighbour_agreement,
    neighbour_votes,
    of_given,
    out_of_fold_models,
    out_of_sample,
    over_training,
)
from stiknn_core import grow_forest, interactions, label_support
from stiknn_core.labels.combined import Shares, combine, shares_of
from stiknn_core.labels.expected import ExpectedErrors, expected_errors
from stiknn_core.labels.models import model_confidence
from stiknn_core.scores import SCORES, ScoreName, in_out, rarity, row_likeness
from stiknn_core.types import AnyArray, FloatArray, Space

K = 5
N_TREES = 200
SPACES: tuple[Space, ...] = get_args(Space)
RARITY = "rarity of the label alone"
COMBINED = "second opinion"
CEILING = "a forest that saw the right labels"
OTHERS_SET = "_confident learning, random forest"

#: What the second opinion is made of; more parts and fewer were measured too.
FOREST, TREES, LINEAR, RAW = "_share, forest", "_trees without the row", "_model", "_share, raw"
PARTS = {
    COMBINED: (FOREST, TREES, LINEAR),
    f"{COMBINED} with raw features": (FOREST, TREES, LINEAR, RAW),
    f"{COMBINED} without the linear model": (FOREST, TREES),
    f"{COMBINED} without the trees": (FOREST, LINEAR),
    f"{COMBINED} without neighbours": (TREES, LINEAR),
}

Scores = dict[str, AnyArray]


def our_name(score: ScoreName, space: Space) -> str:
    """Return what a score in a space is called in the tables."""
    return f"{SCORES[score].title}, {'raw' if space == 'features' else space}"


def our_scores(sample: Noisy, seed: int) -> Scores:
    """Return all scores in both spaces, tested on the sample itself, and the opinions."""
    codes, n_classes = sample.codes, int(sample.codes.max()) + 1
    forest = grow_forest(sample.X, codes, n_trees=N_TREES, seed=seed, n_jobs=1)
    linear = model_confidence(sample.X, codes, seed=seed)
    found: Scores = {TREES: forest.confidence, LINEAR: linear}
    for space in SPACES:
        where: Any = forest if space == "forest" else sample.X
        metric = "precomputed" if space == "forest" else "euclidean"
        shared: dict[str, Any] = {"k": K, "metric": metric, "n_jobs": 1}
        support = label_support(where, codes, **shared)
        matrix = interactions(where, codes, **shared)
        found[our_name("quality", space)] = support.quality
        found[our_name("value", space)] = matrix.values
        found[our_name("in_out", space)] = in_out(matrix.matrix, codes, n_classes)
        found[our_name("row", space)] = row_likeness(matrix.matrix, codes, n_classes)
        shares = shares_of(support.support, codes)
        found[FOREST if space == "forest" else RAW] = shares.given
        if space == "forest":
            found |= {"_other": shares.other, "_other share": shares.other_share}
    return found


def joined(found: Scores, sample: Noisy) -> Scores:
    """Return the second opinion, made of the opinions, and what it is of other parts."""
    joint = {
        name: combine([found[part] for part in parts], sample.codes, found["_other"])
        for name, parts in PARTS.items()
    }
    return joint | {"trees without the row": found[TREES], "linear model": found[LINEAR]}


def where_to_cut(found: Scores) -> ExpectedErrors:
    """Return how many labels are taken for wrong by the second opinion."""
    shares = Shares(found[FOREST], found["_other"], found["_other share"])
    return expected_errors(found[COMBINED], shares)


def other_scores(sample: Noisy, seed: int) -> Scores:
    """Return what others rank by, the set of confident learning, and the ceiling.

    The self-confidence of a label is its probability according to a model that was trained
    on the other folds; it is cleanlab's label quality ``self_confidence``.
    """
    X, codes = sample.X, sample.codes
    found: Scores = {}
    for name, model in out_of_fold_models(seed).items():
        probabilities = out_of_sample(model, X, codes, seed)
        found[f"self-confidence, {name}"] = of_given(probabilities, codes)
        if name == "random forest":
            found[OTHERS_SET] = confident_learning(probabilities, codes)
    found["Data-OOB"] = data_oob(X, codes, seed)
    margin, confidence = over_training(X, codes, seed)
    found["margin over training (AUM)"] = margin
    found["self-confidence over training"] = confidence
    found["votes of 10 neighbours (SimiFeat)"] = neighbour_votes(X, codes)
    found["leave-one-out KNN agreement, raw"] = neighbour_agreement(X, codes, K)
    found[RARITY] = rarity(codes)
    found[CEILING] = ceiling(X, codes, sample.wrong, sample.truth, seed)
    return found


def self_confidence(model: object, X: FloatArray, codes: AnyArray, seed: int) -> FloatArray:
    """Return the out-of-sample probability of each given label, in [0, 1]."""
    return of_given(out_of_sample(model, X, codes, seed), codes)
