"""Show that three of what is measured are those of pyDVL and cleanlab.

`python -m benchmarks.detection_peers PYTHON [FOLDER...]`, where PYTHON has both installed (see
requirements-peers.txt).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.detection_data import kinds_of, noisy_sample, sets_in
from benchmarks.detection_models import confident_learning, of_given, out_of_sample
from benchmarks.peers import LABEL_SCORES, K, ask
from stiknn_core import interactions

ROWS = 120


def compare(python: str, folders: Sequence[Path]) -> None:
    """Print the largest difference of two scores, and how far the sets of issues agree."""
    for name, path in sets_in(folders).items():
        kinds = kinds_of(path)
        sample = noisy_sample(name, "uniform 10 %" if len(kinds) > 1 else kinds[0], 0, path, ROWS)
        model = LogisticRegression(max_iter=2000)
        probabilities = out_of_sample(model, sample.X, sample.codes, 0)
        data = {"X": sample.X, "codes": sample.codes, "probabilities": probabilities}
        theirs = ask(python, LABEL_SCORES, data)
        if "reason" in theirs:
            raise SystemExit(f"{python} {theirs['reason']}")
        ours = interactions(sample.X, sample.codes, k=K)
        apart = {
            "values": ours.values - theirs["values"],
            "quality": of_given(probabilities, sample.codes) - theirs["quality"],
        }
        worst = {score: f"{np.abs(gap).max():.1e}" for score, gap in apart.items()}
        mine, issues = confident_learning(probabilities, sample.codes), np.array(theirs["issues"])
        both = f"{(mine & issues).sum()} of our {mine.sum()} and their {issues.sum()} issues"
        print(f"{name}: {worst}, {ours.tied_test_points} with ties, {both}", flush=True)
    print(theirs["versions"])


if __name__ == "__main__":
    compare(sys.argv[1], [Path(folder) for folder in sys.argv[2:]])
