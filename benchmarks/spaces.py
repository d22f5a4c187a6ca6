"""Measure in which space wrong labels are found best: `python -m benchmarks.spaces [FOLDER...]`.

For texts, pictures and embeddings: features as they are or standardised, by Euclidean or cosine
distance, or in a forest; beside them the self-confidence of logistic regression on the same
features. Texts are of our own making (`benchmarks/made_texts.py`), pictures are scikit-learn's
digits. The folders may hold .npz files of X, given and wrong, where people made the errors.
``--quick`` takes a part of each, one noise and one seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.detection_models import of_given, out_of_sample
from benchmarks.detection_noise import uniform
from benchmarks.made_texts import CORPORA
from benchmarks.report import available_cores, machine, markdown_table
from stiknn_core import grow_forest, label_support, rank_suspects
from stiknn_core.preparation import scale_features
from stiknn_core.tables import read_table
from stiknn_core.types import Block, FloatArray, IntArray, Metric, Scaling

K: Final = 5
N_TREES: Final = 200
SEEDS: Final = (0, 1, 2)
SHARES: Final = (0.02, 0.05, 0.10)
MAX_ROWS: Final = 700
SAMPLE: Final = Path(__file__).resolve().parents[1] / "sample_data" / "digits_wrong.zip"

#: Metric, scaling, and whether all columns are scaled as one block, as they are in the dashboard.
#: Of a block alone that only shifts, which Euclidean distances do not see.
SPACES: Final[dict[str, tuple[Metric, Scaling, bool]]] = {
    "euclidean": ("euclidean", "none", True),
    "euclidean, each column standardised": ("euclidean", "standard", False),
    "cosine": ("cosine", "none", True),
    "cosine, block standardised": ("cosine", "standard", True),
    "cosine, each column standardised": ("cosine", "standard", False),
}
FOREST: Final = "forest"
CONFUSION: Final = "one class mistaken for another"
LOGISTIC: Final = "logistic regression"
LOGISTIC_SCALED: Final = "logistic regression, standardised"
COLUMNS: Final = (*SPACES, FOREST, CONFUSION, LOGISTIC, LOGISTIC_SCALED)


@dataclass(frozen=True)
class Case:
    """Features with labels of which some are wrong.

    ``noise`` is the share of wrong labels as text.
    """

    data: str
    noise: str
    X: FloatArray
    codes: IntArray
    wrong: NDArray[np.bool_]
    seed: int


def scores_of(case: Case) -> dict[str, float]:
    """Return the average precision of every ranking of one case."""
    X, codes = case.X, case.codes
    precision = partial(average_precision_score, case.wrong)
    found: dict[str, float] = {}
    whole = (Block("all", "vector", 0, X.shape[1]),)
    for name, (metric, scaling, as_block) in SPACES.items():
        scaled, _ = scale_features(X, None, scaling, whole if as_block else ())
        quality = label_support(scaled, codes, k=K, metric=metric, n_jobs=1).quality
        found[name] = float(precision(-quality))
    grown: Any = grow_forest(X, codes, n_trees=N_TREES, seed=case.seed, n_jobs=1)
    quality = label_support(grown, codes, k=K, metric="precomputed", n_jobs=1).quality
    found[FOREST] = float(precision(-quality))
    joint = rank_suspects(X, codes, k=K, score="confusion", seed=case.seed, n_jobs=1)
    found[CONFUSION] = float(precision(-joint.sort_values("position")["confusion"].to_numpy()))
    plain = LogisticRegression(max_iter=1000)
    for name, model in (
        (LOGISTIC, plain),
        (LOGISTIC_SCALED, make_pipeline(StandardScaler(), plain)),
    ):
        confidence = of_given(out_of_sample(model, X, codes, case.seed), codes)
        found[name] = float(precision(-confidence))
    return found


def cases(folders: Sequence[Path], quick: bool) -> Iterator[Case]:
    """Yield every sample: texts, pictures, and sets with errors that people made."""
    seeds, shares = (SEEDS[:1], SHARES[-1:]) if quick else (SEEDS, SHARES)
    rows = 200 if quick else MAX_ROWS
    for seed in seeds:
        for name, make in CORPORA.items():
            texts, labels = make(np.random.default_rng(seed))
            yield from _flipped(f"texts: {name}", _embedded(texts), labels, seed, shares, rows)
        pixels, digits = load_digits(return_X_y=True)
        yield from _flipped("digits, pixels", pixels, digits.astype(str), seed, shares, rows)
        pictures, shown = _pictures()
        yield from _flipped("digits, pictures", pictures, shown, seed, shares, rows)
        for folder in folders:
            for path in sorted(folder.glob("*.npz")):
                yield from _real(path, seed, rows)


def _embedded(texts: list[str]) -> FloatArray:
    """Return the features that a column of texts becomes by itself."""
    frame = pd.DataFrame(
        {"text": texts, "label": ["a", "b"] * (len(texts) // 2) + ["a"] * (len(texts) % 2)}
    )
    return read_table(frame).to_dataset("label", ["text"], encode={"text": "text"}).X


def _pictures() -> tuple[FloatArray, NDArray[np.str_]]:
    """Return the features that the sample of pictures becomes, with the true labels."""
    table = read_table(SAMPLE)
    (column,) = table.pictures
    target = load_digits().target.astype(str)
    rows = [int(Path(name).stem) for name in table.frame[column]]
    return table.to_dataset(features=[column], encode={column: "picture"}).X, target[rows]


def _flipped(
    data: str, X: FloatArray, labels: NDArray[Any], seed: int, shares: Sequence[float], rows: int
) -> Iterator[Case]:
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.permutation(len(X))[:rows])
    true = np.unique(labels[drawn], return_inverse=True)[1]
    for share in shares:
        given = uniform(X[drawn], true, np.random.default_rng(seed), share=share)
        yield Case(data, f"{share:.0%}", X[drawn], given, given != true, seed)


def _real(path: Path, seed: int, rows: int) -> Iterator[Case]:
    with np.load(path, allow_pickle=False) as arrays:
        if not {"X", "given", "wrong"} <= set(arrays.files):
            return
        drawn = np.sort(np.random.default_rng(seed).permutation(len(arrays["X"]))[:rows])
        X, given, wrong = (arrays[part][drawn] for part in ("X", "given", "wrong"))
    codes = np.unique(given, return_inverse=True)[1]
    yield Case(path.stem, "real", X.astype(np.float64), codes, wrong, seed)


def table_of(found: pd.DataFrame) -> str:
    """Return the means over seeds as a table of Markdown, the best of each row in bold."""
    means = found.groupby(["data", "noise"], sort=False)[list(COLUMNS)].mean()
    rows = [
        (
            *where,
            *(
                f"**{value:.3f}**" if value >= line.max() - 5e-4 else f"{value:.3f}"
                for value in line
            ),
        )
        for where, line in zip(means.index, means.to_numpy(), strict=True)
    ]
    return markdown_table(("data", "noise", *COLUMNS), rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    print(machine(), end="\n\n", flush=True)
    drawn = list(cases(asked.folders, asked.quick))
    scored = Parallel(n_jobs=available_cores())(delayed(scores_of)(case) for case in drawn)
    lines = [
        {"data": case.data, "noise": case.noise} | scores
        for case, scores in zip(drawn, scored, strict=True)
    ]
    print(table_of(pd.DataFrame(lines)))


if __name__ == "__main__":
    main()
