"""Games that are ready to be chosen, and which one a computation is. Pure: no streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from stiknn_core.types import Dataset
from stiknn_ui.asked.game import FOUR_K
from stiknn_ui.asked.spec import ComputeSpec, ScoreName
from stiknn_ui.results.scoring import KERNELS, LOSSES, resolved
from stiknn_ui.words.games import SCORES_BY_NAME


@dataclass(frozen=True)
class Preset:
    """A score and an index that go together.

    Attributes
    ----------
    title : str
    help : str
        What it says, in a sentence.
    score : ScoreName
    index : str
    """

    title: str
    help: str
    score: ScoreName
    index: str

    def taken(self, compute: ComputeSpec) -> ComputeSpec:
        """Return a computation with this game, its width found from the data."""
        return replace(compute, score=self.score, index=self.index, width=0.0)


OWN: Final = "Own choice"

_FULL: Final = (
    "Full neighbourhoods",
    "Only sets of at least 4 k others count, so that a value below 0 says that the point brings "
    "less than those whose places it takes.",
)
_SMALL: Final = (
    "Small sets",
    "Sets of few others count most, as when data are rare (Beta Shapley, 4 and 1).",
)
_LABELS: Final = Preset(
    "Matching labels (the paper)",
    "A neighbour brings 1/k where it has the label of the test point.",
    "usual",
    "STII",
)
_NEAR: Final = Preset(
    "Nearer counts more",
    "A neighbour with the right label brings the more the nearer it is; farther ones fade away.",
    "rbf",
    "STII",
)
_FOR_CLASSES: Final = (
    _LABELS,
    _NEAR,
    Preset(*_FULL, "usual", FOUR_K),
    Preset(*_SMALL, "usual", "beta(4, 1)"),
)
_FOR_VOTES: Final = (
    Preset(
        "Shares of annotators",
        "A neighbour brings the share of a test point's annotators who gave it the neighbour's "
        "label, over k.",
        "usual",
        "STII",
    ),
    replace(_LABELS, score="plain"),
    *_FOR_CLASSES[1:],
)
_FOR_TARGETS: Final = (
    Preset(
        "Absolute loss",
        "A neighbour costs the distance of its target from that of the test point, over k.",
        "usual",
        "STII",
    ),
    Preset("Squared loss", "The same with squares: far targets cost most.", "squared", "STII"),
    Preset(*_FULL, "usual", FOUR_K),
    Preset(*_SMALL, "usual", "beta(4, 1)"),
)


def presets_of(dataset: Dataset | None) -> tuple[Preset, ...]:
    """Return the games that suit some data; those for classes where none are known."""
    if dataset is not None and dataset.measured:
        return _FOR_TARGETS
    return _FOR_CLASSES if dataset is None or dataset.votes is None else _FOR_VOTES


def preset_of(dataset: Dataset | None, compute: ComputeSpec) -> Preset | None:
    """Return which of them a computation has; None for a choice of one's own."""
    if compute.width:
        return None
    score = score_of(dataset, compute.score)
    for preset in presets_of(dataset):
        if (score_of(dataset, preset.score), preset.index) == (score, compute.index):
            return preset
    return None


def score_of(dataset: Dataset | None, name: ScoreName) -> ScoreName:
    """Return which score is meant; see `scoring.resolved`."""
    if dataset is not None:
        return resolved(dataset, name)
    return "plain" if name == "usual" else name


def scores_of(dataset: Dataset | None) -> dict[ScoreName, str]:
    """Return the scores that are possible for some data, with their names, the usual one first."""
    if dataset is not None and dataset.measured:
        names: tuple[ScoreName, ...] = LOSSES
    elif dataset is not None and dataset.votes is not None:
        names = ("shares", "plain", *KERNELS)
    else:
        names = ("plain", *KERNELS)
    return {name: SCORES_BY_NAME[name] for name in names}
