"""How a worksheet looks on paper: its page, tables and drawing, as HTML without any script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from stiknn_ui.learn.lesson import SPAN, Lesson, Point, Probe, written

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = """
:root{color-scheme:light}
body{margin:0 auto;max-width:19cm;padding:1cm;font:11pt/1.4 system-ui,sans-serif;color:#111;
background:#fff}
h1{font-size:16pt;margin:0 0 .3cm}h2{font-size:11pt;margin:.5cm 0 .15cm}
section+section{break-before:page;border-top:1px solid #999;padding-top:.5cm}
.name span{display:inline-block;width:6cm;border-bottom:1px solid #111}
.task{break-inside:avoid}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.1cm 0}
th,td{border:1px solid #666;padding:.08cm .2cm;min-width:1.1cm;height:.6cm;text-align:center}
th{background:#f1f1f1;font-weight:600}
.square td,.square th{min-width:1.2cm;height:.8cm}
.blank{display:inline-block;width:2cm;border-bottom:1px solid #111}
.line{border-bottom:1px solid #999;height:.7cm;margin:0}
svg{display:block;width:100%;max-width:15cm;height:auto}
@page{size:A4;margin:1.2cm}
@media print{body{padding:0}section+section{border:0;padding:0}}
"""
_UNIT: Final = 50  # pixels of a step of 1
_EDGE: Final = 30


def page(sides: Sequence[str]) -> str:
    """Return a whole page; each side begins a sheet of paper."""
    body = "".join(f"<section>{side}</section>" for side in sides)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Worksheet: interactions between neighbours</title><style>{_STYLE}</style>"
        f"</head><body><main>{body}</main></body></html>"
    )


def task(number: int, asked: str, body: str) -> str:
    """Return one numbered task; both texts are HTML."""
    return f'<div class="task"><h2>{number}. {asked}</h2>{body}</div>'


def table(heads: Iterable[str], rows: Iterable[Sequence[str]], *, square: bool = False) -> str:
    """Return a table of HTML texts; the first cell of a row names it, an empty one is a blank."""
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    lines = "".join(
        f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for name, *cells in rows
    )
    kind = ' class="square"' if square else ""
    return f'<div class="scroll"><table{kind}><tr>{top}</tr>{lines}</table></div>'


def drawing(lesson: Lesson, test: int) -> str:
    """Return where the points and one test point are: circles with classes, and a diamond."""
    high = SPAN if lesson.space == "plane" else 1
    width, height = SPAN * _UNIT + 2 * _EDGE, high * _UNIT + 2 * _EDGE

    def at(one: Point | Probe) -> tuple[float, float]:
        y = float(one.y) if lesson.space == "plane" else 0.5
        return _EDGE + float(one.x) * _UNIT, height - _EDGE - y * _UNIT

    marks: list[str] = []
    placed: dict[tuple[float, float], int] = {}
    for point in lesson.points:
        x, y = at(point)
        above = placed[x, y] = placed.get((x, y), -1) + 1  # copies: names one above the other
        marks.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="#fff" stroke="#111"/>'
            f'<text x="{x:g}" y="{y + 4:g}">{escape(point.label[:2])}</text>'
            f'<text x="{x:g}" y="{y - 15 - 13 * above:g}" font-weight="bold">'
            f"{escape(point.name)}</text>"
        )
    probe = lesson.tests[test]
    x, y = at(probe)
    marks.append(
        f'<path d="M{x:g} {y - 12:g}l12 12l-12 12l-12 -12z" fill="none" stroke="#111" '
        f'stroke-width="2"/><text x="{x:g}" y="{y + 27:g}">T{test + 1}: '
        f"{escape(probe.label)}</text>"
    )
    told = ", ".join(f"{one.name} of class {one.label} at {_place(lesson, one)}"
                     for one in lesson.points)  # fmt: skip
    title = f"{told}; test point of class {probe.label} at {_place(lesson, probe)}"
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}" '
        'font-size="12" text-anchor="middle">' + _axis(height, high) + "".join(marks) + "</svg>"
    )


def _axis(height: int, high: int) -> str:
    y, right = height - _EDGE - (_UNIT / 2 if high == 1 else 0), _EDGE + SPAN * _UNIT
    lines = f'<path d="M{_EDGE} {y:g}H{right}" stroke="#999"/>'
    if high > 1:
        lines += f'<path d="M{_EDGE} {_EDGE}V{y:g}" stroke="#999"/>'
    under = height - 4
    return lines + "".join(
        f'<text x="{_EDGE + step * _UNIT}" y="{under}" fill="#555">{step}</text>'
        for step in range(0, SPAN + 1, 2)
    )


def _place(lesson: Lesson, one: Point | Probe) -> str:
    return written(one.x) if lesson.space == "line" else f"({written(one.x)}, {written(one.y)})"
