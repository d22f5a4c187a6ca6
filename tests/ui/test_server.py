"""The server beside the pages: ready before its first visitor, and sparing with bytes."""

from __future__ import annotations

import asyncio
import gzip
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit import file_util
from streamlit.web.server.app_discovery import discover_asgi_app

from stiknn_ui import server
from stiknn_ui.asked.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA, HOME_DATA
from stiknn_ui.results import kept
from stiknn_ui.results.result import result_key
from stiknn_ui.work import shelves
from tests.patience import PATIENCE, wait_until
from tests.test_house_rules import ROOT

SCRIPTS = Path(file_util.get_static_dir(), "static", "js")
LARGEST = max(SCRIPTS.glob("*.js"), key=lambda path: path.stat().st_size)


def asked(path: str, accepts: str = "gzip, br", method: str = "GET") -> list[dict[str, Any]]:
    """Return what a browser is sent; one message "passed on" where Streamlit is to answer."""
    sent: list[dict[str, Any]] = []

    async def streamlit(*_: Any) -> None:
        sent.append({"type": "passed on"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    headers = [(b"accept-encoding", accepts.encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asyncio.run(server.Smaller(streamlit)(scope, receive, send))
    return sent


@pytest.mark.parametrize("before", ["", "/behind/a/proxy"])
def test_the_code_of_streamlit_travels_compressed_and_is_the_same(before: str) -> None:
    start, body = asked(f"{before}/static/js/{LARGEST.name}")
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert start["status"] == 200
    assert headers["content-encoding"] == "gzip"
    assert headers["content-length"] == str(len(body["body"]))
    assert headers["content-type"].startswith("text/javascript")
    assert "immutable" in headers["cache-control"]
    assert "accept-encoding" in headers["vary"].lower()
    assert gzip.decompress(body["body"]) == LARGEST.read_bytes()
    assert len(body["body"]) < 0.4 * LARGEST.stat().st_size


@pytest.mark.parametrize(
    "request_of",
    [
        {"path": f"/static/js/{LARGEST.name}", "accepts": "br"},
        {"path": f"/static/js/{LARGEST.name}", "method": "HEAD"},
        {"path": "/static/js/nowhere.js"},
        {"path": "/static/js/../../index.html"},
        {"path": "/static//etc/passwd"},
        {"path": "/js/index.js"},
        {"path": "/_stcore/health"},
        {"path": "/"},
    ],
)
def test_all_else_is_left_to_streamlit(request_of: dict[str, str]) -> None:
    assert asked(**request_of) == [{"type": "passed on"}]


def test_a_visit_waits_until_the_pages_can_run_and_a_file_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def visits() -> None:
        ready = asyncio.Event()
        monkeypatch.setattr(server, "_ready", ready)
        seen: list[str] = []

        async def streamlit(scope: Any, *_: Any) -> None:
            seen.append(scope["type"])

        waiting = server.Waiting(streamlit)
        visit = asyncio.create_task(waiting({"type": "websocket"}, None, None))  # type: ignore[arg-type]
        await waiting({"type": "http"}, None, None)  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        assert seen == ["http"]
        ready.set()
        await visit
        assert seen == ["http", "websocket"]

    asyncio.run(visits())


@pytest.mark.slow
def test_what_the_first_page_shows_is_made_before_anyone_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def start() -> None:
        monkeypatch.setattr(server, "_ready", asyncio.Event())
        async with server.lifespan(None):
            await asyncio.wait_for(server._ready.wait(), PATIENCE)

    before = sys.getswitchinterval()
    shelves.clear()
    asyncio.run(start())
    assert sys.getswitchinterval() == pytest.approx(0.0005), "the server stands behind its pages"
    sys.setswitchinterval(before)
    # Of Home, and of a link that says nothing.
    keys = [result_key(data, EXAMPLE_COMPUTE) for data in (HOME_DATA, EXAMPLE_DATA)]
    wait_until(lambda: all(kept.results().get(key) is not None for key in keys))


def test_streamlit_run_finds_the_server_in_the_first_page() -> None:
    found = discover_asgi_app(ROOT / "app.py")
    assert found.is_asgi_app
    assert found.import_string == "app:app"


def page_of(headers: dict[str, str], kind: str = "text/html; charset=utf-8") -> tuple[Any, bytes]:
    """Return the headers that Streamlit sees, and the page that a browser gets from it."""
    seen: dict[str, Any] = {}
    sent: list[Any] = []

    async def streamlit(scope: Any, _: Any, send: Any) -> None:
        seen.update(dict(scope["headers"]))
        body = b"<html><head><title>a</title></head></html>"
        length = str(len(body)).encode()
        head = [(b"content-type", kind.encode()), (b"content-length", length), (b"etag", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": body[:20], "more_body": True})
        await send({"type": "http.response.body", "body": body[20:]})

    async def send(message: Any) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/explore", "headers": raw}
    asyncio.run(server.OneEntry(streamlit)(scope, None, send))  # type: ignore[arg-type]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    assert int(dict(sent[0]["headers"])[b"content-length"]) == len(body)
    return seen, body


def test_pages_carry_the_script_that_keeps_one_entry_of_the_history() -> None:
    seen, body = page_of({"accept": "text/html", "accept-encoding": "gzip", "if-none-match": "1"})
    assert seen == {b"accept": b"text/html"}
    assert body.startswith(b"<html><head><script>")
    assert b"history.pushState = " in body
    assert body.endswith(b"</script><title>a</title></head></html>")


def test_what_is_no_page_is_passed_on_as_it_is() -> None:
    for headers, kind in (({"accept": "*/*"}, "text/html"), ({"accept": "text/html"}, "text/csv")):
        assert page_of(headers, kind)[1] == b"<html><head><title>a</title></head></html>"
