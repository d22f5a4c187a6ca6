"""What a run found, claim by claim and data set by data set, as tables and as a file."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from benchmarks.report import markdown_table

Holds = Literal["yes", "in part", "no"]

HEADINGS = ("claim", "the paper says", "measured", "holds?")
DATA_HEADINGS = (
    "data set",
    "from",
    "train + test",
    "features",
    "classes",
    "pairs, least r",
    "pairs, k = 3 against 20",
    "whole matrix, least r",
    "as given, least r",
    "deviation of pairs",
)
LIBRARIES = ("numpy", "numba", "scikit-learn", "scipy", "pandas")


@dataclass(frozen=True)
class Finding:
    """One claim of the paper in our words, beside the numbers that were measured."""

    claim: str
    paper: str
    measured: str
    holds: Holds


@dataclass(frozen=True)
class DataSetRow:
    """How one data set answers to k; of one that could not be had, ``source`` says so.

    Attributes
    ----------
    listed : bool
        Whether it is in the paper's table.
    pairs, ends, whole, as_given : float or None
        Least Pearson correlation over all pairs of k of the interactions of pairs; that of the
        smallest against the largest k; the least one of the flattened matrices, diagonal
        included; and the least one of pairs without our scaling and with ties by row order.
    slope : float or None
        Exponent of k in the standard deviation of the pairs; -1 is inversely proportional.
    """

    title: str
    source: str
    listed: bool = True
    train: int | None = None
    test: int | None = None
    features: int | None = None
    classes: int | None = None
    pairs: float | None = None
    ends: float | None = None
    whole: float | None = None
    as_given: float | None = None
    slope: float | None = None

    @property
    def present(self) -> bool:
        """Whether it could be had."""
        return self.pairs is not None

    def cells(self) -> tuple[str, ...]:
        """Return the printed cells in the order of the headings."""
        if not self.present:
            return self.title, self.source, *[""] * (len(DATA_HEADINGS) - 2)
        correlations = (self.pairs, self.ends, self.whole, self.as_given)
        return (
            self.title,
            self.source,
            f"{self.train} + {self.test}",
            str(self.features),
            str(self.classes),
            *(f"{r:.3f}" for r in correlations),
            f"k^{self.slope:.2f}",
        )


@dataclass(frozen=True)
class Report:
    """All that a run found: file names of figures with what they show, settings in sentences."""

    claims: Sequence[Finding]
    data_sets: Sequence[DataSetRow]
    figures: Mapping[str, str]
    versions: Mapping[str, str]
    settings: Sequence[str] = ()

    def save(self, path: Path) -> None:
        """Write everything as JSON."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Report:
        """Read what `save` wrote."""
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        kept["claims"] = [Finding(**one) for one in kept["claims"]]
        kept["data_sets"] = [DataSetRow(**one) for one in kept["data_sets"]]
        return cls(**kept)

    def claims_table(self) -> str:
        """Return all claims as one Markdown table."""
        return markdown_table(HEADINGS, [astuple(one) for one in self.claims])

    def data_table(self) -> str:
        """Return all data sets as one Markdown table."""
        return markdown_table(DATA_HEADINGS, [row.cells() for row in self.data_sets])


def versions(figures: bool) -> dict[str, str]:
    """Return the versions of Python and of the libraries that made the numbers and figures."""
    names = [*LIBRARIES, *(["matplotlib"] if figures else [])]
    return {"Python": platform.python_version()} | {name: metadata.version(name) for name in names}


def renew(page: str, report: Report) -> str:
    """Return a page with the generated parts between its marks replaced.

    A part stands between ``<!-- NAME -->`` and ``<!-- end of NAME -->``, NAME being
    ``claims``, ``data sets``, ``settings`` or ``versions``. A page without a mark stays
    without the part.
    """
    made_with = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    parts = {
        "claims": report.claims_table(),
        "data sets": report.data_table(),
        "settings": "\n".join(f"- {sentence}" for sentence in report.settings),
        "versions": f"Made with {made_with}.",
    }
    for name, text in parts.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, found, rest = page.partition(start)
        _, closed, after = rest.partition(end)
        if found and closed:
            page = f"{before}{start}\n\n{text}\n\n{end}{after}"
    return page


def number(value: float, digits: int = 3) -> str:
    """Return a number with so many digits, an exponent without padding: -4.36e-4."""
    style = "e" if 0 < abs(value) < 0.01 else "g"
    text = f"{value:.{digits - (style == 'e')}{style}}"
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if mark else text
