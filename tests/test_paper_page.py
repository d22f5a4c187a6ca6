"""docs/paper.md says what docs/paper/findings.json found, and shows what was drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.paper import lost
from benchmarks.paper_findings import DataSetRow, Finding, Report, number, renew

DOCS = Path(__file__).resolve().parents[1] / "docs"
FOLDER = DOCS / "paper"
PAGE = (DOCS / "paper.md").read_text(encoding="utf-8")
MARKED = re.compile(r"<!-- (?!end)(.*?) -->.*?<!-- end of \1 -->", re.DOTALL)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


@pytest.fixture(scope="module")
def report() -> Report:
    return Report.load(FOLDER / "findings.json")


def leaves(found: Any) -> Iterator[Any]:
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        for one in found:
            yield from leaves(one)
    else:
        yield found


def numbers(text: str) -> set[str]:
    return set(NUMBER.findall(text.replace(",", "")))


def test_the_page_has_the_tables_of_the_last_run(report) -> None:
    assert set(MARKED.findall(PAGE)) == {
        "claims",
        "data sets",
        "settings",
        "versions",
    }
    assert renew(PAGE, report) == PAGE, "run python -m benchmarks.paper, or take its tables over"


def test_every_number_found_is_on_the_page() -> None:
    found = list(leaves(json.loads((FOLDER / "findings.json").read_text(encoding="utf-8"))))
    words = [one for one in found if isinstance(one, str)]
    counts = {f"{one:g}" for one in found if isinstance(one, int) and not isinstance(one, bool)}
    shown = numbers(PAGE)
    assert not set().union(*map(numbers, words)) - shown
    assert not counts - shown
    measured = {f"{abs(one):.3f}" for one in found if isinstance(one, float) and one > 0}
    slopes = {f"{abs(one):.2f}" for one in found if isinstance(one, float) and one < 0}
    assert len(measured) > 5
    assert not (measured | slopes) - shown


def test_every_decimal_of_the_prose_was_found() -> None:
    tables = numbers("".join(match[0] for match in MARKED.finditer(PAGE)))
    prose = {one for one in numbers(MARKED.sub("", PAGE)) if "." in one}
    assert not prose - tables


def test_every_figure_and_link_of_the_page_is_there(report) -> None:
    targets = re.findall(r"\]\((?!http)([^)#]+)\)", PAGE)
    missing = [target for target in targets if not (DOCS / target).is_file()]
    assert not missing
    shown = {Path(target).name for target in targets if target.endswith(".png")}
    assert shown == set(report.figures)
    assert shown == {path.name for path in FOLDER.glob("*.png")}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000


def test_every_claim_is_written_in_full(report) -> None:
    assert len({one.claim for one in report.claims}) == len(report.claims) > 20
    for one in report.claims:
        assert one.holds in ("yes", "in part", "no")
        assert one.paper
        assert one.measured


def test_a_report_is_kept_whole(tmp_path) -> None:
    report = Report(
        [Finding("a | b", "says", "1e-3", "no")],
        [DataSetRow("Click", "not present"), DataSetRow("Moon", "a rule", True, 8, 2, 3, 2)],
        {"a.png": "A"},
        {"Python": "3"},
        ["A setting."],
    )
    report.save(tmp_path / "findings.json")
    assert Report.load(tmp_path / "findings.json") == report
    assert "a \\| b" in report.claims_table()
    page = "<!-- claims -->x<!-- end of claims -->\n<!-- settings -->\nkept, since never closed"
    renewed = renew(page, report)
    assert report.claims_table() in renewed
    assert renewed.endswith("<!-- settings -->\nkept, since never closed")
    assert renew(renewed, report) == renewed


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.000438, "-4.38e-4"), (0.0123, "0.0123"), (0.0, "0"), (1.5e-14, "1.50e-14"), (58.0, "58")],
)
def test_numbers_are_written_with_three_digits(value, text) -> None:
    assert number(value) == text


def test_a_run_with_fewer_data_sets_does_not_take_their_place(tmp_path: Path) -> None:
    measured = dict.fromkeys(("pairs", "ends", "whole", "as_given", "slope"), 0.5)
    kept = [DataSetRow("A", "a file", **measured), DataSetRow("B", "not present")]
    Report([], kept, {}, {}).save(tmp_path / "findings.json")
    assert lost(kept, tmp_path / "findings.json") == []
    assert lost([DataSetRow("A", "not present")], tmp_path / "findings.json") == ["A"]
    assert lost([], tmp_path / "nothing.json") == []
