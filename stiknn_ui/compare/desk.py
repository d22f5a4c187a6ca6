"""What one visitor looks at on the page that compares: remembered between reruns. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from stiknn_ui.results.analysis import Analysis
from stiknn_ui.work.jobs import Job

Side = Literal["A", "B"]


@dataclass
class CompareDesk:
    """The second result, what is made of both, and which part of it is open.

    The first result is the session's own, as on all other pages.

    Attributes
    ----------
    shown : Analysis or None
        The last finished result of B; it stays until the next one is there.
    job : Job or None
        The computation of B that runs, or the last one if it failed or was stopped.
    requested : str
        Key of the result that was asked for by pressing Compute.
    met : (str, str) or None
        Source of the data and scaling of A when the page was last drawn.
    pair : (Analysis, Analysis) or None
        The two results on screen, of the same data.
    tasks : dict
        What is being made of results, by what it is for; finished ones hold what was made.
    wanted : dict
        Key of what was asked for by a button, by what it is for.
    top : dict
        How many of the most suspicious points are compared, by score and results.
    sides : dict
        Whose sweep and whose test points are looked at.
    """

    shown: Analysis | None = None
    job: Job[Analysis] | None = None
    requested: str = ""
    met: tuple[str, str] | None = None
    pair: tuple[Analysis, Analysis] | None = None
    tasks: dict[str, Job[Any]] = field(default_factory=dict)
    wanted: dict[str, str] = field(default_factory=dict)
    top: dict[str, int] = field(default_factory=dict)
    sides: dict[str, Side] = field(default_factory=dict)
