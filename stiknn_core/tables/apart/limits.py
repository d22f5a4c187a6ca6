"""How much memory and time reading one file may take."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stiknn_core.cost import describe_bytes, describe_seconds
from stiknn_core.errors import FileError, ParameterError

MEMORY_SETTING: Final = "STIKNN_READ_GB"
SECONDS_SETTING: Final = "STIKNN_READ_SECONDS"

_KEEP_FEWER: Final = "keep fewer rows or columns, or draw a sample first"


@dataclass(frozen=True)
class Limits:
    """What reading one file may take.

    Attributes
    ----------
    memory : int
        Bytes beside the file itself.
    seconds : float
        From when the reader has begun.
    cpu_seconds : float or None
        Of all cores together; None allows ``seconds`` on each core.
    """

    memory: int = 1_500_000_000
    seconds: float = 60.0
    cpu_seconds: float | None = None

    @property
    def cpu(self) -> float:
        """Seconds of computing, of all cores together."""
        cores = os.cpu_count() or 1
        return self.seconds * cores if self.cpu_seconds is None else self.cpu_seconds

    def too_much(self) -> FileError:
        """Return what is said where the memory does not suffice."""
        return FileError(
            f"Reading the file may take {describe_bytes(self.memory)} of memory beside its own "
            f"size, and it needed more; {_KEEP_FEWER}."
        )

    def too_slow(self) -> FileError:
        """Return what is said where the time does not suffice."""
        return FileError(
            f"Reading the file may take {describe_seconds(self.seconds)}, and it needed longer; "
            f"{_KEEP_FEWER}."
        )


def limits_from(environment: Mapping[str, str] = os.environ) -> Limits:
    """Return the limits that the environment sets, or else those by default."""
    gigabytes = _positive(environment, MEMORY_SETTING, Limits.memory / 1e9)
    return Limits(int(gigabytes * 1e9), _positive(environment, SECONDS_SETTING, Limits.seconds))


def _positive(environment: Mapping[str, str], name: str, default: float) -> float:
    text = environment.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise ParameterError(f"{name} must be a number above 0; got {text!r}.")
    return value
