"""What a process does that was made to read one file: take it in, read it, tell, and end."""

from __future__ import annotations

import json
import os
import resource
import socket
import sys
import tempfile
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, get_type_hints

import pyarrow as pa

from stiknn_core.errors import StiknnError
from stiknn_core.tables.apart import packing
from stiknn_core.tables.apart.frames import OUT_OF_MEMORY, JunkError, Outbox
from stiknn_core.tables.apart.refusals import told_error
from stiknn_core.tables.apart.values import free, rebuilt
from stiknn_core.tables.files.drafting import Overrides
from stiknn_core.tables.limits import MAX_UNPACKED_BYTES
from stiknn_core.tables.reading import read_table
from stiknn_core.tables.telling import listening

_LOST: Final = 41  # nobody is left to read for
_LOOK: Final = 0.02  # seconds from one look at the memory to the next
_TELL: Final = 0.1  # seconds from one word on progress to the next
# The watch below holds the exact limit. This one stops a single huge step, which the watch may
# come too late for, and counts what is reserved for threads too.
_RESERVED: Final = 256 * 1024 * 1024
_MOST_FILES: Final = 64
_MOST_THREADS: Final = 4
_UNIT: Final = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


def work(data: socket.socket) -> int:
    """Read the file that comes, send what became of it, and return how to exit."""
    to = Outbox(data)
    try:
        to.send({"begun": True})
        with data.makefile("rb") as source:
            request = json.loads(source.readline())
            content = source.read(request["bytes"])
        tempfile.tempdir = request["folder"]
        _limit(request["memory"], request["cpu"])
        _read(to, request, content)
    except MemoryError:
        return OUT_OF_MEMORY
    except (BrokenPipeError, ConnectionResetError):
        return _LOST
    return 0


def _read(to: Outbox, request: dict[str, Any], content: bytes) -> None:
    try:
        with listening(_Teller(to)):
            table = read_table(content, name=request["name"], **_overrides(request["overrides"]))
        packing.send(table, to)
    except StiknnError as error:
        if _for_want_of_memory(error):
            raise MemoryError from None
        to.send({"refused": told_error(error)})
    except (MemoryError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception:
        to.send({"failed": traceback.format_exc()[-8000:]})


def _overrides(told: dict[str, Any]) -> dict[str, Any]:
    """Return decisions as they were before they were told; one that fits no type as it came."""
    kinds = get_type_hints(Overrides)
    found = {}
    for name, value in told.items():
        try:
            found[name] = rebuilt(kinds.get(name, Any), value)
        except JunkError:
            found[name] = free(value)  # which is refused in words
    return found


def _for_want_of_memory(error: BaseException | None) -> bool:
    """Tell whether an error was made of one that says that there is no memory left."""
    while error is not None:
        if isinstance(error, MemoryError):
            return True
        error = error.__cause__ or error.__context__
    return False


class _Teller:
    """Sends what is being done, when that changes and now and then."""

    def __init__(self, to: Outbox) -> None:
        self._to = to
        self._last = ("", 0.0)

    def __call__(self, stage: str, share: float) -> None:
        before, since = self._last
        if stage != before or time.monotonic() - since >= _TELL:
            self._last = stage, time.monotonic()
            self._to.send({"stage": stage, "share": share})


def _limit(memory: int, cpu: float) -> None:
    """Bound what this process may take from now on."""
    cores = min(os.cpu_count() or 1, _MOST_THREADS)
    pa.set_cpu_count(cores)
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_FSIZE, MAX_UNPACKED_BYTES)
    _bound(resource.RLIMIT_NOFILE, _MOST_FILES)
    _bound(resource.RLIMIT_CPU, max(1, round(cpu)))
    present = Path("/proc/self/statm")
    if present.exists():  # elsewhere the watch does alone
        pages = int(present.read_text().split()[0])
        _bound(resource.RLIMIT_AS, pages * resource.getpagesize() + memory + _RESERVED)
    with suppress(OSError):  # short of memory, a system ends this process and no other
        Path("/proc/self/oom_score_adj").write_text("1000")
    watch = threading.Thread(target=_watch, args=(_peak() + memory, os.getppid()), daemon=True)
    watch.start()


def _bound(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(ValueError, OSError):  # a system that knows no such limit
        resource.setrlimit(what, (most, hard))


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def _watch(most: int, parent: int) -> None:
    """End this process where it takes too much memory, or where the one that made it is gone."""
    while True:
        if _peak() > most:
            os._exit(OUT_OF_MEMORY)
        if os.getppid() != parent:
            os._exit(_LOST)
        time.sleep(_LOOK)
