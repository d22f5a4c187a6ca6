"""Nothing that a small file claims takes the machine: one sentence, in bounded memory and time."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable

import pytest

from tests.tables import bombs
from tests.tables.test_excel import book

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is of Linux"),
    # The child only reads a file and ends: no lock of another thread is waited for.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", bombs.SMALL)
def test_a_small_file_that_claims_much_gets_one_sentence(name: str) -> None:
    outcome, seconds, memory = bombs.read_in_child(bombs.SMALL[name])
    assert outcome.startswith("refused: "), outcome
    assert outcome.endswith(".")
    assert seconds < 10
    assert memory < bombs.LIMIT


def sheet_of(rows: int) -> bytes:
    return book([["x", "y", "label"], *[[at, at / 7, "ab"[at % 2]] for at in range(rows)]])


LARGE: dict[str, Callable[[], bytes]] = {
    "ARFF of 3M rows": lambda: gzip.compress(
        b"@relation r\n@attribute a real\n@attribute c {x,y}\n@data\n" + b"1.5,x\n" * 3_000_000
    ),
    "LIBSVM as wide as allowed": lambda: b"1 20000:1\n" * 2_900,
    "sheet of 200,000 rows": lambda: sheet_of(200_000),
    "npy of 59M bytes": lambda: bombs.npy("(590000, 100)", "|u1", bytes(59_000_000)),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE)
def test_what_is_merely_large_is_read(name: str) -> None:
    outcome, seconds, memory = bombs.read_in_child(LARGE[name])
    assert outcome == "read"
    assert seconds < 60
    assert memory < bombs.LIMIT
