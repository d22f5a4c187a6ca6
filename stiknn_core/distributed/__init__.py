"""The same numbers out of core and on many machines: Dask arrays and Zarr stores.

Needs the extra: ``pip install "stiknn-explorer[distributed]"``. See ``docs/scale.md`` for how to
start it and what it costs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stiknn_core.errors import MissingExtraError
from stiknn_core.validation.extras import require

if TYPE_CHECKING:
    from stiknn_core.distributed.arrays import block_sum_array, interaction_array
    from stiknn_core.distributed.store import InteractionStore, open_store
    from stiknn_core.distributed.writing import interactions_to_zarr

require("stiknn_core.distributed", "distributed", "dask", "distributed", "zarr")

__all__ = [
    "InteractionStore",
    "MissingExtraError",
    "block_sum_array",
    "interaction_array",
    "interactions_to_zarr",
    "open_store",
]

# Loaded on first use: a worker needs none of them, and starts three times as fast.
_LATER = {
    "InteractionStore": "stiknn_core.distributed.store",
    "block_sum_array": "stiknn_core.distributed.arrays",
    "interaction_array": "stiknn_core.distributed.arrays",
    "interactions_to_zarr": "stiknn_core.distributed.writing",
    "open_store": "stiknn_core.distributed.store",
}


def __getattr__(name: str) -> Any:
    """Load what was asked for the first time."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
