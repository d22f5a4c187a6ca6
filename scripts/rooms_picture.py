"""Draw the rooms of both packages and who imports whom: ``python -m scripts.rooms_picture``.

Rows are the layers of ``pyproject.toml``, arrows the imports as they are. An arrow that other
arrows imply (A to C, where A goes to B and B to C) is left out. A test compares the picture in
``docs/pictures`` with a new one, so that it cannot drift.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
PACKAGES: Final = ("stiknn_ui", "stiknn_core")

_WIDTH: Final = 1000
_ROW: Final = 74
_BOX: Final = 30
_STYLE: Final = (
    "text{font:14px system-ui,sans-serif;fill:#1B2333;text-anchor:middle}"
    "rect{fill:#EAF1F8;stroke:#3D86C6}path{fill:none;stroke:#7A8699;stroke-opacity:.55}"
)


@dataclass(frozen=True)
class House:
    """The rooms at the top of a package.

    Attributes
    ----------
    rows : list of list of str
        Rooms by layer, from the top down.
    arrows : set of (str, str)
        Who imports whom, without what other arrows imply.
    """

    rows: list[list[str]]
    arrows: set[tuple[str, str]]


def house(package: str) -> House:
    """Return what there is, from the contract of the package and its imports."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        one
        for one in settings["tool"]["importlinter"]["contracts"]
        if one.get("containers") == [package]
    )
    rows = [re.findall(r"\w+", layer) for layer in contract["layers"]]
    graph = grimp.build_graph(package, cache_dir=None)
    rooms = [room for row in rows for room in row]
    for room in rooms:
        graph.squash_module(f"{package}.{room}")
    imports = {
        room: {
            name.removeprefix(f"{package}.")
            for name in graph.find_modules_directly_imported_by(f"{package}.{room}")
        }
        & (set(rooms) - {room})
        for room in rooms
    }
    reached: dict[str, set[str]] = {}
    for room in reversed(rooms):  # the lower ones first
        reached[room] = imports[room].union(*(reached[other] for other in imports[room]))
    arrows = {
        (room, other)
        for room in rooms
        for other in imports[room]
        if not any(other in reached[between] for between in imports[room])
    }
    return House(_untangled(rows, arrows), arrows)


def _untangled(rows: list[list[str]], arrows: set[tuple[str, str]]) -> list[list[str]]:
    """Put every room below those that import it, as far as the room beside it allows."""
    places = {room: (i + 0.5) / len(row) for row in rows for i, room in enumerate(row)}
    for _ in range(8):
        for row in rows:
            pulls = {
                room: [places[a if b == room else b] for a, b in arrows if room in (a, b)]
                for room in row
            }
            row.sort(key=lambda room: sum(pulls[room]) / max(1, len(pulls[room])))
            places |= {room: (i + 0.5) / len(row) for i, room in enumerate(row)}
    return rows


def picture(found: House, title: str) -> str:
    """Return the rooms and arrows as an SVG image."""
    boxes, at = [], {}
    for level, row in enumerate(found.rows):
        for i, room in enumerate(row):
            x, y = _WIDTH * (i + 0.5) / len(row), 20 + _ROW * level
            at[room] = (x, y)
            wide = 9 * len(room) + 24
            boxes.append(
                f'<rect x="{x - wide / 2:.0f}" y="{y}" width="{wide}" height="{_BOX}" rx="6"/>'
                f'<text x="{x:.0f}" y="{y + 20}">{room}</text>'
            )
    lines = []
    for a, b in sorted(found.arrows):
        (x0, y0), (x1, y1) = at[a], at[b]
        bend = (y1 - y0 - _BOX) / 2
        lines.append(
            f'<path marker-end="url(#tip)" d="M{x0:.0f} {y0 + _BOX}'
            f'C{x0:.0f} {y0 + _BOX + bend:.0f} {x1:.0f} {y1 - bend:.0f} {x1:.0f} {y1 - 4}"/>'
        )
    height = 20 + _ROW * len(found.rows)
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0L8 4L0 8" style="stroke-opacity:1"/></marker>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
            f"<title>{title}</title><style>{_STYLE}</style><defs>{tip}</defs>",
            f'<rect width="{_WIDTH}" height="{height}" style="fill:#FFF;stroke:none"/>',
            *lines,
            *boxes,
            "</svg>\n",
        ]
    )


def pictures() -> dict[Path, str]:
    """Return every picture by the file it belongs into."""
    return {
        PICTURES / f"rooms-{package}.svg": picture(
            house(package), f"The rooms of {package}: each imports only from rooms below it"
        )
        for package in PACKAGES
    }


def main() -> None:
    """Write the pictures."""
    sys.path.insert(0, str(ROOT))
    for path, text in pictures().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
