"""The points of a data set ranked by how doubtful their labels are."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pandas as pd

from stiknn_core.engine.threads import Progress
from stiknn_core.errors import ParameterError
from stiknn_core.games import AnyScore
from stiknn_core.interactions import interactions
from stiknn_core.labels.forest import grow_forest
from stiknn_core.labels.opinions import second_opinion
from stiknn_core.labels.overview import overview
from stiknn_core.scores import SCORES, ScoreName, in_out, rarity, row_likeness
from stiknn_core.types import Metric, Space, Ties
from stiknn_core.validation import check_choice
from stiknn_core.validation.labels import check_labels, class_array
from stiknn_core.validation.rows import check_rows, labels_for

SPACES: tuple[Space, ...] = get_args(Space)

PAIRED: tuple[ScoreName, ...] = ("in_out", "row")
"""Scores that are read from the matrix of all pairs."""

MOST_PAIRED = 4_000
"""Training points up to which that matrix is made."""


def rank_suspects(
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    k: int = 5,
    space: Space = "forest",
    score: ScoreName = "quality",
    metric: Metric = "euclidean",
    ties: Ties = "expected",
    neighbor_score: AnyScore = "plain",
    sample_weight: Any = None,
    seed: int = 0,
    n_trees: int = 200,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Rank training points by how doubtful their labels are, the most doubtful first.

    Parameters
    ----------
    X, y, X_test, y_test, k
        As in `stiknn_core.interactions`; without a test set each point is tested with the others.
    space : {"forest", "features"}, default "forest"
        Where neighbours are looked for: by `stiknn_core.grow_forest`, for which scale does
        not matter, or among the features as given (scale them first).
    score : {"quality", "confusion", "value", "in_out", "row", "rarity"}, default "quality"
        What to rank by; see `stiknn_core.scores.SCORES`. Draws are settled by quality, then
        value, then position. "confusion" joins several opinions, and finds more where one class is
        mistaken for one other: `stiknn_core.labels.opinions.second_opinion`.
    metric : str, default "euclidean"
        As in `stiknn_core.interactions`; for ``space="features"`` alone. One text or one embedding
        a row (a data set of one such block) is best ranked there by "cosine".
    ties
        As in `stiknn_core.interactions`.
    neighbor_score : "plain" or games.Score, default "plain"
        What a neighbour brings: the ``score`` of `stiknn_core.interactions`, a name that here
        says what ranks. All but ``rarity`` follows it; it has to have label support.
    sample_weight
        As in `stiknn_core.interactions`.
    seed, n_trees
        Of the forest; without effect on the features.
    n_jobs, progress
        As in `stiknn_core.interactions`. ``progress`` runs to its total once for each step:
        the forest, if there is one, single points, the matrix, where it is made, and the second
        opinion, where it is asked for.

    Returns
    -------
    DataFrame
        A row per training point, with the columns ``rank`` (from 1), ``id`` (index of X, or
        position), ``position`` (0-based row of X), ``given``, ``suggested`` (class with the
        largest share, of which ``quality`` is that of the given one), and all scores under their
        names, low = suspicious; those that are read from the matrix (``in_out``, ``row``) up to
        4,000 training points, and ``confusion`` where it ranks. ``leave_one_out``, the last
        column, is no score of a label: it says what removing the point alone takes from the
        utility.

    Raises
    ------
    StiknnError
        As `stiknn_core.interactions`; if a setting is unknown, or a metric is chosen for the
        forest, which has a distance of its own.

    Notes
    -----
    Score and space are the defaults since they found most flipped labels over many data sets;
    docs/detection.md tells where they did not.
    Every row is ranked, up to a million of them. In the forest that is exact; on features the
    nearest 500 rows of each test point are told apart where there are more than 50,000, see
    `stiknn_core.overview`. Up to 4,000 training points O(t n^2) time and O(n^2) memory for the
    matrix; beyond that O(n log n) time, and O(n) memory for each tree and class.
    """
    y, y_test = labels_for(X, y), labels_for(X_test, y_test)
    check_choice("space", space, SPACES)
    check_choice("score", score, tuple(SCORES))
    given = check_labels(y, "y")
    if score in PAIRED and len(given.values) > MOST_PAIRED:
        raise ParameterError(
            f"The score {score!r} is read from the matrix of all pairs, which is made of up to "
            f"{MOST_PAIRED:,} training points; got {len(given.values):,}. Choose 'quality' or "
            "'value', or use a sample of the rows."
        )
    if score == "confusion" and metric == "precomputed":
        raise ParameterError(
            "The score 'confusion' needs features, for its linear model; got distances "
            "(metric='precomputed'). Pass the features, or choose another score."
        )
    ids, forest = None, None
    where: dict[str, Any] = {"X": X, "X_test": X_test, "metric": metric}
    if space == "forest":
        if not isinstance(metric, str) or metric != "euclidean":
            raise ParameterError(
                f"The forest space has a distance of its own; got metric={metric!r}. "
                "Leave metric out, or choose space='features'."
            )
        ids = check_rows(X, y)[0].ids
        forest = grow_forest(
            X, y, X_test, n_trees=n_trees, seed=seed, n_jobs=n_jobs, progress=progress
        )
        where = {"X": forest, "metric": "precomputed"}
    shared: dict[str, Any] = where | {
        "y": y,
        "y_test": y_test,
        "k": k,
        "ties": ties,
        "score": neighbor_score,
        "sample_weight": sample_weight,
        "n_jobs": n_jobs,
        "progress": progress,
    }
    points = overview(**shared)
    support = points.support
    codes = given.codes(support.classes)
    n = len(codes)
    columns: dict[str, Any] = {
        "id": support.ids if ids is None else ids,
        "position": np.arange(n),
        "given": class_array(support.classes, codes),
        "suggested": support.suggested,
        "quality": support.quality,
        "value": points.values,
        "rarity": rarity(codes),
        "leave_one_out": points.leave_one_out,
    }
    if n <= MOST_PAIRED:
        found = interactions(**shared)
        told = found.matrix, codes, len(support.classes)
        columns |= {"in_out": in_out(*told), "row": row_likeness(*told)}
    if score == "confusion":
        joint = second_opinion(X, y, support, forest, seed=seed, progress=progress)
        columns["confusion"] = joint.score
    order = ["id", "position", "given", "suggested"]
    order += [name for name in SCORES if name in columns] + ["leave_one_out"]
    table = pd.DataFrame({name: columns[name] for name in order})
    rest = [name for name in ("quality", "value", "position") if name != score]
    table = table.sort_values([score, *rest], kind="stable", ignore_index=True)
    table.insert(0, "rank", np.arange(1, len(table) + 1))
    return table
