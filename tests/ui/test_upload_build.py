"""One data set of training rows and the rows that judge them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stiknn_core.errors import FeatureError, FileError
from stiknn_core.types import Dataset
from stiknn_ui.parts import parts_of
from stiknn_ui.spec import ComputeSpec, DataSpec
from stiknn_ui.uploads.build import Upload, drawn, in_page_words, joined, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import digest_of, read_file, sample_files

CSV = b"x,z,kind\n" + b"".join(b"%d,%d,%c\n" % (n, n % 3, 97 + n % 2) for n in range(20))
HALF = ComputeSpec(evaluation="hold-out", share=0.5)


def small(y: list[object], **more: object) -> Dataset:
    n = len(y)
    X = np.arange(2.0 * n).reshape(n, 2)
    return Dataset(X, np.array(y), "t", ("a", "b"), np.arange(n), **more)  # type: ignore[arg-type]


def test_an_upload_is_known_by_content_overrides_and_choices_not_by_name() -> None:
    one = Upload(read_file("C:\\folder\\mine.csv", CSV))
    assert (one.file.name, one.table.name) == ("mine.csv", "mine")
    digest = one.spec.digest
    assert digest == Upload(read_file("other.csv", CSV)).spec.digest
    assert digest != Upload(read_file("mine.csv", CSV + b"1,1,a\n")).spec.digest
    assert digest != Upload(read_file("mine.csv", CSV, {"header": False})).spec.digest
    assert digest != Upload(one.file, Choices(label="z")).spec.digest
    assert digest_of(CSV, {"a": 1, "b": 2}) == digest_of(CSV, {"b": 2, "a": 1})


def test_the_sample_files_are_there() -> None:
    assert "leaves_german.csv" in sample_files()


def test_test_rows_stand_behind_training_rows_and_parts_find_them() -> None:
    whole = joined(*split_of(Upload(read_file("a.csv", CSV)), HALF, None))
    parts = parts_of(whole, HALF)
    assert whole.test_from == len(parts.train) == 10
    assert parts.train.tolist() == list(range(10))
    assert parts.test is not None
    assert parts.test.tolist() == list(range(10, 20))
    assert sorted(whole.ids.tolist()) == list(range(20))
    assert np.array_equal(whole.X[:, 0], whole.ids)


def test_joining_keeps_truth_flips_and_copies_in_place() -> None:
    train = small(["a", "b", "a"], y_true=np.array(["a", "a", "a"]), flipped=np.array([1]),
                  copy_of=np.array([-1, -1, 0]))  # fmt: skip
    test = small(["b", "a"], flipped=np.array([0]), y_true=np.array(["a", "a"]))
    whole = joined(train, test)
    assert whole.flipped.tolist() == [1, 3]
    assert whole.copy_of is not None
    assert whole.copy_of.tolist() == [-1, -1, 0, -1, -1]
    assert whole.y_true is not None
    assert whole.y_true.tolist() == ["a"] * 5
    alone = joined(train, replace(test, y_true=None, flipped=np.array([], dtype=np.int64)))
    assert alone.y_true is not None
    assert alone.y_true.tolist() == ["a", "a", "a", "b", "a"]


def test_ids_of_two_kinds_are_kept_as_they_are() -> None:
    train, test = small(["a", "b"]), replace(small(["a"]), ids=np.array(["x7"], dtype=object))
    assert joined(train, test).ids.tolist() == [0, 1, "x7"]


def test_without_tests_nothing_is_joined() -> None:
    train = small(["a", "b"])
    assert joined(train, None) is train


def test_a_sample_is_drawn_on_both_sides() -> None:
    train, test = split_of(Upload(read_file("a.csv", CSV)), HALF, None)
    fewer, fewer_tests = drawn(train, test, DataSpec(sample=4, seed=2))
    assert fewer_tests is not None
    assert (fewer.n, fewer_tests.n) == (4, 4)
    assert sorted(fewer.y.tolist()) == ["a", "a", "b", "b"]
    assert drawn(train, test, DataSpec())[0] is train


def test_a_missing_test_file_is_asked_for() -> None:
    upload = Upload(read_file("a.csv", CSV))
    with pytest.raises(FileError, match="no test file yet"):
        split_of(upload, ComputeSpec(evaluation="test-file"), None)


def test_no_argument_of_a_notebook_is_named_on_the_page() -> None:
    gap = read_file("gap.csv", CSV + b",1,a\n")
    upload = Upload(read_file("a.csv", CSV))
    with pytest.raises(FeatureError, match=r"on the Data page") as caught:
        split_of(upload, ComputeSpec(evaluation="test-file"), gap)
    assert "=" not in str(caught.value)
    assert in_page_words(FileError("choose one with member=.")) == "choose one."


def test_a_repeated_row_is_not_said_twice() -> None:
    twice = CSV + CSV[len(b"x,z,kind\n") :]
    whole = joined(*split_of(Upload(read_file("a.csv", twice)), HALF, None))
    assert not any("repeat" in said for said in whole.notices)
