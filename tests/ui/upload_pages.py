"""The Data page with an upload, run without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from stiknn_ui.visit.state import Session
from tests.patience import PATIENCE
from tests.ui.waiting import wait_for_page

APP = Path(__file__).parents[2] / "app.py"


def open_form(**params: str) -> AppTest:
    """Open the form for a file on the Data page."""
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in params.items():
        at.query_params[name] = value
    at.switch_page("pages/data.py").run()
    return at.segmented_control(key="data-source").set_value("upload").run()


def upload(at: AppTest, name: str, content: bytes) -> AppTest:
    """Add a file to the form."""
    at.file_uploader(key="upload-file").upload(name, content)
    return at.run()


def session(at: AppTest) -> Session:
    """Return what is remembered for this visitor."""
    found: Session = at.session_state["stiknn"]
    return found


def go(at: AppTest, page: str) -> AppTest:
    """Open another page and wait for its result."""
    at.switch_page(f"pages/{page}.py").run()
    return finish(at)


def finish(at: AppTest) -> AppTest:
    """Wait for what is being computed."""
    wait_for_page(at)
    assert not at.exception
    return at


def words(at: AppTest) -> str:
    """Return all text on the page, without the backslashes that protect it."""
    kinds = (at.markdown, at.caption, at.error, at.warning, at.info)
    said = [str(element.value) for kind in kinds for element in kind]
    text = "\n".join([*said, *(link.proto.label for link in at.get("page_link"))])
    return re.sub(r"\\(.)", r"\1", text)


def box(at: AppTest, label: str) -> Any:
    """Return the select box or radio with this label."""
    found = [one for one in [*at.selectbox, *at.radio] if one.label == label]
    assert len(found) == 1, [one.label for one in [*at.selectbox, *at.radio]]
    return found[0]
