"""The browser's parts of the Learn page, as Streamlit components of our own.

They show what ``payload`` tells and report what a person does; nothing is computed there that
Python does not compute as well. Board or card, which come first,
bring the code of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from stiknn_ui.frontend.parts import part
from stiknn_ui.visit import state

_PARTS: Final = {
    name: part(f"learn_{name}", f"learn/{name}.js")
    for name in ("board", "matrix", "subsets", "pairs", "steps", "averages", "card")
}


def show(
    name: str,
    message: dict[str, Any],
    told: str = "",
    heard: Callable[[Any], None] = lambda _: None,
) -> None:
    """Draw a part of the page; ``heard`` gets what it reports under the name ``told``, if any."""
    key = f"learn-{name}"
    if not told:
        _PARTS[name](data=message, key=key)
        return

    def changed() -> None:
        held = state.widget_value(key)
        if held is not None:
            heard(held.get(told))

    _PARTS[name](data=message, key=key, **{f"on_{told}_change": changed})
