"""The Review page, run without a browser: what it tells the card, and what the card asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.review import card
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.page import FILES, MORE
from stiknn_ui.review.remembered import ReviewDesk
from tests.patience import PATIENCE
from tests.ui.upload_pages import finish, go, open_form, session, upload
from tests.ui.view_bytes import names_in, read_packed

APP = Path(__file__).parents[2] / "app.py"


def visit(**params: Any) -> AppTest:
    """Open the page by a link, with neighbours among the features unless it says otherwise."""
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
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


def _part(at: AppTest, key: str) -> Any:
    (found,) = [one for one in at.get("bidi_component") if one.key == key]
    return found.proto


def message(at: AppTest) -> dict[str, Any]:
    """Return what the card is told."""
    found: dict[str, Any] = json.loads(_part(at, card.KEY).json)
    return found


def content(at: AppTest, kind: str = "points") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and arrays of a part of what the card draws."""
    return read_packed(_part(at, f"{card.KEY}-{kind}").bytes)


def window(at: AppTest) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and arrays of what the cards of a few points show."""
    return content(at, "window")


def names(at: AppTest) -> list[str]:
    """Return what the points are called, by number."""
    return names_in(content(at)[1])


def ranked(at: AppTest) -> list[str]:
    """Return the points, most suspicious first."""
    called = names(at)
    return [called[point] for point in content(at, "order")[1]["order"]]


def all_told(at: AppTest) -> dict[int, list[str]]:
    """Return all decisions that the card is told of, by point: [action, label, note]."""
    header, arrays = content(at, "decided")
    pairs = zip(arrays["points"].tolist(), arrays["codes"].tolist(), strict=True)
    found = {point: header["kinds"][code - 1] for point, code in pairs}
    for point, decision in message(at)["decisions"]:
        found.pop(point, None)
        if decision is not None:
            found[point] = decision
    return found


def ask(at: AppTest, *asked: dict[str, Any]) -> AppTest:
    """Send operations as a browser does: with numbers, all in one message."""
    said = message(at)
    done = said["heard"].get("test", 0)
    operations = [{"client": "test", "number": done + 1 + i, **one} for i, one in enumerate(asked)]
    outbox = {"scope": said["scope"], "review": said["review"], "operations": operations}
    return report(at, outbox=outbox)


def report(at: AppTest, **reported: Any) -> AppTest:
    """Send what a browser reports."""
    at.session_state[card.KEY] = reported
    return _run(at)


def ask_for(at: AppTest, points: list[Any], **more: Any) -> AppTest:
    """Ask for what the cards of some points show."""
    content = message(at)["contents"]["points"]
    at.session_state[card.WINDOW] = {"ask": {"content": content, "points": points} | more}
    return _run(at)


def _run(at: AppTest) -> AppTest:
    finish(at.run())
    assert not at.error, [error.value for error in at.error]
    return at


def decide(at: AppTest, *wanted: tuple[str, Decision | None]) -> AppTest:
    """Decide about points by name, each as a step of its own."""
    held, called = all_told(at), names(at)
    asked = []
    for name, decision in wanted:
        point = called.index(name)
        after = None if decision is None else [decision.action, decision.label, decision.note]
        asked.append({"kind": "set", "changes": [[point, held.get(point), after]]})
        held[point] = after
    return ask(at, *asked)


def turn(at: AppTest, kind: str) -> AppTest:
    """Undo or redo the newest step."""
    steps = message(at)["undoable" if kind == "undo" else "redoable"]
    return ask(at, {"kind": kind, "step": steps[-1]["step"]})


def decisions(at: AppTest) -> dict[str, Decision]:
    """Return all decisions of the review about these data, by the name of the row."""
    record = session(at).desk(ReviewDesk).seen
    called = {change.key: change.name for step in record.steps for change in step.changes}
    return {called[key]: decision for key, decision in record.decisions.items()}


def press(at: AppTest, *keys: str) -> AppTest:
    """Press buttons of the page one after the other and check that nothing goes wrong."""
    for key in keys:
        button = at.button(key=key)
        assert not button.disabled, key
        finish(button.click().run())
        assert not at.error, [error.value for error in at.error]
    return at


def line(at: AppTest, value: float | None = None) -> float:
    """Return where points are flagged, after moving it there if asked to."""
    if value is not None:
        report(at, line={"name": message(at)["line"]["name"], "value": value})
    return float(message(at)["line"]["value"])


def rank_by(at: AppTest, score: str) -> AppTest:
    """Choose the score that ranks."""
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    return finish(choice.select(score).run())


def opened(at: AppTest, *parts: str) -> AppTest:
    """Open what is closed at first: the files, and what is below the card."""
    for part in parts or (FILES, MORE):
        at.session_state[part] = True
    return finish(at.run())
