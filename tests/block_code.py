"""Runs blocks of Python out of the documents, with what those take for given.

Also a program: `python tests/block_code.py BLOCKS` runs in an environment that has the package
and nothing of the tests (see `tests/test_wheel.py`), and needs no more than the package does.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

ARROW = "# → "


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


def write_files(folder: Path) -> None:
    """Write the files that documents name as their reader's own."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"height": rng.normal(size=30), "width": rng.normal(size=30)})
    frame["diagnosis"] = np.where(frame["height"] > 0, "ill", "well")
    frame.loc[3, "width"] = None
    frame.to_excel(folder / "measurements.xlsx", index=False)


def names_for(document: str) -> dict[str, Any]:
    """Return the names that a document takes for given: large data cut into clusters."""
    if document not in ("README.md", "docs/scale.md"):
        return {}
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    return {
        "X": X[:250],
        "y": y[:250],
        "X_test": X[250:],
        "y_test": y[250:],
        "clusters": rng.integers(0, 5, 250),
        "suspicious_rows": [3, 1, 4],
    }


def main(blocks: Path) -> None:
    """Run the blocks of a file written by the tests; each is to run, or to lack its extras.

    The file holds documents in order, and of each block the extras that the document names for
    it and this environment lacks. Such a block has to end in the sentence that names one of them.
    """
    import stiknn_core

    assert Path(stiknn_core.__file__).is_relative_to(sys.prefix), stiknn_core.__file__
    for document, found in json.loads(blocks.read_text(encoding="utf-8")).items():
        names = names_for(document)
        for line, code, lacking in found:
            place = f"{document}:{line}"
            try:
                run(code, place, names)
            except stiknn_core.MissingExtraError as error:
                if not any(f"[{extra}]" in str(error) for extra in lacking):
                    raise
                print(f"{place} lacks {lacking}")
            else:
                assert not lacking, f"{place} runs without {lacking}"
                print(f"{place} runs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
