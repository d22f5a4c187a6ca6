"""The data sets on which scores have to find flipped labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from benchmarks.data import read_csv
from stiknn_core.datasets import BUNDLED, flip_labels, load_bundled, make_dataset
from stiknn_core.preparation import scale_features
from stiknn_core.sampling import take_rows
from stiknn_core.types import AnyArray, Dataset, FloatArray

MAX_ROWS = 700

#: Every other one of the sorted names: settings were chosen on these, and confirmed on the rest.
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
    """A sample, every column with mean 0 and deviation 1 or constant; ``wrong`` labels flipped."""

    X: FloatArray
    y: AnyArray
    wrong: AnyArray


def names_in(folder: Path | None) -> list[str]:
    """Return the names of all data sets: made, bundled, and the CSV files of ``folder``."""
    files = [] if folder is None else [path.stem for path in folder.glob("*.csv")]
    return sorted([*GENERATED, *BUNDLED, *files])


def noisy_sample(
    name: str, rate: float, seed: int, folder: Path | None = None, rows: int = MAX_ROWS
) -> Noisy:
    """Return up to ``rows`` rows drawn by ``seed``, with a share ``rate`` of labels flipped.

    The label of a file is its column ``y``. Text columns are encoded and gaps filled as
    the readers of this package propose. Every label that is flipped becomes any of the
    other classes, all equally likely.
    """
    dataset = _load(name, seed, folder)
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.permutation(dataset.n)[:rows])
    flipped = flip_labels(take_rows(dataset, drawn), rate, seed)
    X, _ = scale_features(flipped.X)
    return Noisy(X, flipped.y, np.isin(np.arange(flipped.n), flipped.flipped))


def halves(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the names that settings were chosen on, and those that played no part in it."""
    ordered = sorted(names)
    chosen_on = [name for name in ordered if name in CHOSEN_ON]
    return chosen_on, [name for name in ordered if name not in CHOSEN_ON]


def _load(name: str, seed: int, folder: Path | None) -> Dataset:
    if name in GENERATED:
        return GENERATED[name](seed)
    if name in BUNDLED:
        return load_bundled(name)
    if folder is None:
        raise ValueError(f"The data set {name!r} is a file; name its folder.")
    return read_csv(folder / f"{name}.csv")
