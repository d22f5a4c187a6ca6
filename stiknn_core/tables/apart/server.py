"""The process that makes one more for each file: ``python -m stiknn_core.tables.apart.server 5``.

It holds all that reading needs, loaded once, so that a fork is all that a file waits for; an
interpreter of its own would take seconds. It has one thread, so that a fork is whole, and never
looks at a file itself. Its argument is the descriptor of a socket, over which come three more for
each file:

- *data*, for the process that reads;
- *life*, kept here: closed at its other end, the process is killed; when that ends, how is sent;
- *errors*, which becomes what the process writes its last words to.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Final

from stiknn_core.tables.apart import child
from stiknn_core.tables.apart.frames import STATUS

# What readers load when they need it; what is not installed says so when it is needed.
_LOADED_LATER: Final = (
    "pyreadstat", "python_calamine", "stiknn_core.tables.files.decoded",
)  # fmt: skip


class Server:
    """Makes processes that read, until whoever it works for is gone."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._lives: dict[int, socket.socket] = {}
        self._ended, self._ring = os.pipe()
        os.set_blocking(self._ended, False)
        os.set_blocking(self._ring, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._selector.register(self._ended, selectors.EVENT_READ)

    def run(self) -> None:
        """Serve until the socket is closed at its other end."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._ring, warn_on_full_buffer=False)
        try:
            while True:
                for key, _ in self._selector.select():
                    if key.fileobj is self._control:
                        _, found, _, _ = socket.recv_fds(self._control, 1, 3)
                        if len(found) != 3:
                            return
                        self._begin(*found)
                    elif key.fileobj == self._ended:
                        self._reap()
                    else:
                        self._kill(key.data, key.fileobj)
        finally:
            for pid in self._lives:
                os.kill(pid, signal.SIGKILL)

    def _begin(self, data: int, life: int, errors: int) -> None:
        try:
            pid = os.fork()
        except OSError:  # no room for one more
            pid = -1
        if pid == 0:
            os._exit(self._become_reader(data, errors))
        os.close(data)
        os.close(errors)
        kept = socket.socket(fileno=life)
        if pid < 0:
            kept.close()
            return
        self._lives[pid] = kept
        self._selector.register(kept, selectors.EVENT_READ, pid)

    def _become_reader(self, data: int, errors: int) -> int:
        """Let go of all that belongs to the server, and read; returns how to exit."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._selector.close()
            for kept in (self._control, *self._lives.values()):
                kept.close()
            os.close(self._ended)
            os.close(self._ring)
            os.dup2(errors, 2)
            os.close(errors)
            return child.work(socket.socket(fileno=data))
        except BaseException:
            os.write(2, traceback.format_exc().encode())
            return 1

    def _kill(self, pid: int, life: object) -> None:
        """End a process that nobody waits for any more; `_reap` follows, or came just before."""
        if self._lives.get(pid) is life:
            self._selector.unregister(self._lives[pid])
            os.kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._ended, 4096)
        while self._lives:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            kept = self._lives.pop(pid)
            with suppress(KeyError):  # after `_kill`
                self._selector.unregister(kept)
            with suppress(OSError):
                kept.send(STATUS.pack(os.waitstatus_to_exitcode(status)))
            kept.close()


def main() -> None:
    """Load what readers need, and serve."""
    for name in _LOADED_LATER:
        with suppress(ImportError):
            import_module(name)
    gc.collect()
    gc.freeze()
    Server(socket.socket(fileno=int(sys.argv[1]))).run()


if __name__ == "__main__":
    main()
