"""Show that two of the measured scores are those of pyDVL and cleanlab.

`python -m benchmarks.detection_peers PYTHON [FOLDER]`, where PYTHON has both installed (see
requirements-peers.txt).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.detection_data import names_in, noisy_sample
from benchmarks.detection_scores import out_of_sample, self_confidence
from benchmarks.peers import LABEL_SCORES, K, ask
from stiknn_core import interactions

ROWS = 120


def compare(python: str, folder: Path | None) -> None:
    """Print the largest difference of both scores on a sample of each data set."""
    for name in names_in(folder):
        sample = noisy_sample(name, 0.1, 0, folder, ROWS)
        codes = np.unique(sample.y, return_inverse=True)[1]
        model = LogisticRegression(max_iter=2000)
        probabilities = out_of_sample(model, sample.X, codes, 0)
        data = {"X": sample.X, "codes": codes, "probabilities": probabilities}
        theirs = ask(python, LABEL_SCORES, data)
        if "reason" in theirs:
            raise SystemExit(f"{python} {theirs['reason']}")
        ours = interactions(sample.X, codes, k=K)
        apart = {
            "values": ours.values - theirs["values"],
            "quality": self_confidence(model, sample.X, codes, 0) - theirs["quality"],
        }
        worst = {score: f"{np.abs(gap).max():.1e}" for score, gap in apart.items()}
        print(f"{name}: {worst}, {ours.tied_test_points} of {ROWS} with ties", flush=True)
    print(theirs["versions"])


if __name__ == "__main__":
    compare(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None)
