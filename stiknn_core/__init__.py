"""Exact pairwise Shapley interactions between the training points of a KNN classifier."""

from stiknn_core.errors import (
    DownloadError,
    FeatureError,
    FileError,
    LabelError,
    ParameterError,
    ShapeError,
    StiknnError,
    StiknnWarning,
)
from stiknn_core.interactions import interactions
from stiknn_core.results import Interactions
from stiknn_core.support import label_support
from stiknn_core.types import Dataset, LabelSupport
from stiknn_core.values import values

__version__ = "0.1.0"

__all__ = [
    "Dataset",
    "DownloadError",
    "FeatureError",
    "FileError",
    "Interactions",
    "LabelError",
    "LabelSupport",
    "ParameterError",
    "ShapeError",
    "StiknnError",
    "StiknnWarning",
    "interactions",
    "label_support",
    "values",
]
