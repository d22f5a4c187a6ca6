"""Where to cut a ranking, in sentences: what is to be expected, and what decisions say. Pure."""

from __future__ import annotations

from typing import Final

FEWEST_DECIDED: Final = 5
"""Points that have to be decided before these decisions say something."""

HOW_SURE: Final = (
    "Estimated from the labels that neighbours in the forest contradict, for the ranking by one "
    "class mistaken for another. Where this was measured, the number of all wrong labels was "
    "within a factor of 1.5 of the estimate in 44 % of the samples, and mostly within the range. "
    "Wrong labels that confirm each other are not seen by it, and classes that overlap everywhere "
    "count as wrong labels."
)
"""What stands behind `expected_line`, for whoever wants to know."""


def expected_line(m: int, found: float, least: float, most: float, of: str = "these {}") -> str:
    """Say how many of the m most suspicious labels may be wrong; empty where m is 0.

    Parameters
    ----------
    m : int
    found, least, most : float
        From `ExpectedErrors.among`.
    of : str
        What the m are called, with a place for their number.
    """
    if not m:
        return ""
    ends = f"{round(least):,} to {round(most):,}"
    return (
        f"Of {of.format(f'{m:,}')}, about {round(found):,} may be wrong ({ends} in four of five "
        "tables this was measured on)."
    )


def decided_line(decided: int, wrong: int) -> str:
    """Say how many decided labels were wrong, where enough are decided; else nothing."""
    if decided < FEWEST_DECIDED:
        return ""
    told = f"{wrong:,}" if wrong else "none"
    were = "was" if wrong == 1 else "were"
    return f"Of the {decided:,} you decided, {told} {were} wrong."
