"""What is on the Learn page: a lesson and what is chosen in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stiknn_ui.learn import algorithm, columns
from stiknn_ui.learn.game import members, rank
from stiknn_ui.learn.games.index import index_of
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.orders import playable


@dataclass(frozen=True)
class Scene:
    """A lesson and what is chosen in it; all numbers count from 0."""

    lesson: Lesson
    test: int = 0  # the test point that sections 1 to 4 are about
    pair: tuple[int, int] = (0, 1)  # whose interaction is worked out, by position
    subset: int | None = None  # that is looked at, as a bit mask
    order: int = 0  # of tied points, that section 4 plays
    step: int = 0  # at which section 4 stands
    taken: int = 1  # how many test points are averaged

    @property
    def names(self) -> tuple[str, str]:
        """What the two points of the pair are called."""
        i, j = self.pair
        return self.lesson.names[i], self.lesson.names[j]


def count_steps(lesson: Lesson) -> int:
    """Return how many steps section 4 has."""
    if index_of(lesson.index).paper:
        return algorithm.count_steps(lesson.n)
    return columns.count_steps(lesson.n)


def misfits(scene: Scene) -> tuple[str, ...]:
    """Return the names of the choices that do not fit the lesson."""
    lesson, found = scene.lesson, []
    if not 0 <= scene.test < len(lesson.tests):
        found.append("test")
    if len(set(scene.pair)) != 2 or not all(0 <= i < lesson.n for i in scene.pair):
        found.append("pair")
    if scene.subset is not None and not 0 <= scene.subset < 2**lesson.n:
        found.append("subset")
    groups = rank(lesson, scene.test if "test" not in found else 0).groups
    if not 0 <= scene.order < playable(groups):
        found.append("order")
    if not 0 <= scene.step < count_steps(lesson):
        found.append("step")
    if not 1 <= scene.taken <= len(lesson.tests):
        found.append("taken")
    return tuple(found)


def fitted(scene: Scene, otherwise: Scene | None = None) -> Scene:
    """Return the scene with every choice that does not fit set back.

    To that of ``otherwise`` if it fits there, else to the first of its kind.
    """
    usual = Scene(scene.lesson)
    for name in misfits(scene):
        scene = replace(scene, **{name: getattr(usual, name)})
        if otherwise is not None:
            other = replace(scene, **{name: getattr(otherwise, name)})
            scene = scene if name in misfits(other) else other
    return scene


def carried(scene: Scene, lesson: Lesson) -> Scene:
    """Return the scene of another lesson, with what was chosen as far as it is still there.

    Points are known again by their place in the list; where some came or went, by their name.
    """
    pair, subset = scene.pair, scene.subset
    before = scene.lesson
    if before.n != lesson.n:
        places = {name: place for place, name in enumerate(lesson.names)}
        kept = [places[name] for name in scene.names if name in places]
        spare = [place for place in range(lesson.n) if place not in kept]
        pair = tuple([*kept, *spare][:2])  # type: ignore[assignment]
        if subset is not None:
            names = [before.names[i] for i in members(subset)]
            subset = sum(1 << places[name] for name in names if name in places)
    moved = replace(scene, lesson=lesson, pair=pair, subset=subset)
    # Another number of points or another index may be another run.
    if count_steps(before) != count_steps(lesson):
        moved = replace(moved, step=0)
    return fitted(moved)
