"""Which points are flagged: a line through the distribution of a score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from stiknn_core.types import FloatArray
from stiknn_ui.asked.spec import RankBy
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.flags import Flags, flags_for
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject
from stiknn_ui.visit import state
from stiknn_ui.words import cutting, games, wording

_BINS: Final = 40
_MOST_LINES: Final = 50
_FLAGGED: Final = "#E69F00"
_OTHERS: Final = "#7F95A8"
_HELP: Final[dict[RankBy, str]] = {
    "quality": "At first as many are flagged as have another class suggested.",
    "confusion": "At first as many are flagged as have another class suggested. "
    + wording.CONFUSION_GAIN,
    "in_out": "Below 0 a point is more of a substitute for other classes than for its own.",
    "row": "Below 0 a row looks more like another class than like its own.",
    "distance": "At first those are flagged that are farther off than two robust standard "
    "deviations of all distances.",
    "rarity": "Nothing is flagged at first: a rare label is no wrong label.",
}


def help_of(subject: Subject, by: RankBy) -> str:
    """Say what the line of a score means, and where it is at first."""
    if by == "value":
        return games.below_zero(subject.analysis.given.index, subject.analysis.k)
    return _HELP[by]


def flags_of(subject: Subject, by: RankBy) -> Flags:
    """Return where the line of a score is: where a person drew it, or where it usually is."""
    scores = subject.scores[by]
    drawn = state.desk(ReviewDesk).thresholds.get(line_name(subject, by))
    return flags_for(by, scores, drawn, doubted=int(subject.doubted.sum()))


def line_name(subject: Subject, by: RankBy) -> str:
    """Return under which name the line of a score is remembered."""
    return f"{subject.side}-{by}-{subject.analysis.digest}"


def keep_line(message: Any) -> None:
    """Remember the line that was drawn in the browser."""
    if not isinstance(message, Mapping):
        return
    name, value = message.get("name"), message.get("value")
    if isinstance(name, str) and isinstance(value, (int, float)) and np.isfinite(value):
        lines = state.desk(ReviewDesk).thresholds
        lines[name] = float(value)
        while len(lines) > _MOST_LINES:
            del lines[next(iter(lines))]


def expected_line(subject: Subject, by: RankBy, flags: Flags) -> str:
    """Say how many of the flagged points may be wrong; empty where nobody can tell."""
    if subject.expected is None or by != "confusion":
        return ""
    m = int(flags.of(subject.scores[by]).sum())
    return cutting.expected_line(m, *subject.expected.among(m))


def found_line(subject: Subject, decided: Decided) -> str:
    """Say how many of the decided points were wrong: relabelled or removed, not kept."""
    kept = decided.where(lambda one: one.action == "keep")[subject.rows].sum()
    wrong = decided.where(lambda one: one.action in ("relabel", "remove"))[subject.rows].sum()
    return cutting.decided_line(int(kept + wrong), int(wrong))


def count_line(scores: FloatArray, flags: Flags) -> str:
    """Say how many points are flagged."""
    flagged = int(flags.of(scores).sum())
    line = f"{flags.threshold:.{flags.decimals}f}".replace("-", "−")
    if not flagged:
        return f"No point is flagged: none lies below {line}. Move the line to the right."
    if flagged == len(scores):
        return f"All {len(scores):,} points are flagged."
    return f"{flagged:,} of {len(scores):,} points lie below {line} and are flagged."


def histogram_of(scores: FloatArray, flags: Flags, title: str) -> go.Figure:
    """Return how the scores are spread, flagged and other points in two colours."""
    edges = np.linspace(min(flags.low, scores.min()), max(flags.high, scores.max()), _BINS + 1)
    middle, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    flagged = flags.of(scores)
    figure = go.Figure()
    for name, here, color in (("flagged", flagged, _FLAGGED), ("others", ~flagged, _OTHERS)):
        counts, _ = np.histogram(scores[here], edges)
        figure.add_bar(x=middle, y=counts, width=width, name=name, marker_color=color)
    figure.add_vline(x=flags.threshold, line={"width": 2, "color": "#D55E00"})
    figure.update_layout(
        barmode="stack",
        height=170,
        bargap=0,
        margin={"l": 0, "r": 0, "t": 4, "b": 0},
        showlegend=False,
        xaxis={"title": title, "fixedrange": True, "range": [edges[0], edges[-1]]},
        yaxis={"title": "points", "fixedrange": True},
    )
    return figure
