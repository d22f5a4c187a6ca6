"""Any labelled table: read, looked at, and turned into a data set."""

from stiknn_core.cost import Estimate, estimate, largest_sample
from stiknn_core.sampling import sample_rows
from stiknn_core.tables.building.carrying import Carried, carry_over
from stiknn_core.tables.building.settings import TextSettings
from stiknn_core.tables.building.splitting import match_test_table
from stiknn_core.tables.cells.causes import Role
from stiknn_core.tables.choices import ChoiceError
from stiknn_core.tables.reading import read_table
from stiknn_core.tables.table import Table

__all__ = [
    "Carried",
    "ChoiceError",
    "Estimate",
    "Role",
    "Table",
    "TextSettings",
    "carry_over",
    "estimate",
    "largest_sample",
    "match_test_table",
    "read_table",
    "sample_rows",
]
