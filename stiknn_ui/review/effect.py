"""What the decisions do to the classifier, measured and said in plain words. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from stiknn_core.errors import ParameterError
from stiknn_core.labels.effect import Effect, relabel_effect
from stiknn_core.phrases import counted
from stiknn_core.preparation import scale_features
from stiknn_core.quiet import without_warnings
from stiknn_core.types import AnyArray
from stiknn_ui.results.result import Result
from stiknn_ui.words import wording
from stiknn_ui.work.progress import Progress

BoolArray = NDArray[np.bool_]
N_RANDOM = 20
MOST_TESTS: Final = 1_000
"""Test points that an effect is measured on where all of them would take long."""
_MOST_PAIRS: Final = 32_000_000


@dataclass(frozen=True)
class Measured:
    """An effect and what has to be said about the points it was measured on.

    Attributes
    ----------
    effect : Effect
    corrected_tests, removed_tests : int
        Test points with a label the person corrected, and those that were removed.
    drawn_from : int
        How many test points there are, where it was measured on a sample of them; else 0.
    """

    effect: Effect
    corrected_tests: int = 0
    removed_tests: int = 0
    drawn_from: int = 0


def effect_key(analysis: Result, labels: AnyArray, removed: BoolArray) -> str:
    """Return text that is the same exactly for the same result with the same decisions."""
    other = np.flatnonzero(_relabelled(analysis, labels))
    digest = hashlib.sha256(other.tobytes() + np.packbits(removed).tobytes())
    digest.update(repr(_texts(labels[other]).tolist()).encode("utf-8", "surrogatepass"))
    return f"{analysis.key}|effect|{digest.hexdigest()}"


def effect_seconds(analysis: Result) -> float:
    """Return about how long `measure` takes, from runs on a two-core machine."""
    return 0.02 + 7e-8 * analysis.n * tests_measured(analysis.n, analysis.n_test)


def tests_measured(n_train: int, n_tests: int) -> int:
    """Return on how many test points an effect is measured: all, unless that takes long."""
    return n_tests if n_train * n_tests <= _MOST_PAIRS else min(n_tests, MOST_TESTS)


def n_changed(analysis: Result, labels: AnyArray, removed: BoolArray) -> tuple[int, int]:
    """Return how many training points are relabelled, and how many removed."""
    rows = analysis.rows
    other = _relabelled(analysis, labels)[rows] & ~removed[rows]
    return int(other.sum()), int(removed[rows].sum())


def measure(
    analysis: Result,
    labels: AnyArray,
    removed: BoolArray,
    progress: Progress | None = None,
) -> Measured:
    """Measure the decisions on points whose labels stay the same in all that is compared.

    Leave-one-out testing: on the training points that were neither relabelled nor removed. Else on
    the test points that were not removed, by their corrected labels. Of very many, some are drawn
    with a fixed seed. Also where the analysis works in a forest's space, neighbours are those
    among the features here.

    Parameters
    ----------
    analysis : Analysis
    labels, removed, progress
        All labels with the decisions applied, and which rows are left out; from
        ``desk.corrected``.

    Raises
    ------
    StiknnError
        If no point is left to measure on, or the metric does not fit the features.
    """
    dataset, compute = analysis.dataset, analysis.compute
    parts = analysis.given.parts
    train = parts.train
    given, now = _texts(dataset.y), _texts(labels)
    test, test_rows, drawn_from = parts.test, None, 0
    rng = np.random.default_rng(0)
    corrected_tests = removed_tests = 0
    if test is not None:
        removed_tests = int(removed[test].sum())
        test = test[~removed[test]]
        if not len(test):
            raise ParameterError("All test points are removed; there is nothing to measure on.")
        most = tests_measured(len(train), len(test))
        if len(test) > most:
            drawn_from, test = len(test), np.sort(rng.choice(test, most, replace=False))
        corrected_tests = int((given[test] != now[test]).sum())
    else:
        left = np.flatnonzero((given[train] == now[train]) & ~removed[train])
        most = tests_measured(len(train), len(left))
        if len(left) > most:
            drawn_from, test_rows = len(left), np.sort(rng.choice(left, most, replace=False))
    X, X_test = scale_features(
        dataset.X[train],
        None if test is None else dataset.X[test],
        compute.scaling,
        dataset.blocks,
    )
    with without_warnings():  # told with the analysis
        effect = relabel_effect(
            X,
            given[train],
            now[train],
            removed=removed[train],
            X_test=X_test,
            y_test=None if test is None else now[test],
            test_rows=test_rows,
            k=analysis.k,
            metric=compute.metric,
            ties=compute.ties,
            n_random=N_RANDOM,
            progress=progress,
        )
    return Measured(effect, corrected_tests, removed_tests, drawn_from)


def effect_table(effect: Effect) -> pd.DataFrame:
    """Return before, after and random changes in one row each, with the spread of the last."""
    mean, sd = effect.random_mean, effect.random_sd
    rows = (
        ("Before", effect.before, ("", "")),
        ("With your decisions", effect.after, ("", "")),
        (
            f"Random changes, mean of {len(effect.random)}",
            mean,
            (f" (SD {sd.likelihood:.4f})", f" (SD {sd.accuracy:.4f})"),
        ),
    )
    return pd.DataFrame(
        {
            "labels": [name for name, _, _ in rows],
            "likelihood": [f"{fit.likelihood:.4f}{spread[0]}" for _, fit, spread in rows],
            "accuracy": [f"{fit.accuracy:.4f}{spread[1]}" for _, fit, spread in rows],
        }
    )


def measured_on(measured: Measured, analysis: Result) -> str:
    """Say what was measured, and on which points."""
    effect, compute, k = measured.effect, analysis.compute, analysis.k
    of = f" of {measured.drawn_from:,}" if measured.drawn_from else ""
    if analysis.judged_by_itself:
        points = f"{effect.n_test:,}{of} training point{'s' if effect.n_test != 1 else ''}"
        points += " that you left as they are, by all the others"
    else:
        points = f"{effect.n_test:,}{of} test point{'s' if effect.n_test != 1 else ''}"
    if of:
        points += ", drawn at random with a fixed seed"
    changed = f"{counted(effect.n_relabelled, 'label')} changed"
    if effect.n_removed:
        changed += f" and {counted(effect.n_removed, 'row')} removed"
    where = f"{wording.METRIC[compute.metric]} distance"
    return (
        f"Likelihood and accuracy of the {counted(k, 'nearest neighbour')} ({where}) on {points}. "
        f"With your decisions: {changed} among {analysis.n:,} training points."
    )


def sentences(measured: Measured, analysis: Result) -> list[str]:
    """Return what the numbers say and what they do not, each in a sentence or two."""
    effect = measured.effect
    told = [_moved("likelihood", effect), _moved("accuracy", effect)]
    if analysis.compute.space == "forest":
        told.append(
            "The analysis looks for neighbours in a random forest; here they are those among the "
            "features."
        )
    if measured.corrected_tests:
        n = measured.corrected_tests
        told.append(
            f"{counted(n, 'test point')} with a label that you corrected "
            f"{'counts' if n == 1 else 'count'} with the corrected one before, after and for the "
            "random changes alike."
        )
    if measured.removed_tests:
        n = measured.removed_tests
        is_are = "is" if n == 1 else "are"
        told.append(f"{counted(n, 'test point')} that you removed {is_are} left out of all three.")
    told.append(
        "Suggestions come from the same points, so some gain is to be expected even where they "
        "are wrong."
    )
    told.append("Test labels may be wrong too. This speaks for these data only.")
    return told


def _moved(name: Literal["likelihood", "accuracy"], effect: Effect) -> str:
    of = attrgetter(name)
    before, after = of(effect.before), of(effect.after)
    mean, sd = of(effect.random_mean), of(effect.random_sd)
    better = sum(after > of(fit) + 1e-12 for fit in effect.random)
    if abs(after - before) < 5e-5:
        moved = f"The {name} stays at {before:.4f}"
    else:
        moved = f"The {name} goes from {before:.4f} to {after:.4f}"
    return (
        f"{moved}; after as many random changes it is {mean:.4f} on average (SD {sd:.4f} over "
        f"{len(effect.random)}), and lower than with your decisions in {better} of "
        f"{len(effect.random)}."
    )


def _relabelled(analysis: Result, labels: AnyArray) -> BoolArray:
    """Return which rows of the data set have another label than the given one."""
    return np.asarray(labels != analysis.dataset.y, dtype=np.bool_)


def _texts(labels: AnyArray) -> AnyArray:
    return np.array([str(label) for label in labels.tolist()], dtype=object)
