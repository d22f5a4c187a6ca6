"""Measure how well scores find flipped labels: `python -m benchmarks.detection [FOLDER]`.

FOLDER holds more data sets as CSV files whose label is the column ``y``. About a quarter of
an hour for 23 data sets on two cores; ``--quick`` takes a sample of each. With ``--cache`` a run
that was stopped goes on where it was; after a change of our scores, delete its ``*-ours.json``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from itertools import chain, product
from pathlib import Path

from joblib import Parallel, delayed
from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks.detection_data import MAX_ROWS, Noisy, halves, names_in, noisy_sample
from benchmarks.detection_report import Result, by_data_set, summary
from benchmarks.detection_scores import other_scores, our_name, our_scores
from benchmarks.report import available_cores, machine
from stiknn_core.types import FloatArray

RATES = (0.1, 0.2)
SEEDS = (0, 1, 2)
QUICK_ROWS = 200
CHOSEN = our_name("quality", "forest")

# Kept apart in the cache, so that a change of ours does not measure the others again.
GROUPS: dict[str, Callable[[Noisy, int], dict[str, FloatArray]]] = {
    "ours": our_scores,
    "others": other_scores,
}


def results_of(
    data: str,
    rate: float,
    seed: int,
    group: str,
    rows: int,
    folder: Path | None,
    cache: Path | None,
) -> list[Result]:
    """Return the results of a group of scores on one sample, from the cache if they are there."""
    kept = None if cache is None else cache / f"{data}-{rows}-{rate}-{seed}-{group}.json"
    if kept is not None and kept.exists():
        return [Result(**record) for record in json.loads(kept.read_text(encoding="utf-8"))]
    sample = noisy_sample(data, rate, seed, folder, rows)
    results = [
        Result(
            data,
            rate,
            seed,
            name,
            ap=float(average_precision_score(sample.wrong, -score)),
            auc=float(roc_auc_score(sample.wrong, -score)),
        )
        for name, score in GROUPS[group](sample, seed).items()
    ]
    if kept is not None:
        partial = kept.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(results, default=vars), encoding="utf-8")
        partial.replace(kept)
    return results


def measure(
    names: Sequence[str],
    *,
    folder: Path | None = None,
    cache: Path | None = None,
    rows: int = MAX_ROWS,
    seeds: Sequence[int] = SEEDS,
    n_jobs: int = 1,
) -> list[Result]:
    """Return the results of every score on every sample, in processes that give way."""
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
    found = Parallel(n_jobs=n_jobs)(
        delayed(results_of)(name, rate, seed, group, rows, folder, cache)
        for group, seed, rate, name in product(GROUPS, seeds, RATES, names)
    )
    return list(chain.from_iterable(found))


def main() -> None:
    """Print the tables: all data sets, then the half that no choice was made on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="more data sets, as CSV files")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROWS} rows, one seed")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results to this file")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep results, to go on")
    parser.add_argument("--jobs", type=int, default=available_cores(), metavar="N")
    options = parser.parse_args()
    names = names_in(options.folder)
    results = measure(
        names,
        folder=options.folder,
        cache=options.cache,
        rows=QUICK_ROWS if options.quick else MAX_ROWS,
        seeds=SEEDS[:1] if options.quick else SEEDS,
        n_jobs=options.jobs,
    )
    if options.json is not None:
        options.json.write_text(json.dumps(results, default=vars, indent=1), encoding="utf-8")
    chosen_on, confirmed_on = halves(names)
    print(machine(), end="\n\n")
    print(f"All {len(names)} data sets:\n\n{summary(results)}\n")
    print(by_data_set(results, CHOSEN), end="\n\n")
    for title, half in (("chosen on", chosen_on), ("confirmed on", confirmed_on)):
        some = [result for result in results if result.data in half]
        print(f"Data sets that settings were {title} ({', '.join(half)}):\n\n{summary(some)}\n")


if __name__ == "__main__":
    main()
