"""The six steps of the proof, with the numbers of a pair. Pure: Markdown out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from stiknn_ui.learn.fractions_text import tex, tex_bracketed
from stiknn_ui.learn.games.proof import Line, Proof

_YES, _NO = ":green[**✓**]", ":red[**✗**]"


def weights_table(found: Proof) -> str:
    """Return w by rank, from 3 to n + 1."""
    ranks = range(3, len(found.w))
    return _table(
        ["rank $j$", *map(str, ranks)], [["$w_j$", *(f"${tex(found.w[j])}$" for j in ranks)]]
    )


def linear() -> str:
    """Return step 1."""
    return (
        "**1. One point at a time.** $v$ is linear in $u$. So let one point $l$ alone bring 1, all "
        "others 0: $v(S)=1$ where $l$ has a *place*: it is in $S$ with fewer than $k$ of $S$ "
        "nearer."
    )


def nearer(found: Proof) -> str:
    """Return step 2 with its table."""
    far = found.names[found.farther - 1]
    lines = [line for line in found.lines if line.rank < found.farther]
    return (
        f"**2. $l$ nearer than {far}**, or its partner: {far} comes behind it and changes nothing "
        "of its place. $\\Delta=0$ for every $S$. How many sets have another:\n\n"
        f"{_changes(lines, with_said=False)}"
    )


def farther(found: Proof, k: int) -> str:
    """Return step 3 with its table."""
    m = found.farther
    line = found.lines[m - 1]
    rows = [
        [str(one.s), str(one.sets), f"${tex(one.weight)}$", f"${tex(one.sets * one.weight)}$"]
        for one in found.sizes
    ]
    table = _table(["size $s$", "sets", "$p_s$", "together"], rows)
    sets = f"\n\n{table}\n\n" if rows else " Here no set is so large. "
    sign = _YES if line.change == line.said else _NO
    return (
        f"**3. $l$ = {line.name}**, the farther: where exactly $k-1={k - 1}$ of $S$ are nearer, "
        f"its partner takes its place: $\\Delta=-1$. Otherwise $\\Delta=0$.{sets}"
        f"Summed up: ${tex(line.change)}=-w_{{{m + 1}}}$ {sign}"
    )


def behind(found: Proof) -> str:
    """Return step 4, without a table."""
    return (
        "**4. $l$ behind both**, with $a$ of $S$ nearer than it: it has a place where $a<k$, with "
        "one of the two there $a+1<k$, with both $a+2<k$. So ${\\Delta=[a=k-1]-[a=k-2]}$: neither "
        "the two nor their ranks are in it. How many sets have which is counted below."
    )


def weighed(found: Proof) -> str:
    """Return step 5 with the table of steps 4 and 5."""
    lines = found.lines[found.farther :]
    far = found.names[found.farther - 1]
    table = _changes(lines, with_said=True) if lines else f"Nobody lies behind {far} here."
    return (
        "**5. Weigh these sets.** Let $W(x)$ weigh the sets with exactly $k-1$ of the $x$ nearest "
        "other points. Sets with $l$ that have $k-1$ before it count in $W(l-3)$ and not in "
        "$W(l-2)$, those with $k-2$ the other way round; sets without $l$ in both or in neither. "
        f"So it is $W(l-3)-W(l-2)=w_l-w_{{l+1}}$.\n\n{table}"
    )


def added(found: Proof, name: str) -> str:
    """Return step 6: the sum, and the definition beside it; ``name`` is the pair's, in TeX."""
    parts = [line for line in found.lines if line.rank >= found.farther]
    summed = "+".join(
        f"{tex_bracketed(line.said)}\\cdot {tex_bracketed(line.brings)}" for line in parts
    )
    return (
        f"**6. Multiply by $u_l$ and add over $l$:**\n\n$${name}={summed}={tex(found.by_theorem)}$$"
    )


def verdict(found: Proof) -> str:
    """Return the theorem's number and the definition's."""
    number = 2 ** (len(found.names) - 2)
    sets = f"all {number} subsets" if number > 1 else "the one subset"
    sign = ":green[**✓ equal**]" if found.by_sum == found.by_theorem else ":red[**✗ not equal**]"
    return (
        f"The definition, summed over {sets}: ${tex(found.by_sum)}$ · "
        f"the theorem: ${tex(found.by_theorem)}$ · {sign}"
    )


def _changes(lines: Sequence[Line], with_said: bool) -> str:
    titles = ["$l$", "rank", r"$\Delta=1$", r"$\Delta=-1$", r"$\sum p_s\Delta$"]
    rows = [
        [f"**{one.name}**", str(one.rank), str(one.gained), str(one.lost), f"${tex(one.change)}$"]
        for one in lines
    ]
    if with_said:
        titles.append("$w_l-w_{l+1}$")
        for row, one in zip(rows, lines, strict=True):
            row.append(f"${tex(one.said)}$ {_sign(one.change, one.said)}")
    return _table(titles, rows)


def _sign(one: Fraction, other: Fraction) -> str:
    return _YES if one == other else _NO


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [titles, [":-:"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
