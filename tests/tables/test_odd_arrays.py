"""Arrays that hold what no cell can be, or that take no room in their file."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.files import grids
from tests.tables.test_other_formats import X, Y, npz


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.full(4, 0x110000, np.uint32).view("<U1"), "no such letters"),
        (np.full(4, 0x7FFFFFFF, np.uint32).byteswap().view(">U1"), "no such letters"),
        (np.zeros(4, "V8"), "values of kind"),
        (np.zeros(4, "c16"), "values of kind complex"),
        (np.zeros(100_000_000, "V0"), "more than 60,000,000 cells"),
    ],
)
def test_labels_that_are_none_are_refused(array: Any, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_table(npz(X=X, y=array))
    if array.dtype.kind == "U":
        with pytest.raises(FileError, match=words):
            read_table(npz(X=array.reshape(2, 2), y=[0, 1]))


def test_cells_of_features_and_labels_are_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grids, "MAX_CELLS", 11)
    with pytest.raises(FileError, match="X with y has more than 11 cells"):
        read_table(npz(X=X, y=Y))
    fields = np.zeros(6, [("x", "f8"), ("label", "U0")])
    with pytest.raises(FileError, match="The array has more than 11 cells"):
        read_table(npz(all=fields))


@pytest.mark.parametrize("unit", ["s", "us", "ns", "ps"])
def test_moments_of_arrays_stay_moments(unit: str) -> None:
    days = np.array(["1970-01-05", "1970-01-06", "NaT", "1970-01-08"], f"datetime64[{unit}]")
    for table in (
        read_table(npz(X=np.stack([days, days], 1), y=Y)),
        read_table(npz(X=X, y=days)),
        read_table(npz(emb=X, label=days)),
    ):
        column = "x1" if "x1" in table.columns and table.facts["x1"].kind != "number" else "label"
        assert table.frame[column].fillna("").tolist() == [
            "1970-01-05", "1970-01-06", "", "1970-01-08"
        ]  # fmt: skip


def test_test_labels_of_another_kind_stand_below_those_for_training() -> None:
    table = read_table(npz(X_train=X, y_train=[0, 1, 1, 0], X_test=X, y_test=list("abba")))
    assert table.frame["label"].tolist() == ["0", "1", "1", "0", *"abba"]


def test_a_long_header_of_an_array_is_not_taken_for_objects() -> None:
    stream = io.BytesIO()
    with pytest.warns(UserWarning, match="2.0"):
        np.save(stream, np.zeros(2, [(f"a{at}", "f8") for at in range(5_000)]))
    with pytest.raises(FileError, match="Header info length"):
        read_table(stream.getvalue())
