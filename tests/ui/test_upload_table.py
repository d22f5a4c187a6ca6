"""The columns as rows of a table, and what an edit means."""

from __future__ import annotations

from typing import Any

import pytest

from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file
from stiknn_ui.uploads.table import (
    USE,
    columns_frame,
    edits_of,
    found_columns,
    order_from,
    summary,
)

CSV = b"id,gene,size,kind\n" + b"".join(
    b"n%d,%d,%s,%c\n" % (n, n % 5, (b"low", b"high")[n % 3 == 0], 97 + n % 2) for n in range(24)
)


@pytest.fixture
def upload() -> Upload:
    return Upload(read_file("a.csv", CSV))


def test_the_summary_counts_features_and_names_the_rest(upload: Upload) -> None:
    assert summary(upload) == "2 feature columns · label kind · rows named by id"


def test_columns_are_found_by_name_use_or_reason(upload: Upload) -> None:
    assert found_columns(upload, "") == ["id", "gene", "size", "kind"]
    assert found_columns(upload, "GEN") == ["gene"]
    assert found_columns(upload, "0/1 for each") == ["size"]
    assert found_columns(upload, "different in every row") == ["id"]


def test_the_table_gives_a_reason_for_every_column(upload: Upload) -> None:
    frame = columns_frame(upload, ["gene", "size"])
    assert frame["why"].tolist() == [
        "it holds numbers",
        "it holds 2 different words",
    ]
    chosen = Upload(upload.file, Choices().with_use(["size"], "ignored"))
    assert columns_frame(chosen, ["size"])["why"][0].startswith("your choice; it holds 2")
    assert columns_frame(chosen, ["size"])[USE][0] == "Left out"
    assert columns_frame(upload, ["size"])[USE][0] == "Feature: 0/1 for each word"


def test_an_edit_is_a_column_and_its_use() -> None:
    state = {"edited_rows": {1: {USE: "Left out"}, "0": {USE: "Label"}}, "added_rows": []}
    assert edits_of(state, ["a", "b"]) == [("b", "ignored"), ("a", "label")]


@pytest.mark.parametrize(
    "state", [None, {}, {"edited_rows": {9: {USE: "Label"}}}, {"edited_rows": {0: {USE: "?"}}}]
)
def test_an_edit_that_means_nothing_changes_nothing(state: Any) -> None:
    assert edits_of(state, ["a", "b"]) == []


def test_an_order_is_read_with_words_left_out_behind() -> None:
    assert order_from(" low<high ", ("high", "low", "mid")) == ("low", "high", "mid")
    assert order_from("odd < low < low", ("high", "low")) == ("low", "high")
