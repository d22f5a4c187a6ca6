"""What a page still asks for when its visitor has gone on does nothing to the next page."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.driver import begun

LATER = (0.0, 0.1, 0.2)  # seconds from one to the next


def test_a_look_at_progress_that_arrives_behind_the_click_on_a_link(
    page: Page, open_app: Callable[..., str]
) -> None:
    looks: list[Any] = []
    late: list[Any] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: Any) -> None:
            server.send(message)
            if BackMsg.FromString(message).rerun_script.fragment_id:
                looks.append(message)
            elif looks and not late:
                late.append(looks[-1])
                for seconds in LATER:
                    time.sleep(seconds)
                    server.send(late[0])

        socket.on_message(pass_on)

    page.route_web_socket(lambda _: True, between)
    page.goto(f"{open_app('app.py')}/explore?dataset=circles&n=4000&k=7&index=SII")
    begun(page)
    page.wait_for_timeout(600)  # the browser looks at the progress four times a second
    page.locator(".st-key-page-links").get_by_role("link", name="Compare").click()
    expect(page.get_by_text("A: k = 7 · B: k = 20.").first).to_be_visible()
    assert late
    page.wait_for_timeout(600)
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_attached()
