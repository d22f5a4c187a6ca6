"""Run the notebooks of ``docs/notebooks/`` anew and keep what they show: ``make notebooks``.

The kernel is the Python that runs this. Nothing is installed for it, and what Jupyter writes goes
into a folder that is gone afterwards. Figures are kept as pictures, drawn by a browser from what
Plotly would show, since a page that lists notebooks runs no JavaScript.
"""

from __future__ import annotations

import base64
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from PIL import Image

from scripts.few_colors import reduced

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "notebooks"
FIGURE: Final = "application/vnd.plotly.v1+json"
_SECONDS: Final = 120
# The kernel's own warnings, as it ends, are none of the notebook's.
_STRICT: Final = (
    "import warnings\n"
    "warnings.simplefilter('error')\n"
    "warnings.filterwarnings('ignore', module='ipykernel')"
)
# Jupyter and IPython write below these; what a notebook imports is found from any folder.
_PLACES: Final = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")


def paths() -> list[Path]:
    """Return every notebook of the project."""
    return sorted(FOLDER.glob("*.ipynb"))


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook from top to bottom and return it with what it shows; the file stays.

    It runs in the folder where it lies. A warning ends it, as an error does, with a
    ``CellExecutionError``.
    """
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(_STRICT))
    with _own_places() as environment:
        client = NotebookClient(
            notebook,
            timeout=_SECONDS,
            resources={"metadata": {"path": str(path.parent)}},
            record_timing=False,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
        )
        client.execute(env=environment)
    del notebook.cells[0]
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """Return all text that the cells show, in order: what must not change unseen."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if FIGURE in data or "image/png" in data:
                found.append("a figure")
            else:
                found.append(output.get("text") or data.get("text/plain", ""))
    return found


@contextmanager
def _own_places() -> Iterator[dict[str, str]]:
    """Let Jupyter write into a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="stiknn-jupyter-") as folder:
        places = {name: str(Path(folder, name.lower())) for name in _PLACES}
        search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        with patch.dict(os.environ, places):
            yield {**os.environ, "PYTHONPATH": search, "PLOTLY_RENDERER": "plotly_mimetype"}


def _draw_figures(notebooks: list[nbformat.NotebookNode]) -> None:
    """Put a picture in place of every figure."""
    # Only here: running a notebook needs no browser.
    launch = import_module("tests.browser.chromium").launch
    playwright_api = import_module("playwright.sync_api")
    script = import_module("plotly.offline").get_plotlyjs()
    with playwright_api.sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(device_scale_factor=1.5)
        page.set_content("<div id='figure'></div>")
        page.add_script_tag(content=script)
        for notebook in notebooks:
            for cell in notebook.cells:
                for output in cell.get("outputs", ()):
                    if FIGURE in output.get("data", {}):
                        output.data = {
                            "image/png": _picture(page, output.data.pop(FIGURE)),
                            "text/plain": "Figure",
                        }
        browser.close()


def _picture(page: Any, figure: dict[str, Any]) -> str:
    page.evaluate(
        """async figure => {
            const place = document.getElementById('figure');
            Plotly.purge(place);
            await Plotly.newPlot(place, figure.data, figure.layout, {staticPlot: true});
        }""",
        figure,
    )
    drawn = Image.open(BytesIO(page.locator("#figure .svg-container").screenshot()))
    small = BytesIO()
    reduced(drawn).save(small, "PNG", optimize=True)
    return base64.b64encode(small.getvalue()).decode("ascii")


def main() -> None:
    """Run the notebooks named on the command line, or all, and write what they show."""
    chosen = [Path(name).resolve() for name in sys.argv[1:]] or paths()
    made = [execute(path) for path in chosen]
    _draw_figures(made)
    for path, notebook in zip(chosen, made, strict=True):
        nbformat.write(notebook, path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
