"""A document as HTML: headings with anchors, formulas as MathML, links between the site's pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from scripts.website.addresses import target_of

_REMARK: Final = re.compile(r"^<!--.*?-->\n", re.MULTILINE)  # marks for the script of a table
_KEY: Final = re.compile(r"&lt;kbd&gt;(\w+)&lt;/kbd&gt;")
"""The one element that documents write as HTML. Any other stays text."""


@dataclass(frozen=True)
class Document:
    """A document ready to be framed.

    Attributes
    ----------
    title : str
        Its first heading.
    body : str
        HTML.
    files : tuple of Path
        What it links to or shows.
    """

    title: str
    body: str
    files: tuple[Path, ...]


def read(path: Path) -> Document:
    """Return a document of the project as HTML.

    Raises
    ------
    ValueError
        If a link leads nowhere.
    """
    parser = _parser()
    tokens = parser.parse(_REMARK.sub("", path.read_text(encoding="utf-8")))
    files: list[Path] = []
    for token in tokens:
        for part in token.children or ():
            name = {"link_open": "href", "image": "src"}.get(part.type)
            if name is not None:
                target = target_of(path, str(part.attrs[name]))
                part.attrs[name] = target.address
                files += [target.file] if target.file else []
    title = "".join(part.content for part in tokens[1].children or ())
    body = parser.renderer.render(tokens, parser.options, {})
    return Document(title, _KEY.sub(r"<kbd>\1</kbd>", body), tuple(files))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"linkify": False, "html": False})
    parser.core.ruler.push("corners", _corners)
    parser.use(anchors_plugin, max_level=3)  # with anchors as GitHub makes them
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, renderer=_formula)
    for rule in (_math_block, _table_open, _table_close, _fence, _code_block):
        parser.add_render_rule(rule.__name__.removeprefix("_"), rule)
    return parser


def _formula(text: str, how: dict[str, Any]) -> str:
    text = text.replace(r"\setminus", r"\backslash")  # whose sign more fonts have
    return str(convert(text, display="block" if how["display_mode"] else "inline"))


def _corners(state: StateCore) -> None:
    """Make heads of tables that say nothing common cells."""
    for one, inner, other in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if one.type == "th_open" and not inner.content:
            one.tag = other.tag = "td"


def _math_block(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:
    formula = _formula(tokens[at].content, {"display_mode": True})
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{formula}</div>\n'


def _table_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:
    # A wide one scrolls in a box of its own, which the keyboard has to reach.
    return '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'


def _table_close(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return "</table></div>\n"


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:
    """Return a block of code in the colours of its language."""
    text, language = tokens[at].content, tokens[at].info.strip()
    try:
        lexer = get_lexer_by_name(language) if language else None
    except ClassNotFound:
        lexer = None
    inner = highlight(text, lexer, HtmlFormatter(nowrap=True)) if lexer else escape(text)
    return f'<pre tabindex="0"><code>{inner}</code></pre>\n'


def _code_block(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: Any) -> str:
    """Return an indented block, which says no language."""
    return f'<pre tabindex="0"><code>{escape(tokens[at].content)}</code></pre>\n'


def code_colours(scope: str, *, dark: bool) -> str:
    """Return the style sheet of code on a light or a dark ground, within ``scope``."""
    style: Any = HtmlFormatter(style="github-dark" if dark else "xcode")
    return str(style.get_style_defs(scope))
