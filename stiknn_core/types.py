"""Frozen containers for what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Index = Literal["STII", "SII", "BII"]
Metric = Literal["euclidean", "manhattan", "chebyshev", "cosine", "precomputed"]
Ties = Literal["expected", "index"]
ValueKind = Literal["shapley", "banzhaf", "leave_one_out"]
Scaling = Literal["none", "standard", "robust", "minmax"]
Space = Literal["features", "forest"]
MatrixType = Literal["float64", "float32"]

NoticeKind = Literal["other", "repeated rows", "untrained class"]
BlockKind = Literal["text", "vector", "picture", "words"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
AnyArray = NDArray[Any]

_NO_POSITIONS: IntArray = np.empty(0, dtype=np.int64)
_NO_POSITIONS.setflags(write=False)


def read_only(array: AnyArray) -> AnyArray:
    """Return a view of ``array`` that refuses to be written to."""
    view = array.view()
    view.setflags(write=False)
    return view


class Notice(str):
    """A sentence for people whose kind tells programs what it is about.

    Attributes
    ----------
    kind : NoticeKind
    """

    kind: NoticeKind

    def __new__(cls, text: str, kind: NoticeKind = "other") -> Notice:
        """Make a sentence of some kind."""
        made = super().__new__(cls, text)
        made.kind = kind
        return made


@dataclass(frozen=True)
class Block:
    """Neighbouring features that were made of one column of a table and mean nothing alone.

    They are scaled together, by one number, so that distances within the block stay as they are.

    Attributes
    ----------
    column : str
        That column.
    kind : BlockKind
        "text": components of its words; "vector": an embedding as it came; "picture": components
        of its pixels and gradients; "words": one 0/1 feature a word.
    start, stop : int
        Features ``start`` to ``stop - 1``.
    """

    column: str
    kind: BlockKind
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Votes:
    """Who gave which row which label, where several people have labelled the rows.

    Attributes
    ----------
    annotators : tuple of a str
    classes : tuple of str
        Labels that were given, sorted, whole numbers by their size; and those of ``y`` that
        nobody gave.
    said : (n, a) int64, read-only
        Position in ``classes`` of what each annotator said of each row; -1 = nothing.
    """

    annotators: tuple[str, ...]
    classes: tuple[str, ...]
    said: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "said", read_only(np.asarray(self.said, dtype=np.int64)))

    @property
    def counts(self) -> IntArray:
        """How many gave each row each class, (n, classes) int64; O(n a)."""
        counts = np.zeros((len(self.said), len(self.classes)), dtype=np.int64)
        row, annotator = np.nonzero(self.said >= 0)
        np.add.at(counts, (row, self.said[row, annotator]), 1)
        return counts

    def counts_for(self, classes: Iterable[Any]) -> tuple[IntArray, IntArray]:
        """Return the counts of some classes, (n, m) int64, and of all others, (n,) int64.

        In the order of ``classes``, as ``stiknn_core.games.votes`` takes them.
        """
        place = {name: column for column, name in enumerate(self.classes)}
        counts, wanted = self.counts, [place.get(str(name), -1) for name in classes]
        found = np.zeros((len(counts), len(wanted)), dtype=np.int64)
        for column, at in enumerate(wanted):
            if at >= 0:
                found[:, column] = counts[:, at]
        return found, counts.sum(axis=1) - found.sum(axis=1)

    def of(self, rows: IntArray) -> Votes:
        """Return what was said of some rows; -1 stands for a row that nobody has seen."""
        said = np.where((rows < 0)[:, None], -1, self.said[rows])
        return Votes(self.annotators, self.classes, said)


@dataclass(frozen=True, eq=False)
class Dataset:
    """A labelled table, with the truth about any noise that was added.

    Positions below are 0-based rows of ``X``.

    Attributes
    ----------
    X : (n, d) float64, read-only
        Features in their own units, not scaled.
    y : (n,) array, read-only
        Labels as given (any one kind), noise included.
    name : str
        What to call the data set on screen and in exports.
    feature_names : tuple of d str
    ids : (n,) array, read-only
        What a person calls each row; ``0..n-1`` when the source names none.
    y_true : (n,) array or None, read-only
        Labels before noise, where they are known.
    flipped : (m,) int64, read-only, sorted
        Positions whose label was changed.
    copy_of : (n,) int64, read-only
        For a row added as a copy, the position it was copied from; else -1.
    outliers : (m,) int64, read-only, sorted
        Positions of rows added far from their class.
    source_rows : (n,) int64 or None, read-only
        0-based row of the table that each row was read from, -1 for rows that were added; None
        where there is no table.
    params : read-only mapping
        The settings it was made with (generator, n, noise, seed, ...).
    notices : tuple of str
        Plain sentences a person should see; those that programs tell apart are a ``Notice``.
    test_from : int or None
        First row that is a test point and no training point; None where no rows are set apart.
        Noise belongs in before: rows that are added come last.
    blocks : tuple of Block
        Features that belong together, in their order; all others stand for themselves.
    measured : bool
        Whether ``y`` are measured numbers (float64), which no two rows need share; else classes.
    votes : Votes or None
        Who labelled what, where several did; ``y`` is what most of them said then.
    """

    X: FloatArray
    y: AnyArray
    name: str
    feature_names: tuple[str, ...]
    ids: AnyArray
    y_true: AnyArray | None = None
    flipped: IntArray = field(default_factory=lambda: _NO_POSITIONS)
    copy_of: IntArray | None = None
    outliers: IntArray = field(default_factory=lambda: _NO_POSITIONS)
    source_rows: IntArray | None = None
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    notices: tuple[str, ...] = ()
    test_from: int | None = None
    blocks: tuple[Block, ...] = ()
    measured: bool = False
    votes: Votes | None = None

    def __post_init__(self) -> None:
        copies = self.copy_of
        if copies is None:
            copies = np.full(len(self.X), -1, dtype=np.int64)
        freeze = {
            "X": read_only(np.ascontiguousarray(self.X, dtype=np.float64)),
            "y": read_only(np.asarray(self.y)),
            "ids": read_only(np.asarray(self.ids)),
            "flipped": read_only(np.asarray(self.flipped, dtype=np.int64)),
            "copy_of": read_only(np.asarray(copies, dtype=np.int64)),
            "outliers": read_only(np.asarray(self.outliers, dtype=np.int64)),
            "params": MappingProxyType(dict(self.params)),
        }
        if self.y_true is not None:
            freeze["y_true"] = read_only(np.asarray(self.y_true))
        if self.source_rows is not None:
            freeze["source_rows"] = read_only(np.asarray(self.source_rows, dtype=np.int64))
        for name, value in freeze.items():
            object.__setattr__(self, name, value)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.X)


@dataclass(frozen=True, eq=False)
class LabelSupport:
    """How well the given label of each training point is supported by the test points.

    Attributes
    ----------
    support : (n, n_classes) float64, read-only
        What point i would earn on average from its own label if it were class c.
        At least 0; higher = more support. Classes compare by ``shares``, not by this: a common
        class has much of it anywhere.
    quality : (n,) float64, read-only
        Share of the given label in ``support[i]`` after each class was divided by
        the square root of its frequency: its entry of ``shares``. In [0, 1]; low = suspicious;
        1 where no class has any support.
    suggested : (n,) array, read-only
        The class with the largest entry of ``shares`` (the given one, where it is among the
        largest). That of ``support`` itself may be another one.
    classes : tuple
        Class names in the order of the columns of ``support``.
    ids : (n,) array, read-only
    frequency : (n_classes,) float64, read-only
        Share of each class among the test points, in [0, 1].
    bound : float
        No entry of ``support`` is off by more, where far points were taken for tied; 0 = exact.
    """

    support: FloatArray
    quality: FloatArray
    suggested: AnyArray
    classes: tuple[Any, ...]
    ids: AnyArray
    frequency: FloatArray
    bound: float = 0.0

    @property
    def shares(self) -> FloatArray:
        """What quality is made of, (n, n_classes) float64 in [0, 1]; O(n c).

        Each row sums to 1, and its entry of the given label is the quality; it is 0 where no
        class has any support.
        """
        balanced = self.support / np.sqrt(np.where(self.frequency > 0, self.frequency, 1.0))
        total = balanced.sum(axis=1, keepdims=True)
        shares: FloatArray = np.zeros_like(balanced)
        np.divide(balanced, total, out=shares, where=total > 0)
        return shares
