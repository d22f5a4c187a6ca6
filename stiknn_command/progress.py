"""How far it is, on stderr: one line that is written over on a terminal, a line each elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Final, TextIO

_PATIENCE: Final = 0.1
"""Seconds from one look at a terminal's line to the next."""
_BEAT: Final = 10.0
"""Seconds from one line of a log to the next."""
_ERASE: Final = "\r\033[K"


class Told:
    """Tells what is done; nothing where it is to be quiet.

    Parameters
    ----------
    quiet : bool
    stream : TextIO, optional
        Where it goes, stderr by default.
    """

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self.quiet = quiet
        self._over = not quiet and self._stream.isatty()
        self._doing = ""
        self._last = 0.0
        self._drawn = False

    def say(self, sentence: str) -> None:
        """Say a sentence that stays."""
        self.done()
        if not self.quiet:
            print(sentence, file=self._stream, flush=True)

    def begin(self, doing: str) -> None:
        """Begin something of which ``step`` tells how far it is."""
        self.done()
        self._doing = doing
        self._last = time.monotonic()
        if self._over:
            self._draw(f"{doing} …")

    def step(self, done: int, total: int) -> None:
        """Tell how far it is, in the form of ``progress`` of the core."""
        now = time.monotonic()
        if self.quiet or now - self._last < (_PATIENCE if self._over else _BEAT):
            return
        self._last = now
        share = f"{self._doing}: {100 * done // max(total, 1)} %"
        if self._over:
            self._draw(share)
        else:
            print(share, file=self._stream, flush=True)

    def done(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._drawn = False

    def _draw(self, line: str) -> None:
        self._stream.write(f"{_ERASE}{line}")
        self._stream.flush()
        self._drawn = True
