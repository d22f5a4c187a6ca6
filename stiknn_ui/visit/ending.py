"""When visits end: what they hold is given back then, and not when memory is next cleaned up.

Streamlit keeps a visit for a while after its connection is lost, so that it can go on where it was,
and forgets it some time after that; each had an event loop of its own open, three descriptors. It
has no public place for either, so this takes the place of two of its parts. Nothing of the
dashboard is imported at the head: the server takes this before all else.
"""

from __future__ import annotations

import asyncio
import builtins
import selectors
from typing import Any, Final, Literal

from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import SessionInfo, SessionStorage

GRACE: Final = 5.0
"""Seconds for which a visit whose connection is lost keeps its place in line: time to reload."""


def take_over(runtime: Runtime, ttl: float) -> None:
    """See to the ends of all visits of a server, before there is one."""
    manager: Any = runtime._session_mgr
    manager._session_storage = Visits(ttl)
    connect = manager.connect_session

    def connect_session(*args: Any, **named: Any) -> str:
        name: str = connect(*args, **named)
        session = manager.get_active_session_info(name).session
        if not isinstance(session._script_event_loop, IdleLoop):
            session._script_event_loop.close()
            session._script_event_loop = IdleLoop()
        return name

    manager.connect_session = connect_session


class Visits(SessionStorage):
    """Keep visits whose connection is lost, and end those that nobody comes back to.

    Parameters
    ----------
    ttl : float
        Seconds until a visit is over.
    grace : float
        See `GRACE`.
    """

    def __init__(self, ttl: float, grace: float = GRACE) -> None:
        self._ttl = ttl
        self._grace = grace
        self._kept: dict[str, SessionInfo] = {}
        self._timers: dict[str, list[asyncio.TimerHandle]] = {}

    def get(self, session_id: str) -> SessionInfo | None:
        """Return a visit; None if it is over."""
        return self._kept.get(session_id)

    def save(self, session_info: SessionInfo) -> None:
        """Keep a visit whose connection was lost just now."""
        name = session_info.session.id
        self._kept[name] = session_info
        later = asyncio.get_running_loop().call_later
        self._timers[name] = [
            later(min(self._grace, self._ttl), lambda: _tell(session_info, "left")),
            later(self._ttl, lambda: self._end(name)),
        ]

    def delete(self, session_id: str) -> None:
        """Let a visit go, mostly since its visitor is back."""
        del self._kept[session_id]
        for timer in self._timers.pop(session_id):
            timer.cancel()

    def list(self) -> builtins.list[SessionInfo]:
        """Return all that are kept."""
        return [*self._kept.values()]

    def _end(self, name: str) -> None:
        info = self._kept[name]
        self.delete(name)
        _tell(info, "ended")
        info.session.shutdown()


def _tell(info: SessionInfo, what: Literal["left", "ended"]) -> None:
    from stiknn_ui.visit import state  # by now it is there

    state.tell(info.session, what)


class IdleLoop(asyncio.SelectorEventLoop):
    """An event loop that has no descriptor open until something runs in it."""

    def __init__(self) -> None:
        super().__init__(selectors.PollSelector())

    def run_forever(self) -> None:
        """Run until it is stopped."""
        if self._ssock is None:
            super()._make_self_pipe()  # type: ignore[misc]
        super().run_forever()

    def _make_self_pipe(self) -> None:
        self._ssock: Any = None
        self._csock: Any = None

    def _close_self_pipe(self) -> None:
        if self._ssock is not None:
            super()._close_self_pipe()  # type: ignore[misc]
