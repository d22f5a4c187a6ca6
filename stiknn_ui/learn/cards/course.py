"""What one visitor does in lesson and puzzles, and how it goes into the address bar and back."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from stiknn_ui.learn import links
from stiknn_ui.learn.cards import progress
from stiknn_ui.learn.cards.chance import MOST_ORDERS
from stiknn_ui.learn.cards.columns import MEAN
from stiknn_ui.learn.cards.deck import deck
from stiknn_ui.learn.cards.progress import Mode, Progress
from stiknn_ui.learn.cards.puzzles import KINDS_WANTED, PUZZLES, ZERO_KINDS, Report
from stiknn_ui.learn.desk import Desk
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.learn.scene import Scene

_MOST_ADDRESSES: Final = 200
Address = dict[str, str]


@dataclass
class Course:
    """A visitor's progress, and the board's points that belong to it."""

    at: Progress = field(default_factory=Progress)
    notice: str = ""
    shown: Lesson | None = None  # the solution that was last shown: it is nobody's own
    # What was written to the address bar lately. Where the bar shows an older one of them, and
    # nothing was done in this run, a person went back.
    addresses: deque[Address] = field(default_factory=lambda: deque(maxlen=_MOST_ADDRESSES))
    acted: bool = False

    def arrive(self, params: Mapping[str, str], board: Desk) -> None:
        """Open a link, or go back to where the visitor was, unless it is an echo."""
        own = {name: text for name, text in params.items() if name != "review"}
        acted, self.acted = self.acted, False
        ours = {name: text for name, text in own.items() if name in progress.NAMES}
        points = {name: text for name, text in own.items() if name not in ours}
        known = any(name in links.NAMES for name in points)
        if own in self.addresses:
            if not acted and own != self.addresses[-1]:
                self._go_back(progress.parse(ours, points=known)[0], points, board)
            return
        if not own and self.addresses:
            return
        found, self.notice = progress.parse(ours, points=known)
        self.at = found
        if found.mode == "puzzles" and not known:
            board.show(Scene(PUZZLES[found.puzzle].start))
        board.arrive(points)
        self.addresses.append(own)

    def _go_back(self, found: Progress, points: Address, board: Desk) -> None:
        """Go to where the visitor was; what was bet and solved since stays."""
        before = self.at
        self.at = replace(before, mode=found.mode, card=found.card, puzzle=found.puzzle)
        if points and (before.mode, before.puzzle) != (found.mode, found.puzzle):
            board.show(links.parse(points).scene)

    def address(self, board: Desk) -> Address:
        """Return what belongs in the address bar, and remember it."""
        params = progress.to_params(self.at)
        if self.at.mode != "lesson":
            params = board.address() | params
        if params in self.addresses:
            self.addresses.remove(params)
        self.addresses.append(params)
        return params

    def switch(self, mode: Mode | None, board: Desk) -> None:
        """Go to lesson, puzzles or free play."""
        self.acted = True
        if mode is None or mode == self.at.mode:
            return
        self.at = replace(self.at, mode=mode)
        if mode == "puzzles":
            self._begin(board)

    def take(self, report: Any) -> None:
        """Take over what was pressed on the card; what is about another moment is ignored."""
        self.acted = True
        if not isinstance(report, dict) or report.get("about") != self.about:
            return
        self.notice = ""
        kind, number = report.get("kind"), report.get("number")
        if not isinstance(number, int):
            return
        if kind == "bet":
            self.at = progress.bet(self.at, number)
        elif kind == "card" and 0 <= number <= len(deck()):
            self.at = replace(self.at, card=number)
        elif kind == "orders" and number > 0:
            self.at = replace(self.at, orders=min(MOST_ORDERS, self.at.orders + number))
        elif kind == "tests" and 0 <= number <= len(MEAN.tests) - 2:
            self.at = replace(self.at, tests_in=number)
        elif kind == "again":
            self.at = replace(self.at, card=0, bets=(), orders=0, tests_in=0)

    @property
    def about(self) -> str:
        """What a report must name to be about what is on the screen."""
        at = self.at
        return f"{at.card}.{len(at.bets_of(at.card))}.{at.orders}.{at.tests_in}"

    # --- puzzles --------------------------------------------------------------------------

    def choose_puzzle(self, number: int | None, board: Desk) -> None:
        """Begin a puzzle; the one in view begins anew."""
        self.acted = True
        self.at = replace(self.at, puzzle=self.at.puzzle if number is None else number)
        self._begin(board)

    def _begin(self, board: Desk) -> None:
        self.shown = None
        board.notice = ""
        board.show(Scene(PUZZLES[self.at.puzzle].start))

    def show_solution(self, board: Desk) -> None:
        """Lay a solution on the board, of several one that was not found yet."""
        self.acted = True
        puzzle = PUZZLES[self.at.puzzle]
        missing = [
            one for one in puzzle.solutions if puzzle.check(one).kind not in (*self.at.zero, "")
        ]
        self.shown = (missing or puzzle.solutions)[0]
        board.show(Scene(self.shown))

    def take_back(self, board: Desk) -> None:
        """Take a shown solution away again."""
        self.acted = True
        self.shown = None
        board.undo()

    def is_shown(self, board: Desk) -> bool:
        """Whether the points on the board are a solution that was shown."""
        return self.shown is not None and board.scene.lesson == self.shown

    def note(self, report: Report, board: Desk) -> None:
        """Keep what was solved, unless it was shown."""
        if not report.solved or self.is_shown(board):
            return
        letter = PUZZLES[self.at.puzzle].letter
        zero = "".join(kind for kind in ZERO_KINDS if kind in (*self.at.zero, report.kind))
        self.at = replace(self.at, zero=zero)
        if not report.kind or len(zero) >= KINDS_WANTED:
            self.at = replace(self.at, solved="".join(sorted({*self.at.solved, letter})))
