"""Decisions in words, and what belongs to which row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.sources import build, disturbed
from stiknn_ui.review.decisions import (
    MAX_NOTE,
    Change,
    Decision,
    Record,
    ReviewError,
    Step,
    checked,
    describe,
    describe_decision,
    phrase,
    shown,
)
from stiknn_ui.review.keys import Places, places_of
from stiknn_ui.uploads.build import Upload, drawn, joined, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file

ROWS = [
    f"P{i:02d},{i % 7},{i // 7 if i % 9 else ''},{'ab'[i % 2]},{'xy'[i % 3 > 0]}" for i in range(40)
]
CSV = "\n".join(["id,u,v,label,other", *ROWS]).encode()
DROPPING = Choices(label="label", ids="id", missing="drop_rows")


def change(before: Decision | None, after: Decision | None, row: int = 4) -> Change:
    return Change(("s" * 64, row), f"P{row:02d}", "1", before, after)


RELABEL, KEEP = Decision("relabel", "0"), Decision("keep")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, RELABEL, "P04: 1 → 0"),
        (RELABEL, KEEP, "P04: 1 kept"),
        (None, Decision("remove"), "P04: removed"),
        (None, Decision("skip"), "P04: skipped"),
        (KEEP, None, "P04: decision taken back"),
        (KEEP, Decision("keep", note="sure"), "P04: note written"),
        (Decision("keep", note="so"), Decision("keep", note="sure"), "P04: note changed"),
        (None, Decision("", note="sure"), "P04: note written"),
        (Decision("", note="sure"), None, "P04: note removed"),
        (Decision("", note="sure"), Decision("keep", note="sure"), "P04: 1 kept"),
        (Decision("skip", note="sure"), Decision("", note="sure"), "P04: not decided"),
        (Decision("keep", note="sure"), KEEP, "P04: note removed"),
    ],
)
def test_a_change_is_told_in_a_few_words(
    before: Decision | None, after: Decision | None, expected: str
) -> None:
    assert describe(change(before, after)) == expected


def test_several_changes_are_counted() -> None:
    many = [change(None, RELABEL, row) for row in range(1200)]
    assert phrase(many[:1]) == "P00: 1 → 0"
    assert phrase(many) == "1,200 rows relabelled"
    assert phrase([many[0], change(None, KEEP, 1)]) == "2 rows decided"
    assert phrase([change(KEEP, None, row) for row in (1, 2)]) == "2 rows taken back"


def test_names_on_screen_are_short_and_printable() -> None:
    assert shown("a\n b") == "a b"
    assert shown("a\0b\u202e") == "a�b�"
    assert shown("é" * 10_000) == "é" * 39 + "…"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (Decision("keep", note="n" * (MAX_NOTE + 1)), "2,000 characters; this one has 2,001"),
        (Decision("relabel"), "A new label is needed"),
        (Decision(""), "Nothing was decided and nothing noted"),
        (Decision("explode"), "action must be one of"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_is_refused(after: Decision, expected: str) -> None:
    with pytest.raises(ReviewError, match=expected):
        checked([change(None, after)])


def test_a_skip_and_a_note_settle_nothing() -> None:
    assert [Decision(one).decides for one in ("relabel", "keep", "remove")] == [True] * 3
    assert not Decision("skip", note="later").decides
    assert not Decision("", note="later").decides
    assert describe_decision(Decision("", note="later"), "1") == "not decided"


def test_one_row_twice_in_a_step_is_refused() -> None:
    with pytest.raises(ReviewError, match="named twice"):
        checked([change(None, KEEP), change(None, RELABEL)])


def test_what_changes_nothing_is_left_out() -> None:
    real = change(None, KEEP, 1)
    assert checked([change(KEEP, KEEP), real]) == (real,)
    assert len(checked([change(None, Decision("keep", note="n" * MAX_NOTE))])) == 1


def test_undo_and_redo_follow_the_latest_turn() -> None:
    def step(number: int, turn: int, undone: bool = False, replaced: bool = False) -> Step:
        return Step(number, "", "", (), undone, replaced, turn)

    record = Record(steps=(step(1, 1), step(2, 6, True), step(3, 5, True), step(4, 9, True, True)))
    assert record.undoable == record.steps[0]
    assert record.redoable == record.steps[1]
    assert Record().undoable is None
    assert Record().redoable is None


def keys_of_public(data: DataSpec, compute: ComputeSpec | None = None) -> Places:
    return places_of(build(data), data, compute or ComputeSpec())


def test_public_data_are_known_by_their_content() -> None:
    data = DataSpec(n=40, seed=1)
    places = keys_of_public(data)
    assert [*places] == [*keys_of_public(data, ComputeSpec(k=9, evaluation="hold-out"))]
    assert [row for _, row in places] == list(range(build(data).n))
    assert len({source for source, _ in places}) == 1
    assert len(places[0][0]) == 64
    assert not set(places) & set(keys_of_public(replace(data, flip=0.2)))
    assert not set(places) & set(keys_of_public(replace(data, seed=2)))
    assert [found.tolist() for found in places.find([places[7], ("other", 7)])] == [[0], [7]]


def uploaded(
    content: bytes = CSV,
    choices: Choices = DROPPING,
    compute: ComputeSpec | None = None,
    test: bytes | None = None,
    **noise: float,
) -> tuple[Analysis, dict[str, tuple[str, int]]]:
    """Return the result of an upload, and the key of each row by its name."""
    compute = compute or ComputeSpec(k=3)
    file = None if test is None else read_file("test.csv", test)
    if file is not None:
        compute = replace(compute, evaluation="test-file", test_digest=file.digest)
    upload = Upload(read_file("mine.csv", content), choices)
    data = replace(upload.spec, **noise)  # type: ignore[arg-type]
    train, judges = drawn(*split_of(upload, compute, file), data)
    dataset = joined(disturbed(train, data), judges)
    keys = places_of(dataset, data, compute)
    named = dict(zip(map(str, dataset.ids.tolist()), keys, strict=True))
    return analyse(dataset, data, compute), named


def test_rows_of_an_upload_are_those_of_its_file() -> None:
    _, keys = uploaded()
    assert 0 < len(keys) < 40, "some rows are dropped, or this test shows nothing"
    assert all(row == int(name[1:]) for name, (_, row) in keys.items())


@pytest.mark.parametrize(
    "others",
    [
        {"choices": replace(DROPPING, missing="impute")},
        {"choices": replace(DROPPING, uses=(("u", "ignored"),))},
        {"choices": replace(DROPPING, ids="\0none")},
        {"compute": ComputeSpec(k=1, evaluation="hold-out", share=0.4, scaling="robust")},
        {"sample": 20},
    ],
)
def test_another_way_of_using_a_file_keeps_every_decision(others: dict[str, object]) -> None:
    _, first = uploaded()
    _, second = uploaded(**others)  # type: ignore[arg-type]
    both = set(first.values()) & set(second.values())
    assert len(both) == min(len(first), len(second))
    for name in first.keys() & second.keys():
        assert first[name] == second[name]


def test_a_test_file_has_rows_of_its_own() -> None:
    test = b"id,u,v,label,other\nT1,1,2,a,x\nT2,2,1,b,y\n"
    analysis, keys = uploaded(test=test)
    _, alone = uploaded()
    assert keys["T1"][1] == 0
    assert keys["T2"][1] == 1
    assert keys["T1"][0] == keys["T2"][0] != keys["P02"][0]
    assert keys["P02"] == alone["P02"]
    assert len(parts_of(analysis.dataset, analysis.compute).train) + 2 == len(keys)
    _, again = uploaded(content=test.replace(b"T", b"S") + b"S3,4,4,a,x\n", test=test)
    assert again["T1"] == keys["T1"], "decisions on test rows stay with the test file"


def test_a_file_that_judges_itself_has_one_decision_a_row() -> None:
    analysis, _ = uploaded(test=CSV)
    places = places_of(analysis.dataset, analysis.data, analysis.compute)
    which, rows = places.find(sorted(set(places)))
    assert (np.bincount(which) == 2).all()
    assert sorted(rows.tolist()) == list(range(analysis.dataset.n))
    outside = [(places[0][0], 10_000), (places[0][0], -1)]
    assert not len(places.find(outside)[0])


def test_other_bytes_other_reading_and_another_label_are_other_sources() -> None:
    _, first = uploaded()
    _, bytes_differ = uploaded(content=CSV + b"\nP99,1,1,a,x\n")
    _, label_differs = uploaded(choices=replace(DROPPING, label="other"))
    _, noisy = uploaded(flip=0.2)
    sources = [keys["P02"][0] for keys in (first, bytes_differ, label_differs, noisy)]
    assert len(set(sources)) == 4


def test_rows_added_on_purpose_have_keys_of_their_own() -> None:
    analysis, _ = uploaded(copies=0.2)
    assert np.any(np.asarray(analysis.dataset.source_rows) == -1)
    keys = places_of(analysis.dataset, analysis.data, analysis.compute)
    assert len(set(keys)) == analysis.dataset.n
