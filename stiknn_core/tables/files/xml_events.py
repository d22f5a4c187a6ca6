"""XML of other people: no declared entities, no outside files, no tree in memory."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.parsers import expat

from stiknn_core.errors import FileError

_MOST_SMALL = 20_000_000


def safe_parser() -> expat.XMLParserType:
    """Return an event parser that refuses declarations, which could expand without end."""
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    return parser


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
