"""Words that two texts share, found by the rule that words of a text are counted by. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from stiknn_core.tables.building.settings import WORD

_WORD: Final = re.compile(WORD)


def words_of(text: str) -> set[str]:
    """Return the words of a text in small letters, but for those that stand in any text."""
    return {word for word, _, _ in _words(text)} - _stop_words()


def marked(text: str, words: Collection[str]) -> list[str]:
    """Return a text cut into pieces: every second one, from the second on, is one of the words."""
    pieces, end = [], 0
    for word, start, stop in _words(text):
        if word in words:
            pieces += [text[end:start], text[start:stop]]
            end = stop
    return [*pieces, text[end:]]


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _WORD.finditer(text):
        yield found.group().lower(), found.start(), found.end()


@cache
def _stop_words() -> frozenset[str]:
    # Loaded when it is asked for: a page without texts needs no words.
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)
