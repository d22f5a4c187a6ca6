"""One class mistaken for another: computed when it is to rank, on Suspects and on Review."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.labels.opinions import second_opinion
from stiknn_ui.asked.spec import ComputeSpec, DataSpec, ViewSpec
from stiknn_ui.page import opinion as page_opinion
from stiknn_ui.page import panels
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.opinions import opinion_key, opinion_on, opinion_seconds
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import threshold
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.exports import suspects_csv
from stiknn_ui.review.flags import flags_for
from stiknn_ui.review.subject import Subject, training_points
from stiknn_ui.words import cutting
from tests.patience import PATIENCE
from tests.ui.review_pages import content, decide, line, message, rank_by, ranked, visit, window
from tests.ui.upload_pages import box, finish, words
from tests.ui.waiting import job_of

APP = Path(__file__).parents[2] / "app.py"
KEEP, REMOVE = Decision("keep"), Decision("remove")
LINK = {"dataset": "moons", "n": 60, "flip": 0.1, "seed": 1, "space": "forest"}
DATA = DataSpec(n=80, flip=0.1, seed=2)


def analysis_in(space: Any, **compute: Any) -> Analysis:
    return analyse(build(DATA), DATA, ComputeSpec(space=space, **compute))


@pytest.fixture(scope="module")
def forest() -> Analysis:
    return analysis_in("forest")


def subject_of(analysis: Analysis) -> Subject:
    found = opinion_on(analysis)
    return training_points(analysis, {**scores_of(analysis), "confusion": found.score}, found)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_shelves: None) -> None:
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path))


@pytest.fixture
def held(page: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Hold the second opinion up until the event is set."""
    go = threading.Event()

    def slow(analysis: Any, progress: Any) -> Any:
        while not go.wait(0.01):
            progress(1, 2)
        return opinion_on(analysis, progress)

    monkeypatch.setattr(page_opinion, "opinion_on", slow)
    yield go
    go.set()


def suspects(**params: Any) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in params.items():
        at.query_params[name] = str(value)
    return at.switch_page("pages/suspects.py").run()


def table(at: AppTest) -> pd.DataFrame:
    return next(one.value for one in at.dataframe if "suggested" in one.value)


# -- what is said --------------------------------------------------------------------------


def test_the_estimate_is_said_with_its_range() -> None:
    said = cutting.expected_line(1_040, 30.4, 12.2, 38.0)
    assert said == (
        "Of these 1,040, about 30 may be wrong (12 to 38 in four of five tables this was "
        "measured on)."
    )
    assert cutting.expected_line(0, 0.0, 0.0, 0.0) == ""


@pytest.mark.parametrize(
    ("decided", "wrong", "said"),
    [
        (4, 4, ""),
        (5, 0, "Of the 5 you decided, none were wrong."),
        (5, 1, "Of the 5 you decided, 1 was wrong."),
        (1_200, 9, "Of the 1,200 you decided, 9 were wrong."),
    ],
)
def test_decisions_say_something_when_there_are_some(decided: int, wrong: int, said: str) -> None:
    assert cutting.decided_line(decided, wrong) == said


def test_the_estimate_is_that_of_the_flagged_and_of_the_forest_alone(forest: Analysis) -> None:
    subject = subject_of(forest)
    scores = subject.scores["confusion"]
    flags = flags_for("confusion", scores, float(np.quantile(scores, 0.2)))
    m = int((scores < flags.threshold).sum())
    assert 0 < m < len(scores)
    assert subject.expected is not None
    told = threshold.expected_line(subject, "confusion", flags)
    assert told == cutting.expected_line(m, *subject.expected.among(m))
    assert told.startswith(f"Of these {m}, about ")
    assert threshold.expected_line(subject, "quality", flags) == ""
    features = subject_of(analysis_in("features"))
    assert threshold.expected_line(features, "confusion", flags) == ""


def test_skipped_and_noted_points_are_not_decided(forest: Analysis) -> None:
    kinds = (KEEP, REMOVE, Decision("relabel", "1"), Decision("skip"), Decision("", "", "a note"))
    codes = np.zeros(forest.dataset.n, dtype=np.int64)
    codes[:8] = [1, 1, 2, 3, 3, 4, 5, 0]
    said = threshold.found_line(subject_of(forest), Decided(codes, kinds))
    assert said == "Of the 5 you decided, 3 were wrong."


def test_at_first_as_many_are_flagged_as_have_another_class_suggested(forest: Analysis) -> None:
    subject = subject_of(forest)
    doubted = int(subject.doubted.sum())
    scores = subject.scores["confusion"]
    flags = flags_for("confusion", scores, doubted=doubted)
    assert flags.of(scores).sum() >= doubted > 0
    assert (scores < flags.threshold - flags.step).sum() < doubted


# -- what is computed ----------------------------------------------------------------------


@pytest.mark.parametrize("space", ["features", "forest"])
def test_it_is_that_of_the_package(space: Any) -> None:
    found = analysis_in(space, evaluation="hold-out", share=0.3)
    rows, forest = found.rows, found.given.forest
    ref = second_opinion(found.dataset.X[rows], found.dataset.y[rows], found.support, forest)
    comp = opinion_on(found)
    np.testing.assert_array_equal(comp.score, ref.score)
    assert list(comp.opinions) == list(ref.opinions)
    assert len(comp.opinions) == (3 if space == "forest" else 2)


def test_files_hold_it_when_it_ranks(forest: Analysis) -> None:
    subject = subject_of(forest)
    file = suspects_csv(subject, "confusion", {}, {})
    told = pd.read_csv(io.BytesIO(file), encoding="utf-8-sig")
    np.testing.assert_array_equal(told["confusion"], np.sort(subject.scores["confusion"]))


@pytest.mark.usefixtures("empty_shelves")
def test_points_hold_it_when_it_ranks_and_only_then(forest: Analysis) -> None:
    def points(by: Any) -> pd.DataFrame:
        file = panels._points_csv(forest, ViewSpec(rank_by=by), None, forest.plane)
        return pd.read_csv(io.BytesIO(file), encoding="utf-8-sig")

    assert "confusion" not in points("confusion"), "not computed yet"
    kept.opinions().put(opinion_key(forest), opinion_on(forest))
    assert points("confusion")["confusion"].is_monotonic_increasing
    assert "confusion" not in points("quality")


def test_the_estimate_of_its_time_grows_and_is_bounded() -> None:
    times = [opinion_seconds(n, 20, 4) for n in (100, 2_000, 20_000)]
    assert times == sorted(times)
    assert 5 < opinion_seconds(100_000, 20, 4) < opinion_seconds(1_000_000, 20, 4) < 20


# -- the pages -----------------------------------------------------------------------------


@pytest.mark.slow
def test_suspects_keep_the_usual_ranking_until_it_is_there(held: threading.Event) -> None:
    at = finish(suspects(**LINK))
    usual = table(at)
    assert "confusion" not in usual
    box(at, "Rank by").select("confusion").run()
    assert not at.exception
    pd.testing.assert_frame_equal(table(at), usual)
    assert "Ranked by label quality until then." in words(at)
    assert "may be wrong" not in words(at)
    held.set()
    finish(at)
    assert table(at)["confusion"].is_monotonic_increasing
    assert "Ranked by label quality" not in words(at)
    assert re.search(r"Of the [\d,]+ most suspicious, about [\d,]+ may be wrong", words(at))
    assert "confusion" in at.query_params["rank"]
    box(at, "Rank by").select("quality").run()
    pd.testing.assert_frame_equal(table(at), usual)


@pytest.mark.slow
def test_it_can_be_stopped_and_asked_for_again(held: threading.Event) -> None:
    at = finish(suspects(**LINK))
    box(at, "Rank by").select("confusion").run()
    job = job_of(at, "confusion")
    assert job is not None
    job.stop()
    job.wait(PATIENCE)
    at.run()
    assert "One class mistaken for another: Stopped." in words(at)
    assert "confusion" not in table(at)
    held.set()
    finish(at.button(key="confusion").click().run())
    assert "confusion" in table(at)


@pytest.mark.slow
@pytest.mark.usefixtures("page")
def test_another_choice_lets_go_of_it(held: threading.Event) -> None:
    at = finish(suspects(**LINK))
    box(at, "Rank by").select("confusion").run()
    job = job_of(at, "confusion")
    assert job is not None
    box(at, "Rank by").select("value").run()
    assert job.wait(PATIENCE)
    assert job.state == "stopped"


@pytest.mark.slow
@pytest.mark.usefixtures("page")
def test_on_features_nothing_is_said_of_where_to_cut() -> None:
    at = finish(suspects(**{**LINK, "space": "features", "rank": "confusion"}))
    assert table(at)["confusion"].is_monotonic_increasing
    assert "may be wrong" not in words(at)


@pytest.mark.slow
@pytest.mark.usefixtures("page")
@pytest.mark.parametrize("large", [False, True])
def test_review_ranks_by_it_and_shows_the_opinions(
    large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr("stiknn_ui.asked.spec.MAX_POINTS", 30)
    at = visit(**LINK)
    usual = ranked(at)
    assert content(at)[0]["opinionNames"] == []
    rank_by(at, "confusion")
    told = message(at)
    assert told["by"] == "confusion"
    assert ranked(at) != usual
    header, _ = content(at)
    assert header["opinionNames"] == [
        "neighbours",
        "trees that did not see the row",
        "linear model",
    ]
    assert "confusion" in header["scoreNames"]
    opinions = window(at)[1]["opinions"]
    assert opinions.min() >= 0
    assert opinions.max() <= 1
    assert told["line"]["expected"].startswith("Of these ")
    flagged = told["line"]["expected"]
    line(at, told["line"]["high"])
    assert message(at)["line"]["expected"].startswith("Of these 60, ")
    line(at, told["line"]["low"])
    assert message(at)["line"]["expected"] == ""
    assert flagged != ""
    rank_by(at, "quality")
    assert ranked(at) == usual
    assert content(at)[0]["opinionNames"] == []


@pytest.mark.slow
def test_review_shows_the_usual_queue_until_it_is_there(held: threading.Event) -> None:
    at = visit(**LINK)
    usual = ranked(at)
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    choice.select("confusion").run()
    assert not at.exception
    assert (ranked(at), message(at)["by"]) == (usual, "quality")
    assert "Ranked by label quality until then." in words(at)
    held.set()
    finish(at)
    assert message(at)["by"] == "confusion"


@pytest.mark.slow
@pytest.mark.usefixtures("page")
def test_review_says_how_many_decided_points_were_wrong_by_any_score() -> None:
    at = visit(**LINK)
    first = ranked(at)[:5]
    decide(at, *((name, KEEP) for name in first[:4]))
    assert message(at)["found"] == ""
    decide(at, (first[4], REMOVE))
    assert message(at)["found"] == "Of the 5 you decided, 1 was wrong."


@pytest.mark.slow
@pytest.mark.usefixtures("page")
def test_test_points_and_comparisons_are_ranked_without_it() -> None:
    at = visit(**LINK, rank="confusion", eval="hold-out", share=0.3)
    assert message(at)["by"] == "confusion"
    finish(at.segmented_control(key="review-side").set_value("test").run())
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    assert (len(choice.options), message(at)["by"]) == (2, "quality")
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in (LINK | {"rank": "confusion", "section": "suspects"}).items():
        at.query_params[name] = str(value)
    finish(at.switch_page("pages/compare.py").run())
    assert not at.error
    (control,) = [one for one in at.segmented_control if one.label == "Rank by"]
    assert control.value == "quality"
