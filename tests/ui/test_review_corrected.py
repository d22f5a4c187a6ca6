"""The corrected file of JSON, of vectors, and what Label Studio is given."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

from stiknn_core.tables import read_table
from stiknn_core.tables.contents import Vectors
from stiknn_ui.review.corrected import corrected_file, forms_of
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.label_studio import label_studio_tasks
from stiknn_ui.review.subject import Subject
from stiknn_ui.uploads.files import ReadFile

DECISIONS = {
    1: Decision("relabel", "spam"), 2: Decision("keep"), 3: Decision("remove"), 4: Decision("skip"),
}  # fmt: skip
WORDS = [
    "free money",
    "see you at noon",
    "win, win \u00e9",
    "lunch?",
    "prize \u201cnow\u201d",
    "ok",
]
ROWS = [
    {"text": word, "len": len(word) / 3, "label": "spam" if at % 2 == 0 else "ham", "at": {"n": at}}
    for at, word in enumerate(WORDS)
]


def file_of(content: bytes, name: str = "t", **overrides: Any) -> ReadFile:
    table = read_table(content, name=name, **overrides)
    return ReadFile(name, content, MappingProxyType(overrides), table, "digest")


def after_decisions(text: str) -> str:
    lines = text.splitlines(keepends=True)
    lines[1] = lines[1].replace('"ham"', '"spam"')
    return "".join(lines[:3] + lines[4:])


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("packed", [False, True])
def test_json_lines_keep_every_other_byte(ascii_only: bool, mark: bytes, packed: bool) -> None:
    text = "".join(json.dumps(row, ensure_ascii=ascii_only) + "\r\n" for row in ROWS)
    content = mark + text.encode()
    file = file_of(gzip.compress(content) if packed else content)
    assert forms_of(file.table) == ("jsonl", "csv")
    written = corrected_file(file, "label", DECISIONS, "jsonl")
    assert written == mark + after_decisions(text).encode()
    assert corrected_file(file, "label", {}, "jsonl") == content
    back = read_table(written).frame
    assert back["label"].tolist() == ["spam", "spam", "spam", "spam", "ham"]
    assert back["at.n"].tolist() == [0, 1, 2, 4, 5]
    csv = corrected_file(file, "label", DECISIONS, "csv")
    pd.testing.assert_frame_equal(read_table(csv).frame.astype(str), back.astype(str))


def test_a_json_list_keeps_every_other_byte() -> None:
    text = json.dumps(ROWS, indent=1)
    file = file_of(text.encode())
    assert forms_of(file.table) == ("json", "csv")
    written = json.loads(corrected_file(file, "label", DECISIONS, "json"))
    assert written == [ROWS[0], ROWS[1] | {"label": "spam"}, ROWS[2], *ROWS[4:]]
    assert corrected_file(file, "label", {}, "json") == text.encode()


def test_other_encodings_become_utf_8() -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    file = file_of(text.encode("utf-16"))
    written = corrected_file(file, "label", DECISIONS, "jsonl")
    assert written == after_decisions(text).encode()


def test_columns_of_json_come_back_as_records() -> None:
    columns = {"x": [1, 2, 3, 4, 5], "kind": [0, 1, 0, 1, 0]}
    file = file_of(json.dumps(columns).encode())
    written = corrected_file(
        file, "kind", {1: Decision("relabel", "0"), 3: Decision("remove")}, "json"
    )
    assert json.loads(written) == [
        {"x": 1, "kind": 0}, {"x": 2, "kind": 0}, {"x": 3, "kind": 0}, {"x": 5, "kind": 0},
    ]  # fmt: skip


def test_vectors_are_written_in_full() -> None:
    values = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    values[5] = np.nan
    cells = pd.DataFrame({"label": list("ababab"), "e": ["3 numbers"] * 5 + [None]})
    stream = BytesIO()
    cells.to_parquet(stream)
    file = file_of(stream.getvalue())
    file = replace(
        file, table=replace(file.table, vectors=MappingProxyType({"e": Vectors(values)}))
    )
    assert forms_of(file.table) == ("csv", "jsonl")
    decisions = {0: Decision("remove"), 1: Decision("relabel", "a")}
    raw = pd.read_csv(BytesIO(corrected_file(file, "label", decisions, "csv")))
    assert raw["label"].tolist() == list("aabab")
    read = np.array([json.loads(cell) for cell in raw["e"][:4]])
    assert np.array_equal(read, values[1:5].astype(np.float64))
    assert raw["e"].isna().tolist() == [False] * 4 + [True]
    lines = corrected_file(file, "label", decisions, "jsonl").decode().splitlines()
    records = [json.loads(line) for line in lines]
    assert np.array_equal([record["e"] for record in records[:4]], values[1:5].astype(np.float64))
    assert records[4] == {"label": "b", "e": None}


def test_tasks_of_label_studio_suggest_and_tell_what_was_decided() -> None:
    subject = SimpleNamespace(
        given=np.array(["ham", "spam", "ham", "spam"]), suggested=np.array(["spam"] * 3 + ["ham"]),
        suggested_codes=np.array([1, 1, 1, 0]), rows=np.array([0, 1, 2, 5]),
        shares=lambda points: np.array([[0.4, 0.6], [0.1, 0.9], [0.2, 0.8], [0.7, 0.3]])[points],
        order=lambda by: np.array([2, 0, 3, 1]),
        scores={"quality": np.array([0.4, 0.9, 0.2, 0.3])},
    )  # fmt: skip
    frame = pd.DataFrame({"text": WORDS, "label": [row["label"] for row in ROWS]})
    decided = {
        2: Decision("relabel", "spam", "seen"), 0: Decision("keep"), 5: Decision("remove"),
        1: Decision("skip"),
    }  # fmt: skip
    rows = (frame, np.array([0, 1, 2, 5]))
    tasks = json.loads(label_studio_tasks(cast(Subject, subject), "quality", decided, rows, "text"))
    assert [task["data"]["text"] for task in tasks] == [WORDS[row] for row in (2, 0, 5, 1)]
    first = tasks[0]
    assert first["meta"] == {"rank": 1, "given": "ham", "label_quality": 0.2, "note": "seen"}
    (prediction,) = first["predictions"]
    assert prediction["score"] == 0.8
    choice = {
        "from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": ["spam"]},
    }  # fmt: skip
    assert prediction["result"] == [{"id": "suggested", **choice}]
    assert first["annotations"] == [
        {"was_cancelled": False, "result": [{"id": "decided", **choice}]}
    ]
    kept = tasks[1]["annotations"][0]["result"][0]["value"]
    assert kept == {"choices": ["ham"]}
    assert tasks[2]["annotations"] == [{"was_cancelled": True, "result": []}]
    assert "annotations" not in tasks[3]
    told = json.loads(label_studio_tasks(cast(Subject, subject), "quality", {}, rows, "table"))
    assert told[0]["data"] == {"table": {"text": WORDS[2], "label": "spam"}}
    assert told[0]["predictions"][0]["result"][0]["to_name"] == "table"
