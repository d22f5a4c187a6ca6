"""Where a visitor is in lesson and puzzles, as a short link and back. Pure.

``card=5&bets=1.12121.3132.11.3&orders=110``: the fifth card, after 110 joining orders; choices
count from 1, and cards are parted by dots. ``puzzle=3&solved=ad&zero=kn``, with the points of the
board beside it. ``mode=play``: points of one's own; whatever names points is that too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

from stiknn_ui.learn.cards.chance import MOST_ORDERS
from stiknn_ui.learn.cards.columns import MEAN
from stiknn_ui.learn.cards.deck import deck
from stiknn_ui.learn.cards.puzzles import PUZZLES, ZERO_KINDS

Mode: TypeAlias = Literal["lesson", "puzzles", "play"]
Bets: TypeAlias = tuple[tuple[int, ...], ...]

_MODES: Final = get_args(Mode)
NAMES: Final = ("mode", "card", "bets", "orders", "tests_in", "puzzle", "solved", "zero")
"""Parameters of a link that are about lesson and puzzles."""
_LONGEST: Final = 60
_SHOWN: Final = 24


@dataclass(frozen=True)
class Progress:
    """What is done and what is looked at; all numbers count from 0."""

    mode: Mode = "lesson"
    card: int = 0  # one behind the last is the summary
    bets: Bets = ()  # the choices made on each card; () for cards not begun
    orders: int = 0  # joining orders drawn
    tests_in: int = 0  # test points taken in beyond those the bets have
    puzzle: int = 0
    solved: str = ""  # letters of the puzzles that were solved
    zero: str = ""  # letters of the kinds of zero matrix that were found

    def bets_of(self, card: int) -> tuple[int, ...]:
        """Return the choices made on a card."""
        return self.bets[card] if card < len(self.bets) else ()


def bet(progress: Progress, choice: int) -> Progress:
    """Return what is so after the next bet on the card in view; nonsense changes nothing."""
    cards = deck()
    if progress.card >= len(cards):
        return progress
    rounds, made = cards[progress.card].rounds, progress.bets_of(progress.card)
    if len(made) >= len(rounds) or not 0 <= choice < len(rounds[len(made)].choices):
        return progress
    all_made = [progress.bets_of(card) for card in range(len(cards))]
    all_made[progress.card] = (*made, choice)
    return replace(progress, bets=tuple(all_made))


def standing(progress: Progress, card: int) -> Literal["", "begun", "right", "wrong"]:
    """Return how a card was done: "right" where every bet was, "wrong" where one was not."""
    made, rounds = progress.bets_of(card), deck()[card].rounds
    if len(made) < len(rounds):
        return "begun" if made else ""
    return "right" if right_bets(progress, card) == len(rounds) else "wrong"


def right_bets(progress: Progress, card: int) -> int:
    """Return how many bets on a card were right."""
    made = progress.bets_of(card)
    return sum(choice == one.right for choice, one in zip(made, deck()[card].rounds, strict=False))


def parse(params: Mapping[str, str], *, points: bool) -> tuple[Progress, str]:
    """Return what a link says, and a sentence on what was not understood; never raises.

    Parameters
    ----------
    params : mapping
    points : bool
        Whether it names points, which without a mode are for free play.
    """
    bad: list[str] = []

    def whole(name: str, high: int, usual: int = 0) -> int:
        text = params.get(name)
        if text is None:
            return usual
        if text.isascii() and text.isdigit() and len(text) <= 4 and int(text) <= high:
            return int(text)
        bad.append(f"{name}={text[:_SHOWN]}")
        return usual

    card = max(whole("card", len(deck()) + 1, 1) - 1, 0)
    puzzle = max(whole("puzzle", len(PUZZLES), 1) - 1, 0)
    orders = whole("orders", MOST_ORDERS)
    tests_in = whole("tests_in", len(MEAN.tests) - 2)
    bets = _bets(params.get("bets", ""), bad)
    solved = _letters("solved", params, "".join(one.letter for one in PUZZLES), bad)
    zero = _letters("zero", params, "".join(ZERO_KINDS), bad)
    found = Progress(_mode(params, points, bad), card, bets, orders, tests_in, puzzle, solved, zero)
    told = (
        f"The link holds something this page does not know, so it was left out: {', '.join(bad)}."
    )
    return found, told if bad else ""


def to_params(progress: Progress) -> dict[str, str]:
    """Return the parameters that restore it; the points of the board are named beside them."""
    params = {}
    if progress.mode == "lesson":
        params["card"] = str(progress.card + 1)
    elif progress.mode == "puzzles":
        params["puzzle"] = str(progress.puzzle + 1)
    written = ".".join("".join(str(choice + 1) for choice in made) for made in progress.bets)
    rest = {
        "bets": written.rstrip("."),
        "orders": str(progress.orders or ""),
        "tests_in": str(progress.tests_in or ""),
        "solved": progress.solved,
        "zero": progress.zero,
    }
    return params | {name: text for name, text in rest.items() if text}


def _mode(params: Mapping[str, str], points: bool, bad: list[str]) -> Mode:
    asked = params.get("mode")
    for mode in get_args(Mode):
        if asked == mode:
            return mode  # type: ignore[no-any-return]
    if asked is not None:
        bad.append(f"mode={asked[:_SHOWN]}")
    if "puzzle" in params:
        return "puzzles"
    return "play" if points and "card" not in params else "lesson"


def _bets(text: str, bad: list[str]) -> Bets:
    """Read the choices of each card; a card with one that cannot be counts as not begun."""
    if not text:
        return ()
    cards = deck()
    parts = text.split(".")
    if len(text) > _LONGEST or len(parts) > len(cards):
        bad.append(f"bets={text[:_SHOWN]}")
        return ()
    found: list[tuple[int, ...]] = []
    wrong = False
    for part, card in zip(parts, cards, strict=False):
        fits = len(part) <= len(card.rounds) and all(
            sign in "123456789" and int(sign) <= len(one.choices)
            for sign, one in zip(part, card.rounds, strict=False)
        )
        wrong = wrong or not fits
        found.append(tuple(int(sign) - 1 for sign in part) if fits else ())
    if wrong:
        bad.append(f"bets={text[:_SHOWN]}")
    return tuple(found)


def _letters(name: str, params: Mapping[str, str], known: str, bad: list[str]) -> str:
    text = params.get(name, "")
    if set(text) - set(known):
        bad.append(f"{name}={text[:_SHOWN]}")
    return "".join(letter for letter in known if letter in text)
