"""Reads the block of bytes as payload.js does, written again from the description."""

import json
from itertools import pairwise
from typing import Any

import numpy as np

from stiknn_view.packing import PREAMBLE, ViewContent

KINDS = {
    "cells": "<i2",
    "inside": "<i2",
    "diagonal": "<f4",
    "sizes": "<i4",
    "xy": "<f4",
    "values": "<f4",
    "quality": "<f4",
    "codes": "<i4",
    "suggested": "<i4",
    "changed": "<i4",
    "dotXy": "<f4",
    "dotUnits": "<i4",
    "dotCodes": "<i4",
    "dotValues": "<f4",
    "dotQuality": "<f4",
}


def unpack(content: ViewContent) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the header, and each section as an array."""
    assert content.payload[8:24].decode() == content.content_id
    return read_packed(content.payload)


def read_packed(payload: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the header, and each section as an array."""
    magic, length, _ = PREAMBLE.unpack_from(payload)
    assert magic == b"STK1"
    start = PREAMBLE.size + length
    header = json.loads(payload[PREAMBLE.size : start].decode())
    sections = {
        name: np.frombuffer(payload, _kind(header, name), size, start + offset)
        for name, (offset, size) in header["sections"].items()
    }
    return header, sections


def _kind(header: dict[str, Any], name: str) -> str:
    """Return the type of an array: a review says it, the linked view knows it."""
    return f"<{header['types'][name]}" if "types" in header else KINDS[name]


def names_in(arrays: dict[str, np.ndarray]) -> list[str]:
    """Return the names of all points under review, as its queue shows them."""
    ends = [0, *arrays["nameEnds"].tolist()]
    text = arrays["nameBytes"].tobytes()
    return [text[start:end].decode() for start, end in pairwise(ends)]
