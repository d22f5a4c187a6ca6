"""What 200 visits leave behind on a server: open files, threads and memory, one row per 20 visits.

Each visit opens a page through the server's websocket, as a browser does, runs it until its result
is there, and leaves. Run it as ``python -m benchmarks.soak [visits]``, on Linux.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from benchmarks.report import machine, markdown_table
from tests.browser.server import Server

PAGES: Final = ("home", "data", "explore", "point", "suspects", "review", "compare", "learn")
SIZES: Final = (100, 300, 800)
CYCLE: Final = 24
"""Visits after which the same ones come again, so that what is kept of results grows no more."""
LIMIT: Final = 120.0
EVERY: Final = 20
RUNS: Final = 3
"""Runs of a page in a visit: the first starts what later ones show."""


def main(visits: int) -> None:
    """Print a table of what the server holds while it is visited, and half a minute later."""
    print(machine(), end="\n\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server("app.py", Path(folder) / "server.log")
        server.wait()
        try:
            rows = [("0", *held(server))]
            for number in range(visits):
                visit(server, number)
                if (number + 1) % EVERY == 0:
                    rows.append((str(number + 1), *held(server)))
            time.sleep(35)
            rows.append(("35 s later", *held(server)))
            print(markdown_table(("visits", "open files", "threads", "memory"), rows))
            log = server.log.read_text().splitlines()
            print(f"\n{len(log)} lines in the server's log")
        finally:
            server.stop()


def visit(server: Server, number: int) -> None:
    """Open one page with data of its own, and leave when it was drawn."""
    ask = BackMsg()
    page = PAGES[number % len(PAGES)]
    n = SIZES[number % len(SIZES)]
    ask.rerun_script.query_string = f"dataset=moons&n={n}&noise=0.2&seed={number % CYCLE}&k=5"
    ask.rerun_script.page_name = "" if page == "home" else page
    address = f"{server.url.replace('http', 'ws', 1)}/_stcore/stream"
    protocols = [Subprotocol("streamlit")]
    # The first visit waits until the server is ready.
    with connect(address, subprotocols=protocols, max_size=None, open_timeout=LIMIT) as socket:
        for _ in range(RUNS):
            socket.send(ask.SerializeToString())
            while True:
                raw = socket.recv(timeout=LIMIT)
                message = ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode())
                if message.delta.new_element.WhichOneof("type") == "exception":
                    raise RuntimeError(f"{page}: {message.delta.new_element}")
                if message.WhichOneof("type") == "script_finished":
                    break


def held(server: Server) -> tuple[str, str, str]:
    """Return the server's open files, threads and resident memory, as text."""
    process = Path(f"/proc/{server.pid}")
    files, threads = (len(list((process / name).iterdir())) for name in ("fd", "task"))
    told = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return str(files), str(threads), f"{int(told['VmRSS'].split()[0]) / 1000:.0f} MB"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
