"""One data set of training rows and the rows that judge them."""

from __future__ import annotations

import ast
import copy
import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stiknn_core.tables
from stiknn_core.errors import FeatureError, FileError, StiknnError
from stiknn_core.tables import ChoiceError, Table
from stiknn_core.types import Dataset, Notice
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.parts import parts_of
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


def _zip_of_two() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("a.csv", "b.csv"):
            archive.writestr(name, CSV)
    return packed.getvalue()


def _arrays(**arrays: np.ndarray) -> bytes:
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    return packed.getvalue()


def _read(content: bytes) -> Table:
    return read_file("a.csv", content).table


def _words() -> Table:
    lines = [b"%d,w%d,%c\n" % (n, n % 3, 97 + n % 2) for n in range(9)]
    return _read(b"x,z,kind\n" + b"".join(lines))


def _measures() -> Table:
    return _read(b"a,b\n" + b"".join(b"%d.5,%d.25\n" % (n, 9 * n) for n in range(30)))


def _dates() -> Table:
    return _read(b"when,kind\n2024-01-05,a\n2024-01-06,b\n2024-01-07,a\n")


JSON_OF_TWO = b'{"u": [{"a": 1}, {"a": 2}], "v": [{"a": 1}, {"a": 2}]}'

# By option: what makes the core ask for it, and what the page says instead.
ASKED = {
    "column": (lambda: _read(CSV).to_split(), "choose other test points"),
    "encode": (lambda: _words().to_dataset(encode={"x": "date"}), "another use for it under"),
    "features": (lambda: _dates().to_dataset(), "under Columns"),
    "ids": (lambda: _read(b"who,f,y\na,1,u\na,2,v\n").to_dataset(annotators="who"), "names the"),
    "label": (lambda: _measures().to_dataset(), "choose the column that holds it"),
    "missing": (lambda: _read(CSV + b",1,a\n").to_dataset(), "on the Data page"),
    "missing_labels": (lambda: _read(CSV + b"1,1,\n").to_dataset(), "leave those rows out"),
    "one_hot": (lambda: _words().to_dataset(features=["x", "z"], one_hot=[]), "under Columns"),
    "ordered": (lambda: _words().to_dataset(ordered={"z": ["w0"]}), "add it to the order."),
    "ragged": (lambda: _read(b"x,y,kind\n1,2,a\n3,4,b,5,6\n7,8,a\n9\n"), "leave those rows out"),
    "member": (lambda: _read(_zip_of_two()), "choose one of a.csv and b.csv."),
    "X": (lambda: _read(_arrays(u=np.eye(3), v=np.ones(3))), "choose one of u and v."),
    "y": (lambda: _read(_arrays(X=np.eye(3), v=np.ones(2))), "choose one of X and v."),
    "table": (lambda: _read(JSON_OF_TWO), "choose one of u and v."),
}  # fmt: skip


@pytest.mark.parametrize("option", ASKED)
def test_the_page_gives_its_own_advice_for_every_option(option: str) -> None:
    cause, advice = ASKED[option]
    with pytest.raises(StiknnError) as caught:
        cause()
    error = caught.value
    assert error.option == option
    said = in_page_words(error)
    assert said.startswith(f"{error.problem}; ")
    assert advice in said
    assert "=" not in said
    if not isinstance(error, ChoiceError):
        reworded = type(error)("Quite another problem", f"other advice with {option}=", option)
        assert in_page_words(reworded) == said.replace(error.problem, "Quite another problem")


def _options_named(path: Path) -> Iterator[str]:
    """Third arguments of errors, and second ones of ``ChoiceError``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 3:
            option = node.args[1 if node.func.id == "ChoiceError" else 2]
            if node.func.id.endswith("Error") and isinstance(option, ast.Constant):
                yield option.value


def test_the_core_asks_for_no_other_option() -> None:
    core = Path(stiknn_core.tables.__file__).parent
    found = {option for path in core.rglob("*.py") for option in _options_named(path)}
    assert found - {"sheet"} == set(ASKED)  # a sheet is asked for again only by its own box


def test_a_fault_of_the_test_file_is_told_in_the_words_of_the_page() -> None:
    gap = read_file("gap.csv", CSV + b",1,a\n")
    upload = Upload(read_file("a.csv", CSV))
    with pytest.raises(FeatureError, match=r"on the Data page") as caught:
        split_of(upload, ComputeSpec(evaluation="test-file"), gap)
    assert "=" not in str(caught.value)


def test_what_is_said_of_the_split_is_said_later_however_it_is_worded() -> None:
    test = small(["a"], notices=(Notice("Anything.", "repeated rows"), Notice("A word."), "Plain."))
    assert joined(small(["a", "b"]), test).notices == ("A word.", "Plain.")


def test_a_repeated_row_is_not_said_twice() -> None:
    twice = CSV + CSV[len(b"x,z,kind\n") :]
    train, test = split_of(Upload(read_file("a.csv", twice)), HALF, None)
    assert test is not None
    assert "repeated rows" in [said.kind for said in test.notices if isinstance(said, Notice)]
    assert not any("repeat" in said for said in joined(train, test).notices)


def test_kinds_of_notices_survive_a_copy() -> None:
    said = Notice("Twice.", "repeated rows")
    assert said == "Twice."
    assert copy.deepcopy(said).kind == "repeated rows"


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([""] * 6, "'text' is empty"),
        (["the same three words"] * 6, "'text' has the same value in every row"),
        (["[1, 2]", "[1, 2, 3]"] * 3, "'text' holds lists of different length"),
        (['"[0.1 0.2 ... 0.3]"'] * 6, "'text' holds lists that were cut short"),
    ],
)
def test_without_a_feature_the_reasons_are_told(cells: list[str], why: str) -> None:
    lines = [f"{cell}\t{'ab'[row % 2]}" for row, cell in enumerate(cells)]
    upload = Upload(read_file("mine.tsv", "\n".join(["text\tlabel", *lines]).encode()))
    with pytest.raises(FeatureError, match="no column is a feature") as caught:
        split_of(upload, ComputeSpec(), None)
    assert why in str(caught.value)
    assert str(caught.value).endswith("choose some under Columns.")
