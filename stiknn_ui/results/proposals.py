"""What is proposed for a kind of data, with the reason in one sentence. Pure.

Proposed only: nothing changes before somebody presses the button that says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from stiknn_core.types import Dataset, Metric, Scaling, Space
from stiknn_ui.asked.spec import ComputeSpec

Kind = Literal["table", "text", "vector", "picture"]


@dataclass(frozen=True)
class Distance:
    """A distance that is proposed.

    Attributes
    ----------
    metric : str
    scaling : {"none", "standard", "robust", "minmax"}
    reason : str
        One sentence.
    """

    metric: Metric
    scaling: Scaling
    reason: str


@dataclass(frozen=True)
class Where:
    """Where neighbours are better looked for.

    Attributes
    ----------
    space : {"features", "forest"} or None
        What is proposed; None where nothing was measured.
    reason : str
        One sentence, with the numbers that speak for it; empty where there are none.
    """

    space: Space | None = None
    reason: str = ""


_DISTANCES: Final[dict[Kind, Distance]] = {
    "vector": Distance(
        "cosine",
        "none",
        "Embeddings are compared by direction: cosine distance is proposed.",
    ),
    "text": Distance(
        "cosine",
        "none",
        "Texts of different length are compared by direction: cosine distance is proposed.",
    ),
}

SPACES: Final[dict[Kind, Where]] = {
    "table": Where(
        "forest",
        "A random forest's neighbours found more wrong labels (mean average precision 0.76 against "
        "0.71 over 28 tables with 10 % of the labels changed).",
    ),
    "text": Where(
        "features",
        "Of texts, neighbours by their words found more wrong labels than a forest's (mean average "
        "precision 0.80 against 0.72 on five corpora).",
    ),
    # Of three sets of numbers made by networks or from sound two were found better in the forest,
    # and pictures of digits as well in either: too little to propose one.
    "vector": Where(),
    "picture": Where(),
}
"""By kind of data; a kind that nothing was measured of proposes nothing."""


def kind_of(dataset: Dataset) -> Kind:
    """Return what the features were made of: one text, embedding or picture, else a table."""
    if len(dataset.blocks) == 1:
        (block,) = dataset.blocks
        alone = block.stop - block.start == dataset.X.shape[1]
        if alone and block.kind != "words":
            return block.kind
    return "table"


def distance_for(dataset: Dataset, compute: ComputeSpec) -> Distance | None:
    """Return the distance that is proposed instead of the one in use; None if none is.

    In a forest's space there is no choice of distance.
    """
    proposed = _DISTANCES.get(kind_of(dataset))
    if proposed is None or compute.space != "features":
        return None
    same = (compute.metric, compute.scaling) == (proposed.metric, proposed.scaling)
    return None if same else proposed
