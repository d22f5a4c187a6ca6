"""Files read in a process of their own give the same tables, errors and choices."""

from __future__ import annotations

import gzip
import io
import threading
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

from stiknn_core.errors import FileError, StiknnError
from stiknn_core.tables import ChoiceError, Table, read_table
from stiknn_core.tables.apart import refusals
from stiknn_core.tables.apart.limits import Limits
from stiknn_core.tables.apart.readers import read_apart
from stiknn_core.tables.cells.numbers import NumberFormat
from tests.patience import PATIENCE
from tests.tables import fuzzing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
OFFICE = ROOT / "tests" / "tables" / "office"
CSV = b"x,y,kind\n1,2.5,a\n,3,b\n4,inf,a\n"


def workbook(*rows: list[Any]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def parquet(**columns: Any) -> bytes:
    stream = io.BytesIO()
    pd.DataFrame(columns).to_parquet(stream)
    return stream.getvalue()


def stata(**columns: Any) -> bytes:
    stream = io.BytesIO()
    pd.DataFrame(columns).to_stata(stream, write_index=False)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


FILES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "text": (CSV, {}),
    "German": ("x;größe;art\n1,5;2.000,5;ä\n2,5;1;b\n3;4;ä\n".encode("cp1252"), {}),
    "report": (b"Report\nof May\n\nid,x,,label\nr1,1,,NA\nr2,2,,b\nr3,3,,b\n\nsum\n", {}),
    "gzip": (gzip.compress(CSV), {}),
    "numbers only": (b"".join(b"%d,%d,%d\n" % (n, n * n, n % 3) for n in range(50)), {}),
    "settings": (CSV, {"header": False, "missing_words": ("1", "a"), "separator": ","}),
    "ragged": (CSV + b"1,2,c,9,9\n", {"ragged": "drop"}),
    "one row of blanks": (b"x,kind\n1,a\n,\n2,b\n", {}),
    "workbook": (workbook(["x", "kind"], [1, "a"], [2.5, "b"], [None, "b"]), {}),
    "parquet": (parquet(x=[1.5, None], n=[1, 2], ok=[True, False], words=["a", None]), {}),
    "categories": (parquet(x=[1.0, 2.0], c=pd.Categorical(["u", "v"])), {}),
    "stata": (stata(x=[1.5, 2.5], kind=["a", "b"]), {}),
    "json": (b'[{"x": 1, "kind": "a"}, {"x": 2.5, "kind": null}]', {}),
    "formats": (
        b"x,kind\n1.000,a\n2.000,b\n",
        {"formats": {"x": NumberFormat(decimal=",", thousands=".")}},
    ),
    "formats of no kind": (CSV, {"formats": {"x": "odd"}}),
    "npz": (npz(X=np.arange(12.0).reshape(6, 2), y=np.arange(6) % 2), {}),
    "arff": (
        b"@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2,y\n?,y\n",
        {},
    ),
    "libsvm": (b"1 1:2 3:1\n-1 2:1\n1 1:1\n", {}),
    "odd names": ("x*,$y$,😀,<b>\n1,2,3,a\n2,2,3,b\n".encode(), {}),
    "refused": (b"\x80\x04pickle", {}),
    "empty": (b"", {}),
    "no such option": (CSV, {"colour": 3}),
    "impossible option": (CSV, {"decimal": "x"}),
    "option of no kind": (CSV, {"missing_words": "NA"}),
}


def outcome(read: Any, content: bytes, **options: Any) -> Table | StiknnError:
    try:
        table: Table = read(content, **options)
    except StiknnError as error:
        return error
    return table


def assert_same(one: Table | StiknnError, other: Table | StiknnError) -> None:
    if isinstance(one, StiknnError):
        assert type(other) is type(one)
        assert str(other) == str(one)
        assert vars(other) == vars(one)
        return
    assert isinstance(other, Table)
    pd.testing.assert_frame_equal(one.cells, other.cells, check_column_type="exact")
    assert type(one.cells.index) is type(other.cells.index)
    for field in fields(Table):
        if field.name != "cells":
            first, second = getattr(one, field.name), getattr(other, field.name)
            assert type(first) is type(second), field.name
            # By their texts, since NaN is not equal to itself.
            assert repr(first) == repr(second), field.name


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_in_this_process(name: str) -> None:
    content, options = FILES[name]
    direct = outcome(read_table, content, name="t", **options)
    assert_same(direct, outcome(read_apart, content, name="t", **options))


@pytest.mark.parametrize("path", sorted((ROOT / "sample_data").glob("*.csv")), ids=lambda p: p.name)
def test_sample_files_are_read_as_in_this_process(path: Path) -> None:
    content = path.read_bytes()
    assert_same(read_table(content), read_apart(content))


@pytest.mark.parametrize("path", sorted(OFFICE.iterdir()), ids=lambda path: path.name)
def test_files_of_programs_are_read_as_in_this_process(path: Path) -> None:
    content = path.read_bytes()
    assert_same(outcome(read_table, content), outcome(read_apart, content))


@pytest.mark.parametrize("strategy", [fuzzing.junk, fuzzing.text_files(), fuzzing.other_files()])
def test_whatever_comes_is_read_as_in_this_process(strategy: Any) -> None:
    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def check(content: bytes) -> None:
        assert_same(outcome(read_table, content), outcome(read_apart, content))

    check()


def test_a_choice_comes_back_with_what_to_choose_from() -> None:
    content = npz(a=np.zeros((3, 2)), b=np.zeros((3, 2)), c=np.zeros(3))
    with pytest.raises(ChoiceError) as direct:
        read_table(content)
    with pytest.raises(ChoiceError) as apart:
        read_apart(content)
    assert apart.value.choices == direct.value.choices
    assert apart.value.option == direct.value.option


def test_an_error_of_an_unknown_class_comes_back_as_the_class_it_comes_from() -> None:
    class OwnError(FileError):
        pass

    found = refusals.rebuilt_error(refusals.told_error(OwnError("bad", "do better", "sheet")))
    assert type(found) is FileError
    assert str(found) == "bad; do better."
    assert found.option == "sheet"


def test_progress_is_told_while_a_file_is_read() -> None:
    told: list[tuple[str, float]] = []
    read_apart(
        b"x,y,kind\n" + b"1.25,2.5,a\n" * 500_000,
        progress=lambda stage, share: told.append((stage, share)),
    )
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert {"Reading the cells", "Looking at the columns"} <= {stage for stage, _ in told}


def test_many_threads_read_at_once_and_each_gets_its_own() -> None:
    trouble: list[BaseException] = []

    def read(first: int) -> None:
        try:
            for name in [*FILES][first::3] * 2:
                content, options = FILES[name]
                direct = outcome(read_table, content, name="t", **options)
                assert_same(direct, outcome(read_apart, content, name="t", **options))
        except BaseException as error:
            trouble.append(error)

    threads = [threading.Thread(target=read, args=(first % 3,)) for first in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not trouble


def test_hundreds_of_columns_take_little_memory() -> None:
    """Arrow sets aside as much for each column as a block is long; it has to be given back."""
    head = [*(f"e{place}" for place in range(500)), "label"]
    rows = [[f"0.{row}{place:03}" for place in range(500)] + ["ab"[row % 2]] for row in range(2000)]
    data = "\n".join(",".join(cells) for cells in [head, *rows]).encode()
    table = read_apart(data, limits=Limits(memory=400_000_000))
    assert table.cells.shape == (2000, 501)
    assert table.cells.iloc[-1].tolist() == rows[-1]
