"""Exact pairwise Shapley interactions between the training points of a KNN classifier."""

from typing import TYPE_CHECKING

from stiknn_core.blocks import block_interactions, interaction_rows, pair_parts, value_parts
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
from stiknn_core.labels.overview import Overview, overview
from stiknn_core.labels.support import judge_test_labels, label_support
from stiknn_core.lazily import later
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.results import BlockInteractions, Interactions
from stiknn_core.types import Dataset, LabelSupport, Votes
from stiknn_core.values import values

if TYPE_CHECKING:
    from stiknn_core.comparing.agreement import compare_matrices, compare_numbers, top_overlap
    from stiknn_core.comparing.standard_error import split_halves, standard_errors
    from stiknn_core.comparing.sweep import sweep_k
    from stiknn_core.datasets import load_bundled, load_csv, load_paper_dataset, make_dataset
    from stiknn_core.labels.annotators import rank_annotators
    from stiknn_core.labels.datalab import register_datalab
    from stiknn_core.labels.dawid_skene import DawidSkene, dawid_skene
    from stiknn_core.labels.effect import relabel_effect
    from stiknn_core.labels.forest import Forest, forest_distances, grow_forest
    from stiknn_core.labels.inspector import LabelInspector
    from stiknn_core.labels.suspects import rank_suspects
    from stiknn_core.labels.targets import TargetSupport, target_support
    from stiknn_core.tables import Table, TextSettings, read_table

__version__ = "0.1.0"

__all__ = [
    "BlockInteractions",
    "Dataset",
    "DawidSkene",
    "DownloadError",
    "FeatureError",
    "FileError",
    "Forest",
    "Interactions",
    "LabelError",
    "LabelInspector",
    "LabelSupport",
    "MissingExtraError",
    "Overview",
    "ParameterError",
    "RankedNeighbors",
    "ShapeError",
    "StiknnError",
    "StiknnWarning",
    "Table",
    "TargetSupport",
    "TextSettings",
    "Votes",
    "block_interactions",
    "compare_matrices",
    "compare_numbers",
    "dawid_skene",
    "forest_distances",
    "grow_forest",
    "interaction_rows",
    "interactions",
    "judge_test_labels",
    "label_support",
    "load_bundled",
    "load_csv",
    "load_paper_dataset",
    "make_dataset",
    "overview",
    "pair_parts",
    "rank_annotators",
    "rank_suspects",
    "read_table",
    "register_datalab",
    "relabel_effect",
    "split_halves",
    "standard_errors",
    "sweep_k",
    "target_support",
    "top_overlap",
    "value_parts",
    "values",
]

# Loaded on first use: readers of files and forests add half a second to the import.
__getattr__, __dir__ = later(
    __name__,
    {
        "comparing.agreement": ("compare_matrices", "compare_numbers", "top_overlap"),
        "comparing.standard_error": ("split_halves", "standard_errors"),
        "comparing.sweep": ("sweep_k",),
        "datasets": ("load_bundled", "load_csv", "load_paper_dataset", "make_dataset"),
        "labels.annotators": ("rank_annotators",),
        "labels.datalab": ("register_datalab",),
        "labels.dawid_skene": ("DawidSkene", "dawid_skene"),
        "labels.effect": ("relabel_effect",),
        "labels.forest": ("Forest", "forest_distances", "grow_forest"),
        "labels.inspector": ("LabelInspector",),
        "labels.suspects": ("rank_suspects",),
        "labels.targets": ("TargetSupport", "target_support"),
        "tables": ("Table", "TextSettings", "read_table"),
    },
)
