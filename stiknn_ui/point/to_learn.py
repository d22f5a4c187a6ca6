"""One point and its nearest as a link to Learn: on a line, by their distance to it.

Learn knows nothing of data sets, so what goes there is the text of a link, as a person could
write it (``learn/links.py``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from stiknn_core.types import AnyArray, FloatArray
from stiknn_ui.results.result import Result

N_NEIGHBOURS: Final = 7
_SPAN: Final = 10  # places on Learn's line lie between 0 and this, in tenths
_FEW: Final = 3
_NAME: Final = re.compile(r"[A-Za-z0-9]{1,4}")
_LABEL: Final = re.compile(r"[A-Za-z0-9]{1,12}")


@dataclass(frozen=True)
class Link:
    """The parameters of a link to Learn, and what is kept and what is not, in words."""

    params: dict[str, str]
    told: str


def link(result: Result, point: int) -> None:
    """Draw the link to Learn with this point and its nearest, where it has at least two."""
    (near,), (far,) = result.given.nearest(np.array([point]), N_NEIGHBOURS)
    if len(near) < 2:
        return
    labels = [str(result.classes[code]) for code in result.codes[near].tolist()]
    own = str(result.classes[result.codes[point]])
    compute = result.compute
    found = link_of(result.names(near.tolist()), labels, far, own, compute.k, compute.ties)
    st.page_link(
        "pages/learn.py",
        label=f"This one and its {len(near)} neighbours in Learn",
        icon=":material/school:",
        query_params=found.params,
        help=found.told,
    )


def link_of(
    names: list[str],
    labels: list[str],
    distances: AnyArray | FloatArray,
    own: str,
    k: int,
    ties: str,
) -> Link:
    """Return the link for points, nearest first, with their distances to the one of class ``own``.

    Parameters
    ----------
    names, labels : list of str
        One for each neighbour, 2 to 7 of them.
    distances : (m,) float
        At least 0, ascending.
    own : str
        Class of the point itself, which becomes the test point at 0.
    k : int
    ties : {"expected", "index"}
    """
    n, most = len(names), float(distances[-1])
    tenths = [round(_SPAN * 10 * float(far) / most) if most > 0 else 0 for far in distances]
    if not all(map(_NAME.fullmatch, names)) or len(set(names)) < n:
        names = [str(rank) for rank in range(1, n + 1)]
    said = [
        f"A line shows {n} training points at their distance to this one, which is the test point "
        f"at 0; the farthest is at {_SPAN}, places are rounded to tenths.",
        "Kept: classes, and who is nearer to this point"
        + (", but for those that rounding puts at one place." if len(set(tenths)) < n else "."),
        "Not kept: how far the others are from each other, all other points, and all other test "
        "points.",
    ]
    if not all(map(_LABEL.fullmatch, [*labels, own])):
        classes = sorted({*labels, own})
        letter = {label: f"c{number}" for number, label in enumerate(classes, 1)}
        labels, own = [letter[label] for label in labels], letter[own]
        said.append(f"Classes are named c1 to c{len(classes)}, in the order of the alphabet.")
    if k >= n:
        k = min(_FEW, n - 1)
        said.append(f"k is {k} there: with as many places as points no two would interact.")
    params = {
        "on": "line",
        "points": "~".join(
            f"{name}_{tenth / 10:g}_{label}"
            for name, tenth, label in zip(names, tenths, labels, strict=True)
        ),
        "tests": f"0_{own}",
        "k": str(k),
        "ties": ties,
    }
    return Link(params, " ".join(said))
