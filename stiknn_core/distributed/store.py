"""Open a finished or unfinished run and read from it only what is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
import zarr

from stiknn_core.distributed._format import (
    StoredArray,
    as_target,
    careful,
    get_ids,
    read_group,
    stored_array,
    stored_numbers,
)
from stiknn_core.errors import FileError
from stiknn_core.results.matrix import pair_means
from stiknn_core.types import AnyArray, FloatArray, IntArray, Metric, Ties, read_only
from stiknn_core.validation.labels import class_array
from stiknn_core.validation.positions import check_positions


class InteractionStore:
    """A run of `interactions_to_zarr`, read lazily.

    Numbers are those of `stiknn_core.Interactions`, of which the names are taken: ``k``,
    ``index``, ``score``, ``metric``, ``ties``, ``n_train``, ``n_test``, ``evaluation``,
    ``test_weight``, ``classes``, ``absent_classes``, ``fingerprint``. Arrays are
    read when first asked for, are read-only, and follow the training positions, whatever order
    the matrix is stored in. What a run that was interrupted does not have yet raises FileError;
    so do ``quality`` and ``suggested`` of a score without label support.

    Parameters
    ----------
    group : zarr.Group
        As `open_store` finds it.
    """

    def __init__(self, group: zarr.Group) -> None:
        self._group = group
        told: dict[str, Any] = dict(group.attrs)
        self.k: int = told["k"]
        self.index: str = told["index"]
        self.score: str = told.get("score", "plain")
        self.metric: Metric = told["metric"]
        self.ties: Ties = told["ties"]
        self.n_train: int = told["n_train"]
        self.n_test: int = told["n_test"]
        self.evaluation: Literal["leave-one-out", "test set"] = told["evaluation"]
        self.test_weight: float = told["test_weight"]
        self.classes: tuple[Any, ...] = tuple(told["classes"])
        self.absent_classes: tuple[Any, ...] = tuple(told["absent_classes"])
        self.fingerprint: str = told["fingerprint"]
        self.dtype: str = told["dtype"]
        self.tile: int = told["tile"]
        self.has_matrix: bool = told["matrix"]
        self.complete: bool = told["complete"]
        names = told["block_names"]
        self.block_names: tuple[Any, ...] | None = None if names is None else tuple(names)
        titles = told.get("xy_titles")
        self.xy_titles: tuple[str, ...] | None = None if titles is None else tuple(titles)
        self._told = told

    def __repr__(self) -> str:
        state = "complete" if self.complete else "not complete"
        return (
            f"InteractionStore({self._group.store}, n_train={self.n_train:,}, "
            f"n_test={self.n_test:,}, k={self.k}, index={self.index!r}, {state})"
        )

    @property
    def likelihood(self) -> float:
        """v(N), in [0, 1]."""
        return cast(float, self._once_ranked("likelihood"))

    @property
    def tied_test_points(self) -> int:
        """Test points for which the rule for ties matters."""
        return cast(int, self._once_ranked("tied_test_points"))

    @cached_property
    def ids(self) -> AnyArray:
        """(n,) what a person calls each training point."""
        return read_only(get_ids(self._group, self._told))

    @cached_property
    def labels(self) -> AnyArray:
        """(n,) class name of each training point."""
        return self._classes_of("codes")

    @cached_property
    def suggested(self) -> AnyArray:
        """(n,) suggested class, as in `stiknn_core.label_support`."""
        return self._classes_of("suggested")

    @cached_property
    def values(self) -> FloatArray:
        """(n,) float64, KNN-Shapley or Banzhaf value; negative = it lowers v on average."""
        return self._whole("values")

    @cached_property
    def quality(self) -> FloatArray:
        """(n,) float64 in [0, 1], low = suspicious, as in `stiknn_core.label_support`."""
        return self._whole("quality")

    @cached_property
    def xy(self) -> FloatArray | None:
        """(n, 2) float64 for a scatter plot, or None."""
        return self._whole("xy") if "xy" in self._group else None

    @cached_property
    def diagonal(self) -> FloatArray:
        """(n,) float64, the diagonal of the matrix; there even where no matrix was asked for."""
        return self._whole("diagonal")

    @cached_property
    def block_of(self) -> IntArray:
        """(n,) int64, the number of each point's block in ``block_names``; -1 = in none."""
        return self._whole("block_of")

    @cached_property
    def block_counts(self) -> IntArray:
        """(B,) int64, points of each block."""
        return self._whole("block_counts")

    @cached_property
    def block_sums(self) -> FloatArray:
        """(B, B) float64, as `stiknn_core.BlockInteractions.sums`."""
        return self._whole("block_sums")

    @cached_property
    def block_means(self) -> FloatArray:
        """(B, B) float64, mean interaction of a pair; NaN where there is no pair."""
        return pair_means(self.block_sums, self.block_counts)

    def rows(self, points: Any) -> FloatArray:
        """Return whole rows of the matrix, ``interactions(...).matrix[points]``.

        Parameters
        ----------
        points : (m,) array of int
            Training positions.

        Returns
        -------
        (m, n) float64
            A new array, columns by training position.

        Raises
        ------
        ParameterError
            If ``points`` are not training positions.
        FileError
            If the matrix was left out, or a tile is not computed yet, or is lost.

        Notes
        -----
        Reads O(m n) numbers, times up to 256 where rows lie far apart, at most the matrix.
        """
        wanted = check_positions("points", points, self.n_train)
        return self._read(wanted, np.arange(self.n_train))

    def submatrix(self, points: Any) -> FloatArray:
        """Return the interactions among some points, ``matrix[np.ix_(points, points)]``.

        Parameters
        ----------
        points : (m,) array of int
            Training positions.

        Returns
        -------
        (m, m) float64
            A new array.

        Raises
        ------
        ParameterError
            If ``points`` are not training positions.
        FileError
            If the matrix was left out, or a tile is not computed yet, or is lost.

        Notes
        -----
        Only cells of about 256 × 256 with a wanted pair are read. Points of one block lie side
        by side where the run was given blocks.
        """
        wanted = check_positions("points", points, self.n_train)
        return self._read(wanted, wanted)

    def block(self, points: Any, others: Any) -> FloatArray:
        """Return the interactions of some points with others, ``matrix[np.ix_(points, others)]``.

        Parameters
        ----------
        points : (m,) array of int
            Training positions, for the rows.
        others : (l,) array of int
            Training positions, for the columns.

        Returns
        -------
        (m, l) float64
            A new array. Where a point meets itself, the diagonal.

        Raises
        ------
        ParameterError
            If ``points`` or ``others`` are not training positions.
        FileError
            If the matrix was left out, or a tile is not computed yet, or is lost.

        Notes
        -----
        As `submatrix`.
        """
        n = self.n_train
        return self._read(
            check_positions("points", points, n), check_positions("others", others, n)
        )

    @cached_property
    def _place(self) -> IntArray:
        """(n,) where each training point is stored."""
        return np.argsort(self._numbers("order"))

    def _read(self, points: IntArray, others: IntArray) -> FloatArray:
        upper, written = self._upper, self._numbers("tiles_written")
        out = np.empty((len(points), len(others)))
        # Of two tiles that mirror each other only the upper one is stored, and read once.
        for i, rows, at_rows in self._by_band(points):
            for j, columns, at_columns in self._by_band(others):
                if not written[min(i, j), max(i, j)]:
                    raise FileError(
                        f"The run at {self._group.store} has not computed these interactions yet. "
                        "Call interactions_to_zarr again to go on with it."
                    )
                across = i <= j
                with careful(self._group, "upper"):
                    found = _select(upper, *((rows, columns) if across else (columns, rows)))
                found = found if across else found.T
                if np.isnan(found).any():
                    raise FileError(
                        f"The store at {self._group.store} has lost a tile. Compute it again "
                        "under another path."
                    )
                out[np.ix_(at_rows, at_columns)] = found
        return out

    def _by_band(self, points: IntArray) -> Iterator[tuple[int, IntArray, IntArray]]:
        """Yield, band by band, its number, stored places in order, and where they were asked."""
        places = self._place[points]
        order = np.argsort(places, kind="stable")
        bands = places[order] // self.tile
        for band in np.unique(bands).tolist():
            asked = order[bands == band]
            yield band, places[asked], asked

    @cached_property
    def _upper(self) -> StoredArray:
        """The matrix; its files are looked at once."""
        return stored_array(self._group, "upper", self._told)

    def _numbers(self, name: str) -> AnyArray:
        return stored_numbers(self._group, name, self._told)

    def _whole(self, name: str) -> AnyArray:
        return read_only(self._numbers(name))

    def _classes_of(self, name: str) -> AnyArray:
        return read_only(class_array(self.classes, self._numbers(name)))

    def _once_ranked(self, name: str) -> Any:
        if name not in self._told:
            raise FileError(
                f"The run at {self._group.store} is not ranked yet, so its {name} is not known. "
                "Call interactions_to_zarr again to go on with it."
            )
        return self._told[name]


def open_store(path: Any) -> InteractionStore:
    """Open a run of `interactions_to_zarr` for reading.

    Parameters
    ----------
    path : path, URL or zarr store
        Where it was written.

    Returns
    -------
    InteractionStore

    Raises
    ------
    FileError
        If nothing is there, or something else; or if it is damaged, or holds a link that leads out
        of its folder. Of what is read later, the same.
    """
    target = as_target(path)
    group = read_group(target)
    if group is None:
        raise FileError(f"There is no run at {target}.")
    if not group.attrs["prepared"]:
        raise FileError(
            f"The run at {target} was stopped before it began. Call interactions_to_zarr again."
        )
    return InteractionStore(group)


def _select(upper: StoredArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return some cells of one tile; rows and columns in ascending order."""
    a, b = _span(rows), _span(columns)
    box = np.asarray(
        upper[a, b] if _dense(rows) and _dense(columns) else upper.oindex[rows, columns]
    )
    if box.shape != (len(rows), len(columns)):
        box = box[np.ix_(rows - a.start, columns - b.start)]
    return cast(FloatArray, box)


def _span(places: IntArray) -> slice:
    return slice(int(places[0]), int(places[-1]) + 1)


def _dense(places: IntArray) -> bool:
    """Whether reading the whole span costs little more than reading the places alone."""
    return int(places[-1]) - int(places[0]) < 2 * len(places)
