"""XML of other people: no declared entities, no outside files, no tree in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

from stiknn_core.errors import FileError

_MOST_SMALL = 20_000_000
_STEP = 256 * 1024


def walk(
    data: bytes,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
    waiting: deque[Any],
) -> Iterator[Any]:
    """Parse in steps, and yield what the handlers put into ``waiting`` after each.

    Names come without their prefix: some programs write prefixes that they never declare.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = lambda name, told: start(
        name.rpartition(":")[2], {key.rpartition(":")[2]: value for key, value in told.items()}
    )
    parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
    parser.CharacterDataHandler = text
    try:
        for place in range(0, len(data), _STEP):
            parser.Parse(data[place : place + _STEP], False)
            while waiting:
                yield waiting.popleft()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise FileError(
            f"The XML of the file is damaged ({error}); open it in a spreadsheet program, save it "
            "again as .xlsx, and load that."
        ) from None
    yield from waiting


def parse_small(data: bytes) -> ElementTree.Element:
    """Return a small part of a container as a tree."""
    if len(data) > _MOST_SMALL:
        raise FileError("The list of sheets in the workbook is huge; save it again.")
    if b"<!DOCTYPE" in data or b"\x00" in data:
        _refuse()
    return ElementTree.fromstring(data)


def _refuse(*_: object) -> None:
    raise FileError(
        "The file declares its own XML document type, which spreadsheets never do; save it again "
        "in a spreadsheet program."
    )
