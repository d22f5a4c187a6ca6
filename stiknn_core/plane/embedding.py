"""Planes that keep neighbours together: t-SNE, and UMAP where it is installed."""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from typing import Final

import numpy as np

from stiknn_core.types import FloatArray
from stiknn_core.validation.extras import require

MAX_EMBEDDED: Final = 4_000
"""Most points that are embedded: t-SNE takes some 40 seconds for so many."""

LEAST_EMBEDDED: Final = 4
"""Fewest points at different places for which neighbours say anything."""

USUAL_PERPLEXITY: Final = 30.0
_UMAP_NEIGHBORS: Final = 15
# Seconds per point, measured at 300, 1,000 and 4,000 points on one core.
_SECONDS_PER_POINT: Final = 0.01


def umap_installed() -> bool:
    """Whether the package ``umap-learn`` can be imported; it is not required."""
    return importlib.util.find_spec("umap") is not None


def embedding_seconds(n: int) -> float:
    """Return about how long an embedding of ``n`` points takes on one core, in seconds."""
    return _SECONDS_PER_POINT * n


def usable_perplexity(n: int) -> float:
    """Return the perplexity for ``n`` points: 30, or less where 30 neighbours are too many.

    A third of the other points at most, as t-SNE looks at three times as many neighbours.
    """
    return min(USUAL_PERPLEXITY, max(1.0, (n - 1) / 3))


def tsne(X: FloatArray, start: FloatArray, seed: int) -> FloatArray:
    """Embed the rows of X in the plane with t-SNE (van der Maaten, Hinton 2008). O(n log n).

    X has at least ``LEAST_EMBEDDED`` different rows, and at most ``MAX_EMBEDDED``. One common
    factor does not matter; columns are not brought to one scale. ``start`` (n, 2) are places to
    start from, such as principal components; their scale does not matter. The result has no unit
    or direction: only who is near whom means something.
    """
    # Imported here, since it takes a while and most visitors never ask for it.
    from sklearn.manifold import TSNE

    limits = importlib.import_module("threadpoolctl").threadpool_limits
    model = TSNE(
        n_components=2,
        perplexity=usable_perplexity(len(X)),
        init=_small(start),
        learning_rate="auto",
        random_state=seed,
        n_jobs=1,
    )
    # One thread: sums are formed in one order on every machine, and the engine keeps its cores.
    with limits(1, user_api="openmp"):
        return np.asarray(model.fit_transform(_one_unit(X)), dtype=np.float64)


def umap(X: FloatArray, start: FloatArray, seed: int) -> FloatArray:
    """Embed the rows of X in the plane with UMAP (McInnes, Healy, Melville 2018), as `tsne` does.

    MissingExtraError if the package ``umap-learn`` is not installed.
    """
    require("UMAP", "umap", "umap")
    maker = importlib.import_module("umap").UMAP
    model = maker(
        n_components=2,
        n_neighbors=min(_UMAP_NEIGHBORS, len(X) - 1),
        init=_small(start) * 1e5,
        random_state=seed,
        n_jobs=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions and settings that nobody here chose
        return np.asarray(model.fit_transform(_one_unit(X)), dtype=np.float64)


def _one_unit(X: FloatArray) -> FloatArray:
    """Shift and divide all of X alike, so that no square overflows."""
    largest = float(np.abs(X).max()) or 1.0
    scaled = X / largest
    centred = scaled - scaled.mean(axis=0)
    return np.asarray(centred / (float(np.abs(centred).max()) or 1.0))


def _small(start: FloatArray) -> FloatArray:
    """Bring starting places to the tiny spread that t-SNE wants (as scikit-learn's own)."""
    spread = float(start[:, 0].std()) or 1.0
    return np.asarray(start / spread * 1e-4, dtype=np.float32)
