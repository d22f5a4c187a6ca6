"""Names of a package whose modules are loaded when one of them is asked for the first time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def later(
    package: str, names: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package that has ``names`` from its modules."""
    module_of = {name: f"{package}.{module}" for module in names for name in names[module]}
    found = vars(sys.modules[package])

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found[name] = getattr(import_module(module_of[name]), name)
        return found[name]

    return load, lambda: sorted({*found, *module_of})
