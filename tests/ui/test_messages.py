"""Text from files is shown letter by letter."""

from __future__ import annotations

import re

import pytest

from stiknn_ui.words.messages import plain


@pytest.mark.parametrize(
    "text",
    [
        "**bold** _it_ `code`",
        "[a](http://evil.example)",
        "![x](y)",
        ":red[no]",
        ":material/home:",
        ":smile:",
        "<b>hi</b>",
        "# head",
        "- item",
        "1. one",
        "$x^2$",
        "&lt;",
        "www.example.com",
        "~~gone~~",
        "a | b",
    ],
)
def test_every_mark_is_escaped_and_nothing_is_lost(text: str) -> None:
    shown = plain(text)
    assert re.sub(r"\\(.)", r"\1", shown).replace("\u2060", "") == text
    assert not re.search(r"(?<!\\)[*_`\[\]<>#:$&~|!]", shown)


# What Streamlit looks for in the text that a page shows (mdast-util-gfm-autolink-literal).
LINKS = re.compile(r"(?i)(https?://|www(?=\.))[-.\w]+|[-.\w+]+@[-\w]+(\.[-\w]+)+")


@pytest.mark.parametrize(
    "text",
    [
        "http://evil.example",
        "HTTPS://evil.example/a?b#c",
        "see:https://evil.example",
        "www.evil.example",
        "WWW.evil.example.csv",
        "mailto:a.b+c@evil.example",
        "a@b.c@d.e",
    ],
)
def test_no_address_is_a_link(text: str) -> None:
    assert LINKS.search(text)
    shown = re.sub(r"\\(.)", r"\1", plain(text))
    assert not LINKS.search(shown)
    assert shown.replace("\u2060", "") == text


def test_one_line_of_bounded_length() -> None:
    shown = plain("a\n\nb\t c " + "x" * 10_000)
    assert shown.startswith("a b c x")
    assert len(shown) < 700
