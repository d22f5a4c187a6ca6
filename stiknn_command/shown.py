"""What `stiknn suspects` says on standard output: for people, for programs, for GitHub."""

from __future__ import annotations

import json
from typing import Any, Final, Literal

from stiknn_command.found import Found
from stiknn_command.outputs import records_of
from stiknn_command.problems import plain
from stiknn_command.progress import Told
from stiknn_core.phrases import counted

_MOST: Final[dict[str, int | None]] = {"text": 20, "github": 50, "json": None}
_LONGEST_LABEL: Final = 40


def show(
    found: Found, form: Literal["text", "json", "github"], most: int | None, told: Told
) -> None:
    """Print what was found in one of the forms."""
    most = _MOST[form] if most is None else most
    if form == "json":
        print(json.dumps(as_json(found, most=most, all_rows=False), allow_nan=False))
        return
    lines = _github(found, most) if form == "github" else _text(found, most)
    print("\n".join(lines), flush=True)
    left = len(found.flagged) - (most if most is not None else len(found.flagged))
    if left > 0:
        told.say(f"{counted(left, 'more row is', 'more rows are')} flagged; --most shows them.")


def verdict(found: Found) -> str:
    """Return the sentence that says how many rows are flagged, and whether that is too many."""
    n, flagged = len(found.table), len(found.flagged)
    share = 100 * flagged / n
    said = f"{flagged:,} of {counted(n, 'row')} flagged ({share:.1f} %)"
    if found.limit is None:
        return f"{said}."
    allowed = found.limit.text if found.limit.text.endswith("%") else f"{int(found.limit.text):,}"
    return f"{said}, {'more than' if found.over else 'within'} the limit of {allowed}."


def as_json(found: Found, most: int | None = None, all_rows: bool = True) -> dict[str, Any]:
    """Return what was found as it goes into JSON; rows that are flagged, or all, ranked."""
    table = found.table if all_rows else found.flagged
    rows = records_of(table if most is None else table.head(most))
    for row in rows:
        row["line"] = row["line"] or None
    return {
        "file": found.file,
        "label": found.label,
        "n": len(found.table),
        "n_flagged": len(found.flagged),
        "limit": None if found.limit is None else found.limit.text,
        "over": found.over,
        **found.settings,
        "rows": rows,
    }


def _text(found: Found, most: int | None) -> list[str]:
    lines = [f"{plain(found.file, 200)}: {verdict(found)}"]
    rows = found.flagged if most is None else found.flagged.head(most)
    if len(rows):
        cells = [("id", "line", "given", "suggested", found.score)]
        cells += [
            (_short(row.id), str(row.line or "-"), _short(row.given), _short(row.suggested),
             number_of(row, found))
            for row in rows.itertuples()
        ]  # fmt: skip
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines += [
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in cells
        ]
    return [line.rstrip() for line in lines]


def _github(found: Found, most: int | None) -> list[str]:
    """Return workflow commands: an annotation for each flagged row, and one for the file."""
    rows = found.flagged if most is None else found.flagged.head(most)
    lines = []
    for row in rows.itertuples():
        place = {"file": found.file, "line": str(row.line)} if row.line else {"file": found.file}
        lines.append(
            _annotation(
                "warning",
                {**place, "title": "Doubtful label"},
                f"{_short(row.id)}: {_short(row.given)} is given, {_short(row.suggested)} "
                f"suggested ({_words(row, found)}).",
            )
        )
    kind = "error" if found.over else "notice"
    about = {"file": found.file, "title": "Doubtful labels"}
    return [*lines, _annotation(kind, about, verdict(found))]


def number_of(row: Any, found: Found) -> str:
    """Return how doubtful the label of a row is."""
    return f"{row.distance:.6g}" if found.measured else f"{row.quality:.3f}"


def _words(row: Any, found: Found) -> str:
    if found.measured:
        return f"{row.distance:.6g} away; neighbours say {row.low:.6g} to {row.high:.6g}"
    return f"label quality {row.quality:.2f}"


def _annotation(kind: str, properties: dict[str, str], message: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {told}::{_data(message)}"


def _data(text: str) -> str:
    """Escape as GitHub's own toolkit does; a line end would begin another command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return plain(value, _LONGEST_LABEL)
