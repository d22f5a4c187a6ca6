"""A worksheet of a lesson to print: the same page twice, with blanks and with the answers. Pure.

Every number comes from the definition, over all subsets, in exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Final

from stiknn_ui.learn.fractions_text import braces, plain
from stiknn_ui.learn.game import (
    contributions,
    game,
    interactions,
    members,
    pair_terms,
    rank,
    values,
)
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.scene import Scene
from stiknn_ui.learn.worksheet_page import drawing, page, table, task

FILE_NAME: Final = "stiknn_worksheet.html"

_MOST_TERMS: Final = 8
"""Subsets of a pair that fit a page and a patient person: those of five points."""

_FLIP: Final = (
    "Change the class of the nearest point. Which cells of the matrix change, and why?",
    "None. The labels of the k nearest enter no pair: a label counts there only where k others "
    "of a set are nearer.",
)
_QUESTIONS: Final = (
    (
        "A cell is negative (blue). Do its two points have the same class?",
        "One cannot tell. They compete for the same places; only the farther point and those "
        "behind it decide the sign.",
    ),
    (
        "A cell is positive (orange). Name the two reasons that there can be.",
        "One of the two shields the test point from what the other would do, or both do the same "
        "harm, which is done only once.",
    ),
    (
        "A point has a negative value. Does the classifier get better without it?",
        "Not always. The value is a mean over all sets of the others; removing the point from the "
        "whole set is one of them.",
    ),
)
"""Questions and answers that hold for any points."""


def printable(lesson: Lesson) -> bool:
    """Whether there is a worksheet: its texts are about the paper's game."""
    return (lesson.index, lesson.score) == ("STII", "plain")


def sheet(scene: Scene) -> str:
    """Return the worksheet of a scene, seen from its test point, as one HTML page.

    Parameters
    ----------
    scene : Scene
        Its pair is the one that is worked out.
    """
    return page([_side(scene, answers=False), _side(scene, answers=True)])


def _side(scene: Scene, *, answers: bool) -> str:
    lesson = scene.lesson

    def told(text: str) -> str:
        return escape(text) if answers else ""

    title = "Answers" if answers else "Worksheet: interactions between neighbours"
    parts = [f"<h1>{title}</h1>"]
    if not answers:
        parts.append('<p class="name">Name: <span></span> Date: <span></span></p>')
    parts += [_given(scene), drawing(lesson, scene.test)]
    tasks = [_order, _worth, _pair, _matrix, _values]
    if len(lesson.tests) > 1:
        tasks.append(_mean)
    parts += [task(number, *made(scene, told)) for number, made in enumerate(tasks, 1)]
    parts.append(task(len(tasks) + 1, "Think.", _thinking(scene, answers=answers)))
    return "\n".join(parts)


Told = Callable[[str], str]


def _given(scene: Scene) -> str:
    lesson, label = scene.lesson, escape(scene.lesson.tests[scene.test].label)
    tied = ""
    if _has_ties(lesson, scene.test):
        tied = ", and where points are equally far away the mean over their orders"
    return (
        f"<p>Test point T{scene.test + 1} of class <b>{label}</b> asks its k = {lesson.k} nearest "
        f"points. A point brings u = 1/{lesson.k} if it has that class, else 0. The worth v(S) of "
        "a set S is the sum of u over the k nearest points of S"
        f"{tied}.</p>"
    )


def _has_ties(lesson: Lesson, test: int) -> bool:
    return any(len(group) > 1 for group in rank(lesson, test).groups)


def _order(scene: Scene, told: Told) -> tuple[str, str]:
    lesson = scene.lesson
    u = contributions(lesson, scene.test)
    rows = [
        [str(place), told(lesson.names[i]), told(lesson.points[i].label), told(plain(u[i]))]
        for place, i in enumerate(rank(lesson, scene.test).order, 1)
    ]
    return "Sort the points from near to far.", table(["rank", "point", "class", "u"], rows)


def _worth(scene: Scene, told: Told) -> tuple[str, str]:
    lesson = scene.lesson
    v = game(lesson, scene.test)
    i, j = scene.pair
    whole = 2**lesson.n - 1
    asked = dict.fromkeys([0, 1 << i, 1 << j, 1 << i | 1 << j, whole ^ 1 << i, whole])
    cells = [[f"v({_set(lesson, mask)})", told(plain(v[mask]))] for mask in asked]
    return "What are these sets worth?", table(["", "worth"], cells)


def _pair(scene: Scene, told: Told) -> tuple[str, str]:
    lesson = scene.lesson
    (i, j), (first, second) = scene.pair, scene.names
    terms = pair_terms(game(lesson, scene.test), i, j)
    phi = plain(interactions(lesson, scene.test)[i][j])
    if len(terms) > _MOST_TERMS:
        return (
            f"The pair {first}, {second} has {len(terms)} subsets, too many for paper.",
            f"<p>Its interaction is {escape(phi)}. Find it again below.</p>",
        )
    rows = [
        [
            _set(lesson, term.subset),
            *(told(plain(x)) for x in (term.both, term.with_i, term.with_j, term.without)),
            told(plain(term.change)),
            plain(term.weight),
            told(plain(term.product)),
        ]
        for term in terms
    ]
    i_, j_ = escape(first), escape(second)
    both, one, other = (f"v(S \N{UNION} {{{names}}})" for names in (f"{i_}, {j_}", i_, j_))
    heads = ["S", both, one, other, "v(S)", "Δ", "weight", "weight · Δ"]
    asked = (
        f"Work out the pair {first}, {second}: Δ is the first worth, less the two next, plus the "
        "last."
    )
    total = f'<p class="sum">Sum: the interaction is <b>{told(phi) or _BLANK}</b></p>'
    return asked, table(heads, rows) + total


_BLANK: Final = '<span class="blank"></span>'


def _matrix(scene: Scene, told: Told) -> tuple[str, str]:
    lesson = scene.lesson
    order = rank(lesson, scene.test).order
    phi = interactions(lesson, scene.test)
    names = [lesson.names[i] for i in order]
    rows = [
        [
            lesson.names[i],
            *(
                "" if column < row else "–" if column == row else told(plain(phi[i][j]))
                for column, j in enumerate(order)
            ),
        ]
        for row, i in enumerate(order)
    ]
    asked = (
        "Fill the matrix above the diagonal, points from near to far. A column holds one number: "
        "only the farther point counts. Colour negative cells blue and positive ones orange."
    )
    return asked, _rule(lesson, scene.test) + table(["", *map(escape, names)], rows, square=True)


def _rule(lesson: Lesson, test: int) -> str:
    tied = "; take the mean over the orders of tied points" if _has_ties(lesson, test) else ""
    n, k = lesson.n, lesson.k
    if n <= k:
        return "<p>With k of at least n every pair is 0.</p>"
    start = plain(Fraction(-2 * (n - k), n * (n - 1)))
    return (
        f"<p>Algorithm 1: the last column is {escape(start)} · u of the last point. The column "
        "before that of rank j is the column of rank j, plus 2 (j − k − 1) / ((j − 2)(j − 1)) · "
        f"(u of rank j − u of rank j − 1) where j &gt; k + 1{tied}.</p>"
    )


def _values(scene: Scene, told: Told) -> tuple[str, str]:
    lesson = scene.lesson
    phi = interactions(lesson, scene.test)
    found = values(phi)
    rows = [
        [name, told(plain(phi[i][i])), told(plain(sum(phi[i]) - phi[i][i])), told(plain(found[i]))]
        for i, name in enumerate(lesson.names)
    ]
    total = told(plain(sum(found, Fraction(0)))) or _BLANK
    asked = (
        "A point's value is what it is worth alone plus half of its row. Check: all values add up "
        "to v(N)."
    )
    heads = ["point", "alone", "rest of its row", "value"]
    return asked, table(heads, rows) + f'<p class="sum">Sum of the values: <b>{total}</b></p>'


def _mean(scene: Scene, told: Told) -> tuple[str, str]:
    lesson, (i, j) = scene.lesson, scene.pair
    each = [interactions(lesson, test)[i][j] for test in range(len(lesson.tests))]
    rows = [[f"T{number}", told(plain(phi))] for number, phi in enumerate(each, 1)]
    mean = told(plain(sum(each, Fraction(0)) / len(each))) or _BLANK
    first, second = map(escape, scene.names)
    return (
        "Do it for every test point. The matrix of the dashboard holds the mean.",
        table(["seen from", f"interaction of {first}, {second}"], rows)
        + f'<p class="sum">Mean: <b>{mean}</b></p>',
    )


def _thinking(scene: Scene, *, answers: bool) -> str:
    asked = (_FLIP, *_QUESTIONS) if _flips_nothing(scene) else _QUESTIONS
    items = "".join(
        f"<li>{escape(question)}{_answer(answer) if answers else _lines()}</li>"
        for question, answer in asked
    )
    return f'<ol class="think">{items}</ol>'


def _flips_nothing(scene: Scene) -> bool:
    """Whether another class of the nearest point changes no pair; more than k tied ones may."""
    lesson, test = scene.lesson, scene.test
    nearest = rank(lesson, test).order[0]
    right = lesson.tests[test].label
    mine = lesson.points[nearest]
    turned = (
        name for name in (*lesson.classes, "other") if (name == right) != (mine.label == right)
    )
    points = list(lesson.points)
    points[nearest] = replace(mine, label=next(turned))
    before = interactions(lesson, test)
    after = interactions(replace(lesson, points=tuple(points)), test)
    return all(
        before[i][j] == after[i][j] for i in range(lesson.n) for j in range(lesson.n) if i != j
    )


def _answer(text: str) -> str:
    return f"<p><b>{escape(text)}</b></p>"


def _lines() -> str:
    return '<p class="line"></p><p class="line"></p>'


def _set(lesson: Lesson, mask: int) -> str:
    return escape(braces(lesson.names[i] for i in members(mask)))
