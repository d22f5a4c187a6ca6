"""The orders that tied points can come in, of which Algorithm 1 handles one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import factorial, prod

MOST_ORDERS = 24
"""With more, only the row order is played; their mean is exact all the same."""


def count_orders(groups: Sequence[Sequence[int]]) -> int:
    """Return how many orders there are."""
    return prod(factorial(len(group)) for group in groups)


def playable(groups: Sequence[Sequence[int]]) -> int:
    """Return how many of them can be looked at one by one."""
    number = count_orders(groups)
    return number if number <= MOST_ORDERS else 1


def orders(groups: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the orders that can be looked at, the row order first."""
    if count_orders(groups) > MOST_ORDERS:
        return (tuple(i for group in groups for i in group),)
    ways = product(*(permutations(sorted(group)) for group in groups))
    return tuple(tuple(i for part in way for i in part) for way in ways)
