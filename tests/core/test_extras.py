"""What only some of the work needs is named in one sentence where it is missing."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

from stiknn_core import MissingExtraError, StiknnError, load_csv, read_table
from stiknn_core.datasets.openml import load_openml
from stiknn_core.plane import project_2d
from stiknn_core.tables.building.sentences import load
from stiknn_core.validation.extras import require
from tests.core.openml_home import write_home


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in (["x", "y"], [1, "a"], [2, "b"], [3, "a"]):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


CASES: dict[str, tuple[Callable[[], Any], tuple[str, str, str]]] = {
    "python_calamine": (
        partial(read_table, _workbook()),
        ("Reading Excel files", "python-calamine", "files"),
    ),
    "pyreadstat": (
        partial(read_table, b"$FL2@(#) SPSS DATA FILE"),
        ("Reading SPSS, Stata and SAS files", "pyreadstat", "files"),
    ),
    "model2vec": (
        partial(load, str(Path(__file__).parent)),
        ("A model of sentences", "model2vec", "texts"),
    ),
    "umap": (
        lambda: project_2d(np.eye(6), list("abcdef"), "umap"),
        ("UMAP", "umap-learn", "umap"),
    ),
}


@pytest.mark.parametrize("module", CASES)
def test_a_missing_package_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # from now on it cannot be imported
    use, (what, package, extra) = CASES[module]
    with pytest.raises(MissingExtraError) as caught:
        use()
    assert str(caught.value) == (
        f"{what} needs {package}, which is not installed; run "
        f'pip install "stiknn-explorer[{extra}]".'
    )


@pytest.mark.parametrize("module", ["python_calamine", "pyreadstat"])
def test_it_is_needed_by_nothing_else(
    module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    parquet = io.BytesIO()
    pd.DataFrame({"x": [1.0, 2, 3], "y": ["a", "b", "a"]}).to_parquet(parquet)
    assert read_table(parquet.getvalue()).label == "y"
    assert read_table(b"@relation r\n@attribute y {a,b}\n@data\na\nb\n").label == "y"
    assert load_csv(b"x,y\n1,a\n2,b\n3,a\n").n == 3
    write_home(tmp_path, 31)
    assert load_openml(31, data_home=tmp_path).n_rows == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("missing", "told"),
    [
        (["zarr"], "needs zarr, which is not installed"),
        (["dask", "distributed"], "needs dask and distributed, which are not installed"),
    ],
)
def test_the_distributed_part_names_what_it_lacks(missing: list[str], told: str) -> None:
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({missing}))\n"
        "try: import stiknn_core.distributed\n"
        "except ImportError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == (
        f'stiknn_core.distributed {told}; run pip install "stiknn-explorer[distributed]".'
    )


def test_it_can_be_caught_as_either_kind() -> None:
    with pytest.raises(StiknnError, match="needs no_such_package"):
        require("This", "files", "sys", "no_such_package")
    assert issubclass(MissingExtraError, ImportError)
    require("This", "files", "sys", "json")
