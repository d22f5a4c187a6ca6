"""Where the keyboard is: in the text field of a new dialog, and free after a click of the mouse.

Streamlit leaves the focus on a dialog itself, where letters would still be taken for keys of
the page behind it; and after a click on a slider or a box it takes no keys for buttons at all.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

# The dialog takes the focus for itself a moment after it is drawn, so one call is not enough;
# once a person has it elsewhere inside, it stays there.
_CODE: Final = """
export default function ({ data }) {
  const wanted = `.st-key-${data.key} input, .st-key-${data.key} textarea`;
  const until = performance.now() + 1500;
  (function tryAgain() {
    const field = document.querySelector(wanted);
    const held = document.activeElement;
    const free = !held || held === document.body || held.contains(field) || !held.isConnected;
    if (field && held !== field && free) field.focus();
    if (performance.now() < until) setTimeout(tryAgain, 30);
  })();
}
"""
# Who moves by keyboard stays where they are: what they focus matches :focus-visible.
_RELEASE_CODE: Final = """
export default function () {
  if (window.stiknnReleases) return;
  window.stiknnReleases = true;
  const kinds = 'input[type="range"], input[type="checkbox"], input[type="radio"]';
  document.addEventListener("pointerup", () => setTimeout(() => {
    const held = document.activeElement;
    if (held && held.matches(kinds) && !held.matches(":focus-visible")) held.blur();
  }, 0));
}
"""
_FOCUS = st.components.v2.component("stiknn_focus", js=_CODE, isolate_styles=False)

_RELEASE = st.components.v2.component("stiknn_release", js=_RELEASE_CODE, isolate_styles=False)


def release() -> None:
    """Let go of sliders and boxes after a click, so that the keys of buttons work at once."""
    _RELEASE(key="release-keys", height=1)


def focus(key: str) -> None:
    """Focus the field with this key, once it is drawn.

    Parameters
    ----------
    key : str
        Of the widget; letters, digits, "-" and "_" only.
    """
    _FOCUS(data={"key": key}, key=f"focus-{key}", height=1)
