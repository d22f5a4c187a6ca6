"""Which plane the scatter shows: read from settings, named, and made. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from stiknn_core.plane import Plane, project_2d
from stiknn_core.plane.embedding import umap_installed
from stiknn_core.types import FloatArray

AUTO: Final = "auto"
COLUMNS: Final = "columns"
EMBEDDED: Final = ("tsne", "umap")
_PREFIX: Final = "columns:"
_NAMES: Final = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP", "columns": "Two columns"}
_LONGEST: Final = 400


@dataclass(frozen=True)
class Wanted:
    """A choice that fits the data.

    Attributes
    ----------
    text : str
        As in ``ViewSpec.plane``; "auto" wherever the usual plane is meant.
    notice : str
        What did not fit; empty if all did.
    """

    text: str
    notice: str = ""


def columns_text(first: str, second: str) -> str:
    """Return the choice of two columns as one text that commas in names do not break."""
    return _PREFIX + ",".join(quote(name, safe=" /()[]") for name in (first, second))


def columns_of(text: str) -> tuple[str, str] | None:
    """Return the two column names of a choice; None if it is not one of columns."""
    if not text.startswith(_PREFIX):
        return None
    names = [unquote(part) for part in text.removeprefix(_PREFIX).split(",")]
    return (names[0], names[1]) if len(names) == 2 and all(names) else None


def method_of(text: str) -> str:
    """Return "auto", "pca", "tsne", "umap" or "columns"."""
    return COLUMNS if text.startswith(_PREFIX) else text


def read(text: str) -> str:
    """Check a choice that stands in a link.

    Raises
    ------
    ValueError
        If it is none, or too long to be one.
    """
    pair = columns_of(text)
    fits = text in (AUTO, *_NAMES) and text != COLUMNS
    if not (fits or pair is not None) or len(text) > _LONGEST:
        raise ValueError(text)
    return columns_text(*pair) if pair else text


def offered(n_features: int) -> dict[str, str]:
    """Return the choices there are for so many features, by their names on screen."""
    if n_features == 1:
        return {AUTO: "The one feature"}
    usual = {AUTO: "The two features", "pca": "PCA"} if n_features == 2 else {AUTO: "PCA"}
    umap = {"umap": _NAMES["umap"]} if umap_installed() else {}
    columns = {COLUMNS: _NAMES[COLUMNS]} if n_features > 2 else {}
    return usual | {"tsne": _NAMES["tsne"]} | umap | columns


def resolve(text: str, names: Sequence[str]) -> Wanted:
    """Return the choice as these features allow it.

    Parameters
    ----------
    text : str
        As in ``ViewSpec.plane``.
    names : sequence of str
        Features of the data.
    """
    pair = columns_of(text)
    if pair is not None:
        missing = [name for name in pair if name not in names]
        if missing or pair[0] == pair[1]:
            said = f"no column {' or '.join(map(repr, missing))}" if missing else "one column only"
            return Wanted(AUTO, f"The usual plane is shown: these data have {said} to draw.")
        return Wanted(AUTO if len(names) == 2 and pair == tuple(names) else text)
    if text == "umap" and not umap_installed():
        return Wanted(AUTO, "The usual plane is shown, as UMAP is not installed here.")
    if len(names) == 1 or (text == "pca" and len(names) > 2):
        return Wanted(AUTO)
    return Wanted(text)


def make(X: FloatArray, names: Sequence[str], text: str) -> Plane:
    """Return the plane of a resolved choice; embeddings take seconds to a minute.

    Parameters
    ----------
    X : (n, d) float64
        What the plane is made from: columns in their own units, else what distances are
        measured on.
    names : sequence of d str
    text : str
        A choice that fits, other than "auto".

    Raises
    ------
    StiknnError
        If it cannot be made; the message says why.
    """
    pair = columns_of(text)
    if pair is not None:
        places = [list(names).index(name) for name in pair]
        return project_2d(X, names, "columns", places)
    return project_2d(X, names, text)  # type: ignore[arg-type]  # checked in project_2d


def named(plane: Plane) -> str:
    """Return what a person calls the plane; empty for a single feature."""
    if plane.method == "single":
        return ""
    return ", ".join(plane.axis_titles) if plane.method == "columns" else _NAMES[plane.method]
