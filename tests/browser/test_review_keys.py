"""Keys of the review: answered at once, written in order, and never lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from stiknn_ui.review.journal import Journal
from tests.browser.driver import settled
from tests.browser.review_card import CARD, TITLE, count, in_view, press, ready, saved
from tests.browser.server import Server

LINK = "dataset=circles&n=120&noise=0.1&flip=0.2&seed=1&k=5&space=features"
PAUSE = 100  # ms: ten keys a second


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module alone, with a place of its own for decisions."""
    place = tmp_path_factory.mktemp("review")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("STIKNN_HOME", str(place / "home"))
        running = Server("app.py", place / "server.log")
        running.wait()
        yield running
        running.stop()


def open_review(page: Page, server: Server, link: str = LINK) -> None:
    page.goto(f"{server.url}/review?{link}")
    ready(page)
    settled(page)


def type_keys(page: Page, keys: str) -> list[tuple[str, str]]:
    """Press keys ten times a second; return name of the point and key of each."""
    pressed = []
    for key in keys:
        pressed.append((in_view(page)["name"], key))
        page.keyboard.press(key)
        page.wait_for_timeout(PAUSE)
    return pressed


def written(server: Server, page: Page) -> list[tuple[str, str]]:
    """Return name and action of all steps that are in the file of decisions, oldest first."""
    found = re.search(r"review=([\w-]{22})", page.url)
    assert found, page.url
    (path,) = server.log.parent.glob("home/reviews.sqlite")
    journal = Journal(path)
    record = journal.record(found[1])
    journal.close()
    assert record is not None
    changes = [change for step in record.steps if not step.undone for change in step.changes]
    return [(change.name, change.after.action if change.after else "") for change in changes]


ACTIONS = {"k": "keep", "x": "remove", "s": "skip"}


def expected(pressed: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, ACTIONS[key]) for name, key in pressed]


def test_ten_keys_a_second_are_all_recorded_in_order(server: Server, page: Page) -> None:
    open_review(page, server)
    pressed = type_keys(page, "kxskkxskkxkxkksk")
    assert len({name for name, _ in pressed}) == len(pressed), "each key met another point"
    saved(page)
    assert written(server, page) == expected(pressed)
    decided = sum(key != "s" for _, key in pressed)
    count(page, decided, skipped=len(pressed) - decided)


def test_a_key_is_answered_while_the_server_stands_still(server: Server, page: Page) -> None:
    open_review(page, server)
    press(page, "k")
    saved(page)
    server.pause()
    try:
        pressed = []
        for key in "kxsk":
            pressed.append((in_view(page)["name"], key))
            press(page, key)
        page.keyboard.press("u")
        expect(page.locator(TITLE)).to_contain_text(pressed[-1][0])
        count(page, 3, skipped=1)
        expect(page.locator(CARD)).to_have_attribute("data-waiting", "5")
        expect(page.get_by_role("status").filter(has_text="Saving")).to_be_visible()
    finally:
        server.resume()
    saved(page)
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert written(server, page)[1:] == expected(pressed)[:-1]


def test_a_reload_in_the_middle_loses_nothing(server: Server, page: Page) -> None:
    open_review(page, server)
    press(page, "k")
    saved(page)
    expect(page).to_have_url(re.compile("review="))
    server.pause()
    try:
        pressed = type_keys(page, "xks")
        page.keyboard.press("u")
        page.keyboard.press("y")
        page.wait_for_timeout(PAUSE)
        page.evaluate("() => { setTimeout(() => location.reload(), 0); }")
        page.wait_for_timeout(300)
    finally:
        server.resume()
    page.wait_for_load_state()
    ready(page)
    saved(page)
    count(page, 3, skipped=1)
    assert written(server, page)[1:] == expected(pressed)


def test_a_reload_before_the_first_answer_loses_nothing(server: Server, page: Page) -> None:
    open_review(page, server)
    server.pause()
    try:
        pressed = type_keys(page, "xks")
        page.evaluate("() => { setTimeout(() => location.reload(), 0); }")
        page.wait_for_timeout(300)
    finally:
        server.resume()
    page.wait_for_load_state()
    ready(page)
    saved(page)
    count(page, 2, skipped=1)
    expect(page).to_have_url(re.compile("review="))
    assert written(server, page) == expected(pressed)


def test_a_dropped_connection_loses_nothing(server: Server, browser, tmp_path: Path) -> None:
    """The network goes away for a while, and every socket with it."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(
        """{
            const Plain = window.WebSocket;
            window.sockets = [];
            window.WebSocket = class extends Plain {
                constructor(...given) { super(...given); window.sockets.push(this); }
            };
        }"""
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_review(page, server)
    pressed = type_keys(page, "kx")
    context.set_offline(True)
    page.evaluate("() => window.sockets.forEach((socket) => socket.close())")
    pressed += type_keys(page, "ksxk")
    context.set_offline(False)
    pressed += type_keys(page, "kx")
    saved(page)
    assert written(server, page) == expected(pressed)
    count(page, 7, skipped=1)
    assert not errors
    context.close()


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (1920, 1080)])
def test_queue_and_card_are_one_screen(server: Server, page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    open_review(page, server)
    for part in (".stiknn-review-card", ".stiknn-review-queue", *PARTS):
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["width"] > 40, part
        assert box["height"] > 10, part
        assert box["x"] >= 0, part
        assert box["y"] >= 0, part
        assert box["x"] + box["width"] <= width, part
        assert box["y"] + box["height"] <= height, part
    across = page.evaluate("document.documentElement.scrollWidth")
    assert across <= width


PARTS = (
    TITLE,
    ".stiknn-review-reason",
    ".stiknn-review-actions",
    ".stiknn-review-plane",
    ".stiknn-review-support",
    ".stiknn-review-nearest table",
    ".stiknn-review-rows",
    ".stiknn-review-histogram",
    ".stiknn-review-list",
    ".stiknn-review-progress",
)


def test_on_a_phone_the_card_comes_first_and_nothing_is_cut(server: Server, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_review(page, server)
    card = page.locator(".stiknn-review-card").bounding_box()
    queue = page.locator(".stiknn-review-queue").bounding_box()
    assert card is not None
    assert queue is not None
    assert card["y"] < queue["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    before = in_view(page)
    page.get_by_role("button", name=re.compile("^Keep")).click()
    expect(page.locator(TITLE)).not_to_contain_text(f"{before['name']}:")


def test_a_queue_of_hundreds_of_thousands_has_few_elements(page: Page, run_js) -> None:
    found = run_js(
        ["review/list.js"],
        """(() => {
            const list = new QueueList(
                (place) => ({ name: `P${place}`, told: "", score: "0.1", flagged: true }),
                () => {},
            );
            list.root.style.cssText = "height: 300px; overflow: auto; position: relative";
            document.body.append(list.root);
            for (let place = 0; place < 50; place++) list.update(300000, 5000 * place);
            return [list.space.childElementCount, list.space.textContent.includes("P245000")];
        })()""",
    )
    assert found[0] < 40
    assert found[1]


def test_a_click_on_a_row_is_heard_though_the_queue_is_drawn_anew_under_it(
    page: Page, run_js
) -> None:
    run_js(
        ["review/list.js"],
        """(() => {
            window.picked = [];
            window.list = new QueueList(
                (place) => ({ name: `P${place}`, told: "", score: "0.1", flagged: true }),
                (place) => window.picked.push(place),
            );
            list.root.style.cssText = "height: 300px; overflow: auto; position: relative";
            document.body.append(list.root);
            list.update(9, 0);
            for (const row of list.space.children) row.style.position = "static";
        })()""",
    )
    page.locator("[data-place='3']").hover()
    page.mouse.down()
    page.evaluate(
        "list.update(9, 1); for (const row of list.space.children) row.style.position = 'static';"
    )
    page.mouse.up()
    assert page.evaluate("picked") == [3]
