"""`stiknn` and `stiknn FILE`: the dashboard, started in this process."""

from __future__ import annotations

import argparse
import ipaddress
import os
import shutil
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlencode

from stiknn_command.progress import Told
from stiknn_command.reading import Given, read
from stiknn_command.ready import get_ready
from stiknn_core.errors import MissingExtraError, ParameterError

_FIRST_PORT: Final = 8501
_PORTS: Final = 20
"""So many ports are tried where none is asked for."""
_PATIENCE: Final = 60.0


def open_dashboard(asked: argparse.Namespace) -> int:
    """Start the server and lead a browser to it; return when it is ended."""
    told = Told(asked.quiet)
    if find_spec("streamlit") is None:
        raise MissingExtraError(
            "The dashboard needs streamlit, which is not installed; run pip install "
            '"stiknn-explorer[app]".'
        )
    _check(asked)
    port = _free_port(asked.host, asked.port)
    given = None if asked.file is None else read(asked.file, asked, told)
    get_ready("all", asked.quiet)
    page, query = "", {}
    if given is not None:
        page, query = "explore", {"open": _offer(given, asked)}
        if asked.k is not None:
            query["k"] = str(asked.k)
    elif asked.k is not None:
        query = {"k": str(asked.k)}
    base = asked.base_path.strip("/")
    root = f"http://{_reachable(asked.host)}:{port}/{f'{base}/' if base else ''}"
    address = f"{root}{page}{f'?{urlencode(query)}' if query else ''}"
    _once_ready(f"{root}_stcore/health", address, told, browser=not asked.no_browser)
    return _serve(asked.host, port, base)


def _check(asked: argparse.Namespace) -> None:
    if asked.file is None:
        for name in ("label", "missing"):
            if getattr(asked, name) is not None:
                raise ParameterError(f"--{name} is said of a file; name one.")
        if asked.read:
            raise ParameterError("--read is said of a file; name one.")
    elif not _is_loopback(asked.host):
        raise ParameterError(
            f"A file that is named here is shown on this machine alone, and {asked.host!r} is "
            "reached from others; leave --host out, or start without a file and upload it."
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _reachable(host: str) -> str:
    """Return how a browser of this machine calls an address that is listened on."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _free_port(host: str, wanted: int | None) -> int:
    """Return the port that was asked for, or the first of a few that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tried = range(_FIRST_PORT, _FIRST_PORT + _PORTS) if wanted is None else (wanted,)
    for port in tried:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As the server will: a port that was left a moment ago counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except PermissionError:
                raise ParameterError(
                    f"Port {port} may not be used without special rights; choose one above 1023."
                ) from None
            except socket.gaierror:
                raise ParameterError(f"{host!r} is no address of this machine.") from None
            except OSError as error:
                if error.errno == 99 or "assign" in str(error):
                    raise ParameterError(f"{host!r} is no address of this machine.") from None
                continue
        return port
    if wanted is None:
        raise ParameterError(
            f"Ports {_FIRST_PORT} to {_FIRST_PORT + _PORTS - 1} are all in use; choose another "
            "with --port."
        )
    raise ParameterError(f"Port {wanted} is in use; choose another with --port, or leave it out.")


def _offer(given: Given, asked: argparse.Namespace) -> str:
    """Hand the file to the dashboard of this process; return the secret that asks for it."""
    from stiknn_ui.home import given as dashboard

    return dashboard.offer(
        given.name,
        given.content,
        given.table,
        overrides=given.overrides,
        label=asked.label,
        missing=asked.missing,
    )


def _once_ready(health: str, address: str, told: Told, *, browser: bool) -> None:
    """Say the address, and open it in a browser, as soon as the server answers."""

    def work() -> None:
        deadline = time.monotonic() + _PATIENCE
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        while time.monotonic() < deadline:
            try:
                with opener.open(health, timeout=2):
                    break
            except OSError:
                time.sleep(0.05)
        Told().say(f"STI-KNN Explorer: {address}")
        if browser and not _opened(address):
            told.say("No browser could be opened here; open the address above in one.")
        told.say("Ctrl-C ends it.")

    threading.Thread(target=work, name="leading-a-browser", daemon=True).start()


def _opened(address: str) -> bool:
    """Open a browser where there is a screen for one; tell whether that went well."""
    somewhere = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    # Of browsers of the terminal the server's own messages would make a mess.
    if not somewhere and shutil.which("wslview") is None:
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


def _serve(host: str, port: int, base: str) -> int:
    from streamlit.web import cli

    from stiknn_ui import ROOT

    options = {
        "server.address": host,
        "server.port": port,
        "server.headless": "true",  # opening a browser is done above
        "server.baseUrlPath": base,
        "browser.gatherUsageStats": "false",
        "server.fileWatcherType": "none",
        "logger.hideWelcomeMessage": "true",
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    cli.main(["run", str(ROOT / "app.py"), *words], standalone_mode=False)
    return 0
