"""Eight visitors of one server compute different data at once, and each gets their own.

They speak to a running server as eight browsers do, through its websocket, but draw nothing:
eight browsers on one machine would mostly wait for each other's pictures.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from stiknn_core import Interactions, interactions
from stiknn_core.datasets import make_dataset
from stiknn_view.packing import MAGIC, PREAMBLE, encode_cells
from tests.browser.server import Server
from tests.patience import PATIENCE
from tests.ui.talking import talk

VISITORS = range(8)
KINDS = ("circles", "moons")
INDICES = ("STII", "SII", "BII")


@dataclass
class Visitor:
    """What one visitor asks for, and the contents of linked views that came."""

    number: int
    contents: dict[str, tuple[dict[str, Any], bytes]] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)

    @property
    def n(self) -> int:
        return 200 + 40 * self.number

    @property
    def link(self) -> str:
        data = f"dataset={KINDS[self.number % 2]}&n={self.n}&noise=0.2&flip=0&seed={self.number}"
        return f"{data}&k={3 + self.number}&index={INDICES[self.number % 3]}"

    def alone(self) -> Interactions:
        """Compute what must come, by the engine itself."""
        dataset = make_dataset(KINDS[self.number % 2], n=self.n, noise=0.2, seed=self.number)
        index = INDICES[self.number % 3]
        return interactions(dataset.X, dataset.y, k=3 + self.number, index=index)

    def visit(self, server: Server, ready: threading.Barrier) -> None:
        """Open the page with the link, and run it again until its picture has come."""
        ask = BackMsg()
        ask.rerun_script.query_string = self.link
        ask.rerun_script.page_name = "explore"
        with talk(server) as socket:
            ready.wait(PATIENCE)
            deadline = time.monotonic() + PATIENCE
            while not self.contents and time.monotonic() < deadline:
                socket.send(ask.SerializeToString())
                finished = False
                while not finished:
                    raw = socket.recv(timeout=PATIENCE)
                    assert isinstance(raw, bytes)
                    finished = self.receive(raw)

    def receive(self, raw: bytes) -> bool:
        """Keep what a message brings; True if it ends a run of the page."""
        message = ForwardMsg.FromString(raw)
        element = message.delta.new_element
        if element.WhichOneof("type") in ("exception", "alert"):
            self.trouble.append(str(element))
        start = raw.find(MAGIC)
        if start >= 0:
            _, length, content_id = PREAMBLE.unpack_from(raw, start)
            start += PREAMBLE.size
            header = json.loads(raw[start : start + length])
            self.contents[content_id.decode()] = header, raw[start + length :]
        return message.WhichOneof("type") == "script_finished"

    def section(self, name: str, kind: str) -> np.ndarray:
        ((header, blocks),) = self.contents.values()
        offset, size = header["sections"][name]
        return np.frombuffer(blocks, kind, size, offset)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server("app.py", tmp_path / "server.log")
    running.wait()
    yield running
    running.stop()


@pytest.mark.slow
def test_eight_visitors_get_each_their_own_result(server: Server) -> None:
    visitors = [Visitor(number) for number in VISITORS]
    ready = threading.Barrier(len(visitors))
    threads = [threading.Thread(target=visitor.visit, args=(server, ready)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE)
    for visitor in visitors:
        assert not visitor.trouble
        # One picture, and it is the own one: nobody was sent anybody else's.
        assert [header["n"] for header, _ in visitor.contents.values()] == [visitor.n]
        expected = visitor.alone()
        codes, scale = encode_cells(expected.matrix[np.triu_indices(visitor.n, k=1)])
        assert np.array_equal(visitor.section("cells", "<i2"), codes)
        assert next(iter(visitor.contents.values()))[0]["scale"] == scale
        values = visitor.section("values", "<f4")
        assert np.array_equal(values, expected.values.astype("<f4"))
