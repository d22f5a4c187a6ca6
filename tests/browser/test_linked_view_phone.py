"""The linked view on a narrow screen that is touched."""

import pytest
from playwright.sync_api import expect

from tests.browser.driver import View

APP = "tests/browser/apps/linked_view_app.py"
N = 60
KINDS = 3  # point i is of kind i % 3


@pytest.fixture
def view(page, open_app, wait_for_view):
    page.goto(f"{open_app(APP)}/?n={N}&classes={KINDS}")
    wait_for_view()
    return View(page)


class TestPhone:
    """A narrow screen that is touched."""

    @pytest.fixture
    def context_options(self):
        return {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def test_fits_taps_and_scrolls(self, view):
        page = view.page
        matrix = page.get_by_test_id("matrix").bounding_box()
        scatter = page.get_by_test_id("scatter").bounding_box()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert matrix["x"] >= 0
        assert matrix["x"] + matrix["width"] <= 390
        assert scatter["y"] > matrix["y"] + matrix["height"], "plots stand side by side"

        page.touchscreen.tap(*view.spot("matrix", 25.5, 5.5))
        view.expect_lit(20, 20, "block")

        self.swipe(page, view.spot("matrix", 30, 40), 0, -250)
        page.wait_for_function(
            """(wanted) => {
                const matrix = document.querySelector('[data-testid="matrix"]');
                return matrix.getBoundingClientRect().y < wanted;
            }""",
            arg=matrix["y"] - 150,  # a finger on the plot scrolls the page
        )
        view.expect_lit(20, 20, "block")

    def test_swipe_to_the_side_selects(self, view):
        self.swipe(view.page, view.spot("matrix", 10.5, 10.5), 120, 40)

        expect(view.root).to_have_attribute("data-selection", "drag")
        view.in_python(origin="drag")

    @staticmethod
    def swipe(page, start, dx, dy):
        session = page.context.new_cdp_session(page)

        def touch(kind, part=None):
            points = [] if part is None else [(start[0] + part * dx, start[1] + part * dy)]
            spots = [{"x": x, "y": y} for x, y in points]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})
            page.evaluate("new Promise(requestAnimationFrame)")

        touch("touchStart", 0)
        for step in range(1, 13):
            touch("touchMove", step / 12)
        touch("touchEnd")
