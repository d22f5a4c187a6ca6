"""The lesson and the puzzles of Learn in a browser, from the first bet to the last tick."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from stiknn_ui.learn.cards.deck import deck
from stiknn_ui.learn.cards.puzzles import PUZZLES, Puzzle
from stiknn_ui.learn.lesson import Lesson, written
from tests.browser.driver import settled
from tests.browser.test_accessibility import AXE, in_theme, stand_still, violations_at_rest

N = len(deck())
ALL_RIGHT = ".".join("".join(str(one.right + 1) for one in card.rounds) for card in deck())
ROUNDS = sum(len(card.rounds) for card in deck())


def open_page(page: Page, address: str, query: str = "") -> Locator:
    page.goto(f"{address}/learn?{query}")
    card = page.get_by_test_id("learn-card")
    card.or_(page.get_by_test_id("learn-board")).first.wait_for()
    settled(page)
    return card


def expect_at(card: Locator, number: int, made: int) -> None:
    """Wait for a card with so many bets on it."""
    expect(card).to_have_attribute("data-card", str(number + 1))
    expect(card).to_have_attribute("data-round", str(made + 1))


def expect_to_fit(card: Locator, height: int) -> None:
    """All that is to be pressed, and all that is said, is on the screen without scrolling."""
    for part in card.locator(
        ".card-bet, .card-next, .card-answer, .card-picture, .card-grid"
    ).all():
        box = part.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height, part.inner_text()


def test_the_whole_lesson_is_played_by_keys_and_fits_on_a_screen(
    page: Page, open_app: Callable[..., str]
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    card = open_page(page, open_app("app.py"))
    for number, one in enumerate(deck()):
        for made, each in enumerate(one.rounds):
            expect_at(card, number, made)
            assert card.locator(".card-bet").count() == len(each.choices)
            expect_to_fit(card, 768)
            # On the first card by the pointer, then by digits, and once a wrong one.
            choice = each.right if number else (each.right + 1) % len(each.choices)
            if number:
                page.keyboard.press(str(choice + 1))
            else:
                card.locator(".card-bet").nth(choice).click()
        expect_at(card, number, len(one.rounds))
        expect_to_fit(card, 768)
        expect(card.locator(".card-answer .card-verdict")).to_have_text(
            re.compile("^✓ Right" if number else "^✗ You said")
        )
        # The focus waits on what comes next.
        if number:
            expect(card.locator(".card-next")).to_be_visible()
        if one.dial == "orders":
            for count, drawn in (("1 order", "1"), ("10 orders", "11"), ("100 orders", "111")):
                card.get_by_text(count, exact=True).click()
                expect(card.get_by_test_id("card-drawn")).to_have_text(f"{drawn} drawn")
            expect_to_fit(card, 768)
        if one.dial == "tests":
            card.get_by_text("Mean of T1–T4", exact=True).click()
            expect(card.locator("figcaption", has_text="Mean over T1 to T4")).to_be_visible()
            expect_to_fit(card, 768)
        card.locator(".card-next").click()
    expect(card.get_by_test_id("card-score")).to_have_text(
        f"{ROUNDS - 1} of {ROUNDS} bets were right."
    )
    expect(page).to_have_url(re.compile(r"card=8&bets=.*&orders=111&tests_in=2"))

    # All of it is in the link: after a reload, and on the way back and forth.
    page.reload()
    expect(card.get_by_test_id("card-score")).to_contain_text(f"{ROUNDS - 1} of {ROUNDS}")
    expect(card.locator("[data-name=card-1]")).to_contain_text("✗")
    expect(card.locator("[data-name=card-2]")).to_contain_text("✓")
    settled(page)
    card.locator("[data-name=card-3]").click()
    expect_at(card, 2, 4)
    expect(page).to_have_url(re.compile("card=3"))
    page.go_back()
    expect(card.get_by_test_id("card-score")).to_be_visible()
    expect(page).to_have_url(re.compile("card=8"))
    page.go_forward()
    expect_at(card, 2, 4)
    settled(page)
    card.get_by_role("button", name="Start again").click()
    expect_at(card, 0, 0)
    expect(page).to_have_url(re.compile(r"card=1$"))


def test_a_phone_shows_every_card_without_scrolling_sideways(
    page: Page, open_app: Callable[..., str]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    address = open_app("app.py")
    for number, one in enumerate(deck()):
        for made in range(len(one.rounds) + 1):
            bets = "." * number + "".join(str(each.right + 1) for each in one.rounds[:made])
            card = open_page(page, address, f"card={number + 1}&bets={bets}&orders=111")
            expect_at(card, number, made)
            main = page.get_by_test_id("stMain")
            assert main.evaluate("main => main.scrollWidth <= main.clientWidth")
            expect_to_fit(card, 844)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_cards_puzzles_and_free_play(
    page: Page, open_app: Callable[..., str], scheme: str
) -> None:
    address = open_app("app.py")
    queries = [f"card={number + 1}&bets={ALL_RIGHT}&orders=11" for number in range(N + 1)]
    queries += ["card=2&bets=.21", "puzzle=3&zero=k", "mode=play"]
    page.set_viewport_size({"width": 1280, "height": 1400})
    for query in queries:
        open_page(page, address, query)
        in_theme(page, scheme)
        page.add_script_tag(path=AXE)
        stand_still(page)
        assert violations_at_rest(page) == [], query


def lay(page: Page, before: Lesson, after: Lesson) -> None:
    """Change the board by its boxes: classes and places, then k and test points."""
    for name, old, new in zip(after.names, before.points, after.points, strict=True):
        if old.label != new.label:
            fill(page, f"Class of {name}", new.label)
        if old.x != new.x:
            fill(page, f"x of {name}", written(new.x))
    if before.k != after.k:
        box = page.get_by_label("k neighbours")
        box.fill(str(after.k))
        box.press("Enter")
    settled(page)


def fill(page: Page, label: str, text: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Enter")
    settled(page)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.letter)
def test_a_puzzle_is_solved_on_the_board(
    page: Page, open_app: Callable[..., str], puzzle: Puzzle
) -> None:
    number = PUZZLES.index(puzzle) + 1
    open_page(page, open_app("app.py"), f"puzzle={number}")
    expect(page.get_by_text("Not yet.")).to_be_visible()
    page.get_by_role("button", name="Show a solution").click()
    expect(page.get_by_text("A solution:")).to_be_visible()
    expect(page).not_to_have_url(re.compile("solved"))
    page.get_by_role("button", name="Take the solution back").click()
    expect(page.get_by_text("Not yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Show a solution")).to_be_visible()
    settled(page)

    before = puzzle.start
    ways = [one for one in puzzle.solutions if len(one.tests) == len(before.tests)]
    for after in ways if puzzle.letter == "c" else ways[:1]:
        lay(page, before, after)
        said = puzzle.check(after).said
        expect(page.get_by_text(said)).to_be_visible()
        before = after
    expect(page.get_by_text("Solved.")).to_be_visible()
    expect(page).to_have_url(re.compile(f"solved={puzzle.letter}"))
    tick = page.get_by_role("radio", name=f"{number}. {puzzle.title} ✓").or_(
        page.get_by_role("button", name=f"{number}. {puzzle.title} ✓")
    )
    expect(tick.first).to_be_visible()
    page.reload()
    expect(tick.first).to_be_visible()
    expect(page.get_by_text("Solved.")).to_be_visible()


def test_learn_s_points_open_on_explore_and_a_point_s_neighbours_in_learn(
    page: Page, open_app: Callable[..., str]
) -> None:
    address = open_app("app.py")
    open_page(page, address, "preset=several")
    page.get_by_role("button", name="Open on Explore").click()
    view = page.locator('[data-testid="linked-view"][data-ready="true"]')
    view.wait_for()
    expect(page.get_by_text("learn_points.csv").first).to_be_visible()
    expect(page.get_by_role("spinbutton", name="k neighbours")).to_have_value("2")
    page.goto(f"{address}/point?dataset=circles&n=40&noise=0.1&flip=0&seed=1&k=3&point=5")
    way = page.get_by_role("link", name="This one and its 7 neighbours in Learn")
    way.wait_for()
    settled(page)
    way.click()
    board = page.get_by_test_id("learn-board")
    board.wait_for()
    assert len((board.get_attribute("data-order") or "").split(",")) == 7
    expect(page.get_by_text("The link holds something")).to_have_count(0)


def test_a_card_stands_in_a_frame_of_another_page(page: Page, open_app: Callable[..., str]) -> None:
    source = f"{open_app()}/learn?card=2&embed=true"
    page.set_content(f'<h1>A course</h1><iframe src="{source}" width="800" height="460"></iframe>')
    frame = page.frame_locator("iframe")
    card = frame.get_by_test_id("learn-card")
    expect_at(card, 1, 0)
    expect(frame.get_by_role("link", name="Explore")).to_have_count(0)
    card.get_by_role("button").filter(has_text="0").last.click()
    expect_at(card, 1, 1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_learn_prints_without_what_is_pressed_and_dark_on_white(
    page: Page, open_app: Callable[..., str], theme: str
) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    open_page(page, open_app("app.py"), "mode=play")
    page.emulate_media(media="print", color_scheme=theme)  # type: ignore[arg-type]
    expect(page.get_by_role("link", name="Explore")).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    expect(page.get_by_test_id("learn-board")).to_be_visible()
    turned = page.locator(".stApp").evaluate("app => getComputedStyle(app).filter")
    assert ("invert" in turned) == (theme == "dark")
