"""The error that asks which of several things inside one file is meant."""

from __future__ import annotations

from collections.abc import Sequence

from stiknn_core.errors import FileError
from stiknn_core.phrases import listed

_LONGEST = 100


class ChoiceError(FileError):
    """A file holds several tables or arrays, and none of them is the obvious one.

    Parameters
    ----------
    problem : str
        What is wrong; what to choose from is said behind it.
    option, choices
        As below.

    Attributes
    ----------
    option : str
        The argument of ``read_table`` that decides, such as ``"sheet"``.
    choices : tuple of str
        What it can be set to.
    """

    def __init__(self, problem: str, option: str, choices: Sequence[str]) -> None:
        shown = [one if len(one) <= _LONGEST else f"{one[: _LONGEST - 1]}…" for one in choices]
        super().__init__(problem, f"choose one of {listed(shown)} with {option}=", option)
        self.choices = tuple(choices)
