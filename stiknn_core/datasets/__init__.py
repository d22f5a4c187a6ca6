"""Labelled data: made up with known truth, bundled, from the paper, or read from a file."""

from stiknn_core.datasets.bundled import BUNDLED, ORIGINS, BundledName, Origin, load_bundled
from stiknn_core.datasets.csv_file import load_csv
from stiknn_core.datasets.generators import KINDS, Kind, make_dataset
from stiknn_core.datasets.noise import (
    FLIP_KINDS,
    FlipKind,
    add_copies,
    add_outliers,
    flip_labels,
    swap_targets,
    thin_class,
)
from stiknn_core.datasets.registry import REGISTRY, load_paper_dataset

__all__ = [
    "BUNDLED",
    "FLIP_KINDS",
    "KINDS",
    "ORIGINS",
    "REGISTRY",
    "BundledName",
    "FlipKind",
    "Kind",
    "Origin",
    "add_copies",
    "add_outliers",
    "flip_labels",
    "load_bundled",
    "load_csv",
    "load_paper_dataset",
    "make_dataset",
    "swap_targets",
    "thin_class",
]
