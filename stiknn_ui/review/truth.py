"""How well a score finds labels that are known to be wrong, beside common baselines. Pure."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from stiknn_core.plotting.palette import class_color
from stiknn_core.types import FloatArray, IntArray
from stiknn_ui.work.progress import Progress

BoolArray = NDArray[np.bool_]
FOLDS: Final = 5
_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


@dataclass(frozen=True)
class Hits:
    """Points below a threshold, points with a wrong label, and points that are both."""

    n_flagged: int
    n_wrong: int
    n_hits: int

    @property
    def precision(self) -> float | None:
        """Share of the flagged points that are wrong, in [0, 1]; None if none is flagged."""
        return self.n_hits / self.n_flagged if self.n_flagged else None

    @property
    def recall(self) -> float | None:
        """Share of the wrong points that are flagged, in [0, 1]; None if none is wrong."""
        return self.n_hits / self.n_wrong if self.n_wrong else None

    @property
    def sentence(self) -> str:
        """Say both, with the counts behind them."""
        if self.n_wrong == 0:
            return "None of these labels is known to be wrong."
        precision = "none" if self.precision is None else f"{self.precision:.0%}"
        return (
            f"{self.n_flagged:,} flagged, {self.n_hits:,} of them known to be wrong: precision "
            f"{precision}. {self.n_wrong:,} known to be wrong in all: recall {self.recall:.0%}."
        )


def hits_of(flagged: BoolArray, wrong: BoolArray) -> Hits:
    """Count flagged points, wrong points, and those that are both."""
    return Hits(int(flagged.sum()), int(wrong.sum()), int((flagged & wrong).sum()))


def baseline_seconds(n: int, d: int) -> float:
    """Return about how long `baselines` takes, in seconds: 3 s, and more where rows are many.

    Measured on one core at 300 to 4,000 rows of 2 features and 2,000 rows of 60.
    """
    return 2.5 + n * (0.0008 + 6e-5 * d)


def baselines(
    X: FloatArray, codes: IntArray, k: int, progress: Progress | None = None
) -> dict[str, FloatArray]:
    """Return the out-of-sample self-confidence of three classifiers, low = suspicious.

    The probability of a point's given label, predicted by a model that has not seen the point:
    five folds that keep the shares of the classes, shuffled with a fixed seed. Seconds to
    minutes; O(trees n d log n) for the forest.

    Parameters
    ----------
    X : (n, d) float64
        Training points, scaled as in the analysis; for the regression they are standardised.
    codes : (n,) int64
        Their given classes, 0 to the number of classes less one, without gaps.
    k : int
        Neighbours of the nearest neighbours classifier.
    progress : callable or None
        Called with (fits done, fits).

    Returns
    -------
    dict of name to (n,) float64
        Empty where there is one class only, or no class has two points.
    """
    # Loaded here, since a page without this button needs none of it.
    from sklearn.base import clone
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    folds = min(FOLDS, int(np.bincount(codes).max()))
    if len(np.unique(codes)) < 2 or folds < 2:
        return {}
    k = min(k, len(codes) - -(-len(codes) // folds))
    models: dict[str, Any] = {
        "Logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        f"KNN (k = {k})": KNeighborsClassifier(k),
        "Random forest": RandomForestClassifier(200, random_state=0),
    }
    splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class may be smaller than the number of folds
        splits = list(splitter.split(X, codes))
    confidence = {name: np.zeros(len(codes)) for name in models}
    steps = [(name, *split) for name in models for split in splits]
    for done, (name, train, test) in enumerate(steps):
        if progress is not None:
            progress(done, len(steps))
        confidence[name][test] = _confidence(
            clone(models[name]), X[train], codes[train], X[test], codes[test]
        )
    if progress is not None:
        progress(len(steps), len(steps))
    return confidence


def _confidence(
    model: Any, X: FloatArray, codes: IntArray, X_test: FloatArray, given: IntArray
) -> FloatArray:
    """Return the probability of each given class; 0 for one that no training row has."""
    known = np.unique(codes)
    if len(known) == 1:
        return np.asarray(given == known[0], dtype=np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a regression that has not converged still ranks
        told = model.fit(X, codes).predict_proba(X_test)
    column = np.minimum(np.searchsorted(known, given), len(known) - 1)
    return np.where(known[column] == given, told[np.arange(len(given)), column], 0.0)


@dataclass(frozen=True, eq=False)
class Curve:
    """One ranking against the truth.

    Attributes
    ----------
    name : str
    false_rate, true_rate : (m,) float64
        Share of right and of wrong labels found, along the ranking.
    recall, precision : (l,) float64
    auc, average_precision : float
        In [0, 1]; high = good.
    """

    name: str
    false_rate: FloatArray
    true_rate: FloatArray
    recall: FloatArray
    precision: FloatArray
    auc: float
    average_precision: float


def curves_of(scores: Mapping[str, FloatArray], wrong: BoolArray) -> list[Curve]:
    """Return a curve per score, in their order; O(n log n) each.

    Scores are low where suspicious. Where all of ``wrong`` are alike there is no curve.
    """
    from sklearn.metrics import (
        average_precision_score,
        precision_recall_curve,
        roc_auc_score,
        roc_curve,
    )

    if not wrong.any() or wrong.all():
        return []
    found = []
    for name, score in scores.items():
        false_rate, true_rate, _ = roc_curve(wrong, -score)
        precision, recall, _ = precision_recall_curve(wrong, -score, drop_intermediate=True)
        auc, ap = roc_auc_score(wrong, -score), average_precision_score(wrong, -score)
        found.append(Curve(name, false_rate, true_rate, recall, precision, float(auc), float(ap)))
    return found


def roc_figure(curves: list[Curve]) -> go.Figure:
    """Draw the share of wrong labels found against the share of right ones flagged."""
    lines = [(curve.name, curve.auc, curve.false_rate, curve.true_rate) for curve in curves]
    titles = ("ROC (area)", "right labels flagged", "wrong labels found")
    return _figure(lines, "linear", (0.0, 1.0), *titles)


def precision_recall_figure(curves: list[Curve], share_wrong: float) -> go.Figure:
    """Draw the precision against the share of wrong labels found; random ones have that share."""
    lines = [(c.name, c.average_precision, c.recall, c.precision) for c in curves]
    titles = ("recall: wrong labels found", "precision: wrong among flagged")
    # Between two thresholds there is nothing: a straight line would promise it.
    return _figure(
        lines,
        "hv",
        (share_wrong, share_wrong),
        "Precision and recall (average precision)",
        *titles,
    )


def _figure(
    lines: list[tuple[str, float, FloatArray, FloatArray]],
    shape: str,
    chance: tuple[float, float],
    title: str,
    x_title: str,
    y_title: str,
) -> go.Figure:
    """Draw curves, each with its number in the legend, and what chance would give."""
    figure = go.Figure()
    for place, (name, number, x, y) in enumerate(lines):
        figure.add_scatter(
            x=x,
            y=y,
            mode="lines",
            name=f"{escape(name)} ({number:.3f})",
            line={
                "color": class_color(place),
                "dash": _DASHES[place % len(_DASHES)],
                "width": 3 if place == 0 else 2,
                "shape": shape,
            },
        )
    line = {"color": "#888", "width": 1}
    figure.add_scatter(x=[0, 1], y=chance, mode="lines", name="chance", hoverinfo="skip", line=line)
    figure.update_layout(
        title=title,
        height=420,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "y": -0.2},
        xaxis={"title": x_title, "range": [-0.01, 1.01]},
        yaxis={"title": y_title, "range": [-0.01, 1.02]},
    )
    return figure
