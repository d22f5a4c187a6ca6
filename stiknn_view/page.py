"""The linked view as one HTML file that opens anywhere, without a server and without a request."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from typing import Any, Final

from stiknn_view.assets import alone_payload, joined, plotly_payload
from stiknn_view.packing import squeeze
from stiknn_view.scene import Scene

_STYLE: Final = (
    "body{margin:0;color-scheme:light dark}#stiknn{box-sizing:border-box;min-height:100vh;"
    "padding:14px 18px}@media print{body{color-scheme:light}#stiknn{min-height:0;padding:0}}"
)
_WAITING: Final = "The picture is being unpacked, for which JavaScript has to be allowed."


def page(scene: Scene) -> str:
    """Return a page that shows one view.

    Parameters
    ----------
    scene : Scene

    Returns
    -------
    str
        HTML for UTF-8: some 0.6 MB, and 2.6 bytes for each pair of points. It loads nothing, and
        its policy forbids the browser to: scripts are the one that stands in it, known by its
        SHA-256, and the modules that this one unpacks.

    Notes
    -----
    O(n^2) time and memory.
    """
    script = joined("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}' blob:; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    title = escape(scene.title or "Interactions")
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            f'<main id="stiknn">{_WAITING}</main>',
            *_held(scene, whole=True),
            _data("stiknn-plotly", "text/plain", base64.b64encode(plotly_payload()).decode()),
            f'<script type="module">{script}</script>',
            "</body></html>",
        ]
    )


def part(scene: Scene) -> str:
    """Return a view as a part of a page that has plotly.js already, its basic bundle or the whole.

    Its policy has to allow inline scripts and those of ``blob:``; there is one such part in a page.
    """
    script = joined("page.js")
    return "\n".join(
        [
            f'<div id="stiknn">{_WAITING}</div>',
            *_held(scene, whole=False),
            f'<script type="module">{script}</script>',
        ]
    )


def _held(scene: Scene, *, whole: bool) -> list[str]:
    content = squeeze(scene.content)
    return [
        _data("stiknn-scene", "application/json", _json(scene.message(whole=whole))),
        _data("stiknn-content", "text/plain", base64.b64encode(content).decode()),
        _data("stiknn-code", "text/plain", base64.b64encode(alone_payload()).decode()),
    ]


def _data(name: str, kind: str, text: str) -> str:
    return f'<script id="{name}" type="{kind}">{text}</script>'


def _json(value: Any) -> str:
    """Return JSON that ends no element, whatever names hold."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
