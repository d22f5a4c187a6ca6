"""What people chose for annotators, and the corrected file of such a table."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from stiknn_core.errors import LabelError, StiknnError
from stiknn_core.tables import read_table
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.review.corrected import Form, corrected_file
from stiknn_ui.review.decisions import Decision
from stiknn_ui.uploads.build import Upload, joined, split_of
from stiknn_ui.uploads.choices import NONE, Choices, carried, plan_of, problems_of, uses_of
from stiknn_ui.uploads.files import read_file

WIDE = b"f,anna rater,rater ben,rater_cleo\n1,a,a,b\n2,b,b,\n3,a,,\n4,b,a,\n5,a,b,b\n"
LONG = (
    b"task,worker,f,label\nx,anna,1,a\nx,ben,1,b\nx,cleo,1,a\ny,anna,2,b\ny,ben,2,b\nz,cleo,3,a\n"
)
BOTH = ("rater ben", "rater_cleo")


def made(upload: Upload) -> Dataset:
    train, _ = split_of(upload, ComputeSpec(), None)
    return train


def chosen(content: bytes, choices: Choices) -> Dataset:
    return made(Upload(read_file("t.csv", content), choices))


def test_annotators_are_chosen_column_by_column() -> None:
    table = read_table(WIDE, name="t.csv")
    assert table.columns_with("annotator") == BOTH
    more = Choices().with_use(["anna rater"], "annotator")
    assert [name for name, use in uses_of(table, more).items() if use == "annotator"] == [
        "anna rater", *BOTH
    ]  # fmt: skip
    votes = chosen(WIDE, more).votes
    assert votes is not None
    assert votes.annotators == ("anna rater", *BOTH)
    none = Choices(label="anna rater").with_use(list(BOTH), "ignored")
    assert chosen(WIDE, none).votes is None


def test_a_label_is_put_aside_for_what_most_said() -> None:
    content = WIDE.replace(b"anna rater", b"label")
    assert chosen(content, Choices()).y.tolist() == ["a", "b", "a", "b", "a"]
    dataset = chosen(content, Choices(label=NONE))
    # Of equal counts the first by name; row 2 has no votes.
    assert dataset.y.tolist() == ["a", "b", "a", "b"]
    kept, lost = carried(Choices(label=NONE), read_table(content, name="t.csv"))
    assert kept.label == NONE
    assert not lost


def test_names_of_annotators_are_chosen() -> None:
    content = LONG.replace(b"worker", b"person")
    choices = Choices(ids="task").with_use(["person"], "annotator name")
    dataset = chosen(content, choices)
    assert dataset.ids.tolist() == ["x", "y", "z"]
    assert dataset.y.tolist() == ["a", "b", "a"]
    other = choices.with_use(["f"], "annotator name")
    assert [name for name, use in other.uses if use == "annotator name"] == ["f"]


def test_both_ways_at_once_are_refused() -> None:
    table = read_table(LONG + b"", name="t.csv")
    choices = Choices().with_use(["f"], "annotator")
    with pytest.raises(LabelError, match="either in a column each or in one column"):
        plan_of(table, choices, problems_of(table, choices))


def test_what_nobody_said_is_nothing_missing() -> None:
    table = read_table(WIDE, name="t.csv")
    choices = Choices().with_use(["anna rater"], "annotator")
    assert not problems_of(table, choices).any


@pytest.mark.parametrize("evaluation", ["hold-out", "test-file"])
def test_test_rows_behind_training_rows_have_their_votes(evaluation: str) -> None:
    upload = Upload(read_file("t.csv", LONG * 1 + b"u,ben,4,b\nv,ben,5,a\nw,anna,6,b\n"))
    test = read_file("s.csv", LONG.replace(b"anna", b"zoe"))
    compute = ComputeSpec(evaluation=evaluation, share=0.5)  # type: ignore[arg-type]
    whole = joined(*split_of(upload, compute, test))
    assert whole.votes is not None
    assert len(whole.votes.said) == whole.n
    assert whole.votes.counts.sum(axis=1).min() >= 1
    assert ("zoe" in whole.votes.annotators) == (evaluation == "test-file")


def table_of(content: bytes, form: Form) -> pd.DataFrame:
    if form == "csv":
        return pd.read_csv(io.BytesIO(content), dtype=str)
    return pd.read_json(io.BytesIO(content), lines=form == "jsonl", dtype=False)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_corrections_replace_the_majority_and_leave_the_annotators(form: Form) -> None:
    file = read_file("t.csv", WIDE)
    dataset = made(Upload(file, Choices().with_use(["anna rater"], "annotator")))
    decisions = {0: Decision("relabel", "b"), 2: Decision("remove", "")}
    label, asked = dataset.params["label"], dataset.params["annotators"]
    table = table_of(corrected_file(file, label, decisions, form, asked), form)
    assert table[label].tolist() == ["b", "b", "a", "b"]
    assert table["rater ben"].fillna("").tolist() == ["a", "b", "a", "b"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_decision_is_about_all_rows_of_one_item(form: Form) -> None:
    file = read_file("t.csv", LONG)
    dataset = made(Upload(file))
    label, asked = dataset.params["label"], dataset.params["annotators"]
    # Rows of the file by which the points are known: x stands at 0, y at 3, z at 5.
    assert dataset.source_rows is not None
    assert dataset.source_rows.tolist() == [0, 3, 5]
    decisions = {3: Decision("relabel", "a"), 0: Decision("remove", "")}
    table = table_of(corrected_file(file, label, decisions, form, asked), form)
    assert table["task"].tolist() == ["y", "y", "z"]
    assert table[label].tolist() == ["a", "a", "a"]
    assert table["label"].tolist() == ["b", "b", "a"]


def test_a_fault_is_told_in_the_words_of_the_page() -> None:
    content = WIDE.replace(b"a,a,b", b",,")
    choices = Choices(label=NONE).with_use(["f", "anna rater"], "ignored")
    with pytest.raises(StiknnError, match="Only what annotators said is in use"):
        chosen(content, choices)
