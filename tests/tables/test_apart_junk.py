"""What a process sends back is trusted in nothing: junk is no table, no error, no progress."""

from __future__ import annotations

import json
import socket
import struct
import threading
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from stiknn_core.tables import read_table
from stiknn_core.tables.apart import frames, packing, refusals, values
from stiknn_core.tables.apart.frames import Inbox, JunkError

CSV = b"x,y,kind\n1,2.5,a\n,3,b\n4,inf,a\n"


def known() -> tuple[dict[str, Any], list[str], bytearray]:
    """Return what a process sends of a table."""
    table = read_table(CSV, name="t")
    near, far = socket.socketpair()
    with near, far:
        sender = threading.Thread(target=packing.send, args=(table, frames.Outbox(far)))
        sender.start()
        inbox = Inbox(1_000_000)
        messages: list[dict[str, Any]] = []
        while not any(message.get("done") for message in messages):
            messages += inbox.take(near.recv(100))  # in odd pieces
        sender.join()
    return messages[0]["table"], messages[0]["columns"], inbox.cells


def test_what_is_sent_comes_back() -> None:
    table = packing.rebuild(*known())
    pd.testing.assert_frame_equal(table.cells, read_table(CSV).cells)


def stream(**columns: Any) -> bytearray:
    sink = pa.BufferOutputStream()
    table = pa.table(columns)
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytearray(sink.getvalue())


def test_junk_of_a_table_is_no_table() -> None:
    told, columns, cells = known()
    junk: list[tuple[Any, Any, bytearray]] = [
        (None, columns, cells),
        ([], columns, cells),
        (told, None, cells),
        (told, ["x", "y", 3], cells),
        (told, ["x", "y", "y"], cells),
        (told, ["x", "y", "other"], cells),
        (told, [], cells),
        (told, columns, bytearray()),
        (told, columns, bytearray(b"junk" * 100)),
        (told, columns, cells[: len(cells) // 2]),
        (told, columns, stream(a=[1.0], b=[1.0])),
        (told, columns, stream(a=["x"], b=["x"], c=["x"])),  # strings of 32 bits
        (told, columns, stream(a=[[1]], b=[1], c=[1])),
        (told, columns, stream(a=pa.array([1, None]), b=pa.array([1, 2]), c=pa.array([1, 2]))),
        (told, columns, stream(a=pa.array([], pa.int64()), b=pa.array([], pa.int64()),
                               c=pa.array([], pa.int64()))),
    ]  # fmt: skip
    for name in told:
        junk.append(({**told, name: 12}, columns, cells))
        junk.append(({other: told[other] for other in told if other != name}, columns, cells))
    facts = told["facts"]
    for wrong in ({}, {"x": facts["x"]}, {**facts, "x": {**facts["x"], "kind": "odd"}},
                  {**facts, "x": {**facts["x"], "missing": 1.5}},
                  {**facts, "x": {**facts["x"], "whole": 1}}):  # fmt: skip
        junk.append(({**told, "facts": wrong}, columns, cells))
    for one in junk:
        with pytest.raises(JunkError):
            packing.rebuild(*one)


def test_spoiled_cells_are_refused_or_a_table() -> None:
    told, columns, cells = known()
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(400):
        spoiled = bytearray(cells)
        for place in rng.integers(0, len(cells), size=3):
            spoiled[place] = int(rng.integers(0, 256))
        try:
            packing.rebuild(told, columns, spoiled).problems()
        except JunkError:
            refused += 1
    assert refused > 50


def test_junk_of_frames_is_refused() -> None:
    with pytest.raises(JunkError, match="a frame of"):
        Inbox(100).take(struct.pack("!cQ", b"j", 1 << 40))
    with pytest.raises(JunkError, match="of kind"):
        Inbox(100).take(struct.pack("!cQ", b"x", 0))
    with pytest.raises(JunkError, match="no JSON"):
        Inbox(100).take(struct.pack("!cQ", b"j", 3) + b"{x}")
    with pytest.raises(JunkError, match="no JSON"):
        Inbox(100).take(struct.pack("!cQ", b"j", 400_000) + b"[" * 400_000)
    with pytest.raises(JunkError, match="no object"):
        Inbox(100).take(frames.json_frame([1]))  # type: ignore[arg-type]
    inbox = Inbox(100)
    inbox.take(struct.pack("!cQ", b"b", 60) + b"x" * 60)
    with pytest.raises(JunkError, match="more than 100 bytes"):
        inbox.take(struct.pack("!cQ", b"b", 60) + b"x" * 60)


@pytest.mark.parametrize(
    "told",
    [None, {}, {"kind": "SystemExit"}, {"kind": "FileError", "problem": 3},
     {"kind": "ChoiceError", "problem": "a", "option": "b"},
     {"kind": "ChoiceError", "problem": "a", "option": "b", "choices": [1]},
     {"kind": "FileError", "problem": "x" * 200_000, "advice": "", "option": ""}],
)  # fmt: skip
def test_junk_of_errors_is_refused(told: Any) -> None:
    with pytest.raises(JunkError):
        refusals.rebuilt_error(told)


def test_what_has_no_place_in_json_is_no_value_of_a_table() -> None:
    assert json.dumps(values.told({"a": (np.int64(3), None, 1.5)})) == '{"a": [3, null, 1.5]}'
    with pytest.raises(TypeError, match="no place in JSON"):
        values.told(object())
