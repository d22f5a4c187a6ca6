"""How the numbers of single columns were read where that was a guess, and other ways to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import streamlit as st

from stiknn_core.phrases import counted, listed
from stiknn_core.tables.cells.columns import ColumnFacts
from stiknn_core.tables.cells.numbers import NumberFormat
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.files import MOST_DOUBTFUL
from stiknn_ui.visit import state
from stiknn_ui.words import messages, wording

_OPTION: Final = "formats"
_FOUND: Final = "\0found"
_CHOSEN: Final = "\0chosen"
_MOST_CELLS: Final = 3
_IN_A_ROW: Final = 3


def readings(upload: Upload, searched: Sequence[str] | None) -> None:
    """Draw a box for each of the first columns whose numbers are a guess, or of those searched."""
    file = upload.file
    found = list((file.doubtful if searched is None else file.doubtful_among(searched)).items())
    if not found:
        return
    st.markdown("**Numbers that could be meant in another way**")
    if len(found) == MOST_DOUBTFUL:
        st.caption(
            f"At most {MOST_DOUBTFUL} are asked about at once: find other columns by their names "
            "below, and they stand here."
        )
    for start in range(0, len(found), _IN_A_ROW):
        places = st.columns(_IN_A_ROW)
        for place, (name, ways) in zip(places, found[start : start + _IN_A_ROW], strict=False):
            with place:
                _box(upload, name, ways)


def _box(upload: Upload, name: str, ways: Mapping[str, NumberFormat]) -> None:
    changed = upload.file.overrides.get(_OPTION, {})
    now = _said(upload.table.facts[name])
    names = {_FOUND: "as found", _CHOSEN: now} if name in changed else {_FOUND: now}
    names |= {way: way for way in ways}
    key = state.key_for(f"reading-{name}", [upload.file.digest, *names])
    pairs = upload.table.examples(name)[:_MOST_CELLS]
    selectbox: Any = st.selectbox
    selectbox(
        messages.plain(f"{name}: {_seen(pairs)}"),
        list(names),
        format_func=lambda way: names.get(way, way),
        key=state.pinned(key, _CHOSEN if name in changed else _FOUND),
        on_change=_take,
        args=(name, key, dict(ways)),
        help=wording.HELP["reading"],
        persist_state="session",
    )


def _seen(pairs: Sequence[tuple[str, str]]) -> str:
    """Say what was read from cells; those that came to the same stand together."""
    alike: dict[str, list[str]] = {}
    for cell, read in pairs:
        alike.setdefault(read, []).append(cell)
    return listed([f"{listed(cells)} → {read}" for read, cells in alike.items()])


@messages.guarded()
def _take(name: str, key: str, ways: dict[str, NumberFormat]) -> None:
    upload = upload_session.current()
    way = state.widget_value(key)
    if upload is None or (way != _FOUND and way not in ways):
        return
    changed = dict(upload.file.overrides.get(_OPTION, {}))
    changed.pop(name, None)
    if way != _FOUND:
        changed[name] = ways[way]
    upload_session.read_again(_OPTION, dict(sorted(changed.items())) or None)


def _said(fact: ColumnFacts) -> str:
    """Say how a column is read now."""
    style = fact.style
    if fact.kind != "number" and style.reads:
        return f"not as numbers, for {counted(fact.not_numeric, 'cell')}"
    if not style.reads:
        return "words, not numbers"
    mark = "comma" if style.decimal == "," else "point"
    return style.guess or f"numbers, {mark} as decimal mark"
