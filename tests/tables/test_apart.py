"""Files read in a process of their own: the same tables, and no harm to whoever waits."""

from __future__ import annotations

import gzip
import io
import json
import logging
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings

from stiknn_core.errors import FileError, ParameterError, StiknnError
from stiknn_core.tables import ChoiceError, Table, read_table
from stiknn_core.tables.apart import frames, packing, readers, refusals, values
from stiknn_core.tables.apart.frames import Inbox, JunkError
from stiknn_core.tables.apart.limits import Limits, limits_from
from stiknn_core.tables.apart.readers import Readers, read_apart
from stiknn_core.tables.apart.waiting import Waiting
from tests.tables import fuzzing

ROOT = Path(__file__).resolve().parents[2]
CSV = b"x,y,kind\n1,2.5,a\n,3,b\n4,inf,a\n"
SLOW = b"x,y,kind\n" + b"1.25,2.5,a\n" * 3_000_000
"""Reading it takes many seconds, and hundreds of megabytes."""


def workbook(*rows: list[Any]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def parquet(**columns: Any) -> bytes:
    stream = io.BytesIO()
    pd.DataFrame(columns).to_parquet(stream)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


FILES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "text": (CSV, {}),
    "German": ("x;größe;art\n1,5;2.000,5;ä\n2,5;1;b\n3;4;ä\n".encode("cp1252"), {}),
    "report": (b"Report\nof May\n\nid,x,,label\nr1,1,,NA\nr2,2,,b\nr3,3,,b\n\nsum\n", {}),
    "gzip": (gzip.compress(CSV), {}),
    "numbers only": (b"".join(b"%d,%d,%d\n" % (n, n * n, n % 3) for n in range(50)), {}),
    "settings": (CSV, {"header": False, "missing_words": ("1", "a"), "separator": ","}),
    "ragged": (CSV + b"1,2,c,9,9\n", {"ragged": "drop"}),
    "one row of blanks": (b"x,kind\n1,a\n,\n2,b\n", {}),
    "workbook": (workbook(["x", "kind"], [1, "a"], [2.5, "b"], [None, "b"]), {}),
    "parquet": (parquet(x=[1.5, None], n=[1, 2], ok=[True, False], words=["a", None]), {}),
    "categories": (parquet(x=[1.0, 2.0], c=pd.Categorical(["u", "v"])), {}),
    "npz": (npz(X=np.arange(12.0).reshape(6, 2), y=np.arange(6) % 2), {}),
    "arff": (
        b"@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n2,y\n?,y\n",
        {},
    ),
    "libsvm": (b"1 1:2 3:1\n-1 2:1\n1 1:1\n", {}),
    "odd names": ("x*,$y$,😀,<b>\n1,2,3,a\n2,2,3,b\n".encode(), {}),
    "refused": (b"\x80\x04pickle", {}),
    "empty": (b"", {}),
    "no such option": (CSV, {"colour": 3}),
    "impossible option": (CSV, {"decimal": "x"}),
    "option of no kind": (CSV, {"missing_words": "NA"}),
}


def outcome(read: Any, content: bytes, **options: Any) -> Table | StiknnError:
    try:
        table: Table = read(content, **options)
    except StiknnError as error:
        return error
    return table


def assert_same(one: Table | StiknnError, other: Table | StiknnError) -> None:
    if isinstance(one, StiknnError):
        assert type(other) is type(one)
        assert str(other) == str(one)
        assert vars(other) == vars(one)
        return
    assert isinstance(other, Table)
    pd.testing.assert_frame_equal(one.cells, other.cells, check_column_type="exact")
    assert type(one.cells.index) is type(other.cells.index)
    for field in fields(Table):
        if field.name != "cells":
            first, second = getattr(one, field.name), getattr(other, field.name)
            assert type(first) is type(second), field.name
            # By their texts, since NaN is not equal to itself.
            assert repr(first) == repr(second), field.name


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_in_this_process(name: str) -> None:
    content, options = FILES[name]
    direct = outcome(read_table, content, name="t", **options)
    assert_same(direct, outcome(read_apart, content, name="t", **options))


@pytest.mark.parametrize("path", sorted((ROOT / "sample_data").glob("*.csv")), ids=lambda p: p.name)
def test_sample_files_are_read_as_in_this_process(path: Path) -> None:
    content = path.read_bytes()
    assert_same(read_table(content), read_apart(content))


@pytest.mark.parametrize("strategy", [fuzzing.junk, fuzzing.text_files(), fuzzing.other_files()])
def test_whatever_comes_is_read_as_in_this_process(strategy: Any) -> None:
    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def check(content: bytes) -> None:
        assert_same(outcome(read_table, content), outcome(read_apart, content))

    check()


def test_a_choice_comes_back_with_what_to_choose_from() -> None:
    content = npz(a=np.zeros((3, 2)), b=np.zeros((3, 2)), c=np.zeros(3))
    with pytest.raises(ChoiceError) as direct:
        read_table(content)
    with pytest.raises(ChoiceError) as apart:
        read_apart(content)
    assert apart.value.choices == direct.value.choices
    assert apart.value.option == direct.value.option


def test_an_error_of_an_unknown_class_comes_back_as_the_class_it_comes_from() -> None:
    class OwnError(FileError):
        pass

    found = refusals.rebuilt_error(refusals.told_error(OwnError("bad", "do better", "sheet")))
    assert type(found) is FileError
    assert str(found) == "bad; do better."
    assert found.option == "sheet"


def test_progress_is_told_while_a_file_is_read() -> None:
    told: list[tuple[str, float]] = []
    read_apart(SLOW[: 3_000_002 * 2], progress=lambda stage, share: told.append((stage, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert {"Reading the cells", "Looking at the columns"} <= {stage for stage, _ in told}


def children() -> set[str]:
    """Return the processes that read at present."""
    process = readers._READERS._process
    assert process is not None
    return set(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())


def assert_nobody_reads() -> None:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if not children():
            return
        time.sleep(0.01)
    raise AssertionError(f"still there: {children()}")


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")


@linux
def test_what_progress_raises_stops_at_once_and_passes_through() -> None:
    class Stop(Exception):  # noqa: N818
        pass

    def stop(stage: str, share: float) -> None:
        if stage == "Reading the cells":
            raise Stop

    start = time.monotonic()
    with pytest.raises(Stop):
        read_apart(SLOW, progress=stop)
    assert time.monotonic() - start < 5
    assert_nobody_reads()


@linux
@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(memory=40_000_000), "may take 40 MB of memory beside its own size, and it needed"),
        (Limits(seconds=1.0), "may take 1 second, and it needed longer; keep fewer rows"),
        (Limits(cpu_seconds=1.0), "may take 1 minute, and it needed longer; keep fewer rows"),
    ],
    ids=["memory", "wall clock", "computing"],
)
def test_a_file_that_takes_too_much_is_one_sentence(limits: Limits, said: str) -> None:
    start = time.monotonic()
    with pytest.raises(FileError, match=said):
        read_apart(SLOW, limits=limits)
    assert time.monotonic() - start < 10
    assert_nobody_reads()
    assert read_apart(CSV).n_rows == 3


# What a process does in the place of reading, so that each way to end can be tried.
WAYS = {
    "abort": "import os; os.abort()",
    "exit": "import os; os._exit(7)",
    "error": "raise RuntimeError('secret')",
    "one huge step": "bytearray(1 << 42)",
    "hidden want of memory": """
from stiknn_core.errors import FileError
try:
    bytearray(1 << 42)
except MemoryError:
    raise FileError("x") from None
""",
    "in steps": "kept = []\nwhile True: kept.append(bytearray(b'x' * 10_000_000))",
    "loop": "while True: pass",
    "killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "last words": "import os; os.write(2, b'memory allocation of 9 bytes failed'); os.abort()",
    "a file": "with open('PLACE', 'w') as file: file.write('x')",
    "many files": "kept = [open('/dev/null') for _ in range(100)]",
}


@pytest.fixture(scope="module")
def doing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    """Readers that do what the file says, as Python; nothing like it is in the package."""
    place = tmp_path_factory.mktemp("doing")
    (place / "doing_server.py").write_text(
        "from stiknn_core.tables.apart import child, server\n"
        "from stiknn_core.tables.reading import read_table\n"
        "def do(content, **options):\n"
        "    exec(content.decode(), {})\n"
        "    return read_table(b'x,kind\\n1,a\\n')\n"
        "child.read_table = do\n"
        "server.main()\n"
    )
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", str(place))
    patch.setattr(readers, "_MODULE", "doing_server")
    made = Readers()
    made.start()
    patch.undo()
    yield made
    made.close()


def do(made: Readers, way: str, limits: Limits | None = None) -> Table:
    waiting = Waiting(limits or Limits(memory=200_000_000), lambda stage, share: None)
    return made.read(way.encode(), {"name": None, "overrides": {}}, waiting)


@linux
@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("abort", "broke down in a way that nobody foresaw"),
        ("exit", "broke down in a way that nobody foresaw"),
        ("error", "broke down in a way that nobody foresaw"),
        ("one huge step", "200 MB of memory"),
        ("hidden want of memory", "200 MB of memory"),
        ("in steps", "200 MB of memory"),
        ("killed", "200 MB of memory"),
        ("last words", "200 MB of memory"),
        ("a file", "broke down in a way that nobody foresaw"),
        ("many files", "broke down in a way that nobody foresaw"),
    ],
)
def test_however_a_process_ends_it_is_one_sentence(
    doing: Readers, way: str, said: str, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    place = tmp_path / "written"
    with pytest.raises(FileError, match=said) as told:
        do(doing, WAYS[way].replace("PLACE", str(place)))
    assert "secret" not in str(told.value)
    assert ("secret" in caplog.text) == (way == "error")
    assert do(doing, "pass").n_rows == 1
    assert not place.exists() or not place.read_text()


@linux
def test_computing_without_end_ends_by_the_clock_and_by_the_processor(doing: Readers) -> None:
    for limits in (Limits(seconds=0.5), Limits(cpu_seconds=1.0)):
        with pytest.raises(FileError, match="needed longer"):
            do(doing, WAYS["loop"], limits)


def test_a_server_that_has_ended_is_started_again(caplog: pytest.LogCaptureFixture) -> None:
    made = Readers()
    try:
        waiting = Waiting(Limits(), lambda stage, share: None)
        request = {"name": "t", "overrides": {}}
        assert made.read(CSV, request, waiting).n_rows == 3
        assert made._process is not None
        made._process.kill()
        assert made.read(CSV, request, waiting).n_rows == 3

        killed = []

        def kill(stage: str, share: float) -> None:
            if stage == "Reading the cells" and not killed:
                assert made._process is not None
                killed.append(made._process.pid)
                os.kill(made._process.pid, signal.SIGKILL)

        table = made.read(SLOW[: 3_000_002 * 2], request, Waiting(Limits(), kill))
        assert table.n_rows > 100_000
        assert killed
    finally:
        made.close()


def test_a_server_that_cannot_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "_MODULE", "no_such_module")
    made = Readers()
    with pytest.raises(FileError, match="the process that reads files ends at once"):
        made.read(CSV, {"name": None, "overrides": {}}, Waiting(Limits(), lambda *_: None))
    made.close()


@linux
def test_the_server_and_its_children_end_with_whoever_started_it(tmp_path: Path) -> None:
    script = (
        "import os, threading, time\n"
        "from stiknn_core.tables.apart import readers\n"
        "content = b'x,y,kind\\n' + b'1.25,2.5,a\\n' * 3_000_000\n"
        "def told(stage, share):\n"
        "    if stage == 'Reading the cells':\n"
        "        pid = readers._READERS._process.pid\n"
        "        child = open(f'/proc/{pid}/task/{pid}/children').read().split()[0]\n"
        "        print(pid, child, flush=True)\n"
        "        os._exit(0)\n"
        "readers.read_apart(content, progress=told)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=env, check=True
    )
    pids = run.stdout.split()
    assert len(pids) == 2
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() and not zombie(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def zombie(pid: str) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


@linux
def test_reading_leaves_no_descriptor_open() -> None:
    def descriptors(pid: int | str) -> int:
        return len(os.listdir(f"/proc/{pid}/fd"))

    read_apart(CSV)
    process = readers._READERS._process
    assert process is not None
    assert_nobody_reads()
    before = descriptors("self"), descriptors(process.pid)
    for _ in range(5):
        read_apart(CSV)
        with pytest.raises(FileError):
            read_apart(b"")
    assert_nobody_reads()
    assert (descriptors("self"), descriptors(process.pid)) == before
    tasks = os.listdir(f"/proc/{process.pid}/task")
    assert len(tasks) == 1, "a fork is whole only where there is one thread"


def test_limits_come_from_the_environment() -> None:
    assert limits_from({}) == Limits()
    told = {"STIKNN_READ_GB": "0.5", "STIKNN_READ_SECONDS": "5"}
    assert limits_from(told) == Limits(500_000_000, 5.0)
    for wrong in ("x", "0", "-1", "nan", "inf"):
        with pytest.raises(ParameterError, match="STIKNN_READ_SECONDS must be a number above 0"):
            limits_from({"STIKNN_READ_SECONDS": wrong})


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
    assert_same(read_table(CSV, name="t"), packing.rebuild(*known()))


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


HOSTILE = {
    "no frame": "to._to.sendall(b'HTTP/1.1 200 OK' * 10)",
    "junk for a table": "to.send({'table': {'name': 1}, 'columns': ['x'], 'done': True})",
    "nothing but the end": "to.send({'done': True})",
    "an error that is none": "to.send({'refused': {'kind': 'SystemExit'}})",
    "progress that is none": "to.send({'stage': 3, 'share': 'x'})",
    "cells without end": "[to.write(bytes(4_000_000)) for _ in range(100)]",
    "huge JSON": "to._to.sendall(b'j' + (1 << 30).to_bytes(8) + bytes(1000))",
}


@linux
@pytest.mark.parametrize("way", HOSTILE)
def test_junk_from_a_process_is_one_sentence_and_is_logged(
    doing: Readers, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    # The process finds its own outbox, as something that has taken it over would.
    find = (
        "import gc\n"
        "from stiknn_core.tables.apart.frames import Outbox\n"
        "to = [one for one in gc.get_objects() if isinstance(one, Outbox)][0]\n"
    )
    caplog.set_level(logging.ERROR)
    with pytest.raises(FileError, match="broke down in a way that nobody foresaw"):
        do(doing, find + HOSTILE[way])
    assert "makes no sense" in caplog.text
