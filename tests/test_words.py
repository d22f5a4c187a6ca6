"""One word for one thing: the glossary is that of the code, and no old term is left anywhere."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from scripts.glossary import DOCUMENT
from stiknn_ui.page import help as page_help
from stiknn_ui.words import glossary
from tests.documents import ROOT, anchor, anchors, links

OLD = {
    "blue for some test points and orange for others": r"\bhelp(s|ing) some test points\b",
    "substitutes": (
        r"redundan(?!t entry)|\bsay(s|ing)? the same\b(?! as| in)|\bstands? in for (it|each)\b"
    ),
    "complements": r"complementary|complete each other",
    "test points": r"\bjudg(e|es|ed|ing|ement)\b(?!\()|hold out a share|validation points?\b",
    "leave-one-out testing, or the leave-one-out value": (
        r"\b(in|for|from|by|use|with|of) leave[- ]one[- ]out\b(?!`| (testing|value|KNN))"
    ),
    "support": r"\bback(ing|ed|s)\b|\bback (each|one) (other|another)\b",
    "strongest complements, strongest substitutes": r"\b(friend|rival)s?\b",
    "the diagonal is much larger, the more so the more points": r"\bfifty (times|to)\b",
    "what a negative value says": r"= (it )?harm(s|ful)?\b|do better without it",
}
"""What is said instead, and how the old word is found. `Redundant entry` is a name in WCAG."""
ALLOWED = {
    ("docs/paper.md", "redundan"): "the paper's own word, quoted",
    ("docs/glossary.md", "validation point"): "told to be the word of others",
    ("benchmarks/paper_discussion.py", "redundan"): "the paper's claim, quoted",
    ("benchmarks/made_texts.py", "friend"): "a made-up message",
    ("stiknn_ui/words/glossary.py", "validation point"): "the same",
}
SUFFIXES = {".py", ".js", ".ts", ".css", ".md", ".ipynb", ".html", ".jinja2", ".toml", ".cff"}
PLACES = (
    "README.md",
    "app.py",
    "pages",
    "stiknn_ui",
    "stiknn_view",
    "stiknn_core",
    "stiknn_command",
    "docs",
    "scripts",
    "benchmarks",
    "sample_data",
    "pyproject.toml",
    "CITATION.cff",
)
_QUOTES = re.compile(r"^[rfb]*[\"']+|[\"']+$", re.IGNORECASE)
FILES = sorted(
    path
    for place in PLACES
    for path in [ROOT / place, *(ROOT / place).rglob("*")]
    if path.suffix in SUFFIXES and not {"vendor", "stubs", "__pycache__"} & set(path.parts)
)


def said(path: Path) -> str:
    """Return what a file says: of Python strings and comments alone, since names may stay."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        kinds = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)}
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        pieces = (one.string for one in tokens if one.type in kinds)
        text = " ".join(_QUOTES.sub("", piece) for piece in pieces)
    if path.suffix == ".ipynb":
        text = re.sub(r'\\n",\s*"', " ", text)
    return " ".join(text.split())


def old_words(name: str, text: str) -> list[str]:
    """Return every old term of a text, with the words around it and what to say instead."""
    return [
        f"{name}: …{text[max(0, one.start() - 30) : one.end() + 30]}… → {instead}"
        for instead, pattern in OLD.items()
        for one in re.finditer(pattern, text, re.IGNORECASE)
        if not any(name == place and word in one[0].lower() for place, word in ALLOWED)
    ]


def test_no_old_term_is_left() -> None:
    assert len(FILES) > 300
    found = [line for path in FILES for line in old_words(str(path.relative_to(ROOT)), said(path))]
    assert not found, "\n".join(["one word for one thing:", *found])


def test_an_old_term_is_noticed_across_lines_and_in_no_name(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text('judged = 1  # friends\nx = (\n    "they say "\n    "the same"\n)\n')
    assert [line.partition("→ ")[2] for line in old_words("a.py", said(path))] == [
        "substitutes",
        "strongest complements, strongest substitutes",
    ]
    assert not old_words("a.md", "`judge_test_labels`, 3.3.7 Redundant entry")


def test_what_is_allowed_is_there() -> None:
    for name, word in ALLOWED:
        assert word in said(ROOT / name).lower(), f"{name} needs no exception for {word}"


def test_the_document_is_the_glossary_of_the_code() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == glossary.document(), (
        "run `python -m scripts.glossary`"
    )


@pytest.mark.parametrize("key", glossary.TERMS)
def test_a_term_is_one_sentence_and_its_place_exists(key: glossary.Key) -> None:
    term = glossary.TERMS[key]
    assert term.means.endswith(".")
    assert ". " not in term.means
    assert not re.search(r"[*`_\[]", term.means), "it stands in hovers too"
    file, _, heading = term.where.partition("#")
    assert not heading or heading in anchors(ROOT / "docs" / file)
    back = f"glossary.md#{anchor(term.title)}"
    assert back in {one.target for one in links(ROOT / "docs" / file)}, "and leads back"


def test_pages_say_the_sentences_of_the_glossary() -> None:
    told = {slug: " ".join(text.split()) for slug, text in page_help.TEXTS.items()}
    assert glossary.inside("substitutes") in told["explore"]
    assert glossary.inside("complements") in told["explore"]
    assert glossary.TERMS["value"].direction in told["point"]
    assert glossary.inside("label quality") in told["suspects"]
