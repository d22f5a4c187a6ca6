"""Where to draw the points: two coordinates for data with any number of features."""

from stiknn_core.plane.planes import PLANE_METHODS, Plane, PlaneMethod, UsedMethod, project_2d

__all__ = ["PLANE_METHODS", "Plane", "PlaneMethod", "UsedMethod", "project_2d"]
