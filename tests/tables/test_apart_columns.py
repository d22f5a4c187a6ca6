"""Columns of vectors and pictures come back from the process that read them as they were."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from stiknn_core.tables import Table, read_table
from stiknn_core.tables.apart import packing
from stiknn_core.tables.apart.frames import Inbox, JunkError, Outbox
from stiknn_core.tables.contents import Pictures, Vectors


@pytest.fixture
def table() -> Table:
    read = read_table(b"x,kind,v\n1,a,q\n2,b,r\n3,a,s\n")
    vectors = {
        "v": Vectors(np.array([[0.1, 2], [np.nan, np.nan], [4, -5]], np.float32), written=True),
        "x": Vectors(np.arange(3.0)[:, None]),
    }
    grey = np.arange(12, dtype=np.uint8).reshape(3, 4)
    pictures = {"kind": Pictures((b"one", b"", b"\xff\xd8"), grey, np.ones((3, 5), np.float32))}
    return replace(read, vectors=MappingProxyType(vectors), pictures=MappingProxyType(pictures))


def sent(table: Table) -> tuple[dict[str, Any], Inbox]:
    here, there = socket.socketpair()
    box, messages = Inbox(10**7), []

    def send() -> None:
        packing.send(table, Outbox(here))
        here.close()

    sender = threading.Thread(target=send)
    sender.start()
    while content := there.recv(65_536):
        messages += box.take(content)
    sender.join()
    there.close()
    return messages[0], box


def test_vectors_and_pictures_come_back_to_the_bit(table: Table) -> None:
    message, box = sent(table)
    found = packing.rebuild(message["table"], message["columns"], box.cells)
    assert found.cells.equals(table.cells)
    for name, column in table.vectors.items():
        back = found.vectors[name]
        assert back.written == column.written
        assert back.values.dtype == column.values.dtype
        np.testing.assert_array_equal(back.values, column.values)
    mine, back_again = table.pictures["kind"], found.pictures["kind"]
    assert back_again.thumbnails == mine.thumbnails
    np.testing.assert_array_equal(back_again.grey, mine.grey)
    np.testing.assert_array_equal(back_again.gradients, mine.gradients)


@pytest.mark.parametrize(
    "more",
    [
        None,
        {},
        {"vectors": [["v", True]], "pictures": ["kind"]},  # an array too many
        {"vectors": [["v", True], ["x", 0]], "pictures": ["kind"]},
        {"vectors": [["v", True], ["y", False]], "pictures": ["kind"]},  # no such column
        {"vectors": [], "pictures": ["kind", "x"]},  # other kinds of arrays
    ],
)
def test_what_fits_no_table_is_junk(table: Table, more: Any) -> None:
    message, box = sent(table)
    told = message["table"] | {"more": more}
    with pytest.raises(JunkError):
        packing.rebuild(told, message["columns"], box.cells)
