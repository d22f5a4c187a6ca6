"""Files that a review is taken away as."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pandas as pd
import pytest

from stiknn_core.datasets import flip_labels, load_bundled
from stiknn_core.tables import Table, read_table
from stiknn_ui.review.corrected import corrected_data, corrected_upload
from stiknn_ui.review.decisions import Change, Decision, Record, Step
from stiknn_ui.review.exports import (
    changes_csv,
    changes_table,
    decisions_for,
    file_name,
    suspects_csv,
    suspects_json,
)
from stiknn_ui.review.subject import Subject

SAMPLES = sorted((Path(__file__).parents[2] / "sample_data").glob("*.csv"))
KEEP, REMOVE, SKIP = Decision("keep"), Decision("remove"), Decision("skip")


def to(label: str, note: str = "") -> Decision:
    return Decision("relabel", label, note)


def as_written(content: bytes, separator: str = ",", encoding: str = "utf-8-sig") -> pd.DataFrame:
    """Read every cell as text, with pandas alone."""
    return pd.read_csv(
        BytesIO(content), sep=separator, dtype=str, keep_default_na=False, encoding=encoding
    )


def separator_of(table: Table) -> str:
    return str(table.decisions["separator"])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_only_the_decided_labels_and_rows_differ_from_the_file(path: Path) -> None:
    content = path.read_bytes()
    table = read_table(content, name=path.stem)
    # Of annotators without a label, any of their columns.
    label = table.label or table.columns_with("annotator")[0]
    separator = separator_of(table)
    decisions = {1: to("other, class"), 2: KEEP, 3: REMOVE, 5: SKIP, table.n_rows - 1: to("9")}
    written = corrected_upload(table, label, decisions)
    assert written.startswith(b"\xef\xbb\xbf")
    encoding = "cp1252" if "german" in path.name else "utf-8-sig"
    expected = as_written(content, separator, encoding)
    expected.loc[1, label] = "other, class"
    expected.loc[table.n_rows - 1, label] = "9"
    expected = expected.drop(index=3).reset_index(drop=True)
    pd.testing.assert_frame_equal(as_written(written, separator), expected)


def test_without_decisions_the_file_comes_back() -> None:
    content = b"x;kind;weight\r\n1,5;A;0,10\r\n1.000,0;NA;\r\n-2;01;+3\r\n"
    table = read_table(content)
    assert corrected_upload(table, "kind", {}) == b"\xef\xbb\xbf" + content


def test_a_file_without_a_header_stays_without_one() -> None:
    content = b"".join(b"%d,%d,%c\r\n" % (row, row * 2, 97 + row % 2) for row in range(8))
    table = read_table(content)
    assert table.decisions["header"] is False
    written = corrected_upload(table, str(table.label), {0: to("b")})
    assert written == b"\xef\xbb\xbf" + content.replace(b"0,0,a", b"0,0,b", 1)


@pytest.mark.parametrize(("separator", "expected"), [("\t", "\t"), ("|", ","), (" ", ",")])
def test_other_separators_become_commas(separator: str, expected: str) -> None:
    lines = ["x y label".replace(" ", separator)]
    lines += [separator.join((str(row), str(row % 3), str(row % 2))) for row in range(6)]
    table = read_table("\n".join(lines).encode())
    assert separator_of(table) == separator
    back = as_written(corrected_upload(table, "label", {}), expected)
    pd.testing.assert_frame_equal(back, as_written("\n".join(lines).encode(), separator))


def test_awkward_cells_survive_and_read_back_the_same() -> None:
    content = (
        'id,x,label\n"a,b",1,=evil()\n"q""q",2,Łódź\n-x,3,東京\n"two\nlines",4,Łódź\n'.encode()
    )
    table = read_table(content)
    written = corrected_upload(table, "label", {3: to("=evil()")})
    back = read_table(written)
    expected = table.frame.astype(object)
    expected.loc[3, "label"] = "=evil()"
    pd.testing.assert_frame_equal(back.frame.astype(object), expected)
    raw = as_written(written)
    assert raw["label"].tolist() == ["'=evil()", "Łódź", "東京", "'=evil()"]
    # What was written is read and written again without another apostrophe.
    assert corrected_upload(back, "label", {}) == written


def test_a_native_table_keeps_its_numbers_and_labels_are_text() -> None:
    frame = pd.DataFrame(
        {"x": [0.1, 1e-300, np.nan, 2.5], "n": [1, 2, 3, 4], "label": [1, 0, 1, 0]}
    )
    stream = BytesIO()
    frame.to_parquet(stream)
    written = corrected_upload(read_table(stream.getvalue()), "label", {1: to("1"), 2: REMOVE})
    back = pd.read_csv(BytesIO(written))
    assert back["x"].tolist() == [0.1, 1e-300, 2.5]
    assert back["n"].tolist() == [1, 2, 4]
    assert back["label"].tolist() == [1, 1, 0]


def test_decisions_are_picked_by_source() -> None:
    decisions = {("a", 3): KEEP, ("b", 3): REMOVE, ("a", 9): SKIP}
    assert decisions_for(decisions, "a") == {3: KEEP, 9: SKIP}


def test_public_data_load_back_corrected() -> None:
    noisy = flip_labels(load_bundled("iris"), 0.1, 0)
    labels, removed = noisy.y.copy(), np.zeros(noisy.n, dtype=bool)
    labels[0], removed[[3, 149]] = "virginica", True
    back = read_table(corrected_data(noisy, labels, removed)).to_dataset()
    rows = np.flatnonzero(~removed)
    assert np.array_equal(back.X, noisy.X[rows])
    assert back.y.tolist() == [labels[row] for row in rows]
    assert back.ids.tolist() == noisy.ids[rows].tolist()
    assert noisy.y[0] != "virginica"


def test_suspects_come_ranked_with_their_decisions_and_settings() -> None:
    subject = SimpleNamespace(
        analysis=SimpleNamespace(dataset=SimpleNamespace(votes=None)),
        names=lambda points: [["P0", "P1", "=P2"][point] for point in points],
        given=np.array(["a", "b", "a"]), suggested=np.array(["b", "b", "b"]),
        rows=np.array([4, 0, 7]), order=lambda by: np.array([2, 0, 1]), said=None,
        scores={"quality": np.array([0.25, 0.9, 0.125]), "value": np.array([-0.5, 0.1, 1e-17])},
    )  # fmt: skip
    raw = suspects_csv(
        cast(Subject, subject),
        "quality",
        {7: to("b", "blurred"), 0: KEEP, 1: REMOVE},
        {"dataset": "t", "k": 5},
    )
    back = read_table(raw).frame
    findings = ["rank", "id", "given", "suggested", "quality", "value"]
    decision = ["decision", "new_label", "note"]
    assert list(back.columns) == [*findings, *decision, "setting_dataset", "setting_k"]
    assert back["rank"].tolist() == ["1", "2", "3"]
    assert back["id"].tolist() == ["=P2", "P0", "P1"]
    assert back["quality"].astype(float).tolist() == [0.125, 0.25, 0.9]
    assert back["value"].astype(float).tolist() == [1e-17, -0.5, 0.1]
    assert back["decision"].fillna("").tolist() == ["relabel", "", "keep"]
    assert back["new_label"].fillna("").tolist() == ["b", "", ""]
    assert back["note"].fillna("").tolist() == ["blurred", "", ""]
    assert set(back["setting_k"]) == {"5"}


def test_suspects_as_json_tell_position_scores_and_decision() -> None:
    subject = SimpleNamespace(
        analysis=SimpleNamespace(
            dataset=SimpleNamespace(source_rows=np.array([10, 11, 12]), votes=None)
        ),
        names=lambda points: [["P0", "P1", "=P2"][point] for point in points],
        given=np.array(["a", "b", "ä"]), suggested=np.array(["b", "b", "b"]),
        rows=np.array([0, 1, 2]), order=lambda by: np.array([2, 0, 1]), said=None,
        scores={"quality": np.array([0.25, 0.9, 0.125]), "leave_one_out": np.full(3, np.nan)},
    )  # fmt: skip
    decided = {2: to("b", "blurred"), 0: KEEP}
    found = json.loads(suspects_json(cast(Subject, subject), "quality", decided, {"k": 5}))
    assert found["settings"] == {"k": 5}
    assert found["suspects"] == [
        {
            "rank": 1, "id": "=P2", "position": 12, "given": "ä", "suggested": "b",
            "scores": {"quality": 0.125, "leave_one_out": None},
            "decision": {"action": "relabel", "new_label": "b", "note": "blurred"},
        },
        {
            "rank": 2, "id": "P0", "position": 10, "given": "a", "suggested": "b",
            "scores": {"quality": 0.25, "leave_one_out": None},
            "decision": {"action": "keep", "new_label": None, "note": ""},
        },
        {
            "rank": 3, "id": "P1", "position": 11, "given": "b", "suggested": "b",
            "scores": {"quality": 0.9, "leave_one_out": None}, "decision": None,
        },
    ]  # fmt: skip


def changed(row: int, before: Decision | None, after: Decision | None, source: str = "a") -> Change:
    return Change((source, row), f"P{row}", "1", before, after)


def record() -> Record:
    at = "2026-11-28T10:00:00Z"
    return Record(
        {},
        (
            Step(1, at, "two", (changed(0, None, to("0", "seen")), changed(1, None, KEEP)), False),
            Step(2, at, "away", (changed(0, to("0"), REMOVE), changed(2, None, SKIP, "b")), False),
            Step(3, at, "back", (changed(0, REMOVE, None),), True),
        ),
        3,
    )


def test_the_change_log_tells_every_step_and_what_was_undone() -> None:
    log = pd.read_csv(BytesIO(changes_csv(record(), {"a"})), dtype=str, keep_default_na=False)
    expected = ["step", "at", "id", "old_label", "new_label", "action", "note", "undone"]
    assert log.columns.tolist() == expected
    assert log.drop(columns="at").to_numpy().tolist() == [
        ["1", "P0", "1", "0", "relabel", "seen", "False"],
        ["1", "P1", "1", "1", "keep", "", "False"],
        ["2", "P0", "0", "", "remove", "", "False"],
        ["3", "P0", "", "1", "clear", "", "True"],
    ]  # fmt: skip
    assert set(log["at"]) == {"2026-11-28T10:00:00Z"}


def test_the_log_of_nothing_has_its_columns() -> None:
    assert changes_table(Record(), {"a"}).empty
    assert changes_csv(Record(), {"a"}).decode("utf-8-sig").startswith("step,at,id,")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("measurements.csv.gz", "corrected_measurements.csv"),
        ("../a b/ä.xlsx", "corrected_data.csv"),
        ("v1.25", "corrected_v1.25.csv"),
        ("my pets.csv", "corrected_my-pets.csv"),
        ("circles", "corrected_circles.csv"),
    ],
)
def test_file_names_are_plain(name: str, expected: str) -> None:
    assert file_name("corrected", name) == expected
