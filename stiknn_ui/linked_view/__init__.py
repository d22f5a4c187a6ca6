"""The matrix and the scatter side by side, linked inside the browser.

See ``frontend/README.md`` for the JavaScript part and what travels when.
"""

from stiknn_ui.linked_view.component import linked_view
from stiknn_ui.linked_view.options import ViewOptions
from stiknn_ui.linked_view.payload import MAX_POINTS, ViewContent, build_content

__all__ = ["MAX_POINTS", "ViewContent", "ViewOptions", "build_content", "linked_view"]
