"""A puzzle on the page: the task, what its checker says, hints, and the board."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import streamlit as st

from stiknn_ui.learn import bench
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.cards.facts import facts_of
from stiknn_ui.learn.cards.puzzles import KINDS_WANTED, PUZZLES, ZERO_KINDS, Puzzle, Report
from stiknn_ui.learn.fractions_text import tex
from stiknn_ui.learn.games.index import PAPER
from stiknn_ui.learn.games.score import PLAIN
from stiknn_ui.learn.lesson import Lesson
from stiknn_ui.visit import state
from stiknn_ui.words import messages

_WITH_VALUES: Final = ("b", "e")


def show(here: Course) -> None:
    """Draw the puzzle in view."""
    board = bench.desk()
    if (board.scene.lesson.index, board.scene.lesson.score) != (PAPER, PLAIN):
        board.change(index=PAPER, score=PLAIN)  # the puzzles are about the paper's game
    puzzle, lesson = PUZZLES[here.at.puzzle], board.scene.lesson
    report = puzzle.check(lesson)
    here.note(report, board)
    _choice(here)
    st.markdown(f"**{puzzle.task}**")
    _checked(here, puzzle, report)
    _help(here, puzzle)
    bench.draw(here.address(board), examples=False)
    if puzzle.letter in _WITH_VALUES:
        st.markdown("##### Values, over all test points")
        st.markdown(values_table(lesson))


def _choice(here: Course) -> None:
    solved = here.at.solved

    def named(number: int) -> str:
        puzzle = PUZZLES[number]
        return f"{number + 1}. {puzzle.title}{' ✓' if puzzle.letter in solved else ''}"

    key = "learn-puzzle"
    st.pills(
        "Puzzles",
        list(range(len(PUZZLES))),
        format_func=named,
        label_visibility="collapsed",
        key=state.pinned(key, here.at.puzzle),
        on_change=lambda: here.choose_puzzle(state.widget_value(key), bench.desk()),
    )


def _checked(here: Course, puzzle: Puzzle, report: Report) -> None:
    said = messages.plain(report.said)
    if report.solved and here.is_shown(bench.desk()):
        st.info(f"A solution: {said} Take it back, and find one.", icon=":material/visibility:")
    elif report.solved:
        st.success(f"**Solved.** {said}", icon=":material/check:")
    else:
        st.info(f"**Not yet.** {said}", icon=":material/hourglass_empty:")
    if puzzle.letter == "c":
        found = [f"✓ {told}" for kind, told in ZERO_KINDS.items() if kind in here.at.zero]
        st.markdown("; ".join([f"{len(found)} of {KINDS_WANTED} ways", *found]) + ".")


def _help(here: Course, puzzle: Puzzle) -> None:
    board = bench.desk()
    with st.container(horizontal=True, vertical_alignment="center", key="learn-hints"):
        for number, hint in enumerate(puzzle.hints, 1):
            with st.popover(f"Hint {number}", icon=":material/lightbulb:"):
                st.markdown(hint)
        if here.is_shown(board):
            st.button(
                "Take the solution back",
                icon=":material/undo:",
                on_click=here.take_back,
                args=(board,),
            )
        else:
            st.button(
                "Show a solution",
                icon=":material/visibility:",
                on_click=here.show_solution,
                args=(board,),
                help="It is not ticked, and can be taken back.",
            )
        st.button(
            "Start this puzzle again",
            icon=":material/restart_alt:",
            on_click=here.choose_puzzle,
            args=(None, board),
        )


def values_table(lesson: Lesson) -> str:
    """Return value, places and v(N) without it of each point, as a Markdown table."""
    facts = facts_of(lesson)
    t = len(lesson.tests)
    lines = [
        "| point | class | value | among the k nearest of | $v(N)$ without it |",
        "|:-:|:-:|:-:|:-:|:-:|",
    ]
    lines += [
        f"| **{point.name}** | {point.label} | ${tex(facts.values[i])}$ | {facts.asked[i]} of {t} "
        f"| ${tex(facts.without[i])}$ |"
        for i, point in enumerate(lesson.points)
    ]
    total = sum(facts.values, Fraction(0))
    lines.append(f"| all of them | | ${tex(total)}$ | | ${tex(facts.whole)}$ |")
    return "\n".join(lines)
