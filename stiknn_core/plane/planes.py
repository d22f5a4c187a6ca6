"""Planes made of columns, of principal components, or by an embedding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.phrases import listed
from stiknn_core.plane.embedding import LEAST_EMBEDDED, MAX_EMBEDDED, tsne, umap
from stiknn_core.types import FloatArray, read_only
from stiknn_core.validation.features import check_features
from stiknn_core.validation.settings import check_choice, check_seed

PlaneMethod = Literal["auto", "columns", "pca", "tsne", "umap"]
UsedMethod = Literal["columns", "pca", "single", "tsne", "umap"]

PLANE_METHODS: tuple[PlaneMethod, ...] = get_args(PlaneMethod)

# Jitter of a single feature: a twentieth of its range to either side.
_JITTER = 0.05
# Up to this many rows or columns the exact decomposition takes well under a second.
_EXACT_PCA = 500


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane of the scatter plot.

    Attributes
    ----------
    xy : (n, 2) float64, read-only
        Coordinates, in the units of ``axis_titles``.
    axis_titles : tuple of 2 str
    method : {"columns", "pca", "single", "tsne", "umap"}
        How they were made: two columns, principal components, one feature with jitter, or
        an embedding that keeps neighbours together.
    notices : tuple of str
        Plain sentences a person should see.
    """

    xy: FloatArray
    axis_titles: tuple[str, str]
    method: UsedMethod
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make the array read-only."""
        object.__setattr__(self, "xy", read_only(np.asarray(self.xy, dtype=np.float64)))


def project_2d(
    X: ArrayLike,
    feature_names: Sequence[str],
    method: PlaneMethod = "auto",
    columns: Sequence[int | str] = (0, 1),
    seed: int = 0,
    standardise: bool = True,
) -> Plane:
    """Choose two coordinates for the scatter plot; distances are never taken from them.

    Parameters
    ----------
    X : (n, d) numbers
        Features; not changed.
    feature_names : sequence of d str
    method : {"auto", "columns", "pca", "tsne", "umap"}
        "columns": the two features named by ``columns``, as they are. "pca": the first
        two principal components of the standardised features, or see ``standardise``. "tsne"
        and "umap": embeddings that keep neighbours together, of the features as they are, so that
        whoever is near in X is near in the plane; for up to 4,000 points, and "umap" only where
        umap-learn is installed. "auto": the features themselves if there are two, else principal
        components. With a single feature all show it on the first axis, and on the second a
        jitter that means nothing but keeps points apart: uniform, up to a twentieth of
        the feature's range to either side.
    columns : two of int or str
        Positions or names, for "columns".
    seed : int
        For the jitter, the embeddings, and the approximate components of data with more than
        500 rows and 500 columns.
    standardise : bool
        Whether components are those of the standardised features. False for features that mean
        nothing alone, such as parts of an embedding: all are divided by one number, by which
        their mean variance becomes 1, so that distances keep their proportions.

    Returns
    -------
    Plane
        For "pca", axis titles such as "PC1 (44% of variance)"; the sign of a component is
        such that its largest weight is positive (scikit-learn fixes it so). For embeddings
        "t-SNE 1" or "UMAP 1"; of fewer than 4 different points there is none, and principal
        components come back with a notice.

    Raises
    ------
    ParameterError
        If method, columns or seed is impossible, or there are too many points for an embedding.
    MissingExtraError
        If method is "umap" and umap-learn is not installed.
    FeatureError
        If cells are missing, infinite or not numeric.
    ShapeError
        If X is empty or names do not fit.

    Notes
    -----
    Components take O(n d^2), embeddings O(n d + n log n) with a large constant: about a hundredth
    of a second per point.
    """
    check_choice("method", method, PLANE_METHODS)
    seed = check_seed(seed)
    features = check_features(X, "X").X
    names = [str(name) for name in feature_names]
    d = features.shape[1]
    if len(names) != d:
        raise ShapeError(f"expected {d} feature names; got {len(names)}.")
    if d == 1:
        return _single(features[:, 0], names[0], seed)
    if method in ("tsne", "umap"):
        return _embedded(features, "tsne" if method == "tsne" else "umap", seed, standardise)
    if method == "pca" or (method == "auto" and d > 2):
        return _principal(features, seed, standardise)
    first, second = _pick(columns if method == "columns" else (0, 1), names)
    return Plane(features[:, [first, second]], (names[first], names[second]), "columns")


def _single(column: FloatArray, name: str, seed: int) -> Plane:
    reach = _JITTER * (float(np.ptp(column)) or 1.0)
    jitter = np.random.default_rng(seed).uniform(-reach, reach, size=len(column))
    return Plane(
        np.column_stack([column, jitter]),
        (name, "jitter (no meaning)"),
        "single",
        ("There is only one feature; the second axis spreads the points at random.",),
    )


def _principal(features: FloatArray, seed: int, standardise: bool) -> Plane:
    varies = features.min(axis=0) < features.max(axis=0)
    if len(features) < 2 or not varies.any():
        return Plane(
            np.zeros((len(features), 2)),
            ("PC1 (0% of variance)", "PC2 (0% of variance)"),
            "pca",
            ("All points have the same features, so they lie on one spot.",),
        )
    # Halving and dividing by the range first keep huge and tiny columns in bounds.
    halved = 0.5 * features[:, varies]
    ranges = np.ptp(halved, axis=0)
    scaled = (halved - halved[0]) / (ranges if standardise else ranges.max())
    scaled -= scaled.mean(axis=0)
    variances = scaled.var(axis=0)
    scaled /= np.sqrt(variances if standardise else variances.mean())
    if scaled.shape[1] == 1:
        xy = np.column_stack([scaled[:, 0], np.zeros(len(scaled))])
        return Plane(xy, ("PC1 (100% of variance)", "PC2 (0% of variance)"), "pca")
    solver: Literal["full", "randomized"] = (
        "full" if min(scaled.shape) <= _EXACT_PCA else "randomized"
    )
    from sklearn.decomposition import PCA  # reading a table does not need it

    model = PCA(n_components=2, svd_solver=solver, random_state=seed)
    xy = model.fit_transform(scaled)
    first, second = (f"{100 * share:.0f}% of variance" for share in model.explained_variance_ratio_)
    return Plane(xy, (f"PC1 ({first})", f"PC2 ({second})"), "pca")


def _embedded(
    features: FloatArray, method: Literal["tsne", "umap"], seed: int, standardise: bool
) -> Plane:
    name = "t-SNE" if method == "tsne" else "UMAP"
    n = len(features)
    if n > MAX_EMBEDDED:
        raise ParameterError(
            f"{name} takes at most {MAX_EMBEDDED:,} points; got {n:,}. Choose method='pca', or "
            "draw a sample first."
        )
    start = _principal(features, seed, standardise)
    if len(np.unique(features, axis=0)) < LEAST_EMBEDDED:
        told = f"{name} needs at least {LEAST_EMBEDDED} different points; principal components"
        return replace(start, notices=(*start.notices, f"{told} are shown instead."))
    xy = (tsne if method == "tsne" else umap)(features, start.xy, seed)
    return Plane(xy, (f"{name} 1", f"{name} 2"), method)


def _pick(columns: Sequence[int | str], names: Sequence[str]) -> tuple[int, int]:
    wanted = f"columns must be two different ones of {listed(names)}"
    if isinstance(columns, str) or len(columns) != 2:
        raise ParameterError(f"{wanted}; got {columns!r}.")
    picked: list[int] = []
    for column in columns:
        if isinstance(column, str) and column in names:
            picked.append(list(names).index(column))
        elif (
            isinstance(column, (int, np.integer))
            and not isinstance(column, bool)
            and 0 <= column < len(names)
        ):
            picked.append(int(column))
        else:
            raise ParameterError(f"{wanted} (or their positions from 0); got {column!r}.")
    if picked[0] == picked[1]:
        raise ParameterError(f"{wanted}; got {names[picked[0]]!r} twice.")
    return picked[0], picked[1]
