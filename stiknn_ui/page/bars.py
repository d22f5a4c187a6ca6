"""How the row of controls looks: low, in one line, and with a fixed place for news."""

from __future__ import annotations

from typing import Final

import streamlit as st

# The news float: where the row of controls has room, at its right end, else over the upper edge of
# what follows. So nothing on the page moves when there is something to say.
_STYLE: Final = """
<style>
[data-testid="stVerticalBlock"]:has(> [data-testid="stLayoutWrapper"] > .st-key-toolbar) {
  gap: 0.5rem;
}
.st-key-toolbar { min-height: 60px; gap: 0.75rem; }
.st-key-toolbar [data-testid="stWidgetLabel"] { min-height: 0; margin-bottom: 1px; }
.st-key-toolbar [data-testid="stWidgetLabel"] p { font-size: 0.75rem; white-space: nowrap; }
.st-key-toolbar [data-testid="stWidgetLabel"] svg { width: 0.85rem; height: 0.85rem; }
.st-key-data-name { max-width: calc(200px + max(0px, 50vw - 640px)); }
.st-key-data-name, .st-key-review-link, .st-key-toolbar .st-key-file-note { padding-bottom: 6px; }
.st-key-data-name a { padding-inline: 0; }
.st-key-data-name p, .st-key-review-link p {
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
/* Buttons of which the sign says enough; their words are there for who cannot see it. */
.st-key-toolbar-end { gap: 0.5rem; }
.st-key-toolbar-end button { padding-inline: 0.7rem; }
.st-key-toolbar-end p { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
.st-key-toolbar-end button > div > :last-child:not(:first-child) { display: none; }
[data-testid="stPopoverBody"]:has(.st-key-compute\\.evaluation) { width: min(40rem, 94vw); }
[data-testid="stLayoutWrapper"]:has(> .st-key-news) {
  position: relative; z-index: 60; height: 0; margin-top: -0.5rem; overflow: visible;
}
.st-key-news {
  position: absolute; top: 0; right: 0; left: 0; width: auto; gap: 0.25rem; border-radius: 8px;
}
.st-key-news:has([data-testid="stElementContainer"]) {
  padding: 0.35rem; background: light-dark(#FFFFFF, #12151D);
  box-shadow: 0 1px 8px rgb(0 0 0 / 0.25);
}
.st-key-news [data-testid="stAlertContainer"] { padding: 0.35rem 0.6rem; }
.st-key-news p { font-size: 0.8rem; line-height: 1.25; }
.st-key-news [data-testid="stHorizontalBlock"] { flex-wrap: nowrap; gap: 0.5rem; }
.st-key-news [data-testid="stHorizontalBlock"] button p { white-space: nowrap; }
.st-key-news [data-testid="stElementContainer"]:has([data-testid="stMarkdown"]) {
  flex: 1 1 0; width: auto !important; min-width: 0;
}
.st-key-news button { min-height: 2rem; padding-block: 0; }
.st-key-levels { margin-bottom: -0.5rem; }
.st-key-levels button { min-height: 2rem; padding-block: 0; }
/* A text of a file as it is written, each paragraph in its own direction. */
.st-key-point-text [data-testid="stText"], .st-key-point-text [data-testid="stText"] * {
  font: inherit; font-size: 1.05rem; line-height: 1.5; white-space: pre-wrap;
  overflow-wrap: anywhere; unicode-bidi: plaintext;
}
/* In one line that can be scrolled, so that what follows stays in sight. */
.st-key-selected-texts { flex-wrap: nowrap; overflow-x: auto; }
.st-key-selected-texts > * { flex: none; }
.st-key-selected-texts p {
  font-size: 0.85rem; line-height: 1.35; overflow-wrap: anywhere; unicode-bidi: plaintext;
}
/* As high as it will be once the code of its widgets is loaded. */
.st-key-learn-settings, .st-key-learn-game { min-height: 68px; }
.stiknn-skeleton { display: flex; gap: 16px; height: calc(100vh - 116px); padding-top: 32px; }
.stiknn-skeleton div { flex: 1; }
.stiknn-skeleton div::before {
  display: block; width: min(100%, 100vh - 230px); aspect-ratio: 1; border-radius: 6px;
  background: rgb(128 128 128 / 0.12); content: "";
}
@media (min-width: 1200px) {
  .st-key-news { top: -96px; left: calc(915px + max(0px, 50vw - 640px)); }
}
@media (max-width: 640px) {
  .st-key-toolbar { min-height: 104px; gap: 0.25rem 0.4rem; }
  .st-key-toolbar > :has(> .st-key-data-name) { order: -3; flex: 1; min-width: 9.5rem; }
  .st-key-toolbar > .st-key-settings { order: -2; }
  .st-key-toolbar > :has(> .st-key-toolbar-end) { order: -1; }
  .st-key-data-name { max-width: 100%; }
  .st-key-settings p { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
  .st-key-toolbar > .st-key-compute\\.k { width: 6.4rem !important; }
  .st-key-toolbar > [class*="st-key-view"] { flex: 1; width: 7rem !important; }
}
/* Without a mouse Streamlit shows the tools of a table always, over what stands above it. */
@media (hover: none) {
  .st-key-beside { margin-top: 2rem; }
}
</style>
"""


def style() -> None:
    """Give the rows of controls their looks; once on each page."""
    st.html(_STYLE)
