"""The proof's numbers for one pair: which sets change whose place, counted over all subsets. Pure.

Nothing here knows the theorem but ``Line.said``: so that each of its claims can be held against a
count. Ranks count from 1, as in ``docs/games.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from stiknn_ui.learn import played
from stiknn_ui.learn.game import contributions, pair_terms, utilities
from stiknn_ui.learn.games.index import index_of, pair_weight, pair_weights
from stiknn_ui.learn.scene import Scene


@dataclass(frozen=True)
class Line:
    """One point l that alone brings 1, and what the pair's coming does to its place."""

    rank: int
    name: str
    gained: int  # sets S of the other points with a change of +1
    lost: int  # with a change of -1
    change: Fraction  # sum over all S of weight times change
    said: Fraction  # the same by the theorem
    brings: Fraction  # u of the point


@dataclass(frozen=True)
class Size:
    """Sets of one size where the farther point loses its place to its partner."""

    s: int
    sets: int
    weight: Fraction  # p_s of each


@dataclass(frozen=True)
class Proof:
    """All that the proof says of one pair, for one order of the points."""

    nearer: int  # rank of the nearer one of the two
    farther: int  # rank of the other, m
    names: tuple[str, ...]  # from near to far
    w: tuple[Fraction, ...]  # by rank, to n + 1
    lines: tuple[Line, ...]  # by rank, from 1
    sizes: tuple[Size, ...]
    by_sum: Fraction  # the pair by the definition

    @property
    def by_theorem(self) -> Fraction:
        """What the lines add up to."""
        return sum((line.said * line.brings for line in self.lines), Fraction(0))


@lru_cache(maxsize=64)
def proof(scene: Scene) -> Proof:
    """Return the numbers for the chosen pair and order; O(n 2^n)."""
    lesson = scene.lesson
    order, n, k = played.chosen_order(scene), lesson.n, lesson.k
    index, own = index_of(lesson.index), contributions(lesson, scene.test)
    u = tuple(own[i] for i in order)
    near, far = sorted(order.index(i) for i in scene.pair)
    w = pair_weights(index, n, k)
    both = 1 << near | 1 << far
    sets = [mask for mask in range(2**n) if not mask & both]
    weight = [pair_weight(index, n, s) for s in range(n - 1)]

    def change(at: int, S: int) -> int:
        four = S | both, S | 1 << near, S | 1 << far, S
        one, two, three, none = (_has_place(at, mask, k) for mask in four)
        return one - two - three + none

    lines, sizes = [], [0] * (n - 1)
    for at in range(n):
        changes = [(change(at, S), S.bit_count()) for S in sets]
        m = far + 1
        rank = at + 1
        said = Fraction(0) if rank < m else -w[m + 1] if rank == m else w[rank] - w[rank + 1]
        lines.append(
            Line(
                rank,
                lesson.names[order[at]],
                sum(found == 1 for found, _ in changes),
                sum(found == -1 for found, _ in changes),
                sum((weight[s] * found for found, s in changes), Fraction(0)),
                said,
                u[at],
            )
        )
        if at == far:
            for found, s in changes:
                sizes[s] += found == -1
    v = utilities([(at,) for at in range(n)], u, k)
    return Proof(
        near + 1,
        far + 1,
        tuple(lesson.names[i] for i in order),
        w,
        tuple(lines),
        tuple(Size(s, number, weight[s]) for s, number in enumerate(sizes) if number),
        pair_terms(v, near, far, index)[-1].running,
    )


def _has_place(at: int, mask: int, k: int) -> int:
    """Return 1 if the point of rank at + 1 is in a set with fewer than k of it nearer."""
    return int(mask >> at & 1 and (mask & ((1 << at) - 1)).bit_count() < k)
