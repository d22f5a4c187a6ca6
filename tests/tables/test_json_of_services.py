"""JSON as databases, services and tools for annotation write it."""

from __future__ import annotations

import json

import pytest

from stiknn_core import read_table


def test_json_of_mongodb_and_of_annotation_tools() -> None:
    lines = [
        {
            "_id": {"$oid": f"{place:024x}f"},
            "size": {"$numberDouble": f"{place}.5"},
            "when": {"$date": {"$numberLong": str(1_700_000_000_000 + place)}},
            "label": ["spam" if place % 2 else "ham"],
            "tags": ["x", "y"],
        }
        for place in range(6)
    ]
    made = read_table("\n".join(map(json.dumps, lines)).encode())
    assert list(made.columns) == ["_id", "size", "when", "label", "tags"]
    assert [float(cell) for cell in made.frame["size"]] == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert made.frame["label"].tolist() == ["ham", "spam"] * 3
    assert made.frame["tags"].iloc[0] == '["x", "y"]'


def test_json_with_records_by_name_inside() -> None:
    users = {f"k{place}": {"size": place, "label": "pq"[place % 2]} for place in range(6)}
    made = read_table(json.dumps({"users": users}).encode())
    assert made.frame["index"].tolist() == [*users]
    assert made.decisions["table"] == "users"


def test_a_type_that_all_share_is_no_label() -> None:
    features = [
        {"type": "Feature", "properties": {"size": place / 2, "kind": "pq"[place % 2]}}
        for place in range(6)
    ]
    made = read_table(json.dumps({"type": "FeatureCollection", "features": features}).encode())
    assert made.label == "properties.kind"


@pytest.mark.parametrize(
    ("names", "key"), [(["size", "label"], "rows"), ([{"name": "size"}, {"name": "label"}], "data")]
)
def test_json_of_services_with_names_beside_rows(names: list[object], key: str) -> None:
    rows = [[place / 2, "pq"[place % 2]] for place in range(6)]
    answer = {"database": "x", "fields": names, key: rows, "truncated": False}
    for text in (json.dumps(answer), json.dumps({"result": answer, "ok": True})):
        made = read_table(text.encode())
        assert list(made.columns) == ["size", "label"]
        assert made.frame["size"].tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]


def test_json_of_the_world_bank() -> None:
    records = [{"date": str(2000 + place), "value": place / 2} for place in range(6)]
    made = read_table(json.dumps([{"page": 1, "total": 6}, records]).encode())
    assert made.frame["value"].tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
