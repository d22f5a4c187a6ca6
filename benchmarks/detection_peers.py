"""Show that two of the measured scores are those of pyDVL and cleanlab.

`python -m benchmarks.detection_peers PYTHON [FOLDER]`, where PYTHON has both installed (see
requirements-peers.txt). It runs this file again, which then imports nothing of the project.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

ROWS = 120
K = 5


def theirs(path: str) -> None:
    """Print pyDVL's values in leave-one-out, and cleanlab's label quality, as JSON."""
    from cleanlab.rank import get_label_quality_scores
    from pydvl.valuation import Dataset, KNNShapleyValuation
    from sklearn.neighbors import KNeighborsClassifier

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    with np.load(path, allow_pickle=False) as arrays:
        X, codes, probabilities = (arrays[name] for name in ("X", "codes", "probabilities"))
    n = len(codes)
    values = np.zeros(n)
    for p in range(n):
        rest = np.delete(np.arange(n), p)
        judge = Dataset(X[[p]], codes[[p]])
        valuation = KNNShapleyValuation(KNeighborsClassifier(K), judge, progress=False)
        found = valuation.fit(Dataset(X[rest], codes[rest])).result
        values[rest[found.indices]] += found.values / n
    answer = {
        "values": values.tolist(),
        "quality": get_label_quality_scores(
            codes, probabilities, method="self_confidence"
        ).tolist(),
        "versions": {name: metadata.version(name) for name in ("pydvl", "cleanlab")},
    }
    print(json.dumps(answer))


def compare(python: str, folder: Path | None) -> None:
    """Print the largest difference of both scores on a sample of each data set."""
    from sklearn.linear_model import LogisticRegression

    from benchmarks.detection_data import names_in, noisy_sample
    from benchmarks.detection_scores import out_of_sample, self_confidence
    from stiknn_core import interactions

    for name in names_in(folder):
        sample = noisy_sample(name, 0.1, 0, folder, ROWS)
        codes = np.unique(sample.y, return_inverse=True)[1]
        model = LogisticRegression(max_iter=2000)
        probabilities = out_of_sample(model, sample.X, codes, 0)
        answer = _ask(python, X=sample.X, codes=codes, probabilities=probabilities)
        ours = interactions(sample.X, codes, k=K)
        apart = {
            "values": ours.values - answer["values"],
            "quality": self_confidence(model, sample.X, codes, 0) - answer["quality"],
        }
        worst = {score: f"{np.abs(gap).max():.1e}" for score, gap in apart.items()}
        print(f"{name}: {worst}, {ours.tied_test_points} of {ROWS} with ties", flush=True)
    print(answer["versions"])


def _ask(python: str, **arrays: Any) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, **arrays)
        run = subprocess.run(
            [python, __file__, "--theirs", str(path)], capture_output=True, text=True, check=True
        )
    answer: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
    return answer


if __name__ == "__main__":
    if sys.argv[1] == "--theirs":
        theirs(sys.argv[2])
    else:
        compare(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None)
