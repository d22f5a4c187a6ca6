"""Errors that a person can do something about, by the names of their classes, and back."""

from __future__ import annotations

from typing import Any, Final

from stiknn_core.errors import (
    FeatureError,
    FileError,
    LabelError,
    MissingExtraError,
    ParameterError,
    ShapeError,
    StiknnError,
)
from stiknn_core.tables.apart.frames import JunkError
from stiknn_core.tables.choices import ChoiceError

_KINDS: Final = {
    kind.__name__: kind
    for kind in (
        FeatureError,
        FileError,
        LabelError,
        MissingExtraError,
        ParameterError,
        ShapeError,
        StiknnError,
    )
}
_MOST_LETTERS: Final = 100_000
_MOST_CHOICES: Final = 20_000
_LONGEST_CHOICE: Final = 1_000


def told_error(error: StiknnError) -> dict[str, Any]:
    """Return an error as JSON holds it; one of an unknown class as the class it comes from."""
    if isinstance(error, ChoiceError):
        # Among more, or longer ones, nobody chooses.
        short = [one for one in error.choices if len(one) <= _LONGEST_CHOICE][:_MOST_CHOICES]
        told = {"problem": error.problem, "option": error.option, "choices": short}
        return {"kind": "ChoiceError", **told}
    kind = next(one.__name__ for one in type(error).__mro__ if one.__name__ in _KINDS)
    parts = {"problem": error.problem, "advice": error.advice, "option": error.option}
    return {"kind": kind, **parts}


def rebuilt_error(told: Any) -> StiknnError:
    """Return the error that was told of.

    Raises
    ------
    JunkError
        If it is of no known class, or its parts are no text.
    """
    if not isinstance(told, dict):
        raise JunkError("an error without parts")
    if told.get("kind") == "ChoiceError":
        choices = told.get("choices")
        if not isinstance(choices, list) or len(choices) > _MOST_CHOICES:
            raise JunkError("a choice without choices")
        texts = [_text(choice) for choice in choices]
        return ChoiceError(_text(told.get("problem")), _text(told.get("option")), texts)
    kind = _KINDS.get(_text(told.get("kind")))
    if kind is None:
        raise JunkError(f"an error of kind {str(told.get('kind'))[:80]!r}")
    return kind(*(_text(told.get(part)) for part in ("problem", "advice", "option")))


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _MOST_LETTERS:
        raise JunkError("an error whose parts are no text")
    return value
