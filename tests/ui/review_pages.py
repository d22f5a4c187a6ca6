"""The Review page, run without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.remembered import ReviewDesk
from tests.ui.upload_pages import finish, go, open_form, session, upload, words

APP = Path(__file__).parents[2] / "app.py"
_HEADING = re.compile(r"#### (?P<name>.+): given (?P<given>.+), suggested (?P<suggested>.+)")


def visit(**params: Any) -> AppTest:
    """Open the page by a link, with neighbours among the features unless it says otherwise."""
    at = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in params.items():
        at.query_params[name] = str(value)
    at.switch_page("pages/review.py").run()
    return finish(at)


def visit_upload(content: str | bytes, name: str = "table.csv", **params: Any) -> AppTest:
    """Upload a file and review it."""
    data = content.encode() if isinstance(content, str) else content
    at = upload(open_form(**{key: str(value) for key, value in params.items()}), name, data)
    assert not at.error, [error.value for error in at.error]
    return go(at, "review")


def shown(at: AppTest) -> Analysis:
    """Return the result that is reviewed."""
    found = session(at).desk(ResultDesk).shown
    assert found is not None
    return found


def in_view(at: AppTest) -> dict[str, str]:
    """Return name, given and suggested class of the point in view."""
    found = _HEADING.search(words(at))
    assert found is not None, words(at)
    return found.groupdict()


def press(at: AppTest, *keys: str) -> AppTest:
    """Press buttons one after the other and check that nothing goes wrong."""
    for key in keys:
        button = at.button(key=key)
        assert not button.disabled, key
        button.click().run()
        finish(at)
        assert not at.error, [error.value for error in at.error]
    return at


def look_at(at: AppTest, name: str) -> AppTest:
    """Go to a point by Next."""
    for _ in range(shown(at).dataset.n):
        if in_view(at)["name"] == name:
            return at
        press(at, "next")
    raise AssertionError(f"{name} is not in the queue")


def decisions(at: AppTest) -> dict[str, Decision]:
    """Return all decisions of the review about these data, by the name of the row."""
    record = session(at).desk(ReviewDesk).seen
    names = {change.key: change.name for step in record.steps for change in step.changes}
    return {names[key]: decision for key, decision in record.decisions.items()}


def progress(at: AppTest) -> tuple[int, int]:
    """Return how many flagged points are decided, and how many are flagged."""
    (line,) = [bar.proto.text for bar in at.get("progress")]
    done, of = re.findall(r"[\d,]+", line)
    return int(done.replace(",", "")), int(of.replace(",", ""))


def queue(at: AppTest) -> Any:
    """Return the table of the queue."""
    (table,) = [
        one.value for one in at.dataframe if list(one.value.columns[:2]) == ["id", "decision"]
    ]
    return table


def line(at: AppTest, value: float | None = None) -> float:
    """Return where points are flagged, after moving it there if asked to."""
    (slider,) = [one for one in at.slider if one.label == "Flag below"]
    if value is not None:
        finish(slider.set_value(value).run())
    (slider,) = [one for one in at.slider if one.label == "Flag below"]
    return float(slider.value)


def rank_by(at: AppTest, score: str) -> AppTest:
    """Choose the score that ranks."""
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    return finish(choice.select(score).run())
