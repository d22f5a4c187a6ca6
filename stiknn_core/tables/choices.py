"""The error that asks which of several things inside one file is meant."""

from __future__ import annotations

from collections.abc import Sequence

from stiknn_core.errors import FileError


class ChoiceError(FileError):
    """A file holds several tables or arrays, and none of them is the obvious one.

    Attributes
    ----------
    option : str
        The argument of ``read_table`` that decides, such as ``"sheet"``.
    choices : tuple of str
        What it can be set to.
    """

    def __init__(self, message: str, option: str, choices: Sequence[str]) -> None:
        super().__init__(message)
        self.option = option
        self.choices = tuple(choices)
