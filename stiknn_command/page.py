"""Suspects as one HTML file that opens anywhere and asks nothing of any machine.

Whatever comes from data is escaped, and the file itself forbids the browser to load anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from stiknn_command.found import Found
from stiknn_command.shown import number_of, verdict
from stiknn_core.phrases import counted

_MOST_ROWS: Final = 2_000
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)
_WITH_FIGURES: Final = f"{_POLICY}; script-src 'unsafe-inline' blob:"
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: light-dark(#1d2230, #e8eaf1); background: light-dark(#fff, #12151d); }
h1 { font-size: 1.7rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.25rem 0.9rem 0.25rem 0; overflow-wrap: break-word;
         border-bottom: 1px solid light-dark(#d9dce6, #363d4e); vertical-align: top; }
.wide { overflow-x: auto; } .figure { background: #fff; }
@media print { :root { color-scheme: light; } body { max-width: none; margin: 0; padding: 0; }
               .wide { overflow: visible; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
"""


_CLASSES: Final = (
    "<p>A row is flagged where another class is suggested than the given one. Label quality "
    "is the share of the given class in the support, after the support of each class is divided by "
    "the square root of its frequency, 0 to 1; low = suspicious.</p>"
)
_MEASURED: Final = (
    "<p>A row is flagged where its measured number lies outside the middle 80 % of what its "
    "neighbours say, and farther from their median than two robust standard deviations. "
    "Distance is in the units of the number; high = suspicious.</p>"
)


def suspects_page(found: Found, figures: Sequence[tuple[str, str]] = ()) -> bytes:
    """Return the page in UTF-8: what was found, the flagged rows, and the settings.

    Parameters
    ----------
    found : Found
    figures : sequence of (str, str)
        Heading and HTML of each figure, in which whatever comes from data is no markup.
    """
    title = escape(f"Doubtful labels of {found.file}")
    shown = found.flagged.head(_MOST_ROWS)
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" '
        f'content="{_WITH_FIGURES if figures else _POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>",
        f"<h1>{title}</h1><p>{escape(verdict(found))}</p>",
        _MEASURED if found.measured else _CLASSES,
    ]
    for heading, figure in figures:
        parts.append(f'<h2>{escape(heading)}</h2><div class="figure">{figure}</div>')
    parts.append("<h2>Flagged rows</h2>")
    if len(shown) < len(found.flagged):
        parts.append(f"<p>The first {counted(len(shown), 'row')} of {len(found.flagged):,}.</p>")
    cells = (
        (row.rank, row.id, row.line or "", row.given, row.suggested, number_of(row, found))
        for row in shown.itertuples()
    )
    heads = (
        "rank",
        "id",
        "line",
        "given",
        "suggested",
        "distance" if found.measured else "label quality",
    )
    parts.append(_table(heads, cells) if len(shown) else "<p>None.</p>")
    settings = {"file": found.file, "label": found.label, **found.settings}
    parts += ["<h2>Settings</h2>", _table(("setting", "value"), settings.items())]
    parts.append("</main></body></html>")
    return "\n".join(parts).encode("utf-8", errors="replace")


def _table(heads: Iterable[str], rows: Iterable[tuple[object, ...]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    # Focusable, so that what is wider than the screen can be scrolled by keyboard.
    return f'<div class="wide" tabindex="0">{table}</div>'
