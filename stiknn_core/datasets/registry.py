"""The sixteen data sets of the paper, each one call away."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from stiknn_core.datasets.rules import monks2, planes_2d, tic_tac_toe
from stiknn_core.errors import ParameterError
from stiknn_core.sampling import sample_rows
from stiknn_core.types import Dataset

Source = Literal["generated", "definition", "openml"]


@dataclass(frozen=True)
class Entry:
    """One data set of the paper.

    Attributes
    ----------
    key : str
        What to ask for.
    title : str
        As in the paper's table.
    source : "generated", "definition" or "openml"
        Drawn by a generator, written down from its rule, or fetched by number.
    openml : int or None
        Its number on OpenML, also where it need not be fetched.
    about : str
        One sentence for choosing.
    n : int or None
        Rows of the whole set; None where that is known once it is fetched. For "generated"
        those that are drawn unless told otherwise.
    n_classes : int or None
    """

    key: str
    title: str
    source: Source
    openml: int | None
    about: str
    n: int | None = None
    n_classes: int | None = 2


_ENTRIES = (
    Entry(
        "aps_failure",
        "APSFailure",
        "openml",
        41138,
        "Failures in the air pressure system of trucks; many missing values.",
        n=76_000,
    ),
    Entry(
        "cpu",
        "CPU",
        "openml",
        761,
        "Activity of a computer; is its user time above average?",
        n=8192,
    ),
    Entry("circle", "Circle", "generated", None, "Two rings, one inside the other.", n=600),
    Entry("click", "Click", "openml", 1218, "Advertisements and whether they were clicked."),
    Entry(
        "credit_card",
        "CreditCard",
        "openml",
        31,
        "German credit applications, good or bad.",
        n=1000,
    ),
    Entry(
        "fashion_mnist",
        "FashionMnist",
        "openml",
        40996,
        "Pictures of clothes, 28 by 28 pixels.",
        n=70_000,
        n_classes=10,
    ),
    Entry(
        "flower",
        "Flower",
        "openml",
        43839,
        "Flowers described by features of their pictures.",
        n_classes=None,
    ),
    Entry(
        "monks2",
        "MonksV2",
        "definition",
        334,
        "Exactly two of six attributes have their first value.",
        n=601,
    ),
    Entry("moon", "Moon", "generated", None, "Two half circles that reach into each other.", n=600),
    Entry(
        "phoneme", "Phoneme", "openml", 1489, "Vowels, nasal or oral, by five harmonics.", n=5404
    ),
    Entry(
        "planes2d",
        "Planes2D",
        "definition",
        727,
        "Two planes with noise, cut at their mean.",
        n=40_768,
    ),
    Entry("pol", "Pol", "openml", 722, "A telecommunication problem.", n=15_000),
    Entry(
        "steel_plates",
        "SteelPlates",
        "openml",
        40982,
        "Seven kinds of faults in steel plates.",
        n=1941,
        n_classes=7,
    ),
    Entry("tic_tac_toe", "TicTacToe", "definition", 50, "All final boards; has x won?", n=958),
    # The paper's table prints 1489 here, which is Phoneme.
    Entry(
        "transfusion", "Transfusion", "openml", 1464, "Blood donors: did they come again?", n=748
    ),
    Entry(
        "wind", "Wind", "openml", 847, "Daily wind at Irish stations; above average or not?", n=6574
    ),
)

REGISTRY: Mapping[str, Entry] = MappingProxyType({entry.key: entry for entry in _ENTRIES})
"""The data sets of the paper's table by key, in its order."""


def load_paper_dataset(
    key: str,
    *,
    n: int | None = None,
    seed: int = 0,
    data_home: str | Path | None = None,
) -> Dataset:
    """Load one of the paper's data sets.

    Parameters
    ----------
    key : str
        A key of ``REGISTRY``.
    n : int or None
        Rows: how many to generate, or the size of a class-stratified sample of the others;
        None takes 600 generated rows, and all rows of the others.
    seed : int
        Seed of the generator or of the sample.
    data_home : path or None
        Folder of the OpenML cache; None takes scikit-learn's.

    Returns
    -------
    Dataset
        Of columns of numbers, and of one-hot words where there are none; missing values are filled
        with the column's median, which the notices tell.

    Raises
    ------
    ParameterError
        If the key or ``n`` is unknown or impossible.
    DownloadError
        If the data set must be fetched and cannot be.
    """
    # Imported here: the readers of tables take half a second, and generators need none of them.
    from stiknn_core.datasets.openml import load_openml

    if key not in REGISTRY:
        raise ParameterError(
            f"There is no data set {key!r} in the paper's table; expected one of "
            f"{', '.join(REGISTRY)}."
        )
    entry = REGISTRY[key]
    if entry.source == "generated":
        # Imported here: the generators know nothing of tables, nor tables of them.
        from stiknn_core.datasets.generators import make_dataset

        kind: Literal["circles", "moons"] = "circles" if key == "circle" else "moons"
        return make_dataset(kind, n=600 if n is None else n, seed=seed)
    if key == "planes2d":
        return planes_2d(seed=seed) if n is None else planes_2d(n, seed)
    if entry.source == "definition":
        whole = monks2() if key == "monks2" else tic_tac_toe()
        return whole if n is None else sample_rows(whole, n, seed)
    assert entry.openml is not None, "every fetched entry has its number"
    table = load_openml(entry.openml, data_home=data_home, name=entry.title)
    numbers = table.columns_with("feature") or None  # as the paper's numbers were measured
    dataset = table.to_dataset(
        features=numbers, missing="impute", missing_labels="drop_rows", name=entry.title
    )
    params = {**dataset.params, "dataset": key, "openml": entry.openml}
    dataset = dataclasses.replace(dataset, params=params)
    return dataset if n is None else sample_rows(dataset, n, seed)
