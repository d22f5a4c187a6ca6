"""The six examples of the first page: settings that make one point each. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from stiknn_ui.asked.links import Settings
from stiknn_ui.asked.spec import (
    EXAMPLE_COMPUTE,
    HOME_DATA,
    HOME_VIEW,
    ComputeSpec,
    DataSpec,
    ViewSpec,
)
from stiknn_ui.results.analysis import Analysis


@dataclass(frozen=True)
class Example:
    """One example.

    Attributes
    ----------
    name : str
        In the keys of its widgets.
    title : str
    claim : str
        What to see, in one sentence for the card.
    look : str
        Where to look and what to do, for the page that it opens.
    chosen : str
        The same of what is selected, said only while something is.
    settings : Settings
        Of data, computation and view: all that the link holds.
    select : {"", "doubted", "copies"}
        What to select on opening: the points of the lowest label quality, or the pair of copies
        that competes the most.
    count : int
        Points to select of the doubted ones.
    """

    name: str
    title: str
    claim: str
    look: str
    settings: Settings
    select: Literal["", "doubted", "copies"] = ""
    count: int = 0
    chosen: str = ""


EXAMPLES: Final = (
    Example(
        "clusters",
        "Clusters",
        "Two classes in four clumps: each class falls into two strong blocks, since points of one "
        "class in one place compete the most for the same places among the k nearest.",
        "Rows are sorted by likeness within each class. Click a strong block on the diagonal: its "
        "points are one clump of the scatter. Two points in the middle are a block of their own.",
        Settings(
            DataSpec(name="xor", n=300, noise=0.15, flip=0.0),
            ComputeSpec(k=5),
            ViewSpec(order="cluster"),
        ),
    ),
    Example(
        "copies",
        "Copies",
        "Two rings with copies among their points. Along its own ring the blue fades with the "
        "distance, which is the strong band. A copy is mostly among the ten strongest substitutes, "
        "and the very strongest in 19 of 60 pairs.",
        "Click a point, and the scatter shows the interaction with it: the stronger the blue, the "
        "more the two compete for the same places.",
        Settings(
            DataSpec(name="circles", n=200, noise=0.05, flip=0.0, copies=0.3),
            ComputeSpec(k=3),
            ViewSpec(order="cluster", color_by="interaction"),
        ),
        select="copies",
        chosen="A point and its copy are selected.",
    ),
    Example(
        "imbalance",
        "Imbalance",
        "One class has a fifth of its points left. All its pairs are orange here: they harm the "
        "same test points of the other class, and their harm overlaps. The many are substitutes "
        "(blue).",
        "Compare the two blocks on the diagonal. Then lower the share of class 1 taken away, on "
        "Data, and see its block turn blue.",
        Settings(
            DataSpec(name="circles", n=300, noise=0.08, flip=0.0, thin=0.8),
            ComputeSpec(k=5),
            ViewSpec(),
        ),
    ),
    Example(
        "flipped",
        "Flipped labels",
        "Two moons with one label in ten changed on purpose: most of them are lines that look "
        "unlike their block.",
        "Many a wrong label is a line that breaks its block; rings in the scatter mark the labels "
        "known to be wrong.",
        Settings(HOME_DATA, EXAMPLE_COMPUTE, HOME_VIEW),
        select="doubted",
        count=15,
        chosen="The 15 points with the lowest label quality are selected.",
    ),
    Example(
        "ties",
        "Ties",
        "Monks-2 has six columns of two to four numbers: every test point has many equally near "
        "neighbours, so the exact mean over all their orders is taken.",
        "Here merely shuffling the rows changes nothing. Choose 'Earlier row first' under More, "
        "Ties, as the paper has it, and the matrix correlates with its shuffled self at 0.96 only.",
        Settings(
            DataSpec(source="paper", name="monks2", flip=0.0),
            ComputeSpec(k=4),
            ViewSpec(),
        ),
    ),
    Example(
        "digits",
        "Wrong digits",
        "Handwritten digits, one label in twenty wrong: pick a line that breaks its block and see "
        "the picture behind it.",
        "Click a line that breaks its block: its digits are drawn as pictures below.",
        Settings(
            DataSpec(source="bundled", name="digits", flip=0.05, sample=400),
            ComputeSpec(k=5),
            ViewSpec(show_changed=True),
        ),
        select="doubted",
        count=12,
        chosen="The 12 digits with the lowest label quality are selected.",
    ),
)
"""In the order of the page."""

HOME: Final = next(example for example in EXAMPLES if example.name == "flipped")
"""The one that the first page itself shows."""


def example_of(settings: Settings) -> Example | None:
    """Return the example whose data and computation these are; None if it is none.

    The view may differ: who sorts anew still looks at the example.
    """
    for example in EXAMPLES:
        if (example.settings.data, example.settings.compute) == (settings.data, settings.compute):
            return example
    return None


def points_to_select(example: Example, analysis: Analysis) -> tuple[int, ...]:
    """Return the points that are selected when an example opens, sorted."""
    if example.select == "doubted":
        worst = np.argsort(analysis.support.quality, kind="stable")[: example.count]
        return tuple(sorted(worst.tolist()))
    if example.select == "copies":
        matrix = analysis.interactions.matrix
        pairs = [group[:2].tolist() for group in analysis.duplicates.groups]
        first, second = min(pairs, key=lambda pair: float(matrix[pair[0], pair[1]]))
        return (first, second)
    return ()
