"""What this package needs beyond the rest, and the sentence said where it is missing."""

from __future__ import annotations

from importlib.util import find_spec

from stiknn_core.errors import StiknnError

_NEEDED = ("dask", "distributed", "zarr")


class MissingExtraError(StiknnError, ImportError):
    """Optional packages that this part of the package needs are not installed."""


def require_extra() -> None:
    """Raise MissingExtraError, naming the packages, unless all of them are installed."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"stiknn_core.distributed needs dask, distributed and zarr; {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not installed. Run: "
            "pip install .[distributed]"
        )
