"""The ranking of suspects with the manners of scikit-learn."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import validate_data

from stiknn_core.errors import LabelError
from stiknn_core.labels.suspects import rank_suspects
from stiknn_core.scores import ScoreName
from stiknn_core.types import Metric, Space, Ties
from stiknn_core.validation.frames import as_frame, is_bunch
from stiknn_core.validation.labels import check_labels
from stiknn_core.validation.rows import labels_for
from stiknn_core.validation.settings import MAX_SEED


class LabelInspector(BaseEstimator):  # type: ignore[misc]
    """Find doubtful labels: `stiknn_core.rank_suspects` as an estimator of scikit-learn.

    It is fitted, cloned and given other parameters like any other, and stands as the last step of
    a Pipeline. It predicts nothing: what it found is in its attributes.

    Parameters
    ----------
    k : int, default 5
        Neighbours that vote.
    space : {"forest", "features"}, default "forest"
        Where neighbours are looked for: in that of a random forest, for which scale does not
        matter, or among the features as they come (scale them in a step before).
    rank_by : {"quality", "confusion", "value", "in_out", "row", "rarity"}, default "quality"
        The score to rank by, ``score`` of `stiknn_core.rank_suspects`.
    metric : str, default "euclidean"
        As in `stiknn_core.interactions`, but not "precomputed"; for ``space="features"`` alone.
    ties : {"expected", "index"}, default "expected"
        As in `stiknn_core.interactions`.
    n_trees : int, default 200
        Trees of the forest.
    random_state : int, RandomState or None, default 0
        Of the forest and of the folds of "confusion"; None draws another one at each fit.
    n_jobs : int or None, default None
        Threads; None and -1 for all cores.

    Attributes
    ----------
    suspects_ : DataFrame
        A row per point, the most doubtful first, with the columns of `stiknn_core.rank_suspects`.
        Of the kind that X is (pandas, Polars, Arrow); of pandas where X is an array.
    quality_ : (n,) float64
        Label quality of each row of X, in [0, 1]; low = suspicious.
    values_ : (n,) float64
        KNN-Shapley value of each row, in units of utility; low = suspicious.
    suggested_ : (n,) array
        Class with the largest share of the support of each row; the given one where nothing is
        to be said against it.
    classes_ : (n_classes,) array
        Class names, in order.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : (d,) array of str
        Their names; there only where X has names and all of them are text.

    Notes
    -----
    Each row is tested with all the others (leave-one-out testing). Costs are those of
    `stiknn_core.rank_suspects`. The attributes with a row for each of X are in its order;
    ``suspects_`` says the row in ``position``.
    """

    def __init__(
        self,
        k: int = 5,
        space: Space = "forest",
        *,
        rank_by: ScoreName = "quality",
        metric: Metric = "euclidean",
        ties: Ties = "expected",
        n_trees: int = 200,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.space = space
        self.rank_by = rank_by
        self.metric = metric
        self.ties = ties
        self.n_trees = n_trees
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> LabelInspector:
        """Rank the rows of X by how doubtful their labels are.

        Parameters
        ----------
        X : (n, d) array or DataFrame
            Features: finite numbers. A DataFrame of pandas names its rows by its index.
        y : (n,) labels
            Of any one kind, as in `stiknn_core.interactions`; may be left out only where X is a
            Bunch that has them.

        Returns
        -------
        LabelInspector
            Itself.

        Raises
        ------
        StiknnError
            As `stiknn_core.rank_suspects`.
        """
        if y is None and not is_bunch(X):
            raise LabelError(
                "LabelInspector requires y to be passed, but the target y is None. Pass the labels."
            )
        table = rank_suspects(
            X,
            y,
            k=self.k,
            space=self.space,
            score=self.rank_by,
            metric=self.metric,
            ties=self.ties,
            seed=_seed(self.random_state),
            n_trees=self.n_trees,
            n_jobs=self.n_jobs,
        )
        # Checked is X by now: this notes its columns, as those of a table of pandas.
        validate_data(self, as_frame(X, "X"), skip_check_array=True)
        rows = table.sort_values("position")
        self.suspects_ = _like(X, table)
        self.quality_ = rows["quality"].to_numpy()
        self.values_ = rows["value"].to_numpy()
        self.suggested_ = np.array(rows["suggested"].tolist())
        self.classes_ = np.array(check_labels(labels_for(X, y), "y").classes)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _seed(random_state: Any) -> Any:
    """Return a seed: a number as it is, so that it is checked like any other."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(MAX_SEED, dtype=np.int64))
    return random_state


def _like(X: Any, table: pd.DataFrame) -> Any:
    """Return the table as one of the library that X is of."""
    found: Any = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(found, nw.DataFrame) or found.implementation.is_pandas():
        return table
    columns = {name: table[name].tolist() for name in table.columns}
    return nw.from_dict(columns, backend=found.implementation).to_native()
