"""Card 5: a value and a pair as means over joining orders, drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Final

from stiknn_ui.learn.cards.model import Card, Picture, Round, by_rank, pair_of, place_of, told
from stiknn_ui.learn.fractions_text import rich
from stiknn_ui.learn.game import game, interactions, values

MOST_ORDERS: Final = 2000
LESSON: Final = by_rank("aba")
POINT: Final = 1
PAIR: Final = (0, 1)
_SEED: Final = 11


@dataclass(frozen=True)
class Drawn:
    """One order and what it adds to both means."""

    order: tuple[int, ...]
    added: Fraction  # by the point when it joins
    beyond: Fraction  # what the pair does beyond the sum of both, for those there before either


def joining() -> Card:
    """Return the card: what b adds when it joins aba at a random time."""
    exact, (i, j) = values(interactions(LESSON, 0))[POINT], PAIR
    offered = [Fraction(0), Fraction(1, 3), Fraction(-1, 6), Fraction(-1, 2)]
    return Card(
        "By chance",
        "A value is what a point adds on average when all join in random order, negative or not.",
        (Picture(LESSON, "aba: A, B and C join one after the other"),),
        (
            Round(
                "All three join one at a time, in random order, and v is 1 while the nearest of "
                "those there is an a. What does B add on average when it joins?",
                told(offered),
                place_of(exact, offered),
                "B takes 1 away where it joins after C and before A, in one order of six; else it "
                f"adds nothing. That mean is its value, {rich(exact)}. For a pair, look at those "
                "who joined before either: what both bring to them beyond the sum of each is, on "
                f"average, the interaction, {rich(pair_of(LESSON, i, j))} for A and B.",
            ),
        ),
        dial="orders",
    )


@lru_cache(maxsize=1)
def drawn() -> tuple[Drawn, ...]:
    """Return all orders there can be; the first few of them are what has been drawn so far."""
    rng, found = Random(_SEED), []
    v, (i, j) = game(LESSON, 0), PAIR
    for _ in range(MOST_ORDERS):
        order = list(range(LESSON.n))
        rng.shuffle(order)
        before = sum(1 << m for m in order[: order.index(POINT)])
        early = sum(1 << m for m in order[: min(order.index(i), order.index(j))])
        bi, bj = 1 << i, 1 << j
        beyond = v[early | bi | bj] - v[early | bi] - v[early | bj] + v[early]
        found.append(Drawn(tuple(order), v[before | 1 << POINT] - v[before], beyond))
    return tuple(found)


def means(orders: int) -> tuple[Fraction, Fraction]:
    """Return the mean of both over the first orders, at least one."""
    taken = drawn()[:orders]
    return (
        sum((one.added for one in taken), Fraction(0)) / len(taken),
        sum((one.beyond for one in taken), Fraction(0)) / len(taken),
    )
