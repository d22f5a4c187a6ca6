"""What a decision belongs to: a row of a source, known by the content of the source. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from stiknn_core.types import AnyArray, Dataset, IntArray
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.review.decisions import Key
from stiknn_ui.uploads.build import FILE_DIGEST


@dataclass(frozen=True, eq=False)
class Places(Sequence[Key]):
    """From the rows of a data set, training and test rows alike, to keys and back.

    Attributes
    ----------
    sources : tuple of str
        Where rows come from.
    source_of : (n,) int64
        Place in ``sources`` of each row.
    row_of : (n,) int64
        The row in its source.
    """

    sources: tuple[str, ...]
    source_of: IntArray
    row_of: IntArray

    def __len__(self) -> int:
        return len(self.row_of)

    @overload
    def __getitem__(self, row: int) -> Key: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Key]: ...
    def __getitem__(self, row: int | slice) -> Key | Sequence[Key]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        return self.sources[int(self.source_of[row])], int(self.row_of[row])

    def find(self, keys: Sequence[Key]) -> tuple[IntArray, IntArray]:
        """Return the rows of keys; several of one where a file is its own test file.

        Returns
        -------
        (m,) int64
            Positions in ``keys``; those of rows that are not in use are missing.
        (m,) int64
            The row of each.
        """
        number = {source: place for place, source in enumerate(self.sources)}
        source = np.array([number.get(source, -1) for source, _ in keys], dtype=np.int64)
        row = np.array([row for _, row in keys], dtype=np.int64)
        sorted_, order, most = self._sorted
        known = np.flatnonzero((source >= 0) & (row >= 0) & (row < most))
        wanted = source[known] * most + row[known]
        start = np.searchsorted(sorted_, wanted)
        counts = np.searchsorted(sorted_, wanted, side="right") - start
        of = np.repeat(np.arange(len(known)), counts)
        step = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
        return known[of], order[start[of] + step]

    @cached_property
    def _sorted(self) -> tuple[IntArray, IntArray, int]:
        """Numbers of all keys in their order, the row of each, and what separates two sources."""
        most = int(self.row_of.max(initial=-1)) + 1
        numbers = self.source_of * most + self.row_of
        order = np.argsort(numbers, kind="stable")
        return numbers[order], order, most


def places_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Places:
    """Return the keys of all rows of a data set; O(n d) where the content is the source.

    Rows of a file as it was uploaded are rows of that file, whatever is used of it and however
    it is tested; of the computation only a test file counts. Elsewhere, and where noise was
    added, the source is the data set itself.
    """
    source_of = np.zeros(dataset.n, dtype=np.int64)
    digest, label = dataset.params.get(FILE_DIGEST), dataset.params.get("label")
    read_from = dataset.source_rows
    if data.source != "upload" or data.noisy or digest is None or read_from is None:
        return Places((content_source(dataset),), source_of, np.arange(dataset.n))
    sources = [file_source(digest, label)]
    start = dataset.test_from
    if compute.evaluation == "test-file" and start is not None:
        test_file = file_source(compute.test_digest, label)
        if test_file != sources[0]:
            sources.append(test_file)
            source_of[start:] = 1
    return Places(tuple(sources), source_of, np.asarray(read_from, dtype=np.int64))


def file_source(digest: str, label: object) -> str:
    """Return the source of a file's rows; ``digest`` is of its bytes and of how they were read.

    Another label column has other labels to decide on.
    """
    return hashlib.sha256(f"{digest}\0label\0{label}".encode("utf-8", "surrogatepass")).hexdigest()


def content_source(dataset: Dataset) -> str:
    """Return the source of a data set that is known by its content."""
    digest = hashlib.sha256()
    for array in (dataset.X, dataset.y, dataset.ids):
        digest.update(f"{array.dtype.kind}{array.shape}".encode())
        digest.update(_bytes(array))
    return digest.hexdigest()


def _bytes(array: AnyArray) -> bytes:
    if array.dtype.kind in "biufc":
        return np.ascontiguousarray(array).tobytes()
    return repr(array.tolist()).encode("utf-8", "surrogatepass")
