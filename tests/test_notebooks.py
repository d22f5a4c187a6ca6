from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from scripts import notebooks

MOST_BYTES = 300_000


def test_the_three_notebooks_are_there() -> None:
    assert [path.stem for path in notebooks.paths()] == ["clean_a_csv", "explore", "large_data"]


@pytest.mark.slow
@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_it_runs_and_shows_what_is_kept(path: Path) -> None:
    kept = nbformat.read(path, as_version=4)
    made = notebooks.execute(path)
    assert notebooks.texts(made) == notebooks.texts(kept), "run `make notebooks`"
    shown = notebooks.texts(kept)
    assert len(shown) >= 5, "a notebook without its outputs shows nothing to who only looks"
    assert "a figure" in shown or path.stem == "clean_a_csv"


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_it_is_small_and_knows_no_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < MOST_BYTES
    assert str(notebooks.ROOT) not in text
    assert notebooks.FIGURE not in text, "a figure is kept as a picture: run `make notebooks`"


@pytest.mark.slow
def test_a_failing_cell_is_noticed_and_nothing_is_left_behind(tmp_path: Path) -> None:
    cells = [nbformat.v4.new_code_cell("import warnings\nwarnings.warn('old')")]
    path = tmp_path / "bad.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    with pytest.raises(Exception, match="old"):
        notebooks.execute(path)
    assert [found.name for found in tmp_path.iterdir()] == ["bad.ipynb"]
