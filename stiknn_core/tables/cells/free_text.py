"""Which columns hold texts to be read, rather than names and codes."""

from __future__ import annotations

import re
from typing import Any, Final

import pandas as pd

from stiknn_core.tables.cells.columns import ColumnFacts

# Columns of several words that name a row all the same.
_NAME_NAME = re.compile(
    r"(?i)(^|[ _.-])(name|names|path|file|filename|folder|url|uri|link|href|address|e-?mail)$|"
    r"[a-z](Name|Path|File|Url|URL|Address|Email)$"
)
_LOOKS_LIKE_A_PATH = r"^(\w+:[/\\]|/|\.{0,2}[/\\]|\S+[/\\]\S+\.\w+$)"
_LEAST_WORDS: Final = 3


def holds_texts(column: pd.Series[Any], fact: ColumnFacts) -> bool:
    """Tell whether cells are of several words, and no names of people, files or pages."""
    if fact.kind != "text" or fact.mean_words < _LEAST_WORDS:
        return False
    if _NAME_NAME.search(fact.name):
        return False
    some = column[:2000].dropna()
    return not some.str.match(_LOOKS_LIKE_A_PATH).mean() > 0.5
