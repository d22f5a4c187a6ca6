"""However a process that reads a file ends: one sentence, and nothing is left of it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from stiknn_core.errors import FileError, ParameterError
from stiknn_core.tables import Table
from stiknn_core.tables.apart import readers
from stiknn_core.tables.apart.limits import Limits, limits_from
from stiknn_core.tables.apart.readers import Readers, read_apart
from stiknn_core.tables.apart.waiting import Waiting
from tests.patience import wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
CSV = b"x,y,kind\n1,2.5,a\n,3,b\n4,inf,a\n"
SLOW = b"x,y,kind\n" + b"1.25,2.5,a\n" * 3_000_000
"""Reading it takes some seconds, and hundreds of megabytes."""


def children(of: Readers) -> set[str]:
    """Return the processes that read at present."""
    process = of._process
    assert process is not None
    return set(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())


def assert_nobody_reads(of: Readers = readers._READERS) -> None:
    wait_until(lambda: not children(of))


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")


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
    with pytest.raises(FileError, match=said):
        read_apart(SLOW, limits=limits)
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
        ("many files", "broke down in a way that nobody foresaw"),
    ],
)
def test_however_a_process_ends_it_is_one_sentence(
    doing: Readers, way: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(FileError, match=said) as told:
        do(doing, WAYS[way])
    assert "secret" not in str(told.value)
    assert ("secret" in caplog.text) == (way == "error")
    assert do(doing, "pass").n_rows == 1


def test_nothing_is_left_of_files_that_a_process_has_written(
    doing: Readers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    write = "import os, tempfile; file = tempfile.NamedTemporaryFile(); file.write(b'x' * 99_999)\n"
    look = f"assert file.name.startswith({str(tmp_path)!r}); os.abort()"
    with pytest.raises(FileError, match="broke down"):
        do(doing, write + look)
    assert not list(tmp_path.iterdir())
    # Where nothing can be written, a file that needs nothing written is read all the same.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert do(doing, "pass").n_rows == 1


@linux
def test_what_progress_raises_stops_and_passes_through(doing: Readers) -> None:
    class Stop(Exception):  # noqa: N818
        pass

    def stop(stage: str, share: float) -> None:
        if stage == "on and on":
            raise Stop

    way = "from stiknn_core.tables.telling import tell\ntell('on and on', 0.5)\n" + WAYS["loop"]
    waiting = Waiting(Limits(seconds=1000.0), stop)
    with pytest.raises(Stop):
        doing.read(way.encode(), {"name": None, "overrides": {}}, waiting)
    # It would compute on for its thousand seconds if nobody had ended it.
    assert_nobody_reads(doing)


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

        table = made.read(SLOW[:2_200_009], request, Waiting(Limits(), kill))
        assert table.n_rows == 200_000
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
    wait_until(lambda: not any(map(runs, pids)))


def runs(pid: str) -> bool:
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return told.rsplit(")", 1)[1].split()[0] != "Z"


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
