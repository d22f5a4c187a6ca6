"""Reads the block of bytes as payload.js does, written again from the description."""

import json
from typing import Any

import numpy as np

from stiknn_ui.linked_view import ViewContent
from stiknn_ui.linked_view.packing import PREAMBLE

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
    "scores": "<f8",
    "orders": "<i4",
    "given": "<i4",
    "groups": "<i4",
    "topClasses": "<i4",
    "topShares": "<f8",
    "near": "<i4",
    "far": "<f4",
    "features": "<f4",
    "trainFeatures": "<f4",
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
        name: np.frombuffer(payload, KINDS[name], size, start + offset)
        for name, (offset, size) in header["sections"].items()
    }
    return header, sections
