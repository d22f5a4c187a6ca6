"""What one visitor does on the Learn page: change, undo, redo, and what the board reports."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final
from uuid import uuid4

from stiknn_core.errors import ParameterError
from stiknn_ui.learn import links
from stiknn_ui.learn.lesson import (
    MAX_POINTS,
    MAX_TESTS,
    TENTHS,
    Lesson,
    Point,
    Probe,
    Space,
    laid,
    with_points,
)
from stiknn_ui.learn.presets import PRESETS
from stiknn_ui.learn.scene import Scene, carried, fitted

_MOST_STEPS: Final = 100
_MOST_ADDRESSES: Final = 100
_ACROSS: Final = (5, 7, 3, 9, 1, 6, 4, 8, 2, 10)
_FREE: Final = {
    "line": [(Fraction(2 * x - half, 2), Fraction(0)) for half in (0, 1) for x in _ACROSS],
    "plane": [(Fraction(x), Fraction(y)) for y in (5, 8, 2) for x in _ACROSS],
}
"""Where new points go: more places than there can be points."""


def _new_root() -> str:
    return uuid4().hex[:12]


@dataclass
class Desk:
    """A visitor's scene with its past."""

    scene: Scene
    # For undo and redo; only what changes a lesson counts as a step.
    past: list[Scene] = field(default_factory=list)
    future: list[Scene] = field(default_factory=list)
    notice: str = ""  # a sentence about the link or about what could not be done
    # Changes with every change that the board has not made itself. What a board says about
    # another root is about points that are gone.
    root: str = field(default_factory=_new_root)
    seen: int = 0  # number of the last report of the board
    # What was written to the address bar lately, to tell a new link from an echo.
    addresses: deque[dict[str, str]] = field(default_factory=lambda: deque(maxlen=_MOST_ADDRESSES))

    def arrive(self, params: Mapping[str, str]) -> None:
        """Open a link, unless it is one that this page has written itself."""
        own = {name: text for name, text in params.items() if name != "review"}
        if not own or own in self.addresses:
            return
        parsed = links.parse(own)
        if self.addresses:
            self.show(parsed.scene)
        else:
            self._place(parsed.scene)  # where a visit begins there is nothing to take back
        self.addresses.append(own)
        self.notice = parsed.notice

    def address(self) -> dict[str, str]:
        """Return what belongs in the address bar, and remember it."""
        params = links.to_params(self.scene)
        if params not in self.addresses:
            self.addresses.append(params)
        return params

    def show(self, scene: Scene) -> None:
        """Go to another scene, in a way that can be undone if its lesson differs."""
        if scene.lesson != self.scene.lesson:
            self._remember()
        self._place(scene)

    def choose(self, **choices: Any) -> None:
        """Change what is chosen in the lesson; what does not fit is set back."""
        self.scene = fitted(replace(self.scene, **choices), self.scene)
        if "test" in choices:
            self.root = _new_root()

    def open(self, preset: str) -> None:
        """Begin an example."""
        self.notice = ""
        self.show(PRESETS[preset].scene)

    def change(self, **parts: Any) -> None:
        """Change parts of the lesson; what cannot be is said in ``notice`` and left as it was."""
        self._try(lambda: replace(self.scene.lesson, **parts))

    def lay(self, space: Space) -> None:
        """Lay the points on a line or a plane, as ``change`` does."""
        self._try(lambda: laid(self.scene.lesson, space))

    def add_point(self) -> None:
        """Add a training point of the rarest class at a free place."""
        lesson = self.scene.lesson
        if lesson.n >= MAX_POINTS:
            return
        label = _rarest(lesson, lesson.points)
        point = Point(_free_name(lesson), label, *_free_place(lesson))
        self._change(replace(lesson, points=(*lesson.points, point)))

    def add_test(self) -> None:
        """Add a test point at a free place, and look at it."""
        lesson = self.scene.lesson
        if len(lesson.tests) >= MAX_TESTS:
            return
        label = _rarest(lesson, lesson.tests)
        self._change(replace(lesson, tests=(*lesson.tests, Probe(label, *_free_place(lesson)))))
        self.choose(test=len(lesson.tests))

    def undo(self) -> None:
        """Take the last change back."""
        if self.past:
            self.future.append(self.scene)
            self._place(self.past.pop())

    def redo(self) -> None:
        """Do again what was taken back."""
        if self.future:
            self.past.append(self.scene)
            self._place(self.future.pop())

    def take(self, report: Any) -> None:
        """Take over what the board reports: all points as they lie there now.

        Anything else is ignored, and so is what came before or is about other points.
        """
        read = _read_report(report)
        if read is None or read[0] != self.root or read[1] <= self.seen:
            return
        _, self.seen, points, tests, test = read
        before = self.scene.lesson
        try:
            lesson = with_points(before, points, tests)
        except ParameterError as error:
            self.notice = str(error)
            self.root = _new_root()  # the board takes back what it shows
            return
        self.notice = ""
        scene = fitted(replace(carried(self.scene, lesson), test=test), self.scene)
        if lesson != before:
            self._remember()
        self.scene = scene

    def _try(self, make: Callable[[], Lesson]) -> None:
        try:
            lesson = make()
        except ParameterError as error:
            self.notice = str(error)
            return
        self._change(lesson)

    def _change(self, lesson: Lesson) -> None:
        self.notice = ""
        if lesson != self.scene.lesson:
            self.show(carried(self.scene, lesson))

    def _remember(self) -> None:
        self.past = [*self.past, self.scene][-_MOST_STEPS:]
        self.future = []

    def _place(self, scene: Scene) -> None:
        self.scene = scene
        self.root = _new_root()


def _read_report(
    report: Any,
) -> tuple[str, int, tuple[Point, ...], tuple[Probe, ...], int] | None:
    try:
        points = tuple(
            Point(str(name), str(label), _tenths(x), _tenths(y))
            for name, label, x, y in report["points"]
        )
        tests = tuple(Probe(str(label), _tenths(x), _tenths(y)) for label, x, y in report["tests"])
        return str(report["root"]), int(report["seq"]), points, tests, int(report["test"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _tenths(value: Any) -> Fraction:
    return Fraction(round(float(value) * TENTHS), TENTHS)


def _rarest(lesson: Lesson, among: Sequence[Point | Probe]) -> str:
    """Return the class of the training points that the fewest of some points have."""
    labels = [one.label for one in among]
    return min(sorted({point.label for point in lesson.points}), key=labels.count)


def _free_name(lesson: Lesson) -> str:
    digits = all(name.isdigit() for name in lesson.names)
    names = [str(i) for i in range(1, 10)] if digits else list("ABCDEFGHIJKLMNOP")
    return next(name for name in names if name not in lesson.names)


def _free_place(lesson: Lesson) -> tuple[Fraction, Fraction]:
    taken = {(one.x, one.y) for one in lesson.everyone}
    return next(place for place in _FREE[lesson.space] if place not in taken)
