"""Packages that only some of the work needs, and the sentence said where one is missing."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, Literal

from stiknn_core.errors import MissingExtraError

Extra = Literal["distributed", "files", "umap"]

# Where a package is installed by another name than it is imported by.
_INSTALLED_AS: Final = {"arff": "liac-arff", "umap": "umap-learn"}


def require(what: str, extra: Extra, *modules: str) -> None:
    """Refuse to go on unless all packages that something needs are installed.

    Parameters
    ----------
    what : str
        What needs them, as the sentence begins: "Reading Excel files".
    extra : str
        The extra of this package that brings them.
    *modules : str
        Their names, as they are imported. None of them is imported here.

    Raises
    ------
    MissingExtraError
        If any is missing; it names those, and how to install them.
    """
    missing = [_INSTALLED_AS.get(name, name) for name in modules if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"{what} needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} "
            f'not installed; run pip install "stiknn-explorer[{extra}]".'
        )
