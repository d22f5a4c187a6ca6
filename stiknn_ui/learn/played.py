"""What section 4 plays: Algorithm 1 for the paper's index, the theorem for any other."""

from __future__ import annotations

from fractions import Fraction

from stiknn_ui.learn import algorithm, columns
from stiknn_ui.learn.game import contributions, rank
from stiknn_ui.learn.games.index import index_of, pair_weights, value_weights
from stiknn_ui.learn.games.score import measured
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.orders import orders
from stiknn_ui.learn.scene import Scene
from stiknn_ui.learn.ties import mean_values


def name(lesson: Lesson) -> str:
    """Return what it is called within a sentence."""
    return "Algorithm 1" if index_of(lesson.index).paper else "the theorem"


def code(lesson: Lesson) -> tuple[tuple[int, str], ...]:
    """Return its lines, with their indentation."""
    return algorithm.PSEUDO_CODE if index_of(lesson.index).paper else columns.PSEUDO_CODE


def played(scene: Scene, order: tuple[int, ...]) -> tuple[algorithm.Step, ...]:
    """Return the steps for one order of the points, nearest first."""
    lesson = scene.lesson
    found = contributions(lesson, scene.test)
    u, names = [found[i] for i in order], [lesson.names[i] for i in order]
    index, n, k = index_of(lesson.index), lesson.n, lesson.k
    if index.paper:
        return algorithm.play(u, k, names, measured(lesson.score))
    alone = tuple((m,) for m in range(n))
    values = mean_values(alone, u, value_weights(index, n, k))
    return columns.play(u, pair_weights(index, n, k), values, names)


def pair_found(scene: Scene, order: tuple[int, ...]) -> Fraction:
    """Return the pair's value in the last matrix that is played."""
    row, column = sorted(order.index(i) for i in scene.pair)
    found = played(scene, order)[-1].matrix[row][column]
    assert found is not None, "the last step leaves no cell empty"
    return found


def chosen_order(scene: Scene) -> tuple[int, ...]:
    """Return the order of the points, nearest first, that is chosen among those of tied ones."""
    return orders(rank(scene.lesson, scene.test).groups)[scene.order]
