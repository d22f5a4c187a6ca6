"""Measure how well scores find wrong labels: `python -m benchmarks.detection [FOLDER...]`.

The folders hold more data sets: CSV files whose label is the column ``y``, and .npz files of X and
y, or of X, given and wrong, where people made the errors. About an hour for 31 sets on one core;
``--quick`` takes a minute or two: a sample of each, some kinds, one seed.
With ``--cache`` a run that was stopped goes on where it was; after a change of our scores, delete
its ``*-ours.npz``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks.detection_cut import Cut, cuts_of, summary_of_cuts
from benchmarks.detection_data import MAX_ROWS, Noisy, halves, kinds_of, noisy_sample, sets_in
from benchmarks.detection_report import Result, by_data_set, leads, summary
from benchmarks.detection_scores import (
    COMBINED,
    Scores,
    joined,
    other_scores,
    our_name,
    our_scores,
)
from benchmarks.report import available_cores, machine

SEEDS = (0, 1, 2)
QUICK_ROWS = 200
QUICK_KINDS = ("uniform 10 %", "one pair", "boundary", "clusters", "real")
TODAY = our_name("quality", "forest")

# Kept apart in the cache, so that a change of ours does not measure the others again.
GROUPS: dict[str, Callable[[Noisy, int], Scores]] = {"ours": our_scores, "others": other_scores}


def scores_of(sample: Noisy, seed: int, cache: Path | None, key: str) -> Scores:
    """Return every score of a sample, of each group from the cache if it is there."""
    found: Scores = {}
    for group, measure_group in GROUPS.items():
        kept = None if cache is None else cache / f"{key}-{group}.npz"
        if kept is not None and kept.exists():
            with np.load(kept, allow_pickle=False) as arrays:
                found |= dict(arrays)
            continue
        measured = measure_group(sample, seed)
        found |= measured
        if kept is not None:
            partial = kept.with_suffix(f".{os.getpid()}.npz")
            np.savez(partial, allow_pickle=False, **measured)
            partial.replace(kept)
    return found


def results_of(
    data: str, path: Path | None, kind: str, seed: int, rows: int, cache: Path | None
) -> tuple[list[Result], list[Cut]]:
    """Return how well every score did on one sample, and where it would be cut."""
    sample = noisy_sample(data, kind, seed, path, rows)
    if not 0 < sample.wrong.sum() < len(sample.wrong):
        return [], []
    found = scores_of(sample, seed, cache, f"{data}-{kind}-{seed}-{rows}")
    found |= joined(found, sample)
    results = [
        Result(
            data,
            kind,
            seed,
            name,
            ap=float(average_precision_score(sample.wrong, -score)),
            auc=float(roc_auc_score(sample.wrong, -score)),
        )
        for name, score in found.items()
        if not name.startswith("_")
    ]
    return results, cuts_of(data, kind, seed, sample, found)


def measure(
    sets: Mapping[str, Path | None],
    *,
    kinds: Iterable[str] | None = None,
    cache: Path | None = None,
    rows: int = MAX_ROWS,
    seeds: Sequence[int] = SEEDS,
    n_jobs: int = 1,
) -> tuple[list[Result], list[Cut]]:
    """Return the results of every score on every sample, in processes that give way."""
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
    wanted = None if kinds is None else set(kinds)
    found = Parallel(n_jobs=n_jobs)(
        delayed(results_of)(name, path, kind, seed, rows, cache)
        for seed, (name, path) in product(seeds, sets.items())
        for kind in kinds_of(path)
        if wanted is None or kind in wanted
    )
    return [one for results, _ in found for one in results], [
        one for _, cuts in found for one in cuts
    ]


def main() -> None:
    """Print the tables of the half that choices were made on, then of the other one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="more data sets")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROWS} rows, one seed")
    parser.add_argument("--half", choices=("chosen", "confirmed"), help="only this half")
    parser.add_argument("--seeds", type=int, default=len(SEEDS), metavar="N")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results to this file")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep results, to go on")
    parser.add_argument("--jobs", type=int, default=available_cores(), metavar="N")
    options = parser.parse_args()
    sets = sets_in(options.folders)
    chosen_on, confirmed_on = halves(sets)
    print(machine())
    everything: list[Result] = []
    for title, names in (("chosen", chosen_on), ("confirmed", confirmed_on)):
        if options.half not in (None, title):
            continue
        results, cuts = measure(
            {name: sets[name] for name in names},
            kinds=QUICK_KINDS if options.quick else None,
            cache=options.cache,
            rows=QUICK_ROWS if options.quick else MAX_ROWS,
            seeds=SEEDS[: 1 if options.quick else options.seeds],
            n_jobs=options.jobs,
        )
        everything += results
        print(f"\nSets that settings were {title} on ({', '.join(names)}):\n")
        print(summary(results), end="\n\n")
        print(leads(results, COMBINED, TODAY), end="\n\n")
        print(by_data_set(results, TODAY, COMBINED), end="\n\n")
        print(summary_of_cuts(cuts))
    if options.json is not None:
        options.json.write_text(json.dumps(everything, default=vars, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
