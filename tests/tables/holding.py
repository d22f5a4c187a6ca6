"""Tables that hold vectors or pictures, for tests of what comes after the reading."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from stiknn_core.tables import Table, read_table
from stiknn_core.tables.cells.held import examine_held
from stiknn_core.tables.cells.roles import propose_roles
from stiknn_core.tables.contents import Pictures, Vectors


def holding(text: bytes, **held: Vectors | Pictures) -> Table:
    """Return the table of a text, some columns of which hold something beside their cells."""
    table = read_table(text)
    facts = {**table.facts, **{name: examine_held(table.cells[name], one)
                               for name, one in held.items()}}  # fmt: skip
    vectors = {name: one for name, one in held.items() if isinstance(one, Vectors)}
    pictures = {name: one for name, one in held.items() if isinstance(one, Pictures)}
    return replace(
        table,
        facts=MappingProxyType(facts),
        roles=MappingProxyType(propose_roles(table.cells, facts, (), {}, ())),
        vectors=MappingProxyType(vectors),
        pictures=MappingProxyType(pictures),
    )
