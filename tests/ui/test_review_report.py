"""The report of a review: whole, alone, and without a way in for what data hold."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec, ViewSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sharing import scene_of
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.report import build_report, decisions_line
from stiknn_ui.review.report_figures import scatter_of

EVIL = "<script>alert('x')</script>"
NO_CHANGES = pd.DataFrame(
    columns=["step", "at", "id", "old_label", "new_label", "action", "note", "undone"]
)


def report(**more: object) -> str:
    told: dict[str, object] = {
        "title": "t",
        "made": "2026-11-28 10:00 UTC",
        "summary": ["Three points are flagged."],
        "effect": [],
        "effect_table": None,
        "figures": [],
        "changes": NO_CHANGES,
        "settings": {"k": 5},
    }
    return build_report(**{**told, **more}).decode()  # type: ignore[arg-type]


class Page(HTMLParser):
    """The text outside of scripts, and every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


def changes() -> pd.DataFrame:
    rows = [
        (1, "2026-11-28T10:00:00Z", "P1", "a", "b", "relabel", "seen", False),
        (2, "2026-11-28T10:00:01Z", "P2", "a", "", "remove", EVIL, True),
    ]
    return pd.DataFrame(rows, columns=NO_CHANGES.columns)


def test_it_tells_settings_counts_effect_and_changes() -> None:
    table = pd.DataFrame({"labels": ["Before"], "likelihood": ["0.9000"]})
    page = Page(
        report(effect=["It rises."], effect_table=table, changes=changes(), title="my table")
    )
    for said in (
        "Label review of my table", "2026-11-28 10:00 UTC", "Three points are flagged.",
        "It rises.", "Before 0.9000", "k 5", "P1 a b relabel seen", "old label",
        "Steps that were undone are struck through.",
    ):  # fmt: skip
        assert said in page.text
    rows = [attrs for tag, attrs in page.tags if tag == "tr"]
    assert sum(attrs.get("class") == "undone" for attrs in rows) == 1


def test_what_was_not_done_is_said() -> None:
    text = Page(report()).text
    assert "The effect was not measured." in text
    assert "Nothing was decided." in text


def test_nothing_from_the_data_becomes_markup() -> None:
    page = Page(
        report(
            title=EVIL, summary=[EVIL], effect=[EVIL], changes=changes(), settings={EVIL: EVIL},
            effect_table=pd.DataFrame({EVIL: [EVIL]}), made=EVIL,
        )
    )  # fmt: skip
    assert page.count("script") == 0
    # Title twice, moment, summary, effect, its table twice, the note, and a setting twice.
    assert page.text.count(EVIL) == 10


def test_a_figure_cannot_close_its_script() -> None:
    figure = go.Figure(go.Scatter(x=[1], y=[1], name=EVIL, text=["</script><b>out</b>"]))
    text = report(figures=[("One", figure)])
    page = Page(text)
    assert "out" not in page.text
    assert EVIL not in text
    assert page.count("b") == 0


def test_the_library_comes_once_and_nothing_is_loaded_from_elsewhere() -> None:
    figures = [(f"Figure {place}", go.Figure(go.Scatter(x=[1], y=[1]))) for place in range(3)]
    text = report(figures=figures)
    assert 1_000_000 < len(text) < 8_000_000
    page = Page(text)
    assert [attrs for tag, attrs in page.tags if tag in ("script", "link", "img") and
            ("src" in attrs or "href" in attrs)] == []  # fmt: skip
    assert len(re.findall(r"Plotly\.newPlot\(", text)) >= 3
    assert len(report(figures=figures[:1])) > 0.9 * len(text)
    policy = next(attrs for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert policy["content"] is not None
    assert policy["content"].startswith("default-src 'none';")


def test_odd_letters_are_no_obstacle() -> None:
    assert "東京 Łódź" in report(title="東京 Łódź")
    assert "cut �" in report(title="cut \ud800").replace("?", "�")


def test_decisions_are_counted_by_kind() -> None:
    kinds = [Decision("relabel", "a"), Decision("skip"), Decision("relabel", "b")]
    assert decisions_line(kinds) == "Decisions in force: 2 relabelled. Still open: 1 skipped."
    noted = [Decision("", note="ask")]
    told = "No decision is in force. Still open: 1 with a note alone."
    assert decisions_line(noted) == told
    assert decisions_line([]) == "No decision is in force."


def traces(figure: go.Figure) -> dict[str, int]:
    return {html.unescape(trace.name): len(trace.x) for trace in figure.data}


def test_the_scatter_marks_what_was_changed(held_out: Analysis) -> None:
    labels = held_out.dataset.y.copy()
    removed = np.zeros(held_out.dataset.n, dtype=bool)
    inner = held_out.rows[held_out.codes == 0]
    outside = np.setdiff1d(np.arange(held_out.dataset.n), held_out.rows)
    labels[inner[:3]] = 1
    removed[inner[3:5]] = True
    labels[outside[:9]] = 1 - labels[outside[:9]]  # test rows are not in the picture
    figure = scatter_of(held_out, held_out.plane, labels, removed, np.arange(held_out.n))
    zeros, ones = int((held_out.codes == 0).sum()), int((held_out.codes == 1).sum())
    expected = {"0": zeros - 5, "1": ones + 3, "relabelled": 3, "removed": 2}
    assert traces(figure) == expected
    ringed = next(trace for trace in figure.data if trace.name == "relabelled")
    assert ringed.text[0] == f"{held_out.dataset.ids[inner[0]]}: 0 → 1"
    points = [int(np.flatnonzero(held_out.rows == row)[0]) for row in inner[:3]]
    assert np.array_equal(ringed.x, held_out.plane.xy[points, 0])


def test_names_in_the_scatter_are_escaped_and_new_classes_are_drawn() -> None:
    X = np.arange(12.0).reshape(6, 2) ** 1.5
    y = np.array(["<b>", "b", "<b>", "b", "<b>", "b"], dtype=object)
    ids = np.array([EVIL, "1", "2", "3", "4", "5"], dtype=object)
    data = DataSpec(source="upload", name="t.csv", flip=0.0, digest="d")
    analysis = analyse(Dataset(X, y, "t", ("<i>", "z"), ids), data, ComputeSpec(k=1))
    labels = y.copy()
    labels[0] = "<i>new"
    figure = scatter_of(analysis, analysis.plane, labels, np.zeros(6, dtype=bool), np.arange(6))
    assert set(traces(figure)) == {"<b>", "b", "<i>new", "relabelled"}
    assert not re.search(r"<[a-z]", str(figure.to_dict()["data"]))
    assert figure.layout.xaxis.title.text == "&lt;i&gt;"


def test_the_linked_view_of_the_result_stands_in_the_report(flipped: Analysis) -> None:
    text = report(view=scene_of(flipped, ViewSpec(order="class")))
    assert "Interactions, labels as given" in text
    held = json.loads(re.search(r'id="stiknn-scene"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    assert (held["n"], held["order"], held["whole"]) == (flipped.n, "class", False)
    assert len(text) < 1_500_000
