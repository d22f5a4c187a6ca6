"""Algorithm 1 of the paper for one order of the training points, step by step.

Two corrections to the algorithm as printed, both said on the page. Its loop runs down to j = 1 and
would touch rows 0 and -1; here it ends at j = 3. Its start value is wrong for k > n; here it is 0
where k >= n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from stiknn_ui.learn.fractions_text import MINUS, bracketed, plain, rich

Kind: TypeAlias = Literal["sort", "start", "changed", "same", "copy", "column", "done"]
Cell: TypeAlias = tuple[int, int]
Partial: TypeAlias = tuple[tuple[Fraction | None, ...], ...]

PSEUDO_CODE: Final = (
    (0, "function STI-KNN-one-test"),
    (1, "sort: α_{1}, …, α_{n} from the nearest to the farthest"),
    (1, f"φ_{{α_{{n−1}}, α_{{n}}}} ← {MINUS}{{2(n−k)|n(n−1)}} u(α_{{n}}),  or 0 where k ≥ n"),
    (1, "for j ← n down to 3"),
    (2, "if j > k + 1"),
    (
        3,
        "φ_{α_{j−2}, α_{j−1}} ← φ_{α_{j−1}, α_{j}} + {2(j−k−1)|(j−2)(j−1)} (u(α_{j}) − u(α_{j−1}))",
    ),
    (2, "else"),
    (3, "φ_{α_{j−2}, α_{j−1}} ← φ_{α_{j−1}, α_{j}}"),
    (1, "for j ← 3 to n"),
    (2, "for i ← j−2 down to 1"),
    (3, "φ_{α_{i}, α_{j}} ← φ_{α_{i+1}, α_{j}}"),
    (1, "return φ"),
)
"""Indentation and text of each line, in the markup of ``fractions_text``."""

_BRINGS: Final = ("has the right class", "is off the target")
_NOTHING: Final = ("has the wrong class", "is right on the target")
"""What the farthest point is called, by whether targets are measured."""

_SORT, _START, _CHANGED, _SAME, _COPY, _RETURN = 1, 2, 5, 7, 10, 11


@dataclass(frozen=True)
class Step:
    """The algorithm after one step; rows and columns are ranks, from 0."""

    kind: Kind  # "changed" and "same" are the two cases of the recursion
    line: int  # of PSEUDO_CODE, from 0
    loop: dict[str, int]  # what j and i are
    cells: tuple[Cell, ...]  # that this step has written
    source: Cell | None  # whose value was taken over
    matrix: Partial  # all that is filled so far
    formula: str  # the line with numbers filled in, in the markup of fractions_text
    sentence: str  # what happens, in plain words


def count_steps(n: int) -> int:
    """Return how many steps ``play`` gives for n points."""
    return 3 + (n - 2) + (n - 1) * (n - 2) // 2


def play(
    u: Sequence[Fraction], k: int, names: Sequence[str], measured: bool = False
) -> tuple[Step, ...]:
    """Return all steps; ``u`` is what each point brings, any numbers, and both are nearest first.

    The paper has 1/k for the right class, else 0; nothing in its recursion asks for that.
    """
    run = _Run(tuple(u), k, tuple(names), measured)
    run.sort()
    run.start()
    for j in range(run.n, 2, -1):
        run.recur(j)
    for j in range(3, run.n + 1):
        for i in range(j - 2, 0, -1):
            run.copy(i, j)
    run.finish()
    return tuple(run.steps)


class _Run:
    """The matrix being filled. Ranks i and j count from 1, as in the paper."""

    def __init__(
        self, u: tuple[Fraction, ...], k: int, names: tuple[str, ...], measured: bool
    ) -> None:
        self.u, self.k, self.names, self.n, self.measured = u, k, names, len(u), measured
        self.cells: dict[Cell, Fraction] = {}
        self.steps: list[Step] = []

    def value(self, i: int, j: int) -> Fraction:
        return self.cells[i - 1, j - 1]

    def phi(self, i: int, j: int) -> str:
        return f"φ_{{{self.names[i - 1]}, {self.names[j - 1]}}}"

    def sort(self) -> None:
        listed = ",  ".join(f"α_{{{m}}} = {name}" for m, name in enumerate(self.names, 1))
        near_to_far = f"Sort from near to far: {', '.join(self.names)}."
        self.take("sort", _SORT, {}, {}, None, listed, near_to_far)

    def start(self) -> None:
        n, k, far = self.n, self.k, self.u[-1]
        value = Fraction(-2 * (n - k), n * (n - 1)) * far
        pair = f"{self.names[-2]} and {self.names[-1]}"
        if k >= n:
            printed, value, formula = value, Fraction(0), "0"
            sentence = (
                f"Start with the two farthest points, {pair}. k = {k} is not below n = {n}: "
                "everyone gets a place among the k, nobody is in anybody's way, and the start is 0."
            )
            if k > n:
                sentence += f" The formula as printed would give {plain(printed)} here."
        else:
            formula = f"{MINUS}{{2({n}−{k})|{n}·{n - 1}}} · {rich(far)} = {rich(value)}"
            reason = (
                f"{self.names[-1]} {_BRINGS[self.measured]}, but where both join and one place is "
                f"left, {self.names[-2]} takes it: {'positive' if far < 0 else 'negative'}"
                if far
                else f"{self.names[-1]} {_NOTHING[self.measured]}, so u = 0 and there is nothing "
                "to lose"
            )
            sentence = f"Start with the two farthest points, {pair}. {reason}."
        lhs = f"{self.phi(n - 1, n)} = "
        self.take("start", _START, {}, {(n - 1, n): value}, None, lhs + formula, sentence)

    def recur(self, j: int) -> None:
        before, k = self.value(j - 1, j), self.k
        lhs = f"{self.phi(j - 2, j - 1)} = {self.phi(j - 1, j)}"
        source, loop = (j - 2, j - 1), {"j": j}
        pair = f"{self.names[j - 3]} and {self.names[j - 2]}"
        if j <= k + 1:
            sentence = (
                f"j = {j} is not above k + 1 = {k + 1}: so few points lie nearer than {pair} that "
                "at least two of the k places are free. The value stays."
            )
            formula = f"{lhs} = {rich(before)}"
            cells = {(j - 2, j - 1): before}
            self.take("same", _SAME, loop, cells, source, formula, sentence)
            return
        here, next_nearer = self.u[j - 1], self.u[j - 2]
        factor = Fraction(2 * (j - k - 1), (j - 2) * (j - 1))
        value = before + factor * (here - next_nearer)
        formula = (
            f"{lhs} + {{2({j}−{k}−1)|{j - 2}·{j - 1}}} ({rich(here)} − {rich(next_nearer)}) = "
            f"{rich(before)} + {rich(factor)} · {bracketed(here - next_nearer)} = {rich(value)}"
        )
        told = f"j = {j} is above k + 1 = {k + 1}: "
        two = f"{self.names[j - 1]} and {self.names[j - 2]}"
        if here == next_nearer:
            told += f"but {two} have the same u, so {pair} get the same value."
        else:
            way = "rises" if value > before else "falls"
            told += f"{two} differ in u, so the value {way} for {pair}."
        self.take("changed", _CHANGED, loop, {(j - 2, j - 1): value}, source, formula, told)

    def copy(self, i: int, j: int) -> None:
        value = self.value(i + 1, j)
        formula = f"{self.phi(i, j)} = {self.phi(i + 1, j)} = {rich(value)}"
        sentence = (
            f"Column {j}: {self.names[i - 1]} takes over the value of {self.names[i]}. Only the "
            f"farther point counts, and that is {self.names[j - 1]} for both."
        )
        loop = {"j": j, "i": i}
        self.take("copy", _COPY, loop, {(i, j): value}, (i, j - 1), formula, sentence)

    def finish(self) -> None:
        # The paper leaves both to the reader: symmetry, and the main terms.
        cells = {(j + 1, i + 1): value for (i, j), value in self.cells.items()}
        cells |= {(m, m): self.u[m - 1] for m in range(1, self.n + 1)}
        self.take(
            "done",
            _RETURN,
            {},
            cells,
            None,
            "φ_{i, j} = φ_{j, i},  φ_{i, i} = u(i)",
            "Done. The lower triangle mirrors the upper one. The diagonal holds what each "
            "point brings alone, which needs no algorithm.",
        )

    def take(
        self,
        kind: Kind,
        line: int,
        loop: dict[str, int],
        cells: dict[Cell, Fraction],
        source: Cell | None,
        formula: str,
        sentence: str,
    ) -> None:
        """Write cells, given by ranks from 1, and note the step; ``source`` counts from 0."""
        new = {(i - 1, j - 1): value for (i, j), value in cells.items()}
        self.cells |= new
        rows = tuple(tuple(self.cells.get((r, c)) for c in range(self.n)) for r in range(self.n))
        self.steps.append(Step(kind, line, loop, tuple(new), source, rows, formula, sentence))
