"""What one visitor has chosen and sees. The only module that touches ``st.session_state``.

Settings live here as frozen specs and widgets are drawn from them, so that links, page
changes and buttons all work alike: a widget that is gone from the page forgets nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from time import monotonic
from typing import Any, Final, Literal

import streamlit as st
from streamlit.runtime.app_session import AppSession

from stiknn_ui.asked.links import Settings
from stiknn_ui.asked.spec import FIRST_DATA, USUAL_SCALING, DataSpec, Source
from stiknn_ui.visit.session import Desk, Session
from stiknn_ui.words.wording import PUBLIC_EVALUATION
from stiknn_view.selection import Selection, newest

Part = Literal["data", "compute", "view", "other"]

_KEY: Final = "stiknn"
_MOST_SCOPES: Final = 8
_SETTLING: Final = 2.0  # seconds until a browser has surely drawn a widget


def session() -> Session:
    """Return the visitor's session, made on the first call."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    found: Session = st.session_state[_KEY]
    return found


def tell(visit: AppSession, what: Literal["left", "ended"]) -> None:
    """Let a visit of Streamlit's know of its end, from outside; it may never have begun."""
    if _KEY in visit.session_state:
        found: Session = visit.session_state[_KEY]
        found.tell(what)


def desk(kind: type[Desk], make: Callable[[], Desk] | None = None) -> Desk:
    """Return what one page remembers of the visitor; see `Session.desk`."""
    return session().desk(kind, make)


def is_new() -> bool:
    """Whether this is the first run of a visit."""
    return _KEY not in st.session_state


def settings() -> Settings:
    """Return what the controls say."""
    return session().settings


def change(part: Part, **changes: Any) -> None:
    """Change some settings of one part."""
    here = session()
    if part == "data" and "name" in changes:
        # Other data have other classes.
        changes = {"flip_from": "", "flip_to": "", "thin_of": "", **changes}
    spec = replace(getattr(here.settings, part), **changes)
    here.settings = replace(here.settings, **{part: spec})


def use_data(spec: DataSpec) -> None:
    """Switch to another data set; the computation and the view keep their settings.

    Except for what only an upload allows, and for a scaling that nobody has chosen.
    """
    here = session()
    left = here.settings.data
    here.kept |= {left.source: left, spec.source: spec}
    here.settings = replace(here.settings, data=spec)
    here.tab = None
    if spec.source != "upload" and here.settings.compute.evaluation not in PUBLIC_EVALUATION:
        change("compute", evaluation="leave-one-out")
    if spec.source != left.source and "compute.scaling" not in here.chosen:
        change("compute", scaling=USUAL_SCALING.get(spec.source, "none"))


def shown_source() -> Source:
    """Return which source's form is open; for an upload there may be no table yet."""
    here = session()
    return here.tab or here.settings.data.source


def open_source(key: str) -> None:
    """Open the form of the source that the widget ``key`` names; see `open_form`."""
    source: Source | None = st.session_state.get(key)
    if source is not None:
        open_form(source)


def open_form(source: Source) -> None:
    """Open the form of a source, and use its data.

    Uploading begins with an empty form: the data from before stay until a table is read.
    """
    here = session()
    if source in here.kept:
        use_data(here.kept[source])
    elif source == "upload":
        here.tab = source
    else:
        use_data(FIRST_DATA[source])


def bound(
    part: Part,
    name: str,
    *,
    shown: Callable[[Any], Any] = lambda value: value,
    stored: Callable[[Any], Any] = lambda value: value,
    options: Iterable[str] = (),
) -> dict[str, Any]:
    """Return the keyword arguments that tie a widget to one setting.

    Call it right where the widget is drawn.

    Parameters
    ----------
    part, name : str
        The setting.
    shown, stored : callable
        From the setting to the widget's value and back.
    options : iterable of str, optional
        What there is to choose from, where that depends on the data; see `key_for`.
    """
    key = key_for(f"{part}.{name}", options) if options else f"{part}.{name}"
    value = shown(getattr(getattr(session().settings, part), name))
    _put(key, value)
    # Without persistence a value that was held on another page passes the test above and is
    # then dropped, so that the widget would begin at its own default.
    return {
        "key": key,
        "on_change": _store,
        "args": (part, name, key, stored),
        "persist_state": "session",
    }


def _store(part: Part, name: str, key: str, stored: Callable[[Any], Any]) -> None:
    value = st.session_state.get(key)
    if value is not None:
        change(part, **{name: stored(value)})
        session().chosen.add(f"{part}.{name}")


def pinned(key: str, value: Any) -> str:
    """Set a widget's value before it is drawn, and return its key."""
    _put(key, value)
    return key


def _put(key: str, value: Any) -> None:
    """Set a widget's value where it is another one, or where the browser has forgotten it.

    On a page that code has switched to, rather than a link, the value held counts as known to the
    browser, which begins the widget at its own default: so it is said on every other page. And for
    a moment longer: a run that comes before the browser has drawn the first one takes its place.
    """
    here = session()
    page, since = here.drawn_on.get(key, ("", 0.0))
    if page != here.page:
        since = monotonic()
        here.drawn_on[key] = (here.page, since)
    new = monotonic() - since < _SETTLING
    if new or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def key_for(name: str, options: Iterable[str]) -> str:
    """Return a widget key that is another one for other options.

    A browser reports a choice by its text: under one key, what it still holds of other
    options would be taken for a choice among the new ones.
    """
    return f"{name}-{hashlib.sha256(repr(list(options)).encode()).hexdigest()[:8]}"


def widget_value(key: str) -> Any:
    """Return what a widget holds; None if it is not there."""
    return st.session_state.get(key)


def next_seq() -> int:
    """Return a selection number above all seen so far.

    Not the server's clock: where that runs ahead, clicks in the browser would be ignored.
    """
    here = session()
    here.newest_seq += 1
    return here.newest_seq


def enter(view: str, scope: str, part: str = "") -> Selection:
    """Return the selection of ``scope``, which ``view`` is about to show.

    Where the view showed something else before, other data or another part of them, the selection
    gets a new number, so that what the browser still holds of that cannot win over it.
    """
    here = session()
    chosen = here.selections.get(scope, Selection())
    if here.scopes.get(view) != f"{scope}{part}":
        chosen = replace(chosen, seq=next_seq())
        here.scopes[view] = f"{scope}{part}"
    here.selections[scope] = chosen
    while len(here.selections) > _MOST_SCOPES:
        del here.selections[next(name for name in here.selections if name != scope)]
    return chosen


def arrive(scope: str, n: int) -> int:
    """Select what the link asked for, once its data are there; return how many are not among them.

    Parameters
    ----------
    scope : str
    n : int
        Points that there are.
    """
    here = session()
    if here.linked is None or here.linked[0] != scope:
        return 0
    asked = here.linked[1]
    here.linked = None
    rows, cols = (tuple(i for i in side if i < n) for side in (asked.rows, asked.cols))
    take(scope, replace(asked, rows=rows, cols=cols, seq=next_seq()))
    return sum(i >= n for i in asked.points)


def selected(scope: str) -> Selection:
    """Return what is selected in a scope, or will be once its data are there."""
    here = session()
    if here.linked is not None and here.linked[0] == scope:
        return here.linked[1]
    return here.selections.get(scope, Selection())


def take(scope: str, reported: Selection | None) -> Selection:
    """Take over what was selected, if it is newer, and return what is selected now."""
    here = session()
    chosen = newest(here.selections.get(scope, Selection()), reported)
    here.newest_seq = max(here.newest_seq, chosen.seq)
    here.selections[scope] = chosen
    return chosen


def pin_rows(key: str, rows: list[int]) -> None:
    """Set which rows of a table are ticked, before it is drawn.

    Written every time they differ: what the table itself remembers may be stale.
    """
    held = st.session_state.get(key)
    if held is None or sorted(held["selection"]["rows"]) != rows:
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def ticked_rows(key: str) -> list[int]:
    """Return which rows of a table are ticked."""
    held = st.session_state.get(key)
    return [] if held is None else list(held["selection"]["rows"])


def tick(key: str, scope: str, points: tuple[int, ...]) -> None:
    """Make the ticked rows of a table the selection.

    Parameters
    ----------
    key : str
        The table.
    scope : str
        What the points belong to.
    points : tuple of int
        Point id of each row, in the order the table was given.
    """
    rows = st.session_state[key]["selection"]["rows"]
    chosen = tuple(sorted({points[row] for row in rows if 0 <= row < len(points)}))
    take(scope, Selection(chosen, chosen, "table", next_seq()))
