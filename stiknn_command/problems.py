"""What a person is told when something is wrong: one sentence, in the words of a command line."""

from __future__ import annotations

import errno
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from stiknn_core.errors import StiknnError, StiknnWarning
from stiknn_core.tables import ChoiceError

# The core names arguments of Python; here these are options.
_ADVICE: Final[Mapping[str, str]] = {
    "label": "name the column with --label",
    "missing": "say what to do with them: --missing impute, drop_rows or drop_columns",
    "missing_labels": "fill them in, or leave those rows out with --missing drop_rows",
    "ragged": "mend the file, or try --read ragged=drop or --read separator=…",
}
_LONGEST: Final = 1_000


def plain(text: object, longest: int = _LONGEST) -> str:
    """Return text on one line in which nothing moves a cursor or changes a colour.

    Files hold anything: labels and names go to a terminal only through here.
    """
    line = " ".join(str(text).split())
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in line)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def sentence_of(error: Exception) -> str:
    """Return what is said of an error."""
    if isinstance(error, ChoiceError):
        return plain(str(error).replace(f" with {error.option}=", f" with --read {error.option}="))
    if isinstance(error, StiknnError):
        advice = _ADVICE.get(error.option)
        return plain(f"{error.problem}; {advice}." if advice else error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this; take fewer rows."
    if isinstance(error, OSError) and error.filename is not None:
        return plain(f"{str(error.filename)!r} could not be used: {error.strerror}.")
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return plain(f"The output could not be written: {error.strerror}.")
    return plain(
        f"Something unexpected went wrong ({type(error).__name__}: {error}); with "
        "STIKNN_TRACEBACK=1 before the command it says where."
    )


@contextmanager
def warnings_told(quiet: bool) -> Iterator[None]:
    """Within it, what the core warns of is a sentence on stderr; no other warning shows."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if not quiet:
            print(plain(message), file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", StiknnWarning)
        warnings.showwarning = show
        yield
