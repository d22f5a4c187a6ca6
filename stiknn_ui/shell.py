"""What every page shares: its head, the links between pages, and the link to share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Literal

import numpy as np
import streamlit as st
from PIL import Image

from stiknn_ui.asked import links
from stiknn_ui.home import given
from stiknn_ui.page import address, bars
from stiknn_ui.results.result import selection_scope
from stiknn_ui.review import desk, keeping, unsaved_panel
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.uploads import progress, tab
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work import garbage

Slug = Literal[
    "home", "data", "explore", "point", "suspects", "review", "compare", "learn", "theorem"
]

APP_NAME: Final = "STI-KNN Explorer"


@dataclass(frozen=True)
class Page:
    """One page: where its script is and how it is called."""

    script: str
    title: str
    icon: str
    help: str
    own_params: bool = False
    """Whether its links hold a state of its own and nothing of data, computation and view."""
    listed: bool = True
    """Whether it stands among the links at the top; else another page leads to it."""


PAGES: Final[dict[Slug, Page]] = {
    "home": Page("app.py", "Home", ":material/home:", "What this is about, with an example."),
    "data": Page(
        "pages/data.py",
        "Data",
        ":material/table:",
        "Generate, choose or upload labelled data.",
    ),
    "explore": Page(
        "pages/explore.py",
        "Explore",
        ":material/grid_on:",
        "The interaction matrix linked to the scatter.",
    ),
    "point": Page(
        "pages/point.py",
        "Point",
        ":material/my_location:",
        "One point: what its value is made of, its complements and its substitutes.",
    ),
    "suspects": Page(
        "pages/suspects.py",
        "Suspects",
        ":material/flag:",
        "Points ranked by how doubtful their label is.",
    ),
    "review": Page(
        "pages/review.py",
        "Review",
        ":material/rule:",
        "Go through the suspects, decide, and take a corrected file away.",
    ),
    "compare": Page(
        "pages/compare.py",
        "Compare",
        ":material/compare_arrows:",
        "The same data computed in two ways, side by side.",
    ),
    "learn": Page(
        "pages/learn.py",
        "Learn",
        ":material/school:",
        "The method by hand: a lesson with bets, puzzles, and a few points to play with.",
        own_params=True,
    ),
    "theorem": Page(
        "pages/theorem.py",
        "Theorem",
        ":material/lightbulb:",
        "Why the farther point decides, for every score and every index.",
        own_params=True,
        listed=False,
    ),
}

_STYLE: Final = """
<style>
[data-testid="stHeader"] { background: none; pointer-events: none; }
[data-testid="stHeader"] :is(a, button) { pointer-events: auto; }
[data-testid="stMainBlockContainer"] { padding: 0.5rem 2rem 3rem; }
.stiknn-page {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
[data-testid="stElementContainer"]:has(> * .stiknn-page) { position: absolute; }
.st-key-page-links a { padding-inline: 0.6rem; }
.st-key-page-links p { white-space: nowrap; }
/* What stands in a link's place until it is there is as high as the link: nothing below moves. */
.st-key-page-links [data-testid="stSkeleton"] { height: 1.6rem; }
[data-testid="stButtonGroup"] [role="radiogroup"] { flex-wrap: wrap; }
[data-testid="stCaptionContainer"] { opacity: 0.75; }
.katex-display, [data-testid="stMarkdownContainer"]:has(table) { overflow: auto hidden; }
button[data-testid^="stBaseButton-primary"]:enabled { color: light-dark(#FFFFFF, #12151D); }
.st-key-page-links a:focus-visible, [data-testid="stDataFrame"]:has(canvas:focus-visible) {
  outline: 2px solid currentcolor;
}
@media print {
  .st-key-page-links, [data-testid="stButton"], [data-testid="stDownloadButton"],
  [data-testid="stPopover"], [data-testid="stPageLink"] { display: none; }
}
@media print and (prefers-color-scheme: dark) {
  .stApp { filter: invert(1) hue-rotate(180deg); }
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-inline: 1rem; }
  .st-key-page-links { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
}
</style>
"""


def begin(slug: Slug) -> None:
    """Begin a page: title, links to the others, and on a first visit the link's settings."""
    page = PAGES[slug]
    st.set_page_config(
        page_title=f"{page.title} - {APP_NAME}",
        page_icon=_icon(),
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    if state.is_new():
        params = {} if page.own_params else st.query_params.to_dict()
        wanted = params.pop(given.PARAM, None)
        parsed = links.parse(params)
        state.session().settings = parsed.settings
        state.session().notice = parsed.notice
        state.session().chosen |= links.chosen(params)
        if parsed.review:
            with messages.guarded(), st.spinner("Opening the review ..."):
                keeping.arrive(parsed.review, params)
            if slug != "review" and not state.desk(ReviewDesk).notice:
                state.desk(ReviewDesk).notice = desk.awaited()
        if parsed.selected:
            scope = selection_scope(parsed.settings.data, parsed.settings.compute)
            state.session().linked = scope, parsed.selected
        if wanted is not None:
            given.arrive(wanted)
        tab.arrive(params)
    tab.meet(st.container(key="tab"))
    state.session().page = slug
    st.html(_STYLE)
    bars.style()
    _head(page)
    progress.draw()
    garbage.collect_soon()
    if state.session().notice:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(messages.plain(state.session().notice), icon=":material/link_off:")
            st.button("Dismiss", on_click=_dismiss, type="tertiary")
    if state.desk(ReviewDesk).notice:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(messages.plain(state.desk(ReviewDesk).notice), icon=":material/rate_review:")
            st.button("Dismiss", on_click=_dismiss_review, type="tertiary", key="dismiss-review")
    if slug != "review":  # there it changes with each decision, and is drawn with them
        unsaved_panel.warn()
    if state.desk(ReviewDesk).token:
        # At once, on Home too: a reload in the middle of a run must not lose the review.
        address.write(st.query_params.to_dict() | {"review": state.desk(ReviewDesk).token})


def _head(page: Page) -> None:
    """Draw name and links; in a frame of another page (``embed=true``) nothing that leads away."""
    # Who listens to the page, or jumps from heading to heading, hears which one it is.
    heading = f'<h1 class="stiknn-page">{page.title}</h1>'
    if st.context.is_embedded:
        st.html(heading)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="page-links"):
        # On a phone the row begins where the page's own link is in sight; the margin above it
        # leaves the page itself at its top.
        own = f'.st-key-page-links a[href="{PurePath(page.script).stem}"]'
        begin = "scroll-initial-target: nearest; scroll-margin-top: 10rem;"
        style = f"<style>@media (max-width: 640px) {{ {own} {{ {begin} }} }}</style>"
        st.html(heading + style, width="content")
        st.markdown(f"**{APP_NAME}**", width="content")
        for other in (one for one in PAGES.values() if one.listed):
            st.page_link(other.script, label=other.title, icon=other.icon, help=other.help)


def _icon() -> Image.Image:
    """Return the browser's icon: a small matrix in blue and orange.

    Drawn here, as Streamlit fetches named icons for the browser tab from another server.
    """
    blue, orange = (61, 134, 198), (224, 123, 26)
    cells = np.array([[blue, orange], [orange, blue]], dtype=np.uint8)
    return Image.fromarray(np.kron(cells, np.ones((16, 16, 1), dtype=np.uint8)))


def keep_link(slug: Slug) -> None:
    """Bring the address bar up to date; uploaded data never go into it.

    The token of the review does, so that a reload finds it again; "Copy link" leaves it out.
    """
    keeping.sync()
    tab.remember()
    address.write(links.to_private_params(state.settings(), state.desk(ReviewDesk).token, slug))


def _dismiss() -> None:
    state.session().notice = ""


def _dismiss_review() -> None:
    state.desk(ReviewDesk).notice = ""
