"""The Learn page in a browser: its steps are read from the screen and counted again here."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import settled

# Distances to T1 at 0 are the places; class a is right. Nearest first: B, D, A, C, E.
POINTS = {"A": (4, "b"), "B": (1, "a"), "C": (6, "a"), "D": (2, "b"), "E": (9, "a")}
K = 2
LINK = (
    "points=" + "~".join(f"{name}_{x}_{c}" for name, (x, c) in POINTS.items()) + f"&tests=0_a&k={K}"
)
Cells = dict[tuple[int, int], Fraction]


def expected_steps(labels: list[str], k: int) -> list[Cells]:
    """The upper triangle after each step, straight from the paper's lines; ranks from 1."""
    n = len(labels)
    u = [Fraction(0), *(Fraction(label == "a", k) for label in labels)]
    phi: Cells = {}
    after = [dict(phi)]
    phi[n - 1, n] = -Fraction(2 * (n - k), n * (n - 1)) * u[n]
    after.append(dict(phi))
    for j in range(n, 2, -1):
        rise = Fraction(2 * (j - k - 1), (j - 2) * (j - 1)) * (u[j] - u[j - 1]) if j > k + 1 else 0
        phi[j - 2, j - 1] = phi[j - 1, j] + rise
        after.append(dict(phi))
    for j in range(3, n + 1):
        for i in range(j - 2, 0, -1):
            phi[i, j] = phi[i + 1, j]
            after.append(dict(phi))
    return after


def shown_cells(part: Locator) -> Cells:
    """The upper triangle as it stands on the screen: the digits themselves, not what they mean."""
    found = part.locator(".learn-matrix td[data-row]").evaluate_all(
        """cells => cells.map(cell => [
            Number(cell.dataset.row) + 1, Number(cell.dataset.column) + 1, cell.textContent])"""
    )
    return {
        (row, column): Fraction(text.replace("\N{MINUS SIGN}", "-"))
        for row, column, text in found
        if row < column and text not in ("", "·")
    }


def open_page(page: Page, address: str, query: str) -> Locator:
    page.goto(f"{address}/learn?{query}")
    part = page.get_by_test_id("learn-steps")
    part.wait_for()
    settled(page)
    return part


def test_algorithm_1_forward_back_and_to_the_end(page: Page, open_app: Callable[..., str]) -> None:
    steps = open_page(page, open_app("app.py"), f"{LINK}&pair=1-4")
    labels = [label for _, label in sorted(POINTS.values())]
    after = expected_steps(labels, K)
    names = steps.locator(".learn-matrix th[scope=col]")
    assert names.all_inner_texts() == ["B", "D", "A", "C", "E"]
    forward, back = (
        steps.get_by_role("button", name="Forward"),
        steps.get_by_role("button", name="Back"),
    )
    sentences = set()
    for number, cells in enumerate(after):
        expect(steps).to_have_attribute("data-step", str(number))
        assert shown_cells(steps) == cells
        sentences.add(steps.locator(".learn-sentence").inner_text())
        forward.click()
    assert len(sentences) == len(after)
    expect(steps).to_have_attribute("data-kind", "done")
    expect(forward).to_be_disabled()

    # Both numbers of D and A, on the screen: by the algorithm, and by the sum over subsets.
    at = after[-1][2, 3]
    for place in ("learn-total", "learn-found"):
        text = page.get_by_test_id(place).text_content() or ""
        assert Fraction(text.replace("\N{MINUS SIGN}", "-")) == at
    expect(steps.locator(".learn-verdict")).to_contain_text("✓")

    back.click()
    back.click()
    expect(steps).to_have_attribute("data-step", str(len(after) - 2))
    assert shown_cells(steps) == after[-2]
    steps.focus()
    page.keyboard.press("Home")
    assert shown_cells(steps) == {}
    page.keyboard.press("ArrowRight")
    assert shown_cells(steps) == after[1]

    steps.get_by_role("button", name="Last").click()
    back.click()
    back.click()
    steps.get_by_role("button", name="Play").click()
    expect(steps).to_have_attribute("data-playing", "true")
    expect(steps).to_have_attribute("data-kind", "done")
    expect(steps).to_have_attribute("data-playing", "false")
    assert shown_cells(steps) == after[-1]
    expect(page).to_have_url(re.compile(f"step={len(after)}"))


def test_a_dragged_point_changes_its_rank_and_a_link_opens_a_state(
    page: Page, open_app: Callable[..., str]
) -> None:
    link = "preset=several&test=3&pair=2-5&subset=1-2&step=4&taken=2"
    steps = open_page(page, open_app("app.py"), link)
    expect(steps).to_have_attribute("data-step", "4")
    expect(page.get_by_test_id("learn-averages")).to_have_attribute("data-taken", "2")
    board = page.get_by_test_id("learn-board")
    expect(board).to_have_attribute("data-order", "B,E,D,C,A,F")
    chip = page.get_by_test_id("learn-subsets").locator("[data-mask='3']")
    expect(chip).to_have_attribute("aria-pressed", "true")

    # The pair is marked, and where another is chosen in the matrix, that one.
    letters = board.locator(".learn-letter")
    assert letters.all_text_contents() == ["", "i", "", "", "j", "", "", "", ""]
    page.get_by_test_id("learn-matrix").locator("[data-pair='3,0']").click()
    expect(letters.nth(3)).to_have_text("i")
    assert letters.all_text_contents() == ["j", "", "", "i", "", "", "", "", ""]
    label = page.get_by_test_id("learn-point-4").get_attribute("aria-label")
    assert ", i of the pair. Arrow keys" in label

    # A is dragged onto the test point T3 and is its nearest then; Python says so too.
    mark, goal = page.get_by_test_id("learn-point-1"), page.get_by_test_id("learn-test-3")
    mark.scroll_into_view_if_needed()
    start, end = (
        mark.locator(".learn-shape").bounding_box(),
        goal.locator(".learn-shape").bounding_box(),
    )
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    expect(board).to_have_attribute("data-order", "A,B,E,D,C,F")
    page.mouse.up()
    table = page.locator("table", has_text="distance")
    expect(table.locator("tbody tr").first).to_contain_text("A")
    expect(table.locator("tbody tr").first).to_contain_text("0")
    expect(steps.locator(".learn-matrix th[scope=col]").first).to_have_text("A")
    expect(page).to_have_url(re.compile("points=A_4.5_7.5_a"))

    # By keys as well, and a subset is lit up on the board.
    mark.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(table.locator("tbody tr").first).to_contain_text("1")
    page.get_by_test_id("learn-subsets").locator("[data-mask='1']").click()
    expect(page.locator("[data-testid=learn-point-1].learn-lit")).to_have_count(1)
    expect(page.locator(".learn-point.learn-idle")).to_have_count(5)
    page.get_by_test_id("learn-averages").get_by_role("button", name="Take in the next").click()
    expect(page.get_by_test_id("learn-averages")).to_have_attribute("data-taken", "3")
    expect(page).to_have_url(re.compile("taken=3"))


def test_a_box_shows_the_place_that_is_computed_with_and_says_so(
    page: Page, open_app: Callable[..., str]
) -> None:
    open_page(page, open_app("app.py"), LINK)
    box = page.get_by_label("x of A")
    note = page.locator(".learn-hint")
    height = note.evaluate("hint => hint.offsetHeight")
    for typed, kept in (("-3", "0"), ("11", "10"), ("2.55", "2.6"), ("", "2.6"), ("12", "10")):
        box.fill(typed)
        box.press("Enter")  # which leaves the focus where it is
        expect(box).to_have_value(kept)
        expect(note).to_have_text(f"Places are tenths from 0 to 10, so x of A is {kept}.")
        expect(page).to_have_url(re.compile(f"points=A_{re.escape(kept)}_b"))
        assert note.evaluate("hint => hint.offsetHeight") == height, "the table stays"
    settled(page)
    box.fill("2.5")
    box.press("Tab")
    expect(note).to_contain_text("Drag the points")
    expect(box).to_have_value("2.5")
    expect(page).to_have_url(re.compile("points=A_2.5_b"))


@pytest.mark.parametrize("preset", ["paper-2.1", "tie", "several"])
def test_board_and_matrix_are_seen_together_and_stay_where_they_are_while_a_point_moves(
    page: Page, open_app: Callable[..., str], preset: str
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    open_page(page, open_app("app.py"), f"preset={preset}")
    parts = [page.locator(".learn-plot"), page.locator("[data-testid=learn-matrix] table")]

    def places() -> list[tuple[float, ...]]:
        boxes = [part.bounding_box() for part in parts]
        assert all(boxes)
        return [tuple(box.values()) for box in boxes if box]

    before = places()
    for x, y, width, height in before:
        assert x >= 0
        assert y >= 0
        assert x + width <= 1024
        assert y + height <= 768

    # Over other points and the test point, to the far end, and dropped away from the example.
    mark = page.get_by_test_id("learn-point-1").locator(".learn-shape").bounding_box()
    assert mark is not None
    x, y = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 30):
        page.mouse.move(x + 10 * step, y)
        assert places()[0] == before[0]
    page.mouse.up()
    expect(page.get_by_text("These are points of your own")).to_be_visible()
    settled(page)
    assert places()[0] == before[0]
    assert places()[1][:2] == before[1][:2]
