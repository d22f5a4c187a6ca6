"""Exact pairwise Shapley interactions between the training points of a KNN classifier."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stiknn_core.blocks import block_interactions, interaction_rows
from stiknn_core.contributions import pair_parts, value_parts
from stiknn_core.errors import (
    DownloadError,
    FeatureError,
    FileError,
    LabelError,
    MissingExtraError,
    ParameterError,
    ShapeError,
    StiknnError,
    StiknnWarning,
)
from stiknn_core.interactions import interactions
from stiknn_core.labels.support import judge_test_labels, label_support
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.results import BlockInteractions, Interactions
from stiknn_core.types import Dataset, LabelSupport
from stiknn_core.values import values

if TYPE_CHECKING:
    from stiknn_core.comparing.agreement import compare_matrices, compare_numbers, top_overlap
    from stiknn_core.comparing.standard_error import split_halves, standard_errors
    from stiknn_core.comparing.sweep import sweep_k
    from stiknn_core.datasets import load_bundled, load_csv, load_paper_dataset, make_dataset
    from stiknn_core.labels.effect import relabel_effect
    from stiknn_core.labels.forest import forest_distances
    from stiknn_core.labels.suspects import rank_suspects
    from stiknn_core.tables import Table, read_table

__version__ = "0.1.0"

__all__ = [
    "BlockInteractions",
    "Dataset",
    "DownloadError",
    "FeatureError",
    "FileError",
    "Interactions",
    "LabelError",
    "LabelSupport",
    "MissingExtraError",
    "ParameterError",
    "RankedNeighbors",
    "ShapeError",
    "StiknnError",
    "StiknnWarning",
    "Table",
    "block_interactions",
    "compare_matrices",
    "compare_numbers",
    "forest_distances",
    "interaction_rows",
    "interactions",
    "judge_test_labels",
    "label_support",
    "load_bundled",
    "load_csv",
    "load_paper_dataset",
    "make_dataset",
    "pair_parts",
    "rank_suspects",
    "read_table",
    "relabel_effect",
    "split_halves",
    "standard_errors",
    "sweep_k",
    "top_overlap",
    "value_parts",
    "values",
]

# Loaded on first use: readers of files and forests add half a second to the import.
_LATER = {
    "Table": "stiknn_core.tables",
    "compare_matrices": "stiknn_core.comparing.agreement",
    "compare_numbers": "stiknn_core.comparing.agreement",
    "forest_distances": "stiknn_core.labels.forest",
    "load_bundled": "stiknn_core.datasets",
    "load_csv": "stiknn_core.datasets",
    "load_paper_dataset": "stiknn_core.datasets",
    "make_dataset": "stiknn_core.datasets",
    "rank_suspects": "stiknn_core.labels.suspects",
    "read_table": "stiknn_core.tables",
    "relabel_effect": "stiknn_core.labels.effect",
    "split_halves": "stiknn_core.comparing.standard_error",
    "standard_errors": "stiknn_core.comparing.standard_error",
    "sweep_k": "stiknn_core.comparing.sweep",
    "top_overlap": "stiknn_core.comparing.agreement",
}


def __getattr__(name: str) -> Any:
    """Load what was asked for the first time."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
