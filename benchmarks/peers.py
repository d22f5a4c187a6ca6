"""Other packages under a Python of their own: their values timed, their scores of labels.

Every peer runs in a process of its own, under whatever Python has it installed, so that
none of them has to agree with our pins. This file imports nothing of the project:

    PYTHON benchmarks/peers.py NAME DATA.npz
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

K = 5
Call = Callable[[], Any]
Data = dict[str, Any]


def pydvl(data: Data) -> Call:
    """Return a call for KNN-Shapley values."""
    from pydvl.valuation import Dataset, KNNShapleyValuation
    from sklearn.neighbors import KNeighborsClassifier

    train, test = Dataset(data["X"], data["y"]), Dataset(data["X_test"], data["y_test"])
    model = KNeighborsClassifier(K)
    return lambda: KNNShapleyValuation(model, test, progress=False).fit(train)


def shapiq(data: Data) -> Call:
    """Return a call for KNN-Shapley values, which it gives for one test point at a time."""
    from shapiq.explainer.nn import KNNExplainer
    from sklearn.neighbors import KNeighborsClassifier

    model = KNeighborsClassifier(K).fit(data["X"], data["y"])
    explainers = [KNNExplainer(model, class_index=label) for label in range(2)]

    def call() -> None:
        for x, label in zip(data["X_test"], data["y_test"], strict=True):
            explainers[int(label)].explain(x)

    return call


def datascope(data: Data) -> Call:
    """Return a call for 1-NN values, since it takes no other k into account."""
    from datascope.importance import ShapleyImportance, SklearnModelAccuracy
    from sklearn.neighbors import KNeighborsClassifier

    utility = SklearnModelAccuracy(KNeighborsClassifier(1))

    def call() -> None:
        importance = ShapleyImportance("neighbor", utility=utility)
        importance.fit(data["X"], data["y"]).score(data["X_test"], data["y_test"])

    return call


def cleanlab(data: Data) -> Call:
    """Return a call for truncated values of the training set against itself, without test set."""
    from cleanlab.data_valuation import data_shapley_knn

    return lambda: data_shapley_knn(data["y"], features=data["X"], k=K)


def opendataval(data: Data) -> Call:
    """Return a call for KNN-Shapley values in single precision."""
    import torch
    from opendataval.dataval import KNNShapley

    X, X_test = (torch.tensor(data[name], dtype=torch.float32) for name in ("X", "X_test"))
    y, y_test = (
        torch.nn.functional.one_hot(torch.tensor(data[name])).float() for name in ("y", "y_test")
    )
    return lambda: KNNShapley(K).input_data(X, y, X_test, y_test).train_data_values()


# Name on the table, in small letters that of the distribution, and what to time.
PEERS: dict[str, Callable[[Data], Call]] = {
    "pyDVL": pydvl,
    "shapiq": shapiq,
    "datascope": datascope,
    "cleanlab": cleanlab,
    "OpenDataVal": opendataval,
}
LABEL_SCORES = "label scores"


def ask(python: str, name: str, data: Data) -> dict[str, Any]:
    """Return what this file prints under another Python, or the reason why there is nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, **data)
        process = subprocess.run(
            [python, __file__, name, str(path)], capture_output=True, text=True
        )
    if process.returncode:
        last_words = (process.stderr.strip().splitlines() or ["no output"])[-1]
        return {"reason": f"failed: {last_words}"}
    answer: dict[str, Any] = json.loads(process.stdout.strip().splitlines()[-1])
    return answer


def label_scores(data: Data) -> dict[str, Any]:
    """Return pyDVL's values, each row tested by the others, and cleanlab's quality and issues."""
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores
    from pydvl.valuation import Dataset, KNNShapleyValuation
    from sklearn.neighbors import KNeighborsClassifier

    X, codes, probabilities = data["X"], data["codes"], data["probabilities"]
    n = len(codes)
    values = np.zeros(n)
    for p in range(n):
        rest = np.delete(np.arange(n), p)
        judge = Dataset(X[[p]], codes[[p]])
        valuation = KNNShapleyValuation(KNeighborsClassifier(K), judge, progress=False)
        found = valuation.fit(Dataset(X[rest], codes[rest])).result
        values[rest[found.indices]] += found.values / n
    quality = get_label_quality_scores(codes, probabilities, method="self_confidence")
    issues = find_label_issues(codes, probabilities, filter_by="prune_by_noise_rate", n_jobs=1)
    versions = {name: metadata.version(name) for name in ("pydvl", "cleanlab")}
    return {
        "values": values.tolist(),
        "quality": quality.tolist(),
        "issues": issues.tolist(),
        "versions": versions,
    }


def seconds_of(name: str, data: Data) -> dict[str, Any]:
    """Return version and shortest of up to three runs; long runs are not repeated."""
    try:
        version = metadata.version(name.lower())
    except metadata.PackageNotFoundError:
        return {"reason": "not installed"}
    call = PEERS[name](data)
    seconds: list[float] = []
    # The first run also pays for imports made late; the budget keeps slow peers to one.
    while len(seconds) < 3 and sum(seconds) < 5:
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds), "version": version}


def main(name: str, path: str) -> None:
    """Print the answer as JSON."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    with np.load(path, allow_pickle=False) as arrays:
        data = dict(arrays)
    print(json.dumps(label_scores(data) if name == LABEL_SCORES else seconds_of(name, data)))


if __name__ == "__main__":
    main(*sys.argv[1:])
