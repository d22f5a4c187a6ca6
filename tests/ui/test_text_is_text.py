"""Whatever a file holds is text on every page: no link, no markup, no formula, no template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.review.decisions import Decision
from stiknn_view.selection import Selection
from tests.ui.review_pages import decide, names, opened
from tests.ui.upload_pages import finish, go, open_form, session, upload

# Fields of Streamlit's messages that browsers read as Markdown.
MARKUP = {"body", "label", "help", "text", "title", "caption", "captions", "content", "message"}
# In these, they are also a list of choices; those of a select box are plain.
CHOICES = {"Radio", "ButtonGroup"}
COLUMNS = ("www.evil.example/id", "http://evil.example/x", "a@evil.example", ":smile: **b** $x^2$")
LABELS = ("https://evil.example/a", "www.evil.example/b", "<b>bold</b> :red[c] $y$ %{x} **d** `e`")
NAME = "www.evil.example-**n**-:smile:.csv"
# What Streamlit makes links of, escaped or not, and what Markdown reads where it is not escaped.
LINK = re.compile(r"(?i)(https?://|www\.|\w@)evil")
MARK = re.compile(r"(?<!\\)(<b>|\*\*[bnd]\*\*|:smile:|:red\[|\$x|\$y|`e`)")
# What Plotly reads: tags that are its own, and numbers in templates.
IN_FIGURES = re.compile(r"<b>bold|<a ")


def table() -> bytes:
    rng = np.random.default_rng(1)
    rows = [",".join([*COLUMNS, "https://evil.example/label"])]
    for row in range(45):
        kind = row % 3
        numbers = ",".join(f"{value + 2 * kind:.3f}" for value in rng.normal(size=3))
        label = LABELS[kind if row % 10 else (kind + 1) % 3]
        rows.append(f"http://evil.example/{row},{numbers},{label}")
    return "\n".join(rows).encode()


def protos(at: AppTest) -> Iterator[tuple[str, Message]]:
    """Every message that the page sent, with the name of its kind."""

    def walk(node: Any) -> Iterator[Any]:
        yield node
        for child in getattr(node, "children", {}).values():
            yield from walk(child)

    for node in walk(at._tree):
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message):
            yield from inside(proto)


def inside(proto: Message) -> Iterator[tuple[str, Message]]:
    yield proto.DESCRIPTOR.name, proto
    for _, value in proto.ListFields():
        values = (
            value if not isinstance(value, (str, bytes)) and hasattr(value, "__iter__") else [value]
        )
        for one in values:
            if isinstance(one, Message):
                yield from inside(one)


def markdown_of(at: AppTest) -> list[tuple[str, str]]:
    """Every text that a browser reads as Markdown."""
    found = []
    for kind, proto in protos(at):
        for field, value in proto.ListFields():
            if field.name in MARKUP or (field.name == "options" and kind in CHOICES):
                told = [value] if isinstance(value, str) else value
                found += [(f"{kind}.{field.name}", one) for one in told if isinstance(one, str)]
    return found


def is_read(text: str) -> bool:
    return bool(MARK.search(text) or LINK.search(re.sub(r"\\(.)", r"\1", text)))


def check(at: AppTest) -> AppTest:
    raw = [(where, text) for where, text in markdown_of(at) if is_read(text)]
    assert not raw
    for kind, proto in protos(at):
        if kind == "PlotlyChart":
            spec = proto.spec or proto.figure.spec  # type: ignore[attr-defined]
            assert not IN_FIGURES.search(json.dumps(json.loads(spec), ensure_ascii=False))
            templates = re.findall(r'"hovertemplate": ?"([^"]*)"', spec)
            assert not [one for one in templates if "bold" in one or "evil" in one]
    return at


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "home"))
    found = upload(open_form(), NAME, table())
    assert not found.error, [one.value for one in found.error]
    return found


def test_the_check_sees_what_is_wrong() -> None:
    def page() -> None:
        import streamlit as st

        st.markdown("see **b**")
        st.button("go", help="www.evil.example/b")
        st.radio("one", ["<b>bold</b>"])
        st.metric("a@evil.example", 1)

    found = AppTest.from_function(page).run()
    assert {where for where, text in markdown_of(found) if is_read(text)} >= {
        "Markdown.body",
        "Button.help",
        "Radio.options",
        "Metric.label",
    }


@pytest.mark.slow
def test_no_page_reads_it(at: AppTest) -> None:
    assert [text for _, text in markdown_of(at) if "evil" in text], "nothing of the file is there"
    check(at)
    for page in ("explore", "point", "suspects", "compare"):
        go(at, page)
        check(at)
    analysis = session(at).desk(ResultDesk).shown
    assert analysis is not None
    session(at).selections[analysis.scope] = Selection((0, 3), (0, 3), "matrix", 99)
    for page in ("explore", "point", "suspects"):
        check(go(at, page))
    go(at, "review")
    first = names(at)[0]
    decide(at, (first, Decision("relabel", LABELS[2], "www.evil.example **b** :smile:")))
    check(opened(at))
    check(finish(at.switch_page("app.py").run()))


@pytest.mark.slow
def test_no_question_about_a_file_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path / "home"))
    rows = table().decode().splitlines()
    head, *lines = rows
    broken = [head, *(line.rsplit(",", 1)[0] + f",{n}.5" for n, line in enumerate(lines))]
    check(upload(open_form(), NAME, "\n".join(broken).encode()))
    words = [head, *(line.replace(",", ",*b* www.evil.example ", 1) for line in lines)]
    check(upload(open_form(), NAME, "\n".join(words).encode()))
    check(upload(open_form(), NAME, b""))
