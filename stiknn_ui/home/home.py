"""The words of the first page."""

from __future__ import annotations

from typing import Final

import streamlit as st

_INTRODUCTION: Final = """
## Which points teach your classifier the same thing, and which labels are wrong?

A *k-nearest-neighbour* classifier asks the k closest training points for their labels. This
dashboard computes, exactly, how much every **pair** of training points matters together, and
draws it as a matrix beside the points themselves.

- :blue-badge[Blue] cells: the two points are **redundant**; each is worth less when the other is
  there. The stronger the colour, the more so; a faint cell is a pair that hardly matters.
- :orange-badge[Orange] cells: they **complete each other**; together they are worth more than
  apart.
- A **line that looks unlike its block** is a point that behaves like another class: often a
  **wrong label**.

Below are two rings of 150 points each; one label in ten was changed on purpose. Rows and columns
are sorted by class. **Click a block** and its points light up in the scatter; click or lasso points
and their rows and columns light up in the matrix.
"""


def introduction() -> None:
    """Say what the picture means."""
    st.markdown(_INTRODUCTION)


def next_steps() -> None:
    """Say where to go from here."""
    st.markdown("### What next?")
    steps = (
        ("pages/explore.py", "Explore", ":material/grid_on:", "Change k, sort the matrix, zoom."),
        ("pages/suspects.py", "Suspects", ":material/flag:", "See which labels look wrong."),
        ("pages/review.py", "Review", ":material/rule:", "Decide on each, take a corrected file."),
        ("pages/data.py", "Your own data", ":material/upload:", "Upload a table, or generate one."),
    )
    for column, (script, label, icon, what) in zip(st.columns(len(steps)), steps, strict=True):
        with column, st.container(border=True):
            st.page_link(script, label=f"**{label}**", icon=icon)
            st.caption(what)
