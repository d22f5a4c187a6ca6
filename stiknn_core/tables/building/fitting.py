"""Each kind of feature to what learns it."""

from __future__ import annotations

from stiknn_core.tables.building.categories import fit_counts
from stiknn_core.tables.building.dates import fit_dates
from stiknn_core.tables.building.features import FeatureKind, Fitted, fit_feature
from stiknn_core.tables.building.parts import Part
from stiknn_core.tables.building.pictures import fit_pictures
from stiknn_core.tables.building.planning import Plan
from stiknn_core.tables.building.texts import fit_texts
from stiknn_core.tables.building.vectors import fit_vectors


def fit(part: Part, column: str, kind: FeatureKind, plan: Plan) -> Fitted:
    """Learn from the training rows of one column what its features need."""
    fill = plan.missing == "impute"
    if kind == "vector":
        return fit_vectors(part, column, fill=fill)
    if kind == "picture":
        return fit_pictures(part, column)
    if kind == "text":
        return fit_texts(part, column, plan.text, fill=fill)
    if kind == "counts":
        return fit_counts(part, column, fill=fill)
    if kind == "date":
        return fit_dates(part, column, fill=fill)
    style = part.table.facts[column].style
    return fit_feature(part.column(column), kind, style, plan.ordered.get(column, ()), fill=fill)
