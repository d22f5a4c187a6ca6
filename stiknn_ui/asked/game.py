"""How a computation writes its index, and which index that is for some data. Pure.

As `stiknn_core.games` writes it; and one that follows k, which the core does not know.
"""

from __future__ import annotations

from typing import Final

from stiknn_core.games import PairIndex, calibrated, index_of
from stiknn_ui.words import games as words

FOUR_K: Final = "calibrated(4k)"
"""Sets of at least four times k others, whatever k is."""

_TIMES: Final = 4
_USUAL: Final = {
    "weighted_banzhaf": "weighted_banzhaf(0.3)",
    "beta": "beta(4, 1)",
    "calibrated": FOUR_K,
    "leave_two_out": "leave_two_out()",
}


def read_index(text: str) -> str:
    """Return an index as it is kept: written in one way alone.

    Raises
    ------
    ParameterError
        If there is no such index.
    """
    if text == FOUR_K:
        return text
    index = index_of(text)
    return "SII" if index == calibrated(0) else index.name  # the same by definition


def first_of(family: str) -> str:
    """Return what an index begins with when its family is chosen."""
    return _USUAL.get(family, family)


def family_of(text: str) -> str:
    """Return the family of an index."""
    return "calibrated" if text == FOUR_K else index_of(text).family


def numbers_of(text: str) -> tuple[float, ...]:
    """Return the numbers of an index; 0 for a least size that follows k."""
    return (0.0,) if text == FOUR_K else index_of(text).parameters


def title_of(text: str) -> str:
    """Return an index as it stands in a line of settings, whatever the data."""
    if text == FOUR_K:
        return words.index_line(calibrated(0), "4k")
    return words.index_line(index_of(text))


def index_for(text: str, k: int, ranked: int) -> PairIndex:
    """Return the index that is used where a test point ranks so many points.

    Parameters
    ----------
    text : str
        From a `ComputeSpec`.
    k : int
        As used.
    ranked : int
        Beside a pair there are two fewer: no set is larger, and a least size is fitted to that.
    """
    index = calibrated(_TIMES * k) if text == FOUR_K else index_of(text)
    if index.family == "calibrated":
        return calibrated(min(int(index.parameters[0]), max(0, ranked - 2)))
    return index


def least_asked(text: str, k: int) -> int | None:
    """Return the least size that is asked for; None of an index without one."""
    if family_of(text) != "calibrated":
        return None
    return _TIMES * k if text == FOUR_K else int(numbers_of(text)[0])
