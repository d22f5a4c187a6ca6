"""Lines of a text that no reader of cells understands: drawings of consoles, long remarks.

They become empty lines, so that the numbers of the others stay what they are in the file.
"""

from __future__ import annotations

import re
from typing import Final

from stiknn_core.phrases import counted

_START: Final = 4_000
_END: Final = 400
_FIRST: Final = 5
_MANY: Final = 20  # fewer are among the lines above the table
# What draws boxes, as ASCII has it: sqlite3, DuckDB, Polars and others.
_BOXES: Final = str.maketrans(
    {**dict.fromkeys("│┆┃║╎┊", "|"), **dict.fromkeys("─━═╌┄╶╴", "-")}
    | dict.fromkeys("┌┬┐├┼┤└┴┘╭╮╰╯╞╪╡╔╦╗╠╬╣╚╩╝╟╫╢┏┳┓┡╇┩┣╋┫┗┻┛╒╤╕╘╧╛", "+")
)
_LID: Final = re.compile(r"\s*[┌╭╔┏╒][^\w\s]+[┐╮╗┓╕]\s*")
_TOP: Final = re.compile(r"[ \t]*\+[-=+:]{2,}\+\s*")
# What a rule has is looked for first: two stars side by side would try all ways to part a line.
_RULES: Final = re.compile(rb"(?m)^(?=[^\n]*(?:--|==))[ \t]*[+|][-=+:| ]*[+|][ \t\r]*$")
_ENDS: Final = re.compile(rb"(?m)^[ \t]*\|([^\n]*)\|[ \t\r]*$")
_COUNT: Final = re.compile(
    rb"(?mi)^[ \t]*(?:(?:\(|\| *|# \S+ (?:with )?)\d[\d,.]* (?:more )?rows?\b|"
    rb"\d+ rows? (?:selected|affected|returned|in set))[^\n]*$"
)
_TIBBLE: Final = re.compile(
    rb"(?m)^[ \t]*(?:<(?:dbl|int|chr|fct|lgl|dttm|date|ord|num)>[ \t\r]*)+$"
)
_REMARKS: Final = re.compile(rb"(?:(?:##|#(?=[ \t\r\n])|!(?=\w))[^\n]*\n|[ \t\r]*\n)+")


def without_drawing(data: bytes) -> tuple[bytes, list[str]]:
    """Empty lines of UTF-8 text that only draw or remark; return it and sentences."""
    told = []
    if data.startswith((b"#", b"!")) and (above := _REMARKS.match(data)):
        remarks = above[0]
        last = remarks.rstrip().rpartition(b"\n")[2]
        if last.startswith(b"# "):  # may be the header
            remarks = remarks[: remarks.rindex(last)]
        count = remarks.count(b"\n")
        if count > _MANY or data.startswith(b"!"):
            data = b"\n" * count + data[len(remarks) :]
            told.append(f"Left out above the table: {counted(count, 'line')} of remarks.")
    if any(map(_LID.fullmatch, _first_lines(data))):
        data = data.decode("utf-8", "replace").translate(_BOXES).encode()
    if any(map(_TOP.fullmatch, _first_lines(data))):
        data, rules = _RULES.subn(b"", data)
        data = _ENDS.sub(rb"\1", data)
        told.append(f"Left out: {counted(rules, 'line')} of dashes.")
    if data.startswith(b"# A tibble"):
        data = _TIBBLE.sub(b"", data[data.index(b"\n") if b"\n" in data else 0 :], count=1)
        told.append("Left out above the table: the lines of R about its size and kinds.")
    end = len(data) - min(len(data), _END)
    rest, rows = _COUNT.subn(b"", data[end:])
    if rows:
        data = data[:end] + rest
        told.append(f"Left out below the table: {counted(rows, 'line')}.")
    return data, told


def _first_lines(data: bytes) -> list[str]:
    lines = data[:_START].decode("utf-8", "ignore").splitlines()
    return [line for line in lines if line.strip()][:_FIRST]
