"""The matrix and the scatter side by side, linked inside the browser.

See ``stiknn_ui/frontend/README.md`` for the JavaScript part and what travels when.
"""

from stiknn_ui.linked_view.block_payload import MAX_DOTS, MAX_UNITS, build_block_content
from stiknn_ui.linked_view.component import linked_view
from stiknn_ui.linked_view.options import Marks, ViewOptions
from stiknn_ui.linked_view.packing import ViewContent
from stiknn_ui.linked_view.payload import MAX_POINTS, build_content
from stiknn_ui.linked_view.shown import build_pictures, build_shown

__all__ = [
    "MAX_DOTS",
    "MAX_POINTS",
    "MAX_UNITS",
    "Marks",
    "ViewContent",
    "ViewOptions",
    "build_block_content",
    "build_content",
    "build_pictures",
    "build_shown",
    "linked_view",
]
