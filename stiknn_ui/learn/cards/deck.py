"""The cards of the lesson in their order, and what lies under each."""

from __future__ import annotations

from functools import cache

from stiknn_ui.learn.cards import chance, columns, flips, orange, places
from stiknn_ui.learn.cards.model import Card, Grid


@cache
def deck() -> tuple[Card, ...]:
    """Return all cards; every number in them is computed when they are first asked for."""
    return (
        places.one_place(),
        places.farther(),
        orange.two_kinds(),
        flips.nearest_flipped(),
        chance.joining(),
        columns.foretold(),
        columns.mixed(),
    )


def grids_of(card: int, bets: int, taken: int) -> tuple[Grid, ...]:
    """Return the matrices under a card after some bets, and with so many test points taken in."""
    title = deck()[card].title
    if title == flips.nearest_flipped().title:
        return flips.grids(bets)
    if title == columns.foretold().title:
        return columns.foretold_grid(bets)
    if title == columns.mixed().title:
        return columns.mixed_grid(taken)
    return ()
