"""Measure many visitors who upload at once: `python -m benchmarks.uploads 40 5`.

So many visitors of one server add a file of so many megabytes at the same moment, over the
websocket as browsers do, but draw nothing. Printed are the times until each one's preview came and
the largest memory of the server with all its processes (Linux).
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.report import machine
from tests.browser.server import Server

LIMIT: Final = 300.0
COLUMNS: Final = 20
ERROR: Final = re.compile(r"[\w.]*(?:Error|Exception|Timeout)\b")


def table(megabytes: float, seed: int) -> tuple[bytes, int]:
    """Return a file of numbers with two classes, and how many rows it has."""
    rng = np.random.default_rng(seed)
    n = max(int(megabytes * 1e6 / (COLUMNS * 7)), 10)
    numbers = rng.normal(size=(n, COLUMNS)).round(4)
    lines = [
        ",".join(f"{value:.4f}" for value in row) + f",{'ab'[int(row[0] > 0)]}" for row in numbers
    ]
    head = ",".join(f"x{place}" for place in range(COLUMNS)) + ",kind"
    return "\n".join([head, *lines]).encode(), n


@dataclass
class Visitor:
    """One visitor with a file.

    Attributes
    ----------
    name : str
    content : bytes
    n : int
        Rows of the file, which its preview tells.
    took : float
        Seconds from the file's arrival to its preview; 0 as long as there is none.
    shown : list of (seconds, text)
        What was said of the progress, and when.
    """

    name: str
    content: bytes
    n: int
    took: float = 0.0
    shown: list[tuple[float, str]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    _session: str = ""
    _widget: str = ""
    _fragment: str = ""
    _page: str = ""
    _interval: float = 0.25
    _links: Any = None

    def visit(self, address: str, ready: threading.Barrier) -> None:
        """Open the form, add the file, and look until it is shown."""
        stream = address.replace("http", "ws", 1) + "/_stcore/stream"
        protocols = [Subprotocol("streamlit")]
        # The first visit waits until the server is ready.
        with connect(stream, subprotocols=protocols, max_size=None, open_timeout=LIMIT) as socket:
            self._ask(socket, "")
            while not self._widget:
                self._take(socket.recv(timeout=LIMIT), 0.0)
            asked = BackMsg()
            asked.file_urls_request.request_id = "1"
            asked.file_urls_request.session_id = self._session
            asked.file_urls_request.file_names.append(self.name)
            socket.send(asked.SerializeToString())
            while self._links is None:
                self._take(socket.recv(timeout=LIMIT), 0.0)
            ready.wait(LIMIT)
            self._send_file(address)
            begun = time.monotonic()
            self._ask(socket, "")
            while not self.took and not self.trouble and time.monotonic() - begun < LIMIT:
                try:
                    self._take(socket.recv(timeout=self._interval), begun)
                except TimeoutError:  # nothing more by itself
                    if self._fragment:
                        self._ask(socket, self._fragment)

    def _send_file(self, address: str) -> None:
        mark = "stiknn-boundary"
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{self.name}"'
            "\r\nContent-Type: text/csv\r\n\r\n"
        )
        body = head.encode() + self.content + f"\r\n--{mark}--\r\n".encode()
        request = urllib.request.Request(
            address + self._links.upload_url,
            data=body,
            method="PUT",
            headers={"Content-Type": f"multipart/form-data; boundary={mark}"},
        )
        with urllib.request.urlopen(request, timeout=LIMIT):
            pass

    def _ask(self, socket: ClientConnection, fragment: str) -> None:
        """Ask for a run of the page, or of a part of it."""
        asked = BackMsg()
        run = asked.rerun_script
        run.query_string, run.page_script_hash, run.fragment_id = (
            "file=mine.csv",
            self._page,
            fragment,
        )
        if not self._page:
            run.page_name = "data"
        if self._links is not None:
            state = run.widget_states.widgets.add(id=self._widget)
            state.file_uploader_state_value.uploaded_file_info.add(
                name=self.name,
                size=len(self.content),
                file_id=self._links.file_id,
                file_urls=self._links,
            )
        socket.send(asked.SerializeToString())

    def _take(self, raw: str | bytes, begun: float) -> None:
        """Take note of a message."""
        assert isinstance(raw, bytes)
        message = ForwardMsg.FromString(raw)
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if message.WhichOneof("type") == "new_session":
            self._session = message.new_session.initialize.session_id or self._session
        elif message.WhichOneof("type") == "navigation":
            self._page = message.navigation.page_script_hash
        elif message.WhichOneof("type") == "file_urls_response":
            self._links = message.file_urls_response.file_urls[0]
        elif message.WhichOneof("type") == "auto_rerun":
            self._fragment = message.auto_rerun.fragment_id
            self._interval = message.auto_rerun.interval
        elif kind == "file_uploader" and "upload-file" in element.file_uploader.id:
            self._widget = element.file_uploader.id
        elif kind == "progress":
            self.shown.append((time.monotonic() - begun, element.progress.text))
        elif kind == "exception" or (kind == "alert" and element.alert.format == Alert.ERROR):
            self.trouble.append(str(element))
        elif kind == "markdown" and f"{self.n:,} rows, {COLUMNS} features" in element.markdown.body:
            self.took = time.monotonic() - begun


def memory(pid: int) -> int:
    """Return the bytes that a process and all below it take, shared pages counted once."""
    total = 0
    for one in [pid, *_below(pid)]:
        with suppress(OSError):
            text = Path(f"/proc/{one}/smaps_rollup").read_text()
            total += next(
                int(row.split()[1]) for row in text.splitlines() if row.startswith("Pss:")
            )
    return total * 1024


def _below(pid: int) -> list[int]:
    with suppress(OSError):
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        found = [int(one) for task in tasks for one in (task / "children").read_text().split()]
        return found + [lower for one in found for lower in _below(one)]
    return []


@contextmanager
def watched(pid: int) -> Iterator[list[int]]:
    """Look at the memory ten times a second."""
    seen: list[int] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.1):
            seen.append(memory(pid))

    watch = threading.Thread(target=look)
    watch.start()
    yield seen
    over.set()
    watch.join()


@dataclass(frozen=True)
class Measured:
    """What many visitors at once took.

    Attributes
    ----------
    visitors : list of Visitor
    before, most, after : int
        Bytes of the server with all its processes: before the visitors, at most, and when all
        had their preview.
    errors : list of str
        Last words of what went wrong in the server, as its log has them.
    """

    visitors: list[Visitor]
    before: int
    most: int
    after: int
    errors: list[str]

    @property
    def times(self) -> list[float]:
        """Seconds that each waited, sorted."""
        return sorted(visitor.took for visitor in self.visitors)


def measure(count: int, megabytes: float) -> Measured:
    """Let so many visitors upload at once."""
    made = [table(megabytes, seed) for seed in range(count)]
    visitors = [Visitor(f"{number}.csv", content, n) for number, (content, n) in enumerate(made)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        server = Server("app.py", log, server_enableXsrfProtection="false")
        try:
            server.wait()
            Visitor("0.csv", *table(0.1, 0)).visit(server.url, threading.Barrier(1))
            ready = threading.Barrier(count)
            threads = [
                threading.Thread(target=visitor.visit, args=(server.url, ready))
                for visitor in visitors
            ]
            before = memory(server.pid)
            with watched(server.pid) as seen:
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(2 * LIMIT)
            errors = [line for line in log.read_text().splitlines() if ERROR.match(line)]
            return Measured(visitors, before, max(seen), seen[-1], errors)
        finally:
            server.stop()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("visitors", type=int)
    parser.add_argument("megabytes", type=float)
    asked = parser.parse_args()
    print(machine(), end="\n\n", flush=True)
    found = measure(asked.visitors, asked.megabytes)
    print(f"seconds: {', '.join(f'{took:.1f}' for took in found.times)}")
    lines = [
        next((seconds for seconds, text in one.shown if "Waiting" not in text), one.took)
        for one in found.visitors
    ]
    print(
        f"first word that it is being read: {json.dumps([round(one, 1) for one in sorted(lines)])}"
    )
    print(
        f"memory: {found.before / 1e6:,.0f} MB before, {found.most / 1e6:,.0f} MB at most, "
        f"{found.after / 1e6:,.0f} MB after"
    )
    print(f"{len(found.errors)} errors in the server's log", *found.errors[:9], sep="\n")
    for one in found.visitors:
        if one.trouble:
            print(one.name, one.trouble[0])


if __name__ == "__main__":
    main()
