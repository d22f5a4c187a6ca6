"""From the pattern of one test point to the matrix of many: the mean, exactly."""

from __future__ import annotations

from itertools import accumulate
from operator import add

from stiknn_ui.learn.game import Matrix
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.ties import single


def running_means(lesson: Lesson) -> tuple[Matrix, ...]:
    """Return the mean matrix over the first 1, 2, ... t test points, by position; O(t n^2)."""
    sums = accumulate((single(lesson, test) for test in range(len(lesson.tests))), _sum)
    return tuple(
        tuple(tuple(cell / count for cell in row) for row in total)
        for count, total in enumerate(sums, 1)
    )


def _sum(one: Matrix, other: Matrix) -> Matrix:
    return tuple(tuple(map(add, *rows)) for rows in zip(one, other, strict=True))


def in_order(matrix: Matrix, order: tuple[int, ...]) -> Matrix:
    """Return the matrix with rows and columns in another order."""
    return tuple(tuple(matrix[i][j] for j in order) for i in order)
