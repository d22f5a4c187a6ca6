"""`stiknn matrix`, `values` and `report` write what the package computes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stiknn_core import Interactions, interactions, read_table, values
from stiknn_core.preparation import scale_features
from tests.command.conftest import Command


@pytest.fixture
def expected(table: Path) -> dict[str, object]:
    data = read_table(table).to_dataset()
    return {"X": pd.DataFrame(scale_features(data.X)[0], index=data.ids), "y": data.y}


def test_the_matrix(command: Command, table: Path, expected: dict[str, object]) -> None:
    wanted = interactions(**expected, k=3, index="SII")  # type: ignore[arg-type]
    for kind in ("csv", "npz", "parquet"):
        words = ("--k", "3", "--index", "SII", "-o", f"out.{kind}")
        assert command("matrix", str(table), *words).code == 0
    ids = wanted.ids.tolist()
    for frame in (pd.read_csv("out.csv"), pd.read_parquet("out.parquet")):
        assert frame["id"].tolist() == ids
        np.testing.assert_array_equal(frame[ids].to_numpy(), wanted.matrix)
    loaded = Interactions.load("out.npz")
    np.testing.assert_array_equal(loaded.matrix, wanted.matrix)
    assert loaded.ids.tolist() == ids


@pytest.mark.parametrize("kind", ["shapley", "banzhaf", "leave_one_out"])
def test_values(command: Command, table: Path, expected: dict[str, object], kind: str) -> None:
    wanted = values(**expected, kind=kind)  # type: ignore[arg-type]
    for ending in ("csv", "json", "parquet"):
        assert command("values", str(table), "--kind", kind, "-o", f"out.{ending}").code == 0
    frames = [pd.read_csv("out.csv"), pd.read_parquet("out.parquet")]
    frames.append(pd.DataFrame(json.loads(Path("out.json").read_text())))
    for frame in frames:
        np.testing.assert_array_equal(frame["value"].to_numpy(), wanted)
        assert frame["label"].tolist() == list(expected["y"])  # type: ignore[call-overload]


def test_a_report_has_suspects_and_matrix(command: Command, table: Path) -> None:
    run = command("report", str(table), "-o", "report.html")
    assert run.code == 0, run.err
    page = Path("report.html").read_text(encoding="utf-8")
    assert "2 of 60 rows flagged (3.3 %)." in page
    assert 'id="stiknn-content"' in page  # the linked view
    assert "item 40" in page
    assert not list(Path().glob("*.part"))
