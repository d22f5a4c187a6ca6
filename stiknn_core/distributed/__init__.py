"""The same numbers out of core and on many machines: Dask arrays and Zarr stores.

Needs the extra: ``pip install "stiknn-explorer[distributed]"``. See ``docs/scale.md`` for how to
start it and what it costs.
"""

from typing import TYPE_CHECKING

from stiknn_core.errors import MissingExtraError
from stiknn_core.lazily import later
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
__getattr__, __dir__ = later(
    __name__,
    {
        "arrays": ("block_sum_array", "interaction_array"),
        "store": ("InteractionStore", "open_store"),
        "writing": ("interactions_to_zarr",),
    },
)
