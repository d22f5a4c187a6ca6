"""What the server does for all visitors, beside the pages: get ready, and send less.

`app.py` makes its application of this. Hardly anything of the dashboard is imported at the head:
the server answers, and a browser loads Streamlit's own code, while all else is still on its way.
"""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
import resource
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Final

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, file_util, runtime

from stiknn_ui.visit import ending, runs
from stiknn_ui.work import memory
from stiknn_view.assets import stub

_DESCRIPTORS: Final = 8192
_TURN: Final = 0.0005
"""Seconds for which a page computes before others get on, a tenth of what Python proposes: the one
thread that talks to all browsers asks for a turn after each message."""
_ready: Final = asyncio.Event()
"""Whether the pages can run: two threads that import the same at once may meet half of a module."""


@asynccontextmanager
async def lifespan(_: object) -> AsyncGenerator[None]:
    """Begin to get ready as soon as the server is there, before its first visitor."""
    loop = asyncio.get_running_loop()
    allow_descriptors()
    memory.keep_little()
    sys.setswitchinterval(_TURN)
    runs.take_over(loop)
    if runtime.exists():
        ending.take_over(runtime.get_instance(), config.get_option("server.disconnectedSessionTTL"))

    def work() -> None:
        try:
            from stiknn_core.tables.apart import readers

            with suppress(OSError):  # it is tried again with the first file
                readers.start()  # it loads meanwhile, on another core
            from stiknn_ui import shell  # noqa: F401
            from stiknn_ui.home import home  # noqa: F401
            from stiknn_ui.page import panels  # noqa: F401
            from stiknn_ui.results import kept
        finally:  # where that fails, the page says why
            loop.call_soon_threadsafe(_ready.set)
        kept.warm_up()

    Thread(target=work, name="getting-ready", daemon=True).start()
    yield


def allow_descriptors() -> None:
    """Raise the limit of open files as far as is allowed: on a Mac it is 256 at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def middleware() -> list[Middleware]:
    """Return what stands between browsers and Streamlit."""
    return [Middleware(Waiting), Middleware(Smaller), Middleware(OneEntry)]


class Waiting:
    """Lets a visit begin when the pages can run; files are sent meanwhile."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, visits when it is time."""
        if scope["type"] == "websocket":
            await _ready.wait()
        await self._app(scope, receive, send)


class Smaller:
    """Sends Streamlit's own code compressed, a third of the bytes.

    Streamlit leaves that to a proxy, and there is none before a server on one's own machine or in a
    classroom. Each file is compressed once, when it is first asked for; its name changes with its
    content, so that a browser may keep it, as without this.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the compressed file where one is asked for; pass all else on."""
        path = _asked_for(scope)
        if path is None:
            await self._app(scope, receive, send)
            return
        packed = await to_thread.run_sync(_compressed, path)
        kind, _ = mimetypes.guess_type(path.name)
        await Response(packed, media_type=kind, headers=_HEADERS)(scope, receive, send)


class OneEntry:
    """Adds ``stubs/history.js`` to Streamlit's page, which has no other place that runs first."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, pages with the script in them."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        # Whole and plain: a script cannot be added to what is compressed or not sent again.
        left_out = {b"accept-encoding", b"if-none-match", b"if-modified-since", b"range"}
        asked = [pair for pair in scope["headers"] if pair[0] not in left_out]
        begun: Message | None = None

        async def send_page(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                if kind.startswith("text/html"):
                    begun = message
                    return
            elif begun is not None:
                start, begun = begun, None
                page = message.get("body", b"")
                changed = page.replace(b"<head>", b"<head>" + _script(), 1)
                headers = MutableHeaders(scope=start)
                # What Streamlit calls the same page is another one when the script changes.
                del headers["etag"], headers["last-modified"]
                grown = int(headers.get("content-length", "0")) + len(changed) - len(page)
                headers["content-length"] = str(grown)
                await send(start)
                message = {**message, "body": changed}
            await send(message)

        await self._app({**scope, "headers": asked}, receive, send_page)


@cache
def _script() -> bytes:
    return f"<script>{stub('history.js')}</script>".encode()


_HEADERS: Final = {
    "Content-Encoding": "gzip",
    "Cache-Control": "public, immutable, max-age=31536000",
    "Vary": "Accept-Encoding",
}


def _asked_for(scope: Scope) -> Path | None:
    """Return the file that a request is for, if it is one that shrinks."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    if "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
        return None
    return _files().get(scope["path"].rpartition("/static/")[2])


@cache
def _files() -> dict[str, Path]:
    """Return Streamlit's files that shrink, by their place in its folder; nothing else is sent."""
    folder = Path(file_util.get_static_dir(), "static")
    return {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*.*")
        if path.suffix in {".js", ".css", ".ttf", ".svg"}
    }


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)
