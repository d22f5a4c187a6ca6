"""Plotly figures for notebooks."""

from stiknn_core.plotting.figures import class_scatter, color_limit, interaction_heatmap

__all__ = ["class_scatter", "color_limit", "interaction_heatmap"]
