"""Every block of Python in the documents runs, and gives what its comments say."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import rank_suspects, read_table
from tests.documents import DOCUMENTS, ROOT, name_of, python_blocks

ARROW = "# → "
WITH_CODE = [path for path in DOCUMENTS if python_blocks(path)]


def run(code: str, place: str, names: dict[str, Any]) -> None:
    """Run a block; a line that ends in an arrow has to give what stands behind it."""
    lines = code.splitlines()
    for statement in ast.parse(code, place).body:
        told = lines[(statement.end_lineno or 0) - 1].partition(ARROW)[2].strip()
        if told:
            assert isinstance(statement, ast.Expr), f"{place}: an arrow needs an expression"
            value = eval(compile(ast.Expression(statement.value), place, "eval"), names)
            plain = value.item() if isinstance(value, np.generic) else value
            assert repr(plain) == told, f"{place}, line {statement.lineno}"
        else:
            exec(compile(ast.Module([statement], []), place, "exec"), names)


def for_readme(folder: Path) -> dict[str, Any]:
    """Return what the README takes for given: a file, and large data cut into clusters."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"height": rng.normal(size=30), "width": rng.normal(size=30)})
    frame["diagnosis"] = np.where(frame["height"] > 0, "ill", "well")
    frame.loc[3, "width"] = None
    frame.to_excel(folder / "measurements.xlsx", index=False)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    return {
        "X": X[:250],
        "y": y[:250],
        "X_test": X[250:],
        "y_test": y[250:],
        "clusters": rng.integers(0, 5, 250),
        "suspicious_rows": [3, 1, 4],
    }


GIVEN: dict[str, Callable[[Path], dict[str, Any]]] = {"README.md": for_readme}


def test_code_is_found() -> None:
    assert {"README.md", "tutorial.md", "method.md"} <= {path.name for path in WITH_CODE}


@pytest.mark.parametrize("path", WITH_CODE, ids=name_of)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    monkeypatch.chdir(tmp_path)
    names = GIVEN.get(path.name, lambda folder: {})(tmp_path)
    for line, code in python_blocks(path):
        run(code, f"{path.name}:{line}", names)


def test_a_wrong_claim_is_noticed() -> None:
    run("x = 2\nx + 1  # → 3\n(\n    x\n)  # → 2", "here", {})
    with pytest.raises(AssertionError, match="here, line 2"):
        run("x = 2\nx + 1  # → 4", "here", {})


def test_the_tutorial_says_of_the_browser_what_is_so() -> None:
    told = " ".join((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8").split())
    table = read_table(ROOT / "sample_data" / "circles_flipped.csv")
    data = table.to_dataset()
    ranking = rank_suspects(pd.DataFrame(data.X, index=data.ids), data.y, k=5)
    wrong = ranking["position"].isin(data.flipped).to_numpy()
    given = pd.Series(data.y[data.flipped]).value_counts()
    precision = (np.cumsum(wrong) / np.arange(1, len(wrong) + 1))[wrong].mean()
    flagged = ranking[ranking["suggested"] != ranking["given"]]
    missed = ranking["id"][wrong & (ranking["suggested"] == ranking["given"])].tolist()
    first = ranking.iloc[0]

    assert f"{data.n} points on two rings, of which {len(data.flipped)} carry" in told
    assert f"{given['inner']} points labelled inner and {given['outer']} labelled outer" in told
    assert f"The first row is {first['id']}" in told
    assert f"a label quality of {first['quality']:.2f}" in told
    assert f"an average precision of {precision:.2f}" in told
    assert f"{wrong[:20].mean():.0%}".replace("%", " %") + " of the first 20 rows" in told
    assert f"{len(flagged)} points are flagged. {wrong[: len(flagged)].sum()} of them" in told
    assert f"refused: {flagged['id'].iloc[-1]}, which comes last" in told
    assert "{} too lies between the rings. {} and {} are wrong".format(*missed) in told
