"""The browser code, gathered once and named by its content.

Streamlit sends inline JavaScript again with every change of a component's data. So
the three components below have only a few lines each, and the real code travels as
*data* of the first one: gzip-compressed bytes that never change, which Streamlit
replaces by a short reference from the second run on.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import struct
from functools import cache
from importlib import resources

MODULES = (
    "stubs/hub.js",  # what all parts share in this tab
    "shared/palette.js",  # colours, symbols, theme
    "shared/format.js",  # numbers and safe text
    "linked_view/wording.js",  # what points and blocks are called
    "linked_view/dots.js",  # units of the matrix <-> dots of the scatter
    "linked_view/payload.js",  # bytes -> content
    "linked_view/aggregate.js",  # cells -> block means -> picture
    "linked_view/order.js",  # display order, blocks, runs of places
    "linked_view/selection.js",  # what is selected, undo
    "linked_view/zoom.js",  # the visible window and its memory
    "linked_view/highlight.js",  # canvas overlays
    "linked_view/gestures.js",  # mouse, touch, wheel
    "linked_view/legend.js",  # colour bars and class keys
    "linked_view/heatmap.js",  # the matrix plot
    "linked_view/colors.js",  # what the colours of dots mean
    "linked_view/cloud.js",  # tens of thousands of dots
    "linked_view/scatter_ink.js",  # drawing of the dots
    "linked_view/scatter.js",  # the scatter plot
    "linked_view/layout.js",  # the elements of the view
    "linked_view/export.js",  # the picture to download
    "linked_view/input.js",  # buttons, hovering, keys
    "linked_view/view.js",  # everything together
)
"""Joined in this order into one scope; a file may use what an earlier one defines."""

ID_LENGTH = 16


@cache
def code_payload() -> bytes:
    """Return the view's own code and plotly.js, which comes from the installed package.

    16 bytes of id, uint32 (little endian) length of the first part, then both parts as
    gzip. Two parts, because plotly.js takes most of a second to start and the first
    picture does not wait for it.
    """
    own = "\n".join(_frontend(name) for name in MODULES)
    styles = json.dumps(_frontend("linked_view/linked_view.css"))
    view = f'(() => {{\n"use strict";\nconst STYLES = {styles};\n{own}\n}})();\n'.encode()
    plotly = (resources.files("plotly") / "package_data" / "plotly.min.js").read_bytes()
    identity = hashlib.sha256(view + plotly).hexdigest()[:ID_LENGTH].encode()
    first, second = (gzip.compress(part, compresslevel=6, mtime=0) for part in (view, plotly))
    return identity + struct.pack("<I", len(first)) + first + second


def stub(name: str) -> str:
    """Return the few lines of JavaScript that one component carries itself."""
    return _frontend("stubs/hub.js") + _frontend(f"stubs/{name}.js")


def _frontend(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")
