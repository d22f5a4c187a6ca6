"""The theorem played column by column, for any index: what Algorithm 1 is for the paper's.

All pairs with the same farther point share a value, so a column is one number. From the farthest
point to the nearer ones, what lies behind is added up on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from stiknn_ui.learn.algorithm import Cell, Kind, Step
from stiknn_ui.learn.fractions_text import MINUS, bracketed, rich

PSEUDO_CODE: Final = (
    (0, "the theorem, column by column"),
    (1, "sort: α_{1}, …, α_{n} from the nearest to the farthest;  behind ← 0"),
    (1, "for m ← n down to 2"),
    (2, f"φ_{{α_{{i}}, α_{{m}}}} ← {MINUS}w_{{m+1}} u(α_{{m}}) + behind,  for every i < m"),
    (2, "behind ← behind + (w_{m} − w_{m+1}) u(α_{m})"),
    (1, "return φ"),
)
"""Indentation and text of each line, in the markup of ``fractions_text``."""

_SORT, _COLUMN, _RETURN = 1, 3, 5


def count_steps(n: int) -> int:
    """Return how many steps ``play`` gives for n points."""
    return n + 1


def play(
    u: Sequence[Fraction], w: Sequence[Fraction], values: Sequence[Fraction], names: Sequence[str]
) -> tuple[Step, ...]:
    """Return all steps; u, values and names from near to far, w by rank (``pair_weights``)."""
    n = len(u)
    cells: dict[Cell, Fraction] = {}
    steps: list[Step] = []

    def take(
        kind: Kind, line: int, new: dict[Cell, Fraction], formula: str, said: str, **loop: int
    ) -> None:
        cells.update(new)
        rows = tuple(tuple(cells.get((r, c)) for c in range(n)) for r in range(n))
        steps.append(Step(kind, line, loop, tuple(new), None, rows, formula, said))

    known = ",  ".join(f"w_{{{j}}} = {rich(w[j])}" for j in range(3, n + 2))
    listed = ", ".join(names)
    take("sort", _SORT, {}, known, f"Sort from near to far: {listed}. The index is known by its w.")
    behind = Fraction(0)
    for m in range(n, 1, -1):
        own = u[m - 1]
        value = -w[m + 1] * own + behind
        formula = (
            f"φ_{{i, {names[m - 1]}}} = {MINUS}w_{{{m + 1}}} u({names[m - 1]}) + behind = "
            f"{MINUS}{rich(w[m + 1])} · {bracketed(own)} + {bracketed(behind)} = {rich(value)}"
        )
        take(
            "column",
            _COLUMN,
            {(i, m - 1): value for i in range(m - 1)},
            formula,
            _said(names, m, behind),
            m=m,
        )
        behind += (w[m] - w[m + 1]) * own
    mirrored = {(j, i): value for (i, j), value in cells.items()}
    take(
        "done",
        _RETURN,
        mirrored | {(m, m): values[m] for m in range(n)},
        "φ_{i, j} = φ_{j, i},  φ_{i, i} = value of i",
        "Done. The lower triangle mirrors the upper one. The diagonal holds the values that belong "
        "to the index.",
    )
    return tuple(steps)


def _said(names: Sequence[str], m: int, behind: Fraction) -> str:
    far = names[m - 1]
    who = f"{names[0]} with {far}" if m == 2 else f"every nearer point with {far}"
    told = f"Column {m}: {who}. "
    if m == len(names):
        return told + f"Nobody lies behind {far}, so only what {far} itself may lose is there."
    rest = "bring nothing" if behind == 0 else f"bring {'more' if behind > 0 else 'less'} than 0"
    several = len(names) - m > 1
    if not several:
        rest = rest.replace("bring", "brings")
    points = "points" if several else "point"
    return told + f"{far} may lose its place, and the {len(names) - m} {points} behind it {rest}."
