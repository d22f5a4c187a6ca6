"""Fractions as text: for a sentence, for KaTeX, and for the browser's own components.

The components read a small markup (see ``frontend/learn/common.js``): ``{a|b}`` is a fraction and
``_{x}`` goes below the line.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

MINUS = "\N{MINUS SIGN}"


def plain(value: Fraction) -> str:
    """Return "−1/6"."""
    return str(value).replace("-", MINUS)


def tex(value: Fraction) -> str:
    r"""Return "-\frac{1}{6}"."""
    return _signed(value, "-", r"\frac{%d}{%d}")


def rich(value: Fraction) -> str:
    """Return "−{1|6}"."""
    return _signed(value, MINUS, "{%d|%d}")


def _signed(value: Fraction, minus: str, fraction: str) -> str:
    size = abs(value)
    whole = size.denominator == 1
    return (minus if value < 0 else "") + (
        str(size) if whole else fraction % size.as_integer_ratio()
    )


def bracketed(value: Fraction) -> str:
    """Return the same as ``rich``, in brackets where a minus would meet another sign."""
    return f"({rich(value)})" if value < 0 else rich(value)


def tex_bracketed(value: Fraction) -> str:
    """Return the same as ``tex``, in brackets where a minus would meet another sign."""
    return rf"\left({tex(value)}\right)" if value < 0 else tex(value)


def decimal(value: Fraction) -> str:
    """Return three digits of a value, with an equals sign where that is all of it."""
    short = f"{float(value):.3g}"
    sign = "=" if Fraction(short) == value else "\N{ALMOST EQUAL TO}"
    return f"{sign} {short.replace('-', MINUS)}"


def braces(names: Iterable[str]) -> str:
    """Return a set of names as "{A, C}", or the sign of the empty set."""
    inside = ", ".join(names)
    return f"{{{inside}}}" if inside else "\N{EMPTY SET}"
