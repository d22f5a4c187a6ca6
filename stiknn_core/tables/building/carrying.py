"""Choices that outlive a change of file, as long as their columns do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stiknn_core.phrases import counted, listed
from stiknn_core.tables.building.features import can_encode
from stiknn_core.tables.described import DescribedTable


@dataclass(frozen=True)
class Carried:
    """Choices for another table.

    Attributes
    ----------
    options : dict
        Those of ``Table.to_dataset`` that still make sense.
    lost : tuple of str
        Columns that were chosen and are not there, to be asked for again.
    """

    options: dict[str, Any]
    lost: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Say which columns are gone; empty when none is."""
        if not self.lost:
            return ""
        columns = counted(len(self.lost), "chosen column is", "chosen columns are")
        return f"{columns} not in this table ({listed(self.lost)}); choose again."


def carry_over(options: Mapping[str, Any], table: DescribedTable) -> Carried:
    """Keep the choices made for one table that another table can take.

    Parameters
    ----------
    options : mapping
        Options of ``Table.to_dataset`` as they were chosen.
    table : DescribedTable
        The new table.

    Returns
    -------
    Carried
        A label, id or true-label column that is gone leaves its option out, so that the
        proposal takes its place; lists of columns keep what is left of them, and a list of
        features of which nothing is left is left out. A column that holds no vectors,
        pictures or dates any more is used as proposed.
    """
    kept: dict[str, Any] = {}
    lost: list[str] = []
    for name, value in options.items():
        if name in ("label", "ids", "true_label") and isinstance(value, str):
            if value in table.facts:
                kept[name] = value
            else:
                lost.append(value)
        elif name in ("features", "one_hot") and value is not None:
            there = [column for column in value if column in table.facts]
            lost += [column for column in value if column not in table.facts]
            if there or not value:
                kept[name] = there
        elif name in ("ordered", "encode") and value is not None:
            kept[name] = {column: told for column, told in value.items() if column in table.facts}
            lost += [column for column in value if column not in table.facts]
            if name == "encode":
                kept[name] = {
                    c: told for c, told in kept[name].items() if can_encode(table.facts[c], told)
                }
        else:
            kept[name] = value
    return Carried(kept, tuple(dict.fromkeys(lost)))
