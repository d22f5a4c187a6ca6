"""Spans of time, and the triangles of statistics offices: asked about, never words or ids."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core import read_table
from stiknn_core.tables import Table
from stiknn_core.tables.cells.numbers import parse_numbers

SPANS = "spans of time, in seconds"


def table(cells: list[str], **overrides: object) -> Table:
    rows = [f'"{cell}",{place},{"ab"[place % 2]}' for place, cell in enumerate(cells)]
    return read_table("\n".join(["v,x,label", *rows]).encode(), **overrides)


def values(made: Table, name: str = "v") -> list[float]:
    return parse_numbers(made.cells[name], made.facts[name].style).values.tolist()


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        (["57:30", "1:02:33", "0:07", "--"], [3450, 3753, 7, np.nan]),
        (["1:20.500", "1:21.250", "59:00.000", "1:00.125"], [80.5, 81.25, 3540, 60.125]),
        (["0 days 00:05:07", "1 days 00:00:00.5", "-1 days 00:00:01", ""],
         [307, 86400.5, -86401, np.nan]),
        (["PT5M7S", "PT1H", "P1DT2H", "PT0.5S"], [307, 3600, 93600, 0.5]),
        (["1h 5m", "2h 10m", "45m", "1h"], [3900, 7800, 2700, 3600]),
        (["5 min 7 s", "6 min 8 s", "1 Std. 2 Min.", "9 sec"], [307, 368, 3720, 9]),
    ],
)  # fmt: skip
def test_spans_of_time_are_asked_about(cells: list[str], seconds: list[float]) -> None:
    made = table(cells)
    assert made.roles["v"].role == "ignored"
    assert any(notice.startswith("Not read as numbers: 'v'") for notice in made.notices)
    ways = made.other_readings("v")
    read = table(cells, formats={"v": ways[SPANS]})
    assert read.roles["v"].role == "feature"
    np.testing.assert_array_equal(values(read), seconds)
    assert any("spans of time counted in seconds" in notice for notice in read.notices)


def test_times_of_the_day_may_be_spans() -> None:
    cells = ["4:00", "5:07", "6:14", "7:21"]
    made = table(cells)
    assert (made.facts["v"].kind, made.roles["v"].offer) == ("date", "date")
    read = table(cells, formats={"v": made.other_readings("v")[SPANS]})
    assert values(read) == [240, 307, 374, 441]
    assert table(["2024-05-03", "2024-05-04", "2024-05-05"]).other_readings("v") == {}


def test_what_is_no_span_is_not_offered_as_one() -> None:
    for cells in (["5'11\"", "6'01\""], ["0:3", "1:4"], ["5 m", "6 m"], ["1-2", "2-5"]):
        doubled = [cell.replace('"', '""') for cell in cells * 3]
        assert SPANS not in table(doubled).other_readings("v")


def test_a_triangle_is_a_minus_where_it_is_chosen() -> None:
    cells = ["△1.5", "2.5", "△3.5", "4.5"]
    ways = table(cells).other_readings("v")
    read = table(cells, formats={"v": ways["numbers, △ as minus"]})
    assert values(read) == [-1.5, 2.5, -3.5, 4.5]
    cells = ["▲ 1.5", "▼ 2.5", "▲ 3.5", "▼ 4.5"]
    ways = table(cells).other_readings("v")
    read = table(cells, formats={"v": ways["numbers, ▼ as minus"]})
    assert values(read) == [1.5, -2.5, 3.5, -4.5]
