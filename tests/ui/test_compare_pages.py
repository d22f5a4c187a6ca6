"""The page that compares, run without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

from stiknn_core import interactions
from stiknn_ui.asked.spec import DataSpec
from stiknn_ui.compare.desk import CompareDesk
from stiknn_ui.page import life
from stiknn_ui.page.life import Slots
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis
from stiknn_ui.work import shelves
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.queue import LANES
from tests.patience import PATIENCE
from tests.ui.upload_pages import session, upload

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

APP = Path(__file__).parents[2] / "app.py"
SECTIONS = ("pictures", "pairs", "values", "suspects", "sweep", "errors")
LINK = {"dataset": "moons", "n": "60", "noise": "0.2", "flip": "0.1", "seed": "3"}
DATA = DataSpec(name="moons", n=60, noise=0.2, flip=0.1, seed=3)


def visit(**params: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in {**LINK, **params}.items():
        at.query_params[name] = value
    return healthy(at.switch_page("pages/compare.py").run())


def healthy(at: AppTest) -> AppTest:
    """Wait for all that is being computed, and check that nothing went wrong."""
    for _ in range(6):
        if not at.get("progress"):
            break
        assert all(job.wait(PATIENCE) for job in session(at).desk(Slots).jobs)
        at.run()
    assert not at.exception
    assert not at.error
    return at


def words(at: AppTest) -> str:
    kinds = (at.markdown, at.caption, at.error, at.warning, at.info)
    text = "\n".join(str(element.value) for kind in kinds for element in kind)
    return re.sub(r"\\(.)", r"\1", text)


def metrics(at: AppTest) -> dict[str, str]:
    return {one.label: one.value for one in at.metric}


def pair_of(at: AppTest) -> tuple[Analysis, Analysis]:
    """Return the two results on screen."""
    here = session(at)
    a, b = here.desk(ResultDesk).shown, here.desk(CompareDesk).b.shown
    assert a is not None
    assert b is not None
    return a, b


def correlations(a: Any, b: Any) -> dict[str, str]:
    """Return what the page has to show of two results on the same points."""
    pairs = [one.matrix[np.triu_indices(one.n_train, 1)] for one in (a, b)]
    same = np.mean(np.sign(pairs[0]) == np.sign(pairs[1]))
    return {
        "Pairs, Pearson": f"{stats.pearsonr(*pairs).statistic:.3f}",
        "Pairs, Spearman": f"{stats.spearmanr(*pairs).statistic:.3f}",
        "Same sign": f"{100 * same:.1f} %",
        "Values, Pearson": f"{stats.pearsonr(a.values, b.values).statistic:.3f}",
        "Values, Spearman": f"{stats.spearmanr(a.values, b.values).statistic:.3f}",
    }


def test_a_first_visit_compares_with_another_k_and_swaps() -> None:
    at = visit()
    assert "A: k = 5 · B: k = 20" in words(at)
    assert at.query_params["b_k"] == "20"
    dataset = kept.public_dataset(DATA)
    a, b = (interactions(dataset.X, dataset.y, k=k) for k in (5, 20))
    assert metrics(at) == correlations(a, b)
    healthy(at.button(key="swap").click().run())
    assert "A: k = 20 · B: k = 5" in words(at)
    assert (at.query_params["k"], at.query_params["b_k"]) == ("20", "5")
    assert session(at).desk(ResultDesk).shown.k == 20  # type: ignore[union-attr]
    assert metrics(at) == correlations(b, a)
    healthy(at.button(key="same").click().run())
    assert "A and B are the same" in words(at)
    assert metrics(at)["Pairs, Pearson"] == "1.000"
    healthy(at.selectbox(key="other.index").select("BII").run())
    assert metrics(at) == correlations(b, interactions(dataset.X, dataset.y, k=20, index="BII"))


def test_every_section_opens_and_says_something() -> None:
    at = visit(k="3", b_k="7", b_index="SII", b_metric="manhattan")
    assert "A: k = 3, STII, euclidean · B: k = 7, SII, manhattan" in words(at)
    said = {}
    for section in SECTIONS:
        healthy(at.segmented_control(key="view.section").set_value(section).run())
        said[section] = words(at)
        assert at.query_params.get("section", "pictures") == section
    assert "straight line from A explains" in said["pairs"]
    assert "KNN-Shapley values of 60 points correlate" in said["values"]
    assert "are the same in A and B" in said["suspects"]
    assert "stays above 0.95 with k = 3" in said["sweep"]
    assert "typically off by" in said["errors"]
    assert [one.label for one in at.get("download_button")][-1] == "All k (CSV)"
    healthy(at.segmented_control(key="view.section").set_value("sweep").run())
    healthy(at.segmented_control(key="compare-side-sweep").set_value("B").run())
    assert "with k = 7" in words(at)
    healthy(at.segmented_control(key="view.section").set_value("suspects").run())
    (top,) = [one for one in at.number_input if one.label == "Most suspicious points"]
    healthy(top.set_value(60).run())
    assert metrics(at)["In both"] == "60 of 60"


def test_a_link_opens_a_section_and_the_scale() -> None:
    at = visit(k="3", b_k="7", section="values")
    assert "KNN-Shapley values of 60 points correlate" in words(at)
    at = visit(k="3", b_k="7", own_scale="1")
    assert at.segmented_control(key="view.own_scale").value is True
    healthy(at.segmented_control(key="view.own_scale").set_value(False).run())
    assert at.query_params["own_scale"] == "0"
    assert "section=nothing" in words(visit(section="nothing"))


def test_the_page_opens_with_what_differs_and_how_much_before_any_control() -> None:
    at = visit(k="3", b_k="7")
    assert "A: k = 3 · B: k = 7.** " in words(at)
    assert "the pairs correlate by " in words(at)
    assert "A's interactions are " in words(at)
    assert words(at).index("A: k = 3") < words(at).index("Data: ")


def test_each_matrix_has_its_own_colours_where_k_differs_until_someone_chooses() -> None:
    def own(at: AppTest) -> Any:
        return at.segmented_control(key="view.own_scale").value

    at = visit(k="3", b_k="7")
    assert own(at) is True
    assert "own_scale" not in at.query_params
    healthy(at.number_input(key="other.k").set_value(3).run())
    healthy(at.selectbox(key="other.scaling").select("standard").run())
    assert own(at) is False
    healthy(at.segmented_control(key="view.own_scale").set_value(True).run())
    assert at.query_params["own_scale"] == "1"


def test_two_hold_outs_are_compared_on_the_common_points() -> None:
    at = visit(eval="hold-out", b_eval="hold-out", b_split="8", b_k="5")
    here = pair_of(at)
    rows = set(here[0].rows.tolist()) & set(here[1].rows.tolist())
    assert f"compared are the {len(rows)} that are in both" in words(at)
    assert len(rows) < here[0].n
    assert "hold-out 30 % (seed 0) · B: hold-out 30 % (seed 8)" in words(at)


def test_while_b_is_computed_what_was_shown_stays_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = visit(b_k="7")
    before = metrics(at)
    monkeypatch.setattr("stiknn_ui.page.runner._WAIT", 0.0)
    queue = shelves.computations()
    stop: list[bool] = []

    def busy(progress: Any) -> int:
        while not stop:
            progress(1, 2)
        return 1

    crowd = [queue.submit(Job(f"other {n}", busy, f"{n}")) for n in range(LANES[0].slots)]
    at.number_input(key="other.k").set_value(9).run()
    assert not at.exception
    (progress,) = at.get("progress")
    assert progress.proto.text.replace("\\", "").startswith("B: Waiting")
    assert "B: Out of date: the picture below still shows k = 7." in words(at)
    assert metrics(at) == before
    at.button(key="compute-B-stop").click().run()
    assert "B: Stopped." in words(at)
    assert metrics(at) == before
    stop.append(True)
    assert all(job.wait(PATIENCE) for job in crowd)
    healthy(at.button(key="compute-B").click().run())
    dataset = kept.public_dataset(DATA)
    a, b = (interactions(dataset.X, dataset.y, k=k) for k in (5, 9))
    assert metrics(at) == correlations(a, b)


def test_what_takes_long_waits_for_its_button(monkeypatch: pytest.MonkeyPatch) -> None:
    at = visit(b_k="7")
    monkeypatch.setattr(life, "UNASKED", -1.0)
    at.segmented_control(key="view.section").set_value("sweep").run()
    assert session(at).desk(Slots)["sweep"].job is None
    assert "It will take about less than a second" in words(at)
    healthy(at.button(key="sweep").click().run())
    assert "stays above 0.95" in words(at)


def test_other_data_take_the_place_of_those_before() -> None:
    at = visit(b_k="7")
    first = metrics(at)
    at.switch_page("pages/data.py").run()
    at.number_input(key="data.seed").set_value(9).run()
    healthy(at.switch_page("pages/compare.py").run())
    assert metrics(at) != first
    assert {one.data.seed for one in pair_of(at)} == {9}


def test_too_many_points_are_told_what_to_do() -> None:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    at.query_params.update({"dataset": "blobs", "n": "9000"})
    at.switch_page("pages/compare.py").run()
    assert not at.exception
    assert "Two matrices of 9,000 training points are too large to compare" in words(at)
    at.button(key="use-sample").click().run()
    assert "too large" not in words(at)
    assert session(at).settings.data.sample == 4_000


def test_an_upload_is_matched_by_row_of_its_table() -> None:
    """Its rows stand in another order once some of them are test points."""
    rng = np.random.default_rng(5)
    lines = [f"{x:.3f},{y:.3f},{'cat' if x > 0 else 'dog'}" for x, y in rng.normal(size=(50, 2))]
    at = visit(b_k="7")
    at.switch_page("pages/data.py").run()
    at.segmented_control(key="data-source").set_value("upload").run()
    upload(at, "pets.csv", ("x,y,kind\n" + "\n".join(lines)).encode())
    healthy(at.switch_page("pages/compare.py").run())
    assert "A: k = 5 · B: k = 7" in words(at)  # both are standardised, as uploads are at first
    assert session(at).settings.compute.scaling == "standard"
    (ways, other) = [one for one in at.selectbox if one.label == "Test points"]
    assert ways.options == other.options
    healthy(other.select("hold-out").run())
    a, b = pair_of(at)
    assert b.compute.evaluation == "hold-out"
    assert b.n < a.n == 50
    assert f"compared are the {b.n} that are in both" in words(at)
    assert not np.array_equal(b.dataset.X, a.dataset.X)  # the order did change
    assert "b_eval" in at.query_params
    assert "dataset" not in at.query_params
    of_row = {int(row): point for point, row in enumerate(a.dataset.source_rows[a.rows])}
    matched = [of_row[int(row)] for row in b.dataset.source_rows[b.rows]]
    assert np.array_equal(a.dataset.X[a.rows][matched], b.dataset.X[b.rows])
    values = a.interactions.values[matched], b.interactions.values
    assert metrics(at)["Values, Pearson"] == f"{stats.pearsonr(*values).statistic:.3f}"


def test_test_points_that_these_data_lack_is_given_up() -> None:
    at = visit(b_k="7")
    here = session(at)
    other = here.settings.other
    assert other is not None
    at.session_state["stiknn"].settings = here.settings.__class__(
        here.settings.data,
        here.settings.compute,
        here.settings.view,
        other.__class__(k=7, evaluation="test-file", test_name="gone.csv"),
    )
    healthy(at.run())
    assert session(at).settings.other is not None
    assert session(at).settings.other.evaluation == "leave-one-out"  # type: ignore[union-attr]
