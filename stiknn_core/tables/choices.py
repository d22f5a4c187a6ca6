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


def listed(names: Sequence[object], most: int = 8) -> str:
    """Return names as a short list in prose, such as ``"a, b and 3 more"``."""
    shown = [str(name) for name in names[:most]]
    rest = len(names) - len(shown)
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    if len(shown) > 1:
        return f"{', '.join(shown[:-1])} and {shown[-1]}"
    return "".join(shown)


def counted(count: int, thing: str, plural: str | None = None) -> str:
    """Return a count with its noun, such as ``"1 row"`` or ``"2 rows"``."""
    return f"{count:,} {thing if count == 1 else plural or thing + 's'}"
