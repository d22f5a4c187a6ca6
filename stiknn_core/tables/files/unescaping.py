"""Take off the apostrophe that exports put before text a spreadsheet would run."""

from __future__ import annotations

import re

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from stiknn_core.phrases import counted
from stiknn_core.tables.cells.numbers import arrow_text, is_text

RISKY = "=+@\t\r\uff1d\uff0b\uff0d\uff20-"
"""First letters that make a spreadsheet run a cell as a formula (full-width forms too)."""

_ESCAPED = f"^'+[{RISKY}]"


def unescape_columns(frame: pd.DataFrame) -> tuple[pd.DataFrame, str | None]:
    """Take one leading apostrophe off cells and names such as ``'=a``; say so if a cell changed."""
    count, example = 0, ""
    changed: dict[str, pd.Series[str]] = {}
    for name in frame.columns:
        array = arrow_text(frame[name]) if is_text(frame[name]) else pa.array([], pa.large_string())
        # Most tables have no apostrophe in front of anything, and one look tells.
        if not pc.any(pc.starts_with(array, "'")).as_py():
            continue
        hit = pc.fill_null(pc.match_substring_regex(array, _ESCAPED), False)
        hits = int(pc.sum(hit).as_py() or 0)
        if hits:
            example = example or array.filter(hit)[0].as_py()
            count += hits
            plain = pc.if_else(hit, pc.utf8_slice_codeunits(array, 1), array)
            changed[name] = pd.Series(plain, dtype="str")
    result = frame.assign(**changed) if changed else frame
    names = {name: name[1:] for name in frame.columns if re.match(_ESCAPED, name)}
    names = {old: new for old, new in names.items() if new not in frame.columns}
    if names:
        result = result.rename(columns=names)
    if not count:
        return result, None
    what = counted(count, "cell")
    return result, f"A protecting apostrophe was taken off {what}, such as {example[:40]!r}."
