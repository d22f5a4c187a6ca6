"""Reproduce the paper's figures and check its claims: `python -m benchmarks.paper`.

Writes the figures and all findings into docs/paper, and renews the tables of docs/paper.md; a run
that misses data sets which are on that page writes into build/paper instead.
``--data FOLDER`` adds data sets of the paper's table that have to be files: CSV whose label is the
column ``y``, or .npz with X and y, named after the data set or its number on OpenML. Sets in
scikit-learn's cache of OpenML are taken from there; nothing is fetched without ``--fetch``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks import (
    paper_data,
    paper_discussion,
    paper_figures,
    paper_growth,
    paper_k,
    paper_method,
)
from benchmarks.paper_data import Split, obtain, others
from benchmarks.paper_discussion import Study
from benchmarks.paper_findings import DataSetRow, Report, renew, versions
from benchmarks.report import machine
from stiknn_core import interactions
from stiknn_core.datasets import REGISTRY
from stiknn_core.errors import StiknnError

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "paper"
ASIDE = ROOT / "build" / "paper"
FINDINGS = "findings.json"


class Circles(NamedTuple):
    """The three circles of the paper's discussion."""

    balanced: Study
    unbalanced: Study
    mislabeled: Study


def make_circles() -> Circles:
    """Return the circles, their matrices computed when they are first asked for."""
    circle = paper_discussion.balanced()
    return Circles(circle, paper_discussion.unbalanced(circle), paper_discussion.mislabeled(circle))


def measure_data_sets(
    folder: Path | None, fetch: bool
) -> tuple[list[DataSetRow], dict[str, Split], dict[str, paper_k.Sweep]]:
    """Return a row for every data set of the table, and what was measured on those present."""
    rows: list[DataSetRow] = []
    splits: dict[str, Split] = {}
    sweeps: dict[str, paper_k.Sweep] = {}
    for title, found in _data_sets(folder, fetch):
        if isinstance(found, str):
            rows.append(DataSetRow(title, found))
            continue
        sweeps[title] = paper_k.sweep(found)
        plain = paper_k.sweep(found, as_given=True)
        splits[title] = found
        rows.append(paper_k.data_set_row(found, sweeps[title], plain))
        print(f"  {title}: {rows[-1].pairs:.3f}", file=sys.stderr, flush=True)
    return rows, splits, sweeps


def _data_sets(folder: Path | None, fetch: bool) -> Iterator[tuple[str, Split | str]]:
    for entry in REGISTRY.values():
        try:
            yield entry.title, obtain(entry, folder, fetch)
        except StiknnError as error:
            yield entry.title, f"not usable: {error}"
    yield from others(folder)


def draw(
    out: Path, circles: Circles, splits: dict[str, Split], rows: list[DataSetRow]
) -> dict[str, str]:
    """Write every figure and return what each shows, by file name."""
    figures = {}
    all_words = ("balanced", "with a quarter of the blue points", "with wrong labels")
    for (name, study), words in zip(circles._asdict().items(), all_words, strict=True):
        title, file = f"Circle {words}, k = {paper_discussion.K}", f"circle-{name}.png"
        drawn = paper_figures.scatter_and_matrix(study.train, study.result.matrix, title)
        paper_figures.save(drawn, out / file)
        figures[file] = title
    for title, ks in paper_k.APPENDIX.items():
        if title not in splits:
            continue
        split = splits[title]
        X, X_test = split.scaled()
        by_k = {k: interactions(X, split.y, X_test, split.y_test, k=k).matrix for k in ks}
        file = f"k-{title.lower()}.png"
        paper_figures.save(paper_figures.two_matrices(split, by_k, title), out / file)
        figures[file] = f"{title}, k = {ks[0]} and {ks[1]}"
    paper_figures.save(paper_figures.correlations(rows, paper_k.CLAIMED), out / "k-all.png")
    return figures | {"k-all.png": "Least correlation over k, every data set"}


def settings() -> list[str]:
    """Say on what everything was measured."""
    d, data = paper_discussion, paper_data
    return [
        f"Circles of the discussion: {d.N} points to train on, radius 1 (class 0, blue) and 0.5, "
        f"noise {d.NOISE}, seed {d.SEED}; {d.N_TEST} fresh points to test on, seed {d.SEED + 1}; "
        f"k = {d.K}. Unbalanced: {d.KEPT:.0%} of the blue points are kept. Mislabeled: "
        f"{d.FLIPPED:.0%} of the training labels are flipped, none of the test labels.",
        f"Circle and Moon of the table: 600 points with noise 0.1, seed {data.SEED}, and "
        f"{data.FRESH_TESTS} fresh ones, seed {data.SEED + 1}.",
        f"All other sets: up to {data.MAX_ROWS:,} rows, drawn with the shares of the classes kept "
        f"(seed {data.SEED}; Planes2D from its rule); {data.TEST_SHARE:.0%} of each class are held "
        "out to test on.",
        "Columns of files have units of their own and are standardised by the training rows; "
        "pixels (FashionMnist), rules and generated points are left as they are. Of files with "
        "columns of numbers only these are taken, so of credit applications 7 of 20.",
        f"k from {paper_k.KS[0]} to {paper_k.KS[-1]}; equal distances count in all orders "
        '(`ties="expected"`). The column "as given" has no scaling and breaks ties by row order, '
        "as a plain reading of the paper does.",
    ]


def lost(rows: list[DataSetRow], before: Path) -> list[str]:
    """Return the data sets measured by the run that wrote ``before``, and not by this one."""
    if not before.exists():
        return []
    here = {row.title for row in rows if row.present}
    return [
        row.title for row in Report.load(before).data_sets if row.present and row.title not in here
    ]


def main() -> None:
    """Measure, draw, print the tables, and write all of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="data sets as files")
    parser.add_argument("--fetch", action="store_true", help="fetch what is missing from OpenML")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write there, in any case")
    parser.add_argument("--no-figures", action="store_true", help="measure only")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_dir():
        parser.error(f"--data must be a folder; got {options.data}.")
    if not (options.no_figures or paper_figures.available()):
        parser.error(
            f"The figures need matplotlib; run `{paper_figures.INSTALL}`, or pass --no-figures."
        )
    print(machine(), end="\n\n", flush=True)
    circles = make_circles()
    claims = [
        *paper_discussion.findings(*circles),
        *paper_method.matrix_findings(circles.balanced),
        *paper_method.exact_findings(),
    ]
    rows, splits, sweeps = measure_data_sets(options.data, options.fetch)
    claims += paper_k.findings(rows, sweeps)
    claims += paper_growth.findings()
    out = options.out or OUT
    if options.out is None and (missed := lost(rows, OUT / FINDINGS)):
        out = ASIDE
        print(
            f"Written to {ASIDE.relative_to(ROOT)}, since docs/paper also holds what was found on "
            f"{', '.join(missed)}: pass --data to renew it.\n"
        )
    out.mkdir(parents=True, exist_ok=True)
    figures = {} if options.no_figures else draw(out, circles, splits, rows)
    made_with = versions(figures=not options.no_figures)
    report = Report(claims, rows, figures, made_with, settings())
    report.save(out / FINDINGS)
    page = out.with_suffix(".md")
    if page.exists():
        page.write_text(renew(page.read_text(encoding="utf-8"), report), encoding="utf-8")
    print(report.claims_table(), report.data_table(), sep="\n\n")


if __name__ == "__main__":
    main()
