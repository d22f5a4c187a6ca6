"""What comes out, frozen: a matrix with its values, or the sums over its blocks."""

from stiknn_core.results.matrix import BlockInteractions, Interactions

__all__ = ["BlockInteractions", "Interactions"]
