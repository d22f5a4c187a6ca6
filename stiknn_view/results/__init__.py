"""From a result of the core to a view in a home of its own."""

from stiknn_view.results.scenes import scene_of

__all__ = ["scene_of"]
