"""What the browser's parts of the Learn page are told. Pure: scenes in, plain data out.

Fractions travel as text, "-1/6". Names and classes are put into the page as text, never as HTML.
"""

from __future__ import annotations

from typing import Any, Final

from stiknn_ui.learn import played
from stiknn_ui.learn.algorithm import Step
from stiknn_ui.learn.averaging import in_order, running_means
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.fractions_text import braces
from stiknn_ui.learn.game import (
    Matrix,
    Seat,
    contributions,
    game,
    interactions,
    members,
    pair_terms,
    rank,
    seats,
)
from stiknn_ui.learn.games.index import index_of
from stiknn_ui.learn.games.score import label_word
from stiknn_ui.learn.lesson import (
    LONGEST_LABEL,
    LONGEST_NAME,
    MIN_POINTS,
    SPAN,
)
from stiknn_ui.learn.orders import count_orders
from stiknn_ui.learn.scene import Scene
from stiknn_ui.learn.ties import single

Message = dict[str, Any]


def board(desk: Desk) -> Message:
    """Return the points as they lie, and which of them are looked at."""
    scene = desk.scene
    lesson = scene.lesson
    voters = [] if scene.subset is None else _seats(scene, scene.subset)
    return {
        "root": desk.root,
        "seq": desk.seen,
        "space": lesson.space,
        "span": SPAN,
        "k": lesson.k,
        "test": scene.test,
        "called": label_word(lesson.score),
        "fewest": MIN_POINTS,
        "longest_name": LONGEST_NAME,
        "longest_label": LONGEST_LABEL,
        "points": [[p.name, p.label, float(p.x), float(p.y)] for p in lesson.points],
        "tests": [[t.label, float(t.x), float(t.y)] for t in lesson.tests],
        "subset": scene.subset,
        "votes": [seat.point for seat in voters],
        "pair": list(scene.pair),
    }


def subsets(scene: Scene) -> Message:
    """Return v(S) for all subsets, smaller ones first, with who votes in each.

    ``votes`` of a subset: position, share of a place, share times u.
    """
    lesson = scene.lesson
    v, u = game(lesson, scene.test), contributions(lesson, scene.test)
    place = rank(lesson, scene.test).order.index
    inside = {mask: sorted(members(mask), key=place) for mask in range(2**lesson.n)}
    listed = sorted(inside.items(), key=lambda item: (len(item[1]), list(map(place, item[1]))))
    return {
        "names": list(lesson.names),
        "k": lesson.k,
        "chosen": scene.subset,
        "subsets": [
            {
                "mask": mask,
                "members": [lesson.names[i] for i in points],
                "value": str(v[mask]),
                "votes": [
                    [s.point, str(s.share), str(s.share * u[s.point])] for s in _seats(scene, mask)
                ],
            }
            for mask, points in listed
        ],
    }


_DIAGONAL: Final = {
    True: "Blue is negative, orange positive. On the diagonal: what a point brings alone.",
    False: "Blue is negative, orange positive. On the diagonal: the value of a point.",
}
"""What the matrix holds, by whether the index is the paper's."""


def matrix(scene: Scene) -> Message:
    """Return the matrix by the definition, nearest point first, and which pair is chosen."""
    lesson = scene.lesson
    order = rank(lesson, scene.test).order
    return {
        "names": [lesson.names[m] for m in order],
        "order": list(order),
        "matrix": _texts(in_order(interactions(lesson, scene.test), order)),
        "pair": list(scene.pair),
        "diagonal": _DIAGONAL[index_of(lesson.index).paper],
    }


def pairs(scene: Scene) -> Message:
    """Return the terms of the chosen pair, subset by subset."""
    lesson = scene.lesson
    terms = pair_terms(game(lesson, scene.test), *scene.pair, index_of(lesson.index))
    return {
        "pair_names": list(scene.names),
        "total": str(terms[-1].running),
        "terms": [
            {
                "subset": braces(lesson.names[m] for m in members(term.subset)),
                "weight": str(term.weight),
                "four": [str(x) for x in (term.both, term.with_i, term.with_j, term.without)],
                "change": str(term.change),
                "product": str(term.product),
                "running": str(term.running),
            }
            for term in terms
        ],
    }


def steps(scene: Scene) -> Message:
    """Return all steps of Algorithm 1, or the theorem's, for the chosen order of tied points.

    ``written`` of a step are its new cells: row, column, value.
    """
    lesson = scene.lesson
    order = played.chosen_order(scene)
    places = sorted(order.index(i) for i in scene.pair)
    return {
        "names": [lesson.names[m] for m in order],
        "by": played.name(lesson),
        "code": [list(line) for line in played.code(lesson)],
        "pair": places,
        "pair_names": [lesson.names[order[m]] for m in places],
        "step": scene.step,
        "sum": str(interactions(lesson, scene.test)[scene.pair[0]][scene.pair[1]]),
        "tied": count_orders(rank(lesson, scene.test).groups) > 1,
        "steps": [_told(step) for step in played.played(scene, order)],
    }


def averages(scene: Scene) -> Message:
    """Return the matrix of each test point, in its own order and in a common one, and the means."""
    lesson = scene.lesson
    own = [rank(lesson, test).order for test in range(len(lesson.tests))]
    single_ones = [single(lesson, test) for test in range(len(lesson.tests))]
    return {
        "names": list(lesson.names),
        "pair": list(scene.pair),
        "pair_names": list(scene.names),
        "taken": scene.taken,
        "called": label_word(lesson.score),
        "tests": [
            {
                "label": test.label,
                "order": list(order),
                "sorted": _texts(in_order(matrix, order)),
                "matrix": _texts(matrix),
            }
            for test, order, matrix in zip(lesson.tests, own, single_ones, strict=True)
        ],
        "means": [_texts(mean) for mean in running_means(lesson)],
    }


def _told(step: Step) -> Message:
    return {
        "kind": step.kind,
        "line": step.line,
        "loop": step.loop,
        "source": list(step.source) if step.source else None,
        "formula": step.formula,
        "sentence": step.sentence,
        "written": [[r, c, str(step.matrix[r][c])] for r, c in step.cells],
    }


def about(scene: Scene) -> str:
    """Return what a report must name to be about these points."""
    return ",".join(scene.lesson.names)


def _seats(scene: Scene, subset: int) -> tuple[Seat, ...]:
    groups = rank(scene.lesson, scene.test).groups
    return seats(groups, subset, scene.lesson.k)


def _texts(matrix: Matrix) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in matrix]
