"""The linked view as a widget of notebooks, by anywidget."""

from __future__ import annotations

import time
from html import escape
from typing import Any

import anywidget
import numpy as np
import traitlets

from stiknn_core.errors import ParameterError
from stiknn_core.phrases import listed
from stiknn_view.assets import alone_payload, joined, plotly_payload
from stiknn_view.message import selection_message
from stiknn_view.packing import squeeze
from stiknn_view.page import page
from stiknn_view.scene import Scene
from stiknn_view.selection import Selection, parse_selection

_HEIGHT = 640


class LinkedView(anywidget.AnyWidget):
    """Matrix and scatter, linked, in a cell of a notebook.

    Parameters
    ----------
    scene : Scene

    Attributes
    ----------
    selected : list
        Ids of the selected points; can be set, and observed. Where rows are blocks, ids of all
        points of the selected ones: setting some selects the blocks that hold any of them.
    order : str
        How rows and columns are sorted: "class", "value", "cluster" or "input".
    color_by : str
        What colours the points: "class", "value", "quality" or "interaction".
    """

    _esm = joined("widget.js")
    _code = traitlets.Bytes().tag(sync=True)
    _content = traitlets.Bytes().tag(sync=True)
    _scene = traitlets.Dict().tag(sync=True)
    _selection = traitlets.Dict().tag(sync=True)
    order = traitlets.Unicode().tag(sync=True)
    color_by = traitlets.Enum(("class", "value", "quality", "interaction")).tag(sync=True)
    selected: traitlets.List[Any] = traitlets.List()

    def __init__(self, scene: Scene) -> None:
        n = scene.content.n
        self._ids = np.arange(n) if scene.points is None else scene.points
        self._rows = np.arange(n) if scene.rows is None else scene.rows
        self._row_of = dict(zip(self._ids.tolist(), self._rows.tolist(), strict=True))
        self._shown = scene
        super().__init__(
            _code=alone_payload(),
            _content=squeeze(scene.content),
            _scene=scene.message(whole=False),
            _selection=selection_message(scene.selection),
            order=scene.order,
            color_by=scene.options.color_by,
        )
        self.on_msg(self._asked)

    @traitlets.validate("order")
    def _known_order(self, proposal: Any) -> str:
        known = [one.name for one in self._shown.orders]
        if proposal["value"] not in known:
            raise ParameterError(
                f"order must be one of {listed(known)}; got {proposal['value']!r}."
            )
        return str(proposal["value"])

    @traitlets.validate("selected")
    def _known_points(self, proposal: Any) -> list[Any]:
        unknown = [one for one in proposal["value"] if one not in self._row_of]
        if unknown:
            raise ParameterError(
                f"selected must hold ids of the training points; got {unknown[0]!r}."
            )
        return list(proposal["value"])

    @traitlets.observe("selected")
    def _to_browser(self, change: Any) -> None:
        rows = tuple(sorted({self._row_of[one] for one in change["new"]}))
        now = parse_selection(self._selection, self._shown.content.n)
        if now is None or now.points != rows:
            made = Selection(rows, rows, "table", int(time.time() * 1000))
            self._selection = selection_message(made)
        else:  # of a block that is selected all points are
            self.selected = self._members(now)

    @traitlets.observe("_selection")
    def _from_browser(self, change: Any) -> None:
        found = parse_selection(change["new"], self._shown.content.n)
        if found is not None:
            self.selected = self._members(found)

    def _members(self, selection: Selection) -> list[Any]:
        """Return the ids of the points of the selected rows."""
        chosen = np.zeros(self._shown.content.n, dtype=np.bool_)
        chosen[list(selection.points)] = True
        return list(self._ids[chosen[self._rows]].tolist())

    def _asked(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if isinstance(message, dict) and message.get("want") == "plotly":
            self.send({"plotly": True}, [plotly_payload()])

    def to_html(self) -> str:
        """Return the view as a page of one file, as `stiknn_view.page.page` does."""
        return page(self._shown)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the widget, and for where there are none the page in a frame."""
        found = super()._repr_mimebundle_(**kwargs)
        bundle, *more = found if isinstance(found, tuple) else (found or {},)
        frame = (
            f'<iframe srcdoc="{escape(self.to_html())}" title="Interactions" '
            f'style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
        )
        bundle = {**bundle, "text/html": frame}
        return (bundle, *more) if more else bundle
