"""The Learn page's own query parameters: a scene as a short readable link and back. Pure.

    preset=tie
    points=A_2_a~B_4.5_b&tests=0_a&k=2&pair=1-2&subset=1-2&step=3
    on=plane&points=A_2_3_a~B_4_1_b&tests=0_1_a&k=1
    preset=tie&index=beta-4-1&score=inverse

Places in lists count from 1, as people do. What a link does not say is as in its example, or in
the first example without one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, get_args

from stiknn_core.errors import ParameterError
from stiknn_ui.learn.game import members
from stiknn_ui.learn.games.index import PAPER, index_of
from stiknn_ui.learn.games.score import PLAIN, Score
from stiknn_ui.learn.lesson import (
    MAX_K,
    MAX_POINTS,
    Lesson,
    Point,
    Probe,
    Space,
    Ties,
    laid,
    number,
    written,
)
from stiknn_ui.learn.presets import FIRST, PRESETS, preset_of
from stiknn_ui.learn.scene import Scene, fitted, misfits

_LONGEST: Final = 400
_LONGEST_SHOWN: Final = 24
_NO_SUBSET: Final = "none"
_EMPTY_SUBSET: Final = "empty"
_ITEM: Final = "~"
_PART: Final = "_"
_GAME: Final = ("index", "score")
_LESSON: Final = ("on", "points", "tests", "k", "ties", *_GAME)
_PLAIN_GAME: Final[dict[str, Any]] = {"index": PAPER, "score": PLAIN}
_MOST: Final = 99
Spot: TypeAlias = Point | Probe


@dataclass(frozen=True)
class Parsed:
    """The scene a link asks for, and one sentence naming all that was not understood."""

    scene: Scene
    notice: str = ""


def parse(params: Mapping[str, str]) -> Parsed:
    """Return the scene a link asks for; never raises."""
    bad: list[str] = []
    preset = params.get("preset", FIRST)
    if preset not in PRESETS:
        bad.append(_named("preset", preset))
        preset = FIRST
    base = PRESETS[preset].scene
    lesson = _lesson(params, base.lesson, bad)
    usual = base if lesson == base.lesson else Scene(lesson)
    asked = replace(usual, **_read(params, _READ, bad))
    bad += [_named(name, params.get(name, "")) for name in misfits(asked)]
    bad += [_shortened(name) for name in params if name not in NAMES and name != "review"]
    return Parsed(fitted(asked, usual), _notice(bad))


def to_params(scene: Scene) -> dict[str, str]:
    """Return the query parameters that restore a scene."""
    lesson = scene.lesson
    preset = preset_of(lesson)
    if preset is not None:
        params = {"preset": preset}
        usual = PRESETS[preset].scene
    else:
        params = {
            "on": lesson.space,
            "points": _ITEM.join(_written_spot(point, lesson.space) for point in lesson.points),
            "tests": _ITEM.join(_written_spot(test, lesson.space) for test in lesson.tests),
            "k": str(lesson.k),
            "ties": lesson.ties,
        }
        usual = Scene(lesson)
        if lesson.index != PAPER:
            params["index"] = _written_index(lesson.index)
        if lesson.score != PLAIN:
            params["score"] = lesson.score
    for name, write in _WRITE.items():
        value = getattr(scene, name)
        if value != getattr(usual, name):
            params[name] = write(value)
    return params


def _lesson(params: Mapping[str, str], base: Lesson, bad: list[str]) -> Lesson:
    """Return the lesson of a link, or ``base`` where its parts do not make one."""
    found = _read(params, _READ_SETTINGS, bad)
    space = found.pop("on", base.space)
    spots = {
        "points": lambda text: _spots(text, Point, 1, space),
        "tests": lambda text: _spots(text, Probe, 0, space),
    }
    found |= _read(params, spots, bad)
    # The game comes last, when it is known whether it can be played on these points.
    found = {name: getattr(base, name) for name in _GAME} | found
    base = replace(base, **_PLAIN_GAME)
    if space != base.space:
        base = laid(base, space)
    for name in _LESSON:  # one by one, so that a part that cannot be costs only itself
        if name not in found:
            continue
        try:
            base = replace(base, **{name: found[name]})
        except ParameterError:
            bad.append(_named(name, params.get(name, str(found[name]))))
    return base


def _read(
    params: Mapping[str, str], readers: Mapping[str, Callable[[str], Any]], bad: list[str]
) -> dict[str, Any]:
    """Return what can be read, and name the rest in ``bad``."""
    found = {}
    for name, read in readers.items():
        text = params.get(name)
        if text is None:
            continue
        try:
            if len(text) > _LONGEST:
                raise ValueError(text)
            found[name] = read(text.strip())
        except ValueError:
            bad.append(_named(name, text))
    return found


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not low <= int(text) <= high:
            raise ValueError(text)
        return int(text)

    return read


def _one_of(kind: Any) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in get_args(kind):
            raise ValueError(text)
        return text

    return read


def _spots(text: str, kind: Callable[..., Spot], names: int, space: Space) -> tuple[Spot, ...]:
    """Read points that are written as so many names, one or two numbers and a class."""
    found = []
    for item in text.split(_ITEM):
        *parts, label = item.split(_PART)
        place = parts[names:]
        if len(place) != (2 if space == "plane" else 1):
            raise ValueError(item)
        found.append(kind(*parts[:names], label, *map(number, place)))
    return tuple(found)


def _written_spot(spot: Spot, space: Space) -> str:
    names = [spot.name] if isinstance(spot, Point) else []
    place = [spot.x, spot.y] if space == "plane" else [spot.x]
    return _PART.join([*names, *map(written, place), spot.label])


def _positions(text: str) -> tuple[int, ...]:
    found = tuple(_whole(1, MAX_POINTS)(part) - 1 for part in text.split("-"))
    if len(set(found)) != len(found):
        raise ValueError(text)
    return found


def _pair(text: str) -> tuple[int, ...]:
    found = _positions(text)
    if len(found) != 2:
        raise ValueError(text)
    return found


def _subset(text: str) -> int | None:
    if text == _NO_SUBSET:
        return None
    return 0 if text == _EMPTY_SUBSET else sum(1 << i for i in _positions(text))


def _written_subset(subset: int | None) -> str:
    if subset is None:
        return _NO_SUBSET
    return "-".join(str(i + 1) for i in members(subset)) or _EMPTY_SUBSET


def _place(text: str) -> int:
    return _whole(1, _MOST)(text) - 1


def _index(text: str) -> str:
    family, *numbers = text.split("-")
    return index_of(f"{family}({', '.join(numbers)})" if numbers else family).name


def _written_index(name: str) -> str:
    index = index_of(name)
    return index.family + "".join(f"-{float(number):g}" for number in index.numbers)


_READ_SETTINGS: Final[dict[str, Callable[[str], Any]]] = {
    "on": _one_of(Space),
    "k": _whole(1, MAX_K),
    "ties": _one_of(Ties),
    "index": _index,
    "score": _one_of(Score),
}
_READ: Final[dict[str, Callable[[str], Any]]] = {
    "test": _place,
    "pair": _pair,
    "subset": _subset,
    "order": _place,
    "step": _whole(0, _MOST),
    "taken": _whole(1, _MOST),
}
_WRITE: Final[dict[str, Callable[[Any], str]]] = {
    "test": lambda value: str(value + 1),
    "pair": lambda value: "-".join(str(i + 1) for i in value),
    "subset": _written_subset,
    "order": lambda value: str(value + 1),
    "step": str,
    "taken": str,
}


NAMES: Final = frozenset(("preset", *_LESSON, *_READ))
"""All parameters there are."""


def _notice(bad: list[str]) -> str:
    if not bad:
        return ""
    usual = "what is usual is shown in its place" if len(bad) == 1 else "the usual is shown instead"
    return f"The link holds something this page does not know, so {usual}: {', '.join(bad)}."


def _named(name: str, text: str) -> str:
    return f"{name}={_shortened(text)}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
