"""What ranks the labels of one sample: our scores in each space, and what others would do.

Low is always suspicious. Nothing here may look at which labels are wrong.
"""

from __future__ import annotations

import warnings
from typing import Any, get_args

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.detection_data import Noisy
from stiknn_core import rank_suspects
from stiknn_core.scores import SCORES, ScoreName, rarity
from stiknn_core.types import FloatArray, Space

K = 5
FOLDS = 5
SPACES: tuple[Space, ...] = get_args(Space)
RARITY = "rarity of the label alone"


def our_name(score: ScoreName, space: Space) -> str:
    """Return what a score in a space is called in the tables."""
    return f"{SCORES[score].title}, {'raw' if space == 'features' else space}"


def our_scores(sample: Noisy, seed: int) -> dict[str, FloatArray]:
    """Return all scores in all spaces, leave-one-out on the noisy sample itself."""
    found: dict[str, FloatArray] = {}
    for space in SPACES:
        table = rank_suspects(sample.X, sample.y, k=K, space=space, seed=seed, n_jobs=1)
        table = table.sort_values("position")
        for score in SCORES:
            if score != "rarity":
                found[our_name(score, space)] = table[score].to_numpy()
    return found


def other_scores(sample: Noisy, seed: int) -> dict[str, FloatArray]:
    """Return out-of-sample self-confidence by four models, and two simple scores.

    The self-confidence of a label is its probability according to a model that was trained
    on the other folds; it is cleanlab's label quality ``self_confidence``.
    """
    _, codes = np.unique(sample.y, return_inverse=True)
    found = {
        f"self-confidence, {name}": self_confidence(model, sample.X, codes, seed)
        for name, model in _models(seed).items()
    }
    distances = cdist(sample.X, sample.X)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :K]
    found["leave-one-out KNN agreement, raw"] = (codes[nearest] == codes[:, None]).mean(axis=1)
    found[RARITY] = rarity(codes)
    return found


def self_confidence(model: Any, X: FloatArray, codes: Any, seed: int) -> FloatArray:
    """Return the out-of-sample probability of each given label, in [0, 1]."""
    probabilities = out_of_sample(model, X, codes, seed)
    return np.asarray(probabilities[np.arange(len(codes)), codes])


def out_of_sample(model: Any, X: FloatArray, codes: Any, seed: int) -> FloatArray:
    """Return (n, n_classes) probabilities, each row by a model trained on the other folds."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        # Classes smaller than the number of folds, and fits that stop early.
        warnings.simplefilter("ignore")
        return np.asarray(cross_val_predict(model, X, codes, cv=folds, method="predict_proba"))


def _models(seed: int) -> dict[str, Any]:
    return {
        "logistic regression": LogisticRegression(max_iter=2000),
        "KNN": KNeighborsClassifier(10),
        "gradient boosting": HistGradientBoostingClassifier(random_state=seed),
        "random forest": RandomForestClassifier(200, random_state=seed, n_jobs=1),
    }
