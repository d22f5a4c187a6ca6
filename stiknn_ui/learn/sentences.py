"""What the page says about a scene, in plain words and formulas. Pure: Markdown out."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from math import comb, isqrt
from typing import Final

from stiknn_ui.learn import played
from stiknn_ui.learn.fractions_text import decimal, tex, tex_bracketed
from stiknn_ui.learn.game import (
    Term,
    contributions,
    game,
    interactions,
    pair_terms,
    rank,
    trace,
    triangle,
    values,
)
from stiknn_ui.learn.games import formulas
from stiknn_ui.learn.games.index import index_of
from stiknn_ui.learn.games.score import label_word, measured
from stiknn_ui.learn.lesson import written
from stiknn_ui.learn.orders import count_orders, orders
from stiknn_ui.learn.scene import Scene
from stiknn_ui.learn.ties import single

_A_LINE: Final = 3
"""Terms of a formula that fit beside each other."""


def neighbours_table(scene: Scene) -> str:
    """Return the training points, nearest first, as a Markdown table."""
    lesson = scene.lesson
    ranking, u = rank(lesson, scene.test), contributions(lesson, scene.test)
    called = label_word(lesson.score)
    lines = [f"| rank | point | distance | {called} | brings $u$ |", "|:-:|:-:|:-:|:-:|:-:|"]
    first = 1
    for group in ranking.groups:
        last = first + len(group) - 1
        place = str(first) if len(group) == 1 else f"{first}–{last}, tied"
        for i in group:
            point = lesson.points[i]
            distance = _distance(ranking.squared[i])
            lines.append(
                f"| {place} | **{point.name}** | {distance} | {point.label} | ${tex(u[i])}$ |"
            )
        first = last + 1
    return "\n".join(lines)


def remarks(scene: Scene) -> list[str]:
    """Return what is special about the labels, k or the ties of a scene."""
    lesson = scene.lesson
    right = lesson.tests[scene.test].label
    labels = {point.label for point in lesson.points}
    found = []
    if measured(lesson.score):
        pass  # targets are numbers: none of them is absent, and none is shared
    elif right not in labels:
        found.append(
            f"No training point has the test point's class, {right}. Nobody can be right, so "
            "everything below is 0."
        )
    elif len(labels) == 1:
        found.append(
            f"All training points have the right class, {right}. They can only be in each other's "
            "way."
        )
    if lesson.k >= lesson.n:
        found.append(
            f"k = {lesson.k} is not below n = {lesson.n}: everybody votes, always, so no two "
            "points interact."
        )
    number = count_orders(rank(lesson, scene.test).groups)
    if number > 1:
        found.append(
            f"Points at equal distance can come in {number:,} orders. The game takes the mean over "
            "all of them."
        )
    return found


def pair_formula(scene: Scene) -> str:
    """Return the sum of the pair with numbers filled in, sizes of S together, in TeX."""
    i, j = scene.pair
    index, n = index_of(scene.lesson.index), scene.lesson.n
    terms = pair_terms(game(scene.lesson, scene.test), i, j, index)
    sizes = [list(group) for _, group in groupby(terms, key=lambda term: term.size)]
    parts = [
        rf"\frac{{1}}{{{comb(n - 1, group[0].size)}}}\cdot{tex_bracketed(_changes(group))}"
        if index.paper
        else rf"{tex(group[0].weight)}\cdot{tex_bracketed(_changes(group))}"
        for group in sizes
    ]
    lines = ["+".join(parts[at : at + _A_LINE]) for at in range(0, len(parts), _A_LINE)]
    common = rf"\frac{{2}}{{{n}}}" if index.paper else ""
    inside = r"\\ &\quad+".join(lines)
    return (
        rf"\begin{{aligned}}{phi(scene)}={common}\bigl(\,&{inside}\,\bigr)"
        rf"={tex(terms[-1].running)}\end{{aligned}}"
    )


def verdict(scene: Scene) -> str:
    """Return both numbers of the pair side by side, and whether they are the same."""
    lesson = scene.lesson
    i, j = scene.pair
    by_sum = interactions(lesson, scene.test)[i][j]
    groups = rank(lesson, scene.test).groups
    number, name = count_orders(groups), played.name(lesson)
    if number == 1:
        found = played.pair_found(scene, orders(groups)[0])
    else:
        found, name = single(lesson, scene.test)[i][j], f"{name}, mean over {number:,} orders"
    sign = ":green[**✓ equal**]" if found == by_sum else ":red[**✗ not equal**]"
    return (
        f"${phi(scene)}$: sum over subsets ${tex(by_sum)}$ · {name} ${tex(found)}$ · {sign} "
        f"({decimal(by_sum)})"
    )


def order_by_order(scene: Scene) -> str:
    """Return what is played for the pair in each order of tied points; empty without ties."""
    groups = rank(scene.lesson, scene.test).groups
    ways = orders(groups)
    if len(ways) == 1:
        return ""
    each = [played.pair_found(scene, way) for way in ways]
    sums = "+".join(tex_bracketed(value) for value in each)
    mean = sum(each, Fraction(0)) / len(each)
    return rf"\frac{{1}}{{{len(each)}}}\left({sums}\right)={tex(mean)}"


def values_table(scene: Scene) -> str:
    """Return diagonal, half of the pairs and value of each point, as a Markdown table."""
    matrix = interactions(scene.lesson, scene.test)
    lines = [
        r"| point | diagonal $\phi_{ii}$ | half of its pairs | KNN-Shapley value | decimal |",
        "|:-:|:-:|:-:|:-:|:-:|",
    ]
    for i, value in enumerate(values(matrix)):
        main = matrix[i][i]
        lines.append(
            f"| **{scene.lesson.names[i]}** | ${tex(main)}$ | ${tex(value - main)}$ | "
            f"${tex(value)}$ | {decimal(value)} |"
        )
    return "\n".join(lines)


def diagonal_table(scene: Scene) -> str:
    """Return the value of each point both ways, for an index whose diagonal it is."""
    by_sum, found = interactions(scene.lesson, scene.test), single(scene.lesson, scene.test)
    called = formulas.value_name(index_of(scene.lesson.index))
    lines = [f"| point | {called}: sum over subsets | the theorem | |", "|:-:|:-:|:-:|:-:|"]
    for i, name in enumerate(scene.lesson.names):
        one, other = by_sum[i][i], found[i][i]
        sign = ":green[**✓**]" if one == other else ":red[**✗**]"
        lines.append(f"| **{name}** | ${tex(one)}$ | ${tex(other)}$ | {sign} {decimal(one)} |")
    return "\n".join(lines)


def efficiency(scene: Scene) -> str:
    """Return the check that main terms and pairs, each once, add up to v(N)."""
    matrix = interactions(scene.lesson, scene.test)
    whole = game(scene.lesson, scene.test)[-1]
    both = trace(matrix), triangle(matrix)
    sign = ":green[**✓**]" if sum(both) == whole else ":red[**✗**]"
    return (
        rf"Diagonal and pairs, each pair once: ${tex(both[0])}+{tex_bracketed(both[1])}="
        rf"{tex(sum(both, Fraction(0)))}$, and $v(N)={tex(whole)}$ {sign}"
    )


def phi(scene: Scene) -> str:
    """Return the name of the pair's interaction, in TeX."""
    i, j = scene.names
    return rf"\phi_{{\text{{{i}}},\text{{{j}}}}}"


def _changes(terms: list[Term]) -> Fraction:
    return sum((term.change for term in terms), Fraction(0))


def _distance(squared: Fraction) -> str:
    """Return the root of a squared distance: as it is where it is a decimal, else about."""
    above, below = isqrt(squared.numerator), isqrt(squared.denominator)
    if Fraction(above * above, below * below) == squared:
        return written(Fraction(above, below))
    return rf"$\sqrt{{{written(squared)}}}\approx{float(squared) ** 0.5:.3g}$"
