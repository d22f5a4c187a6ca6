"""From the pattern of one test point to the matrix of many: the mean, exactly."""

from __future__ import annotations

from fractions import Fraction

from stiknn_ui.learn.game import Matrix
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.ties import single


def running_means(lesson: Lesson) -> tuple[Matrix, ...]:
    """Return the mean matrix over the first 1, 2, ... t test points, by position.

    O(t n^2).
    """
    n = lesson.n
    total = [[Fraction(0)] * n for _ in range(n)]
    means = []
    for test in range(len(lesson.tests)):
        matrix = single(lesson, test)
        total = [
            [old + new for old, new in zip(row, own, strict=True)]
            for row, own in zip(total, matrix, strict=True)
        ]
        means.append(tuple(tuple(cell / (test + 1) for cell in row) for row in total))
    return tuple(means)


def in_order(matrix: Matrix, order: tuple[int, ...]) -> Matrix:
    """Return the matrix with rows and columns in another order."""
    return tuple(tuple(matrix[i][j] for j in order) for i in order)
