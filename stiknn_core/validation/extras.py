"""Packages that only some of the work needs, and the sentence said where one is missing."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, Literal

from stiknn_core.errors import MissingExtraError

Extra = Literal["distributed", "files", "pictures", "texts", "umap"]

# Where a package is installed by another name than it is imported by.
_INSTALLED_AS: Final = {
    "PIL": "pillow",
    "python_calamine": "python-calamine",
    "umap": "umap-learn",
}


def require(what: str, extra: Extra, *modules: str) -> None:
    """Raise MissingExtraError unless all ``modules`` that something needs are installed.

    ``what`` needs them, as the sentence begins: "Reading Excel files"; ``extra`` of this package
    brings them. None of them is imported here.
    """
    missing = [_INSTALLED_AS.get(name, name) for name in modules if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"{what} needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} "
            f'not installed; run pip install "stiknn-explorer[{extra}]".'
        )
