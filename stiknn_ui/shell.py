"""What every page shares: its head, the links between pages, and the link to share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlencode, urlsplit, urlunsplit

import numpy as np
import streamlit as st
from PIL import Image

from stiknn_core.types import Space
from stiknn_ui.asked import links
from stiknn_ui.results import caching
from stiknn_ui.review import desk, keeping
from stiknn_ui.visit import state
from stiknn_ui.words import messages
from stiknn_ui.work import garbage

Slug = Literal["home", "data", "explore", "point", "suspects", "review", "compare", "learn"]

APP_NAME: Final = "STI-KNN Explorer"


@dataclass(frozen=True)
class Page:
    """One page: where its script is and how it is called."""

    script: str
    title: str
    icon: str
    help: str
    space: Space | None = None
    """Where neighbours are looked for until a person chooses; None leaves it as it is."""
    own_params: bool = False
    """Whether its links hold a state of its own and nothing of data, computation and view."""


PAGES: Final[dict[Slug, Page]] = {
    "home": Page("app.py", "Home", ":material/home:", "What this is about, with an example."),
    "data": Page(
        "pages/data.py",
        "Data",
        ":material/table:",
        "Generate, choose or upload labelled data.",
        space="features",
    ),
    "explore": Page(
        "pages/explore.py",
        "Explore",
        ":material/grid_on:",
        "The interaction matrix linked to the scatter.",
        space="features",
    ),
    "point": Page(
        "pages/point.py",
        "Point",
        ":material/my_location:",
        "One point: what its value is made of, its friends and its rivals.",
        space="features",
    ),
    "suspects": Page(
        "pages/suspects.py",
        "Suspects",
        ":material/flag:",
        "Points ranked by how doubtful their label is.",
        space="forest",
    ),
    "review": Page(
        "pages/review.py",
        "Review",
        ":material/rule:",
        "Go through the suspects, decide, and take a corrected file away.",
        space="forest",
    ),
    "compare": Page(
        "pages/compare.py",
        "Compare",
        ":material/compare_arrows:",
        "The same data computed in two ways, side by side.",
        space="features",
    ),
    "learn": Page(
        "pages/learn.py",
        "Learn",
        ":material/school:",
        "The method by hand: a few points, every subset, every step.",
        own_params=True,
    ),
}

_STYLE: Final = """
<style>
[data-testid="stMainBlockContainer"] { padding-top: 3rem; padding-bottom: 3rem; }
.st-key-page-links a { padding-inline: 0.6rem; }
.st-key-page-links p { white-space: nowrap; }
[data-testid="stButtonGroup"] [role="radiogroup"] { flex-wrap: wrap; }
[data-testid="stCaptionContainer"] { opacity: 0.75; }
.katex-display { overflow: auto hidden; }
button[data-testid^="stBaseButton-primary"]:enabled { color: light-dark(#FFFFFF, #12151D); }
.st-key-page-links a:focus-visible, [data-testid="stDataFrame"]:has(canvas:focus-visible) {
  outline: 2px solid currentcolor;
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
        parsed = links.parse(params)
        state.session().settings = parsed.settings
        state.session().notice = parsed.notice
        state.session().scaling_chosen = "scaling" in params
        if parsed.review:
            with messages.guarded(), st.spinner("Opening the review ..."):
                keeping.arrive(parsed.review, params)
            if slug != "review" and not state.session().review_notice:
                state.session().review_notice = desk.awaited()
        # A link that says what its page does anyway is no choice of a person; a metric is one
        # for the features.
        told = bool({"space", "metric"} & params.keys()) or bool(state.session().review)
        unusual = state.settings().compute.space != (page.space or "features")
        state.session().space_chosen = told and unusual
    state.session().page = slug
    if page.space is not None:
        state.suit_space(page.space)
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="page-links"):
        st.markdown(f"**{APP_NAME}**", width="content")
        for other in PAGES.values():
            st.page_link(other.script, label=other.title, icon=other.icon, help=other.help)
    caching.warm_up()
    garbage.collect_soon()
    if state.session().notice:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(messages.plain(state.session().notice), icon=":material/link_off:")
            st.button("Dismiss", on_click=_dismiss, type="tertiary")
    if state.session().review_notice:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(messages.plain(state.session().review_notice), icon=":material/rate_review:")
            st.button("Dismiss", on_click=_dismiss_review, type="tertiary", key="dismiss-review")
    if state.session().review:
        # At once, on Home too: a reload in the middle of a run must not lose the review.
        _write(st.query_params.to_dict() | {"review": state.session().review})


def _icon() -> Image.Image:
    """Return the browser's icon: a small matrix in blue and orange.

    Drawn here, as Streamlit fetches named icons for the browser tab from another server.
    """
    blue, orange = (61, 134, 198), (224, 123, 26)
    cells = np.array([[blue, orange], [orange, blue]], dtype=np.uint8)
    return Image.fromarray(np.kron(cells, np.ones((16, 16, 1), dtype=np.uint8)))


def keep_link(slug: Slug, own: Mapping[str, str] | None = None) -> None:
    """Bring the address bar up to date; uploaded data never go into it.

    The token of the review does, so that a reload finds it again; "Copy link" leaves it out.

    Parameters
    ----------
    slug : str
        The page.
    own : mapping of str to str, optional
        What the link of a page with a state of its own holds.
    """
    keeping.sync()
    review = state.session().review
    if own is not None:
        _write({**own, **({"review": review} if review else {})})
    elif slug != "home":
        _write(links.to_private_params(state.settings(), review, slug))


def copy_link(own: Mapping[str, str] | None = None) -> None:
    """Offer the link that restores what is on screen.

    Parameters
    ----------
    own : mapping of str to str, optional
        What the link of a page with a state of its own holds.
    """
    settings = state.settings()
    with st.popover("Copy link", icon=":material/link:", width="content"):
        if own is not None:
            st.markdown("Opens this page as you see it, anywhere it runs.")
            st.code(_address(urlencode(own)), language=None, wrap_lines=True)
            return
        if settings.data.source == "upload":
            st.markdown("Uploaded data never go into a link; this one carries the settings only.")
        else:
            st.markdown("Opens this page with the same data and settings, anywhere it runs.")
        st.code(
            _address(links.to_query(settings, state.session().page)), language=None, wrap_lines=True
        )


def review_link() -> str:
    """Return the link that lets anyone see and change the review, for sharing on purpose.

    Empty as long as there is no review on the disk.
    """
    here = state.session()
    if not here.review or here.review_fallback is not None:
        return ""
    return _address(urlencode(links.to_private_params(here.settings, here.review)))


def _address(query: str) -> str:
    return urlunsplit(urlsplit(st.context.url or "/")._replace(query=query, fragment=""))


def _write(params: dict[str, str]) -> None:
    if st.query_params.to_dict() != params:
        st.query_params.from_dict(params)


def _dismiss() -> None:
    state.session().notice = ""


def _dismiss_review() -> None:
    state.session().review_notice = ""
