"""Groups of copies as a table."""

from __future__ import annotations

import numpy as np

from stiknn_core.duplicates import find_duplicates
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.data.duplicates_panel import groups_table
from stiknn_ui.results import kept
from stiknn_ui.results.parts import parts_of
from stiknn_ui.results.sources import build
from stiknn_ui.work import shelves


def test_groups_that_disagree_come_first_with_their_labels_and_ids() -> None:
    X = np.array([[1.0], [1.0], [2.0], [3.0], [3.0], [3.0]])
    ids = np.array(["p", "q", "r", "s", "t", "u"])
    dataset = Dataset(X, np.array(["a", "a", "a", "b", "a", "b"]), "t", ("x",), ids)
    table = groups_table(dataset, find_duplicates(dataset.X, dataset.y))
    assert table.to_dict("list") == {
        "rows": [3, 2],
        "labels": ["a (1), b (2)", "a (2)"],
        "ids": ["s, t, u", "p, q"],
        "group": [1, 0],
    }


def test_a_long_group_names_a_dozen() -> None:
    dataset = Dataset(np.ones((30, 1)), np.array(["a"] * 30), "t", ("x",), np.arange(30))
    table = groups_table(dataset, find_duplicates(dataset.X, dataset.y))
    assert table["ids"][0].endswith("10, 11 and 18 more")


def test_rows_with_ties_are_test_points() -> None:
    shelves.clear()
    spec = DataSpec(source="paper", name="monks2", flip=0.0)
    dataset = build(spec)
    alone = kept.tied_rows_of(dataset, spec, ComputeSpec())
    assert 0 < len(alone) <= dataset.n
    held = ComputeSpec(evaluation="hold-out", share=0.3)
    tied = kept.tied_rows_of(dataset, spec, held)
    assert set(tied.tolist()) <= set(parts_of(dataset, held).test.tolist())  # type: ignore[union-attr]
