"""Where the points of a result are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.plane import Plane, project_2d
from stiknn_core.validation.features import check_features
from stiknn_view.results.facts import Facts


def plane_of(facts: Facts, X: Any, xy: Any) -> Plane:
    """Return the plane that was asked for, or one made of the features."""
    n = facts.n
    if isinstance(xy, Plane):
        return xy
    if xy is not None:
        places = np.asarray(xy, dtype=np.float64)
        if places.shape != (n, 2):
            raise ShapeError(
                f"xy must have shape ({n}, 2), a place for each of the {n:,} training points; got "
                f"{places.shape}."
            )
        return Plane(places, ("x", "y"), "columns")
    given = facts.features if X is None else X
    if given is None:
        raise ParameterError(
            "This result does not know its features (it was loaded from a file, or computed from "
            "distances): pass X, or xy with two coordinates for each point."
        )
    if isinstance(given, pd.DataFrame):
        names = [str(column) for column in given.columns]
    else:
        names = [f"x{place + 1}" for place in range(np.shape(given)[1])]
    features = check_features(given, "X").X
    if len(features) != n:
        raise ShapeError(
            f"X must have a row for each of the {n:,} training points; got {len(features):,}."
        )
    return project_2d(features, names)
