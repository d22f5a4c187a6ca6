"""What one visitor looks at on the page that compares: remembered between reruns. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stiknn_ui.page.runner import ResultDesk

Side = Literal["A", "B"]


@dataclass
class CompareDesk:
    """The second result, and which part of what is made of both is open.

    The first result is the one that all pages show.

    Attributes
    ----------
    b : ResultDesk
        The last finished result of B; it stays until the next one is there.
    met : (str, str) or None
        Source of the data and scaling of A when the page was last drawn.
    top : dict
        How many of the most suspicious points are compared, by score and results.
    sides : dict
        Whose sweep and whose test points are looked at.
    """

    b: ResultDesk = field(default_factory=ResultDesk)
    met: tuple[str, str] | None = None
    top: dict[str, int] = field(default_factory=dict)
    sides: dict[str, Side] = field(default_factory=dict)
