"""The data sets on which scores have to find wrong labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_classification

from benchmarks.detection_noise import NOISES, REAL
from benchmarks.paper_data import read_file
from stiknn_core.datasets import BUNDLED, load_bundled, make_dataset
from stiknn_core.preparation import scale_features
from stiknn_core.types import Dataset, FloatArray, IntArray

BoolArray = NDArray[np.bool_]

MAX_ROWS = 700
#: Pictures, whose hundreds of columns would take most of the time.
MAX_COLUMNS = 200
#: Smaller classes cannot have a row in each of five folds.
FEWEST = 5

#: Every other one of the sorted names, first of the older sets, then of those that came later:
#: settings were chosen on these, and confirmed on the rest.
CHOSEN_ON = frozenset(
    {
        "blobs",
        "circles",
        "cpu_act_761",
        "creditdefault_42477_sample10000",
        "hidden",
        "monks2_334",
        "phoneme_1489",
        "pol_722",
        "spirals",
        "tictactoe_50",
        "wind_847",
        "xor",
        "glass",
        "pima",
        "real_movies_majority",
        "sonar",
    }
)


def _hidden(seed: int) -> Dataset:
    """Return three classes told apart by five of twenty columns."""
    X, y = make_classification(
        MAX_ROWS, 20, n_informative=5, n_redundant=0, n_classes=3, flip_y=0.0, random_state=seed
    )
    names = tuple(f"x{column}" for column in range(1, 21))
    return Dataset(X=X, y=y, name="hidden", feature_names=names, ids=np.arange(MAX_ROWS))


GENERATED: dict[str, Callable[[int], Dataset]] = {
    "blobs": lambda seed: make_dataset("blobs", MAX_ROWS, 0.5, seed, n_classes=5),
    "circles": lambda seed: make_dataset("circles", MAX_ROWS, 0.15, seed),
    "hidden": _hidden,
    "moons": lambda seed: make_dataset("moons", MAX_ROWS, 0.2, seed),
    "rare": lambda seed: make_dataset("blobs", MAX_ROWS, 0.4, seed, n_classes=3, imbalance=0.9),
    "spirals": lambda seed: make_dataset("spirals", MAX_ROWS, 0.06, seed, n_classes=3),
    "xor": lambda seed: make_dataset("xor", MAX_ROWS, 0.15, seed),
}


@dataclass(frozen=True)
class Noisy:
    """A sample, every column with mean 0 and deviation 1 or constant.

    ``codes`` are the given labels, 0.., ``wrong`` tells which of them are, and ``truth`` are
    the true ones, or None where people made the errors and only ``wrong`` is known.
    """

    X: FloatArray
    codes: IntArray
    wrong: BoolArray
    truth: IntArray | None


def sets_in(folders: Iterable[Path] = ()) -> dict[str, Path | None]:
    """Return all data sets, sorted: made, bundled, and the files of ``folders``.

    A CSV file holds its label in the column ``y``. An .npz file holds ``X`` and ``y``, or
    ``X``, ``given`` and ``wrong`` where people made the errors. Others are passed over, and so are
    arrays of more than 200 columns.
    """
    found: dict[str, Path | None] = dict.fromkeys([*GENERATED, *BUNDLED])
    for folder in folders:
        found |= {path.stem: path for path in folder.glob("*.csv")}
        for path in folder.glob("*.npz"):
            with np.load(path, allow_pickle=False) as arrays:
                known = {"X", "y"} == set(arrays.files) or _is_real(arrays.files)
                if known and arrays["X"].shape[1] <= MAX_COLUMNS:
                    found[path.stem] = path
    return dict(sorted(found.items()))


def kinds_of(path: Path | None) -> list[str]:
    """Return the kinds of noise a data set is measured under."""
    if path is not None and path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            if _is_real(arrays.files):
                return [REAL]
    return list(NOISES)


def noisy_sample(
    name: str, kind: str, seed: int, path: Path | None = None, rows: int = MAX_ROWS
) -> Noisy:
    """Return up to ``rows`` rows drawn by ``seed``, some of them with a wrong label.

    Text columns are encoded and gaps filled as the readers of this package propose. Classes of
    fewer than five rows are left out, which a row of each fold needs.
    """
    rng = np.random.default_rng(seed)
    if kind == REAL:
        assert path is not None, "errors of people come in files"
        with np.load(path, allow_pickle=False) as arrays:
            drawn = np.sort(rng.permutation(len(arrays["X"]))[:rows])
            X, given, wrong = (arrays[part][drawn] for part in ("X", "given", "wrong"))
        codes = np.unique(given, return_inverse=True)[1]
        return Noisy(scale_features(X.astype(np.float64))[0], codes, wrong, None)
    dataset = _load(name, seed, path)
    drawn = np.sort(rng.permutation(dataset.n)[:rows])
    y = dataset.y[drawn]
    _, codes, sizes = np.unique(y, return_inverse=True, return_counts=True)
    kept = sizes[codes] >= FEWEST
    truth = np.unique(codes[kept], return_inverse=True)[1]
    X, _ = scale_features(dataset.X[drawn][kept])
    given = NOISES[kind](X, truth, rng)
    return Noisy(X, given, given != truth, truth)


def halves(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the names that settings were chosen on, and those that played no part in it."""
    ordered = sorted(names)
    chosen_on = [name for name in ordered if name in CHOSEN_ON]
    return chosen_on, [name for name in ordered if name not in CHOSEN_ON]


def _is_real(parts: Iterable[str]) -> bool:
    return {"X", "given", "wrong"} <= set(parts)


def _load(name: str, seed: int, path: Path | None) -> Dataset:
    if path is not None:
        return read_file(path)
    for bundled in BUNDLED:
        if name == bundled:
            return load_bundled(bundled)
    return GENERATED[name](seed)
