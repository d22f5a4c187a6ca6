"""Talk to a running dashboard as a browser does, without one."""

from __future__ import annotations

from websockets.sync.client import ClientConnection, connect

from tests.browser.server import Server
from tests.patience import PATIENCE


def talk(server: Server) -> ClientConnection:
    """Begin a visit; it ends with the connection.

    As a browser, it waits for the server's answers however long they take, and asks for no
    signs of life meanwhile.
    """
    return connect(
        f"{server.url.replace('http', 'ws', 1)}/_stcore/stream",
        subprotocols=["streamlit"],
        max_size=None,
        open_timeout=PATIENCE,
        ping_interval=None,
    )
