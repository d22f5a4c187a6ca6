"""The downloads of a review: which files are offered, and what is in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.patience import PATIENCE
from tests.ui.waiting import wait_for_page

pytestmark = pytest.mark.slow

TRAIN = b"name,x,z,kind\n" + b"".join(
    b"T%d,%d,%d,%s\n" % (row, row, row % 3, b"ba"[row < 10 :][:1]) for row in range(20)
)
TEST = b"kind;z;x;more\n" + b"".join(b"%s;1;%d;-\n" % (b"ab"[x > 9 :][:1], x) for x in (1, 8, 15))

SCRIPT = """
from dataclasses import replace
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.visit import state
from stiknn_ui.results.analysis import analyse
from stiknn_ui.review import desk, effect_panel, exports_panel
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.flags import flags_for
from stiknn_ui.review.subject import training_points
from stiknn_ui.results.sources import build
from stiknn_ui.asked.spec import DataSpec, ViewSpec
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.uploads import session as uploads

here = state.session()
{setting}
dataset = uploads.dataset() if here.settings.data.source == "upload" else build(here.settings.data)
analysis = analyse(dataset, here.settings.data, replace(here.settings.compute, k=3))
decisions = {decisions}
if decisions:
    desk.decide(desk.changes_of(analysis, decisions))
    assert not here.desk(ReviewDesk).notice, here.desk(ReviewDesk).notice
subject = training_points(analysis, scores_of(analysis))
effect_panel.show(analysis, *desk.corrected(analysis))
flags = flags_for("quality", subject.scores["quality"])
exports_panel.downloads(subject, ViewSpec(), "quality", flags)
"""
UPLOAD = "uploads.receive('my pets.csv', TRAIN)"
Files = dict[str, bytes]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[AppTest, Files]]:
    """Run the panel as a page and take every file that it offers."""
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path))

    def run_it(setting: str, decisions: str, press: bool = False) -> tuple[AppTest, Files]:
        taken: Files = {}

        def take(label: str, *, data: Callable[[], bytes], file_name: str, **more: object) -> None:
            assert more["on_click"] == "ignore"
            taken[file_name] = data()

        monkeypatch.setattr(st, "download_button", take)
        script = f"TRAIN, TEST = {TRAIN!r}, {TEST!r}\n"
        script += SCRIPT.format(setting=setting, decisions=decisions)
        at = AppTest.from_string(script, default_timeout=PATIENCE).run()
        if press:
            wait_for_page(at.button(key="measure-effect").click().run())
        assert not at.exception, at.exception
        return at, taken

    return run_it


Run = Callable[..., tuple[AppTest, Files]]
DECISIONS = "{2: Decision('relabel', 'b', 'seen'), 4: Decision('remove'), 5: Decision('keep')}"


def cells(content: bytes, separator: str = ",") -> pd.DataFrame:
    return pd.read_csv(
        BytesIO(content), sep=separator, dtype=str, keep_default_na=False, encoding="utf-8-sig"
    )


def test_an_upload_comes_back_with_the_decisions_and_nothing_else_changed(run: Run) -> None:
    at, files = run(UPLOAD, DECISIONS)
    assert list(files) == [
        "corrected_my-pets.csv",
        "suspects_my-pets.csv",
        "suspects_my-pets.json",
        "label-studio_my-pets.json",
        "changes_my-pets.csv",
        "report_my-pets.html",
    ]
    expected = cells(TRAIN)
    expected.loc[2, "kind"] = "b"
    expected = expected.drop(index=4).reset_index(drop=True)
    pd.testing.assert_frame_equal(cells(files["corrected_my-pets.csv"]), expected)
    assert "every column and row of the upload" in at.caption[-1].value
    suspects = cells(files["suspects_my-pets.csv"]).set_index("id")
    assert len(suspects) == 20
    assert suspects.loc["T2", ["given", "decision", "new_label", "note"]].tolist() == [
        "a", "relabel", "b", "seen",
    ]  # fmt: skip
    assert suspects.loc["T4", "decision"] == "remove"
    assert {"quality", "value", "leave_one_out", "in_out", "row", "rarity", "setting_k"} <= set(
        suspects.columns
    )
    found = json.loads(files["suspects_my-pets.json"])["suspects"]
    assert {one["position"]: one["decision"] for one in found if one["decision"]} == {
        2: {"action": "relabel", "new_label": "b", "note": "seen"},
        4: {"action": "remove", "new_label": None, "note": ""},
        5: {"action": "keep", "new_label": None, "note": ""},
    }
    tasks = json.loads(files["label-studio_my-pets.json"])
    assert [one["data"]["table"]["name"] for one in tasks] == [one["id"] for one in found]
    assert sum("annotations" in one for one in tasks) == 3
    log = cells(files["changes_my-pets.csv"])
    assert sorted(log["id"]) == ["T2", "T4", "T5"]
    report = files["report_my-pets.html"].decode()
    assert "1 relabelled, 1 kept, 1 removed" in report
    assert "The effect was not measured." in report


def test_decisions_about_rows_left_out_of_a_sample_are_in_the_corrected_file(run: Run) -> None:
    """The second run works on a sample without the three rows."""
    sampled = f"{UPLOAD}\nstate.change('data', sample=here.newest_seq)\nhere.newest_seq = 6"
    at, files = run(sampled, f"{{}} if here.settings.data.sample else {DECISIONS}")
    before = files["corrected_my-pets.csv"]
    files.clear()
    at.run()
    assert not at.exception
    assert len(cells(files["suspects_my-pets.csv"])) == 6
    assert "more concern rows that are not in use here" in files["report_my-pets.html"].decode()
    assert files["corrected_my-pets.csv"] == before


def test_the_measured_effect_is_in_the_report(run: Run) -> None:
    _, files = run(UPLOAD, DECISIONS, press=True)
    report = files["report_my-pets.html"].decode()
    assert "With your decisions" in report
    assert "This speaks for these data only." in report
    assert "The effect was not measured." not in report


def test_a_test_file_is_corrected_apart(run: Run) -> None:
    setting = f"{UPLOAD}\nuploads.receive_test('exam.csv', TEST)"
    _, files = run(setting, "{2: Decision('relabel', 'b'), 21: Decision('relabel', 'b')}")
    train, test = files["corrected_my-pets.csv"], files["corrected-test_exam.csv"]
    expected = cells(TRAIN)
    expected.loc[2, "kind"] = "b"
    pd.testing.assert_frame_equal(cells(train), expected)
    expected = cells(TEST, ";")
    expected.loc[1, "kind"] = "b"
    pd.testing.assert_frame_equal(cells(test, ";"), expected)


def test_an_upload_with_noise_is_offered_as_it_is_here(run: Run) -> None:
    at, files = run(f"{UPLOAD}\nstate.change('data', copies=0.1)", DECISIONS)
    back = cells(files["corrected_my-pets.csv"])
    assert len(back) == 21
    assert list(back.columns) == ["id", "x", "z", "label"]
    assert "Noise was added" in at.caption[-1].value


def test_public_data_come_with_ids_and_truth(run: Run) -> None:
    _, files = run("state.use_data(DataSpec(n=40, seed=5))", "{0: Decision('remove')}")
    back = cells(files["corrected_circles.csv"])
    assert back["id"].tolist() == [str(row) for row in range(1, 40)]
    assert "true_label" in back.columns
    assert "Truth known" in files["report_circles.html"].decode()
