"""JSON with other labels: not a letter changes besides."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core.tables.files.json_edit import NotRecords, edit_json

LINES = (
    '{"x": 1.0, "text" : "a \\u00e9\\"}", "label":"cat", "deep": {"y": 1e5}}\n'
    "\n"
    '  {"label": "dog", "x": 0.10, "deep": {"y": 2}}  \r\n'
    '{"label": null, "x": 3}\n'
    '{"x": 4, "label": "c\\u0061t"}'
)
GIVEN = ["cat", "dog", None, "cat"]


def test_nothing_changes_without_changes() -> None:
    assert edit_json(LINES, "label", GIVEN, {}, lines=True) == LINES


def test_one_label_is_all_that_differs() -> None:
    changed = edit_json(LINES, "label", GIVEN, {0: "dog"}, lines=True)
    assert changed == LINES.replace('"label":"cat"', '"label":"dog"')
    assert edit_json(LINES, "label", GIVEN, {1: "cat"}, lines=True) == LINES.replace(
        '"dog"', '"cat"'
    )
    last = edit_json(LINES, "label", GIVEN, {3: "bird"}, lines=True)
    assert last == LINES.replace('"c\\u0061t"', '"bird"')
    assert edit_json(LINES, "label", GIVEN, {2: "dog"}, lines=True) == LINES.replace(
        "null", '"dog"'
    )


def test_removed_lines_go_with_their_ends() -> None:
    assert edit_json(LINES, "label", GIVEN, {1: None, 3: None}, lines=True) == (
        '{"x": 1.0, "text" : "a \\u00e9\\"}", "label":"cat", "deep": {"y": 1e5}}\n'
        "\n"
        '{"label": null, "x": 3}\n'
    )
    assert edit_json(LINES, "label", GIVEN, dict.fromkeys(range(4)), lines=True) == ""


LIST = (
    '[\n  {"a": {"kind": 1, "x": 0.50}},\n  {"a": {"x": 2, "kind": 2}},\n  {"a": {"kind": 1}}\n]\n'
)


def test_lists_keep_their_commas_and_blanks() -> None:
    told: Any = ["1", "2", "1"]
    assert edit_json(LIST, "a.kind", told, {}, lines=False) == LIST
    assert edit_json(LIST, "a.kind", told, {2: "2"}, lines=False) == LIST.replace(
        '{"kind": 1}}\n', '{"kind": 2}}\n'
    )
    assert edit_json(LIST, "a.kind", told, {0: "3"}, lines=False) == LIST.replace(
        '"kind": 1, ', '"kind": 3, '
    )
    assert edit_json(LIST, "a.kind", told, {0: "x"}, lines=False) == LIST.replace(
        '"kind": 1, ', '"kind": "x", '
    )
    for gone in ({0: None}, {1: None}, {2: None}, {0: None, 2: None}, dict.fromkeys(range(3))):
        left = json.loads(edit_json(LIST, "a.kind", told, gone, lines=False))
        assert left == [row for at, row in enumerate(json.loads(LIST)) if at not in gone]


def test_the_list_inside_a_wrapping_is_found() -> None:
    text = '{"n": 2, "out": {"rows": [{"l": "a"}, {"l": "b"}]}, "z": [1]}'
    assert edit_json(text, "l", ["a", "b"], {0: "b"}, lines=False, table="out.rows") == (
        text.replace('{"l": "a"}', '{"l": "b"}')
    )


def test_a_record_without_the_field_gets_it() -> None:
    text = '{"x": 1, "l": "a"}\n{"x": 2}\n{}\n'
    found = edit_json(text, "l", ["a", None, None], {1: "a", 2: "b"}, lines=True)
    assert found == '{"x": 1, "l": "a"}\n{"x": 2, "l": "a"}\n{"l": "b"}\n'


@pytest.mark.parametrize(
    ("text", "labels", "lines", "table"),
    [
        ('[["x", "l"], [1, "a"]]', ["a"], False, ""),  # rows without names
        ('{"x": [1, 2], "l": ["a", "b"]}', ["a", "b"], False, ""),  # columns
        ('[{"l": "b"}]', ["a"], False, ""),  # another label
        ('[{"m": "a"}]', ["a"], False, ""),  # another field
        ('[{"l": "a"}, {"l": "a"}]', ["a"], False, ""),  # more records
        ('[{"l": "a"}', ["a"], False, ""),  # broken off
        ('[{"l": "a"}]', ["a"], False, "rows"),
        ("1\n", ["a"], True, ""),
        ("[" * 100_000, ["a"], True, ""),
    ],
)
def test_what_is_no_list_of_these_records_is_left_alone(
    text: str, labels: list[str | None], lines: bool, table: str
) -> None:
    with pytest.raises(NotRecords):
        edit_json(text, "l", labels, {0: "c"}, lines=lines, table=table)


SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
LABELS = st.sampled_from(["a", "b", '"', "é", "\\u"])


@given(
    st.lists(
        st.tuples(st.dictionaries(st.text(min_size=1), VALUES, max_size=4), LABELS), max_size=6
    ),
    st.dictionaries(st.integers(0, 5), st.none() | LABELS),
    st.booleans(),
    st.sampled_from([None, 2]),
)
def test_any_records_come_back(
    rows: list[tuple[dict[str, Any], str]],
    changes: dict[int, str | None],
    ascii_only: bool,
    indent: int | None,
) -> None:
    records = [{**record, "the label": label} for record, label in rows]
    labels: Any = [label for _, label in rows]
    changes = {row: new for row, new in changes.items() if row < len(rows)}
    expected = [
        record if row not in changes else {**record, "the label": changes[row]}
        for row, record in enumerate(records)
        if changes.get(row, "") is not None
    ]
    text = json.dumps(records, ensure_ascii=ascii_only, indent=indent)
    found = edit_json(text, "the label", labels, changes, lines=False)
    assert json.loads(found) == expected
    text = "".join(json.dumps(record, ensure_ascii=ascii_only) + "\n" for record in records)
    found = edit_json(text, "the label", labels, changes, lines=True)
    assert [json.loads(line) for line in found.split("\n") if line] == expected
