"""A review as one HTML file that opens anywhere, without a connection. Pure.

Whatever comes from data is escaped, and the file itself forbids the browser to load anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio

from stiknn_ui.review.decisions import DONE, Decision
from stiknn_view import page
from stiknn_view.assets import plotly_source
from stiknn_view.scene import Scene

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
_MOST_CHANGES: Final = 2_000
_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b2430; max-width: 62rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.25rem 0.9rem 0.25rem 0; border-bottom: 1px solid #d9dee5;
         vertical-align: top; overflow-wrap: break-word; }
.wide { overflow-x: auto; } .undone td { color: #6b7685; text-decoration: line-through; }
@media print { body { max-width: none; margin: 0; padding: 0; } .wide { overflow: visible; }
               h2 { break-after: avoid; } tr, .plotly-graph-div { break-inside: avoid; }
               .plotly-graph-div { zoom: 0.7; } td:last-child { overflow-wrap: anywhere; } }
"""


def build_report(
    *,
    title: str,
    made: str,
    summary: Sequence[str],
    effect: Sequence[str],
    effect_table: pd.DataFrame | None,
    figures: Sequence[tuple[str, go.Figure]],
    view: Scene | None = None,
    changes: pd.DataFrame,
    settings: Mapping[str, str | int | float],
) -> bytes:
    """Return the report in UTF-8: some 1.3 MB, and 2.6 bytes for each pair of points in ``view``.

    ``view`` is the linked view of the labels as given; without one there is none. The figures are
    of kinds that the basic bundle of plotly.js draws.

    ``summary`` and ``effect`` are sentences; without ``effect`` it was not measured, which is
    said. ``changes`` is from `exports.changes_table`; with ``settings`` the numbers come again.
    """
    name = escape(f"Label review of {title}")
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{name}</h1><p>{escape(made)}</p>",
        _list(summary),
        "<h2>Effect</h2>",
        _list(effect) if effect else "<p>The effect was not measured.</p>",
    ]
    if effect_table is not None:
        parts.append(_table(effect_table))
    if figures or view is not None:
        parts.append(f"<script>{plotly_source()}</script>")
    for place, (caption, figure) in enumerate(figures):
        parts.append(f"<h2>{escape(caption)}</h2>")
        parts.append(
            pio.to_html(
                figure,
                config={"displaylogo": False, "responsive": True},
                include_plotlyjs=False,
                full_html=False,
                div_id=f"figure-{place + 1}",
            )
        )
    if view is not None:
        parts += ["<h2>Interactions, labels as given</h2>", page.part(view)]
    parts.append("<h2>Changes</h2>")
    parts.append(_changes(changes) if len(changes) else "<p>Nothing was decided.</p>")
    parts.append("<h2>Settings</h2>")
    pairs = [(str(key), str(value)) for key, value in settings.items()]
    parts.append(_table(pd.DataFrame(pairs, columns=["setting", "value"])))
    parts.append("</body></html>")
    return "\n".join(parts).encode("utf-8", errors="replace")


def decisions_line(decisions: Iterable[Decision]) -> str:
    """Say how many decisions of each kind are in force."""
    counts = Counter(decision.action for decision in decisions)
    told = {a: f"{counts[a]:,} {word}" for a, word in DONE.items() if counts[a]}
    open_ones = [told.pop(action) for action in ("skip", "") if action in told]
    line = f"Decisions in force: {', '.join(told.values())}." if told else (
        "No decision is in force."
    )  # fmt: skip
    return f"{line} Still open: {', '.join(open_ones)}." if open_ones else line


def _list(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(said)}</li>" for said in sentences) + "</ul>"


def _table(frame: pd.DataFrame, undone: Collection[int] = ()) -> str:
    """Return a table; the rows at the places ``undone`` are struck through."""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in frame.columns)
    body = ""
    for place, cells in enumerate(frame.itertuples(index=False)):
        body += '<tr class="undone">' if place in undone else "<tr>"
        body += "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>"
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _changes(changes: pd.DataFrame) -> str:
    listed = changes.iloc[-_MOST_CHANGES:]
    frame = listed.drop(columns="undone").rename(columns=lambda name: name.replace("_", " "))
    undone = set(np.flatnonzero(listed["undone"]).tolist())
    note = "<p>Steps that were undone are struck through.</p>" if undone else ""
    if len(listed) < len(changes):
        note += (
            f"<p>The newest {len(listed):,} of {len(changes):,} changes; Changes (CSV) has all.</p>"
        )
    return note + _table(frame, undone)
