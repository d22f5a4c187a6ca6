"""What others would rank labels by, each from its definition. Low is always suspicious."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from benchmarks.quietly import quietly
from stiknn_core.types import FloatArray, IntArray

FOLDS = 5
#: Neighbours that vote by SimiFeat's definition.
VOTERS = 10
#: Stages of boosting that margins are averaged over.
STAGES = 50


def out_of_fold_models(seed: int) -> dict[str, Any]:
    """Return the models whose self-confidence is measured."""
    return {
        "logistic regression": LogisticRegression(max_iter=1000),
        "KNN": KNeighborsClassifier(10),
        "gradient boosting": HistGradientBoostingClassifier(
            early_stopping=True, n_iter_no_change=5, random_state=seed
        ),
        "random forest": RandomForestClassifier(100, random_state=seed, n_jobs=1),
    }


def out_of_sample(model: Any, X: FloatArray, codes: IntArray, seed: int) -> FloatArray:
    """Return (n, n_classes) probabilities, each row by a model trained on the other folds."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    with quietly():
        return np.asarray(cross_val_predict(model, X, codes, cv=folds, method="predict_proba"))


def of_given(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    """Return the probability of each given label."""
    return np.asarray(probabilities[np.arange(len(codes)), codes])


def data_oob(X: FloatArray, codes: IntArray, seed: int) -> FloatArray:
    """Return the share of the trees without a row that predict its label; Kwon and Zou (2023)."""
    forest = RandomForestClassifier(200, random_state=seed, n_jobs=1).fit(X, codes)
    right, asked = np.zeros(len(codes)), np.zeros(len(codes))
    single = X.astype(np.float32)
    for tree, in_bag in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        out = np.ones(len(codes), dtype=bool)
        out[in_bag] = False
        right[out] += tree.predict(single[out]) == codes[out]
        asked[out] += 1
    return right / np.maximum(asked, 1)


def over_training(X: FloatArray, codes: IntArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return margin and self-confidence in-sample, means over the stages of boosting.

    The margin is that of Pleiss and others (2020), "area under the margin": score of the given
    class minus the largest other one, while training goes on.
    """
    model = HistGradientBoostingClassifier(max_iter=STAGES, early_stopping=False, random_state=seed)
    model.fit(X, codes)
    rows = np.arange(len(codes))
    margin, confidence = np.zeros(len(codes)), np.zeros(len(codes))
    for stage in model.staged_decision_function(X):
        flat = stage.reshape(len(codes), -1)
        scores = np.hstack([-flat, flat]) / 2 if flat.shape[1] == 1 else flat.copy()
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        confidence += of_given(shares / shares.sum(axis=1, keepdims=True), codes)
        own = of_given(scores, codes)
        scores[rows, codes] = -np.inf
        margin += own - scores.max(axis=1)
    return margin / STAGES, confidence / STAGES


def neighbour_votes(X: FloatArray, codes: IntArray) -> FloatArray:
    """Return the cosine between the votes of the nearest rows and the given label.

    Zhu, Dong and Liu (2022), "SimiFeat": ten neighbours by cosine; here on the columns themselves
    in place of a network's features, and in one round.
    """
    nearest = NearestNeighbors(n_neighbors=VOTERS, metric="cosine").fit(X)
    found = nearest.kneighbors(return_distance=False)
    votes = np.zeros((len(codes), int(codes.max()) + 1))
    np.add.at(votes, (np.arange(len(codes))[:, None], codes[found]), 1 / VOTERS)
    return np.asarray(of_given(votes, codes) / np.linalg.norm(votes, axis=1))


def neighbour_agreement(X: FloatArray, codes: IntArray, k: int) -> FloatArray:
    """Return the share of the k nearest other rows with the same label."""
    found = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)
    return np.asarray((codes[found] == codes[:, None]).mean(axis=1))


def confident_learning(probabilities: FloatArray, codes: IntArray) -> NDArray[np.bool_]:
    """Return which labels confident learning takes for wrong, pruned by noise rate.

    Northcutt, Jiang and Chuang (2021). A row counts for the class of largest probability among
    those that reach their mean probability over the rows given that class. Counts are scaled to
    the sizes of the classes. Of each class so many as count for another one are wrong, those with
    the largest difference of probabilities.
    """
    n, n_classes = probabilities.shape
    threshold = np.array([probabilities[codes == code, code].mean() for code in range(n_classes)])
    reached = np.where(probabilities >= threshold, probabilities, -1.0)
    counts_for = np.where((reached >= 0).any(axis=1), reached.argmax(axis=1), codes)
    sure = (reached >= 0).any(axis=1)
    joint = np.zeros((n_classes, n_classes))
    np.add.at(joint, (codes[sure], counts_for[sure]), 1)
    joint *= (np.bincount(codes) / np.maximum(joint.sum(axis=1), 1))[:, None]
    joint *= n / max(joint.sum(), 1)
    wrong = np.zeros(n, dtype=np.bool_)
    for given in range(n_classes):
        members = np.flatnonzero(codes == given)
        for other in range(n_classes):
            if other != given:
                apart = probabilities[members, other] - probabilities[members, given]
                most = np.argsort(-apart, kind="stable")[: round(joint[given, other])]
                wrong[members[most]] = True
    return wrong


def ceiling(
    X: FloatArray,
    codes: IntArray,
    wrong: NDArray[np.bool_],
    truth: IntArray | None,
    seed: int,
) -> FloatArray:
    """Return the probability of given labels by a forest trained on the others' true labels.

    Where the true labels are not known it is trained on the rows whose label is right.
    """
    model = RandomForestClassifier(100, random_state=seed, n_jobs=1)
    if truth is not None:
        return of_given(out_of_sample(model, X, truth, seed), codes)
    found = np.zeros(len(codes))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(X, codes):
        right = train[~wrong[train]]
        shares = np.zeros((len(test), int(codes.max()) + 1))
        model.fit(X[right], codes[right])
        shares[:, model.classes_] = model.predict_proba(X[test])
        found[test] = of_given(shares, codes[test])
    return found
