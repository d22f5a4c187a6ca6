"""The data sets of the paper's table, each with rows to train on and rows to test on."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
from sklearn.datasets import get_data_home

from benchmarks.data import read_csv
from stiknn_core.datasets import REGISTRY, load_paper_dataset
from stiknn_core.datasets.registry import Entry
from stiknn_core.errors import FileError, StiknnError
from stiknn_core.preparation import scale_features
from stiknn_core.sampling import sample_rows, stratified_positions
from stiknn_core.types import AnyArray, Dataset, FloatArray

#: Rows that are drawn from a larger set, a fifth of them to test on.
MAX_ROWS = 1250
TEST_SHARE = 0.2
SEED = 0
#: Fresh rows that test a generated set, drawn with the next seed.
FRESH_TESTS = 150
#: Files whose columns all measure the same: nothing to bring to one unit.
ONE_UNIT = frozenset({"fashion_mnist"})


@dataclass(frozen=True)
class Split:
    """Rows to train on and rows to test on, in their own units.

    ``mixed_units`` says that columns have to be standardised before distances mean anything,
    ``listed`` that the set is in the paper's table.
    """

    title: str
    source: str
    X: FloatArray
    y: AnyArray
    X_test: FloatArray
    y_test: AnyArray
    mixed_units: bool = False
    listed: bool = True

    def scaled(self) -> tuple[FloatArray, FloatArray]:
        """Return the features of both parts, standardised where units are mixed."""
        if not self.mixed_units:
            return self.X, self.X_test
        X, X_test = scale_features(self.X, self.X_test)
        return X, np.asarray(X_test)


def obtain(entry: Entry, folder: Path | None = None, fetch: bool = False) -> Split | str:
    """Return a data set of the table split in two, or one sentence on why it is absent.

    A file of the folder goes before the cache of OpenML; what is in neither may be fetched.
    """
    if entry.source == "generated":
        train = load_paper_dataset(entry.key, seed=SEED)
        test = load_paper_dataset(entry.key, n=FRESH_TESTS, seed=SEED + 1)
        return Split(entry.title, "a generator", train.X, train.y, test.X, test.y)
    if entry.source == "definition":
        whole = load_paper_dataset(entry.key, n=MAX_ROWS, seed=SEED)
        return hold_out(entry.title, "its rule", whole, mixed_units=False)
    mixed_units = entry.key not in ONE_UNIT
    path = find_file(entry, folder)
    if path is not None:
        return hold_out(entry.title, "a file", read_file(path), mixed_units=mixed_units)
    assert entry.openml is not None, "every fetched entry has its number"
    if not (fetch or in_cache(entry.openml)):
        return "not present"
    whole = load_paper_dataset(entry.key)
    return hold_out(entry.title, "OpenML", whole, mixed_units=mixed_units)


def others(folder: Path | None) -> Iterator[tuple[str, Split | str]]:
    """Yield name and rows of each file that is no data set of the table, or why it has none."""
    if folder is None:
        return
    known = {find_file(entry, folder) for entry in REGISTRY.values()}
    for path in sorted(folder.glob("*.csv")):
        if path in known:
            continue
        try:
            whole = read_file(path)
        except StiknnError as error:
            yield path.stem, f"not usable: {error}"
        else:
            yield path.stem, hold_out(path.stem, "a file", whole, mixed_units=True, listed=False)


def find_file(entry: Entry, folder: Path | None) -> Path | None:
    """Return the file of a data set: its name begins with the key or has OpenML's number."""
    if folder is None:
        return None
    for path in sorted([*folder.glob("*.csv"), *folder.glob("*.npz")]):
        parts = re.split(r"[^a-z0-9]+", path.stem.lower())
        letters = entry.key.replace("_", "")
        if str(entry.openml) in parts or "".join(parts).startswith(letters):
            return path
    return None


def read_file(path: Path) -> Dataset:
    """Return a table as `read_csv` takes it, its label in ``y``, or an array X and labels y."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            if not {"X", "y"} <= set(arrays.files):
                raise FileError(
                    f"{path.name} must hold the arrays X and y; got {', '.join(arrays.files)}."
                )
            X = np.asarray(arrays["X"], dtype=np.float64)
            X = X.reshape(len(X), -1)
            y = arrays["y"]
        names = tuple(f"x{column}" for column in range(1, X.shape[1] + 1))
        return Dataset(X=X, y=y, name=path.stem, feature_names=names, ids=np.arange(len(X)))
    return read_csv(path)


def hold_out(
    title: str, source: str, whole: Dataset, *, mixed_units: bool, listed: bool = True
) -> Split:
    """Return up to `MAX_ROWS` drawn rows, a fifth of each class held out for testing."""
    drawn = sample_rows(whole, MAX_ROWS, SEED)
    held = stratified_positions(drawn.y, round(TEST_SHARE * drawn.n), SEED)
    test = np.isin(np.arange(drawn.n), held)
    return Split(
        title,
        source if drawn.n == whole.n else f"{source}, {whole.n:,} rows",
        drawn.X[~test],
        drawn.y[~test],
        drawn.X[test],
        drawn.y[test],
        mixed_units,
        listed,
    )


def in_cache(data_id: int, data_home: Path | None = None) -> bool:
    """Return whether scikit-learn has description, columns and rows of an OpenML data set."""
    home = Path(get_data_home(None if data_home is None else str(data_home)))
    home = home / "openml" / "openml.org"
    about = home / "api" / "v1" / "json" / "data"
    try:
        told = json.loads(gzip.decompress((about / f"{data_id}.gz").read_bytes()))
        address = urlparse(told["data_set_description"]["url"]).path
    except (OSError, EOFError, ValueError, KeyError):
        return False
    parts = about / "features" / f"{data_id}.gz", home / f"{address.lstrip('/')}.gz"
    return all(part.exists() for part in parts)
