"""What goes to the browser with each change of a view, and what comes back from it."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict
from typing import Any

import numpy as np

from stiknn_core.ordering import Order
from stiknn_view.options import ViewOptions
from stiknn_view.packing import ViewContent
from stiknn_view.selection import Selection, parse_selection


def view_message(
    content: ViewContent,
    order: Order,
    selection: Selection,
    options: ViewOptions,
    shown: ViewContent | None = None,
) -> dict[str, Any]:
    """Return the small message that goes to the browser with each run.

    The order travels as base64 int32, about 5 bytes a point.
    """
    return {
        "content": content.content_id,
        "n": content.n,
        "order": order_message(order),
        "selection": selection_message(selection),
        "options": asdict(options),
        "shown": "" if shown is None else shown.content_id,
    }


def order_message(order: Order) -> dict[str, Any]:
    """Return an order as the browser takes it."""
    places = np.asarray(order.positions).astype("<i4").tobytes()
    labels = "\0".join(f"{block.label}\0{block.start}" for block in order.blocks)
    identity = hashlib.sha256(places + labels.encode()).hexdigest()[:12]
    return {
        "id": f"{order.name}-{identity}",
        "name": order.name,
        "title": order.title,
        "positions": base64.b64encode(places).decode(),
        "blocks": [[str(b.label), int(b.start), int(b.stop)] for b in order.blocks],
    }


def selection_message(selection: Selection) -> dict[str, Any]:
    """Return a selection as the browser takes it."""
    return {
        "rows": [int(i) for i in selection.rows],
        "cols": [int(i) for i in selection.cols],
        "origin": selection.origin,
        "seq": int(selection.seq),
    }


def read_report(event: Any, content: ViewContent) -> Selection | None:
    """Return the selection in a browser report, or None if it is for other points.

    The report stays in the widget state when the data change, and its point ids would
    then name other points.
    """
    try:
        if event["points"] != content.points_id:
            return None
    except (KeyError, TypeError):
        return None
    return parse_selection(event, content.n)
