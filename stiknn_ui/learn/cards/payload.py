"""What the browser's card is told. Pure: a course in, plain data out; fractions as text."""

from __future__ import annotations

from typing import Any

from stiknn_ui.learn.cards import chance, columns
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.cards.deck import deck, grids_of
from stiknn_ui.learn.cards.model import Card, Grid, Picture
from stiknn_ui.learn.cards.progress import Progress, right_bets, standing
from stiknn_ui.learn.fractions_text import rich
from stiknn_ui.learn.game import interactions, values

Message = dict[str, Any]


def card(course: Course) -> Message:
    """Return the card in view, or the summary behind the last one."""
    at, cards = course.at, deck()
    row = [
        {"title": one.title, "standing": standing(at, number)} for number, one in enumerate(cards)
    ]
    message = {"about": course.about, "row": row, "card": at.card}
    if at.card >= len(cards):
        return message | {"summary": _summary(at)}
    one, made = cards[at.card], at.bets_of(at.card)
    done = len(made) == len(one.rounds)
    return message | {
        "title": one.title,
        "pictures": [
            _picture(one, number, picture, len(made))
            for number, picture in enumerate(one.pictures)
            if picture.shown[0] <= len(made) <= picture.shown[1]
        ],
        "rounds": [
            {
                "question": each.question,
                "choices": list(each.choices),
                "right": each.right,
                "bet": choice,
                "told": each.told,
            }
            for each, choice in zip(one.rounds, made, strict=False)
        ],
        "of": len(one.rounds),
        "open": None if done else _open(one, len(made)),
        "grids": [_grid(grid) for grid in grids_of(at.card, len(made), _taken(at))],
        "dial": _dial(one, at) if done else None,
        "last": at.card == len(cards) - 1,
    }


def _open(one: Card, made: int) -> Message:
    each = one.rounds[made]
    return {"question": each.question, "choices": list(each.choices), "picture": each.picture}


def _picture(one: Card, number: int, picture: Picture, made: int) -> Message:
    """Return a picture; its pair's number once all that is asked about the number was bet on."""
    lesson = picture.lesson
    known = picture.pair is not None and any(each.picture == number for each in one.rounds[:made])
    message = {
        "title": picture.title,
        "points": [[point.name, point.label, float(point.x)] for point in lesson.points],
        "tests": [[test.label, float(test.x)] for test in lesson.tests],
        "pair": list(picture.pair or ()),
    }
    if known and picture.pair is not None:
        i, j = picture.pair
        message["value"] = str(interactions(lesson, 0)[i][j])
    return message


def _grid(grid: Grid) -> Message:
    return {
        "title": grid.title,
        "names": list(grid.names),
        "cells": [list(row) for row in grid.cells],
        "asked": list(grid.asked or ()),
        "changed": [list(cell) for cell in grid.changed],
    }


def _taken(at: Progress) -> int:
    """Return how many test points of the last card are averaged: one, two after its bets, more."""
    made, rounds = len(at.bets_of(len(deck()) - 1)), len(deck()[-1].rounds)
    return 2 + at.tests_in if made == rounds else 1


def _dial(one: Card, at: Progress) -> Message | None:
    if one.dial == "tests":
        most = len(columns.MEAN.tests) - 2
        return {"kind": "tests", "taken": at.tests_in + 2, "most": most + 2}
    if one.dial != "orders":
        return None
    lesson, (i, j) = chance.LESSON, chance.PAIR
    matrix = interactions(lesson, 0)
    message: Message = {
        "kind": "orders",
        "drawn": at.orders,
        "most": chance.MOST_ORDERS,
        "exact": [str(values(matrix)[chance.POINT]), str(matrix[i][j])],
        "titles": [
            f"what {lesson.names[chance.POINT]} adds when it joins",
            f"what {lesson.names[i]} and {lesson.names[j]} do beyond the sum of both",
        ],
    }
    if at.orders:
        last = chance.drawn()[at.orders - 1]
        message["means"] = [str(mean) for mean in chance.means(at.orders)]
        message["sums"] = [rich(mean * at.orders) for mean in chance.means(at.orders)]
        order = ", ".join(lesson.names[m] for m in last.order)
        name, first, second = (lesson.names[m] for m in (chance.POINT, i, j))
        message["last"] = (
            f"{order}: {name} adds {rich(last.added)}; {first} and {second}: {rich(last.beyond)}"
        )
    return message


def _summary(at: Progress) -> Message:
    cards = deck()
    return {
        "right": sum(right_bets(at, number) for number in range(len(cards))),
        "made": sum(len(at.bets_of(number)) for number in range(len(cards))),
        "of": sum(len(one.rounds) for one in cards),
        "ideas": [one.idea for one in cards],
    }
