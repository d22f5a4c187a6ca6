"""What the numbers of a comparison say, each in a sentence or two. Pure."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from stiknn_core.comparing.agreement import Agreement, TopOverlap
from stiknn_core.comparing.standard_error import SplitHalves
from stiknn_core.comparing.sweep import KSweep
from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.compare.errors import ErrorSummary
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.words.games import score_line, value_kind

# Correlation from which on a picture is called so.
_LIKENESS: Final = (
    (0.99, "practically the same picture"),
    (0.95, "nearly the same picture"),
    (0.8, "broadly the same picture"),
    (0.5, "related pictures with many differences"),
    (0.2, "pictures that have little in common"),
    (-1.1, "different pictures"),
)
_CLEAR_GAP: Final = 0.05
_SCALES_APART: Final = 1.25


def likeness(correlation: float) -> str:
    """Return what two matrices that correlate so well look like side by side."""
    return next(words for least, words in _LIKENESS if correlation >= least)


def opening(a: Analysis, b: Analysis, pairs: Agreement) -> str:
    """Say first of all how much A and B differ."""
    if math.isnan(pairs.pearson):
        return pairs_sentence(pairs)
    like = likeness(pairs.pearson)
    said = (
        f"{like[0].upper()}{like[1:]}: the pairs correlate by {pairs.pearson:.3f}, and "
        f"{100 * pairs.same_sign:.1f} % have the same sign."
    )
    ratio = pairs.spread_a / pairs.spread_b
    if 1 / _SCALES_APART < ratio < _SCALES_APART:
        return said
    wide, narrow = ("A", "B") if ratio > 1 else ("B", "A")
    times = f"{max(ratio, 1 / ratio):.1f} times"
    return f"{said} {wide}'s interactions are {times} as large as {narrow}'s."


def own_scale(chosen: bool | None, a: ComputeSpec, b: ComputeSpec) -> bool:
    """Return whether both matrices get colours of their own: as chosen, or where sizes differ."""
    games = [(one.k, one.index, one.score, one.width) for one in (a, b)]
    return games[0] != games[1] if chosen is None else chosen


def pairs_sentence(pairs: Agreement) -> str:
    """Say what Pearson's correlation of the pairs means."""
    if math.isnan(pairs.pearson):
        return "All pairs of one side are alike, so there is no pattern to compare."
    return (
        f"r = {pairs.pearson:.3f} over {pairs.n:,} pairs: {likeness(pairs.pearson)}. A straight "
        f"line from A explains {100 * pairs.pearson**2:.0f} % of how the pairs of B differ from "
        "each other."
    )


def ranks_sentence(pairs: Agreement) -> str:
    """Say what Spearman's correlation of the pairs adds to it."""
    if math.isnan(pairs.spearman):
        return "There are no ranks to compare either."
    gap = pairs.pearson - pairs.spearman
    said = f"By rank alone (Spearman) the pairs agree to {pairs.spearman:.3f}"
    if gap > _CLEAR_GAP:
        return f"{said}: the strongest pairs agree better than the many weak ones."
    if gap < -_CLEAR_GAP:
        return f"{said}: the order is kept better than the sizes, so a line is not the best fit."
    return f"{said}: strong and weak pairs agree alike."


def signs_sentence(pairs: Agreement) -> str:
    """Say how often substitutes stay substitutes."""
    if not pairs.n:
        return ""
    return (
        f"{100 * pairs.same_sign:.1f} % of the pairs have the same sign in both, substitutes "
        f"(negative) or complements; signs that had nothing to do with each other would agree "
        f"in {100 * pairs.same_sign_by_chance:.1f} %."
    )


def values_sentence(values: Agreement, kinds: tuple[str, str]) -> str:
    """Say how the values of points agree, which are of these kinds in A and in B."""
    what = f"{kinds[0]} values" if kinds[0] == kinds[1] else f"{kinds[0]} and {kinds[1]} values"
    if math.isnan(values.pearson):
        return f"All {what} of one side are alike, so there is nothing to compare."
    rank = "hardly anyone changes place"
    if values.spearman < 0.99:
        rank = "some points change place"
    if values.spearman < 0.9:
        rank = "many points change place"
    return (
        f"The {what} of {values.n:,} points correlate by {values.pearson:.3f} (Pearson) and "
        f"{values.spearman:.3f} (Spearman): {rank} between the two rankings."
    )


def value_kinds(a: Analysis, b: Analysis) -> tuple[str, str]:
    """Return what the values of both sides are called: by their index, and by unequal scores."""
    first, second = (value_kind(one.given.index) for one in (a, b))
    if a.given.score != b.given.score:
        first = f"{first} ({score_line(a.given.score)})"
        second = f"{second} ({score_line(b.given.score)})"
    return first, second


def scale_sentence(a: Analysis, b: Analysis, pairs: Agreement) -> str:
    """Say how far apart the two scales are, and why; empty where they are alike."""
    if not pairs.spread_a or not pairs.spread_b:
        return ""
    ratio = pairs.spread_a / pairs.spread_b
    if 1 / _SCALES_APART < ratio < _SCALES_APART:
        return ""
    wide, narrow = ("A", "B") if ratio > 1 else ("B", "A")
    said = f"{wide}'s pairs spread {max(ratio, 1 / ratio):.1f} times as widely as {narrow}'s"
    reasons = []
    if a.k != b.k:
        reasons.append(f"a neighbour is worth 1/k, so k alone makes {b.k / a.k:.2g}")
    if a.compute.index != b.compute.index:
        reasons.append("each index has a scale of its own")
    if a.given.score != b.given.score:
        reasons.append("each score has a scale of its own")
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return f"{said}{why}. 'Own scale' gives each its own colours, to compare the patterns."


def overlap_sentence(overlap: TopOverlap, n: int) -> str:
    """Say how many of the most suspicious points are the same."""
    m = overlap.m
    points = "point" if m == 1 else f"{m:,} points"
    return (
        f"Of the most suspicious {points} among {n:,}, {len(overlap.both):,} are the same in A and "
        f"B: {100 * overlap.share:.0f} % (chance: {100 * overlap.chance_share:.0f} %). Of all "
        f"points in either list, {100 * overlap.jaccard:.0f} % are in both (Jaccard; chance: "
        f"{100 * overlap.chance_jaccard:.0f} %)."
    )


def sweep_sentences(sweep: KSweep, k: int) -> list[str]:
    """Say over which k the picture stays as with ``k``, and how its scale falls."""
    here = int(np.flatnonzero(sweep.ks == k)[0])
    row = sweep.correlation[here]
    if len(sweep.ks) < 2 or not np.isfinite(row).any():
        return ["There is one k alone to look at, or all its pairs are alike."]
    told = []
    for least in (0.99, 0.95):
        low = high = here
        while low > 0 and row[low - 1] >= least:
            low -= 1
        while high + 1 < len(row) and row[high + 1] >= least:
            high += 1
        told.append(f"k from {sweep.ks[low]} to {sweep.ks[high]} stays above {least} with k = {k}")
    lowest = int(np.nanargmin(row))
    said = [f"{'; '.join(told)}. The least alike is k = {sweep.ks[lowest]} ({row[lowest]:.2f})."]
    known = sweep.spread > 0
    if known.sum() >= 2:
        slope = np.polyfit(np.log(sweep.ks[known]), np.log(sweep.spread[known]), 1)[0]
        said.append(
            f"The spread of the pairs changes as k to the power {slope:.2f}. The paper's "
            "corollary says 1/k, the power -1, which would make the lower curve flat; it holds as "
            "closely as the pattern itself stays the same."
        )
    return said


def error_sentences(found: ErrorSummary, *, judged_by_itself: bool) -> list[str]:
    """Say how sure the entries are, and how many test points would be enough."""
    told = []
    whole, t = found.whole, found.whole.n_test
    if whole.spread:
        told.append(
            f"A pair is typically off by {100 * found.median / whole.spread:.0f} % of the spread "
            f"of the pairs (half of them by less), and 95 % of them by less than "
            f"{100 * found.high / whole.spread:.0f} %. {100 * found.clear:.0f} % of the pairs are "
            "more than two standard errors from 0."
        )
    reliability, needed = whole.reliability, whole.needed()
    if math.isnan(reliability):
        told.append("All pairs are alike, so there is no pattern that could be lost in noise.")
        return told
    told.append(
        f"Another {t:,} test points from the same source would give a matrix that correlates with "
        f"this one by about {reliability:.2f}; with that of endless test points this one "
        f"correlates by about {math.sqrt(reliability):.2f}."
    )
    if math.isinf(needed):
        told.append("No pattern shows above the noise: many more test points are needed.")
    else:
        there = f"enough: these {t:,} are." if needed <= t else f"needed; there are {t:,}."
        told.append(
            f"For a correlation of 0.95 about {math.ceil(needed):,} test points are {there}"
        )
    if judged_by_itself:
        told.append(
            "The test points are the training points themselves, each left out in turn. So 'other "
            "test points' stands for a fresh draw of them for the same training points."
        )
    return told


def halves_sentence(halves: SplitHalves) -> str:
    """Say what was drawn apart."""
    largest = int(halves.sizes[-1])
    mean = float(np.nanmean(halves.correlations[-1])) if halves.n_points > 2 else math.nan
    return (
        f"Checked by drawing the test points apart, {halves.correlations.shape[1]} times: two "
        f"halves of {largest:,} each give matrices that correlate by {mean:.2f} on average "
        f"(pairs of {halves.n_points:,} points)."
    )
