"""What a person is told when something is wrong: the sentence, never the machinery."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import streamlit as st

from stiknn_core.errors import StiknnError

UNEXPECTED = (
    "Something unexpected went wrong, and it is not your doing. What you had before is still "
    "here; the details are in the server's log."
)

_logger = logging.getLogger(__name__)
# The colon starts directives, icons, emoji and links; the ampersand starts entities.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&@^=\"'])")
# Streamlit makes links of addresses, and of escaped ones too: it looks for them in what is shown.
_ADDRESS = re.compile(r"(?i)(?<=http:)(?=//)|(?<=https:)(?=//)|(?<=www)(?=\.)|(?=@)")
_JOINER = "\u2060"  # takes no room, and no line breaks at it
_LONGEST = 600


def plain(text: object) -> str:
    """Return ``text`` so that Streamlit's markdown shows it letter by letter, on one line.

    Addresses are parted by a sign that nobody sees, or they would be links. Messages quote column
    names, labels and file names, which may hold anything.
    """
    line = " ".join(str(text).split())
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1] + "…"
    return _MARKDOWN.sub(r"\\\1", _ADDRESS.sub(_JOINER, line))


def show_error(error: StiknnError) -> None:
    """Show the sentence of an error a person can do something about."""
    st.error(plain(error), icon=":material/error:")


def show_unexpected(error: BaseException) -> None:
    """Log an error nobody foresaw and say one plain sentence."""
    _logger.error("unexpected error", exc_info=error)
    st.error(UNEXPECTED, icon=":material/error:")


def show_notices(notices: Iterable[str]) -> None:
    """Show things worth a look, several as one short list."""
    lines = [plain(notice) for notice in dict.fromkeys(notices)]
    if lines:
        body = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
        st.info(body, icon=":material/info:")


@contextmanager
def guarded() -> Iterator[None]:
    """Turn any exception of the block into a sentence on the page.

    Streamlit's own control flow (rerun, stop) passes through: it is not an ``Exception``.
    """
    try:
        yield
    except StiknnError as error:
        show_error(error)
    except Exception as error:
        show_unexpected(error)
