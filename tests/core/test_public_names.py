"""What ``import stiknn_core`` gives, and how little it loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import stiknn_core

HEAVY = ("stiknn_core.tables.reading", "stiknn_core.datasets.openml", "openpyxl", "pyarrow.parquet")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["stiknn_core", "stiknn_core.datasets"])
def test_importing_loads_no_reader_of_files(what: str) -> None:
    code = f"import sys, {what}; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]", run.stderr


def test_what_reads_files_loads_nothing_of_scikit_learn() -> None:
    """It makes the process that reads a fifth smaller, and halves the time until it can."""
    code = "import sys, stiknn_core.tables.apart.server; print('sklearn' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False", run.stderr


def test_importing_loads_no_distributions() -> None:
    """They take nearly as long as all the rest, and the Banzhaf index alone needs one."""
    code = "import sys, stiknn_core; print('scipy.stats' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False", run.stderr


def test_one_import_reads_generates_and_computes() -> None:
    table = stiknn_core.read_table(b"x,label\n1,a\n2,b\n3,a\n")
    assert isinstance(table, stiknn_core.Table)
    assert stiknn_core.load_csv(b"x,label\n1,a\n2,b\n3,a\n").y.tolist() == ["a", "b", "a"]
    assert stiknn_core.make_dataset("moons", n=20).n == 20
    assert stiknn_core.load_bundled("iris").n == 150
    assert stiknn_core.load_paper_dataset("monks2").n == 601
    assert set(stiknn_core.__all__) <= set(dir(stiknn_core))
    assert stiknn_core.games.beta(4, 1).name == "beta(4, 1)"


def test_an_unknown_name_is_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="no attribute 'read_tabel'"):
        stiknn_core.read_tabel  # noqa: B018 - asking for it is the point
