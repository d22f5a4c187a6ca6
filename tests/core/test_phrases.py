from __future__ import annotations

import pytest

from stiknn_core.phrases import counted, listed, numbered, quoted


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", 2], "a and 2"),
        (iter("abc"), "a, b and c"),
        ("abcd", "a, b, c and 1 more"),
        (range(1503), "0, 1, 2 and 1,500 more"),
    ],
)
def test_lists_end_in_and(names: object, told: str) -> None:
    assert listed(names, 3) == told  # type: ignore[arg-type]


def test_names_in_quotation_marks() -> None:
    assert quoted(["a", None]) == "'a' and None"


def test_counts_agree_with_what_they_count() -> None:
    assert [counted(n, "row") for n in (0, 1, 1000)] == ["0 rows", "1 row", "1,000 rows"]
    assert [counted(n, "class is", "classes are") for n in (1, 2)] == [
        "1 class is",
        "2 classes are",
    ]


def test_places_are_named_after_their_noun() -> None:
    assert numbered("row", [3]) == "row 3"
    assert numbered("column", ["x", "y"]) == "columns x and y"
    assert numbered("row", range(12)) == "rows 0, 1, 2, 3, 4 and 7 more"
