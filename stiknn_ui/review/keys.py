"""What a decision belongs to: a row of a source, known by the content of the source. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from stiknn_core.types import AnyArray, Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.review.decisions import Key
from stiknn_ui.uploads.build import FILE_DIGEST


@dataclass(frozen=True, eq=False)
class Places:
    """From the rows of a data set, training and test rows alike, to keys and back."""

    keys: tuple[Key, ...]

    @cached_property
    def rows(self) -> Mapping[Key, tuple[int, ...]]:
        """Rows of each key; several where a file is its own test file."""
        found: dict[Key, tuple[int, ...]] = {}
        for row, key in enumerate(self.keys):
            found[key] = (*found.get(key, ()), row)
        return MappingProxyType(found)


def places_of(dataset: Dataset, data: DataSpec, compute: ComputeSpec) -> Places:
    """Return the keys of all rows of a data set; O(n d) where the content is the source.

    Rows of a file as it was uploaded are rows of that file, whatever is used of it and however
    it is tested; of the computation only a test file counts. Elsewhere, and where noise was
    added, the source is the data set itself.
    """
    digest, label = dataset.params.get(FILE_DIGEST), dataset.params.get("label")
    read_from = dataset.source_rows
    if data.source != "upload" or data.noisy or digest is None or read_from is None:
        source = content_source(dataset)
        return Places(tuple((source, row) for row in range(dataset.n)))
    sources = [file_source(digest, label)] * dataset.n
    start = dataset.test_from
    if compute.evaluation == "test-file" and start is not None:
        sources[start:] = [file_source(compute.test_digest, label)] * (dataset.n - start)
    return Places(tuple(zip(sources, read_from.tolist(), strict=True)))


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
