"""Every page, run without a browser. The linked view draws nothing here and must not mind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.errors import FeatureError
from stiknn_ui.home import home
from stiknn_ui.page import life
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results import analysis, kept
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.words import messages
from stiknn_ui.work import shelves
from stiknn_ui.work.progress import Progress
from tests.patience import PATIENCE
from tests.ui.upload_pages import box
from tests.ui.waiting import job_of, wait_for_page

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

APP = Path(__file__).parents[2] / "app.py"
PAGES = ("data", "explore", "suspects")
CSV = b"x1,x2,kind\n" + b"".join(
    f"{n % 7},{n % 5},{'cat' if n % 2 else 'dog'}\n".encode() for n in range(30)
)


def visit(page: str = "", **params: str) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in params.items():
        at.query_params[name] = value
    if page:
        at.switch_page(f"pages/{page}.py")
    return at.run()


def words(at: AppTest) -> str:
    """Return all text on the page, without the backslashes that protect it."""
    kinds = (at.markdown, at.subheader, at.caption, at.error, at.warning, at.info)
    said = [str(element.value) for kind in kinds for element in kind]
    text = "\n".join([*said, *(link.proto.label for link in at.get("page_link"))])
    return re.sub(r"\\(.)", r"\1", text)


def healthy(at: AppTest, *, wait: bool = True) -> AppTest:
    """Check that nothing went wrong, once what is being computed is there."""
    if wait:
        wait_for_page(at)
    assert not at.exception
    assert not at.error
    return at


@pytest.mark.parametrize("page", ["", *PAGES])
def test_a_cold_visit_to_any_page_works(page: str) -> None:
    shelves.clear()
    healthy(visit(page))


def test_home_shows_the_example_with_its_settings() -> None:
    at = healthy(visit())
    assert "moons · n = 150 · noise 0.1 · 10 % labels flipped" in words(at)
    assert "k = 5 · STII · euclidean" in words(at)
    assert "leave-one-out" in words(at)


def test_a_file_on_home_leads_to_its_picture_or_to_what_is_asked_about_it() -> None:
    at = healthy(visit())
    at.file_uploader(key="home-file").upload("pets.csv", CSV)
    healthy(at.run())
    assert "Data: pets.csv" in words(at)
    assert at.session_state["stiknn"].desk(ResultDesk).shown.n == 30
    healthy(at.switch_page("app.py").run())
    at.file_uploader(key="home-file").upload("gaps.csv", CSV + b",1,dog\n")
    healthy(at.run())
    assert at.button(key="use-draft").label == "Use these data"
    healthy(at.switch_page("app.py").run())
    assert not at.error
    at.file_uploader(key="home-file").upload("bad.csv", b"x,kind\n")
    at.run()
    assert len(at.error) == 1
    assert "but no row" in words(at)


@pytest.mark.parametrize("name", home._SAMPLES)
def test_a_sample_of_home_leads_to_its_picture(name: str) -> None:
    at = healthy(visit())
    title, _, what = home._SAMPLES[name]
    assert title in words(at)
    assert what in words(at)
    healthy(at.button(key=f"open-{name}").click().run())
    found = at.session_state["stiknn"]
    assert (found.page, found.settings.data.name) == ("explore", name)
    assert found.desk(ResultDesk).shown.n == 400


def test_the_example_of_home_opens_on_explore() -> None:
    at = healthy(visit())
    healthy(at.button(key="open-home").click().run())
    assert at.query_params["dataset"] == "moons"
    assert "Flipped labels: what to see here." in words(at)


@pytest.mark.parametrize("page", ["explore", "suspects"])
def test_a_link_restores_data_and_settings(page: str) -> None:
    link = {"dataset": "moons", "n": "80", "noise": "0.2", "flip": "0", "seed": "3", "k": "7"}
    at = healthy(visit(page, **link, index="SII", order="value", metric="manhattan"))
    shown = words(at)
    assert (
        "moons · n = 80 · noise 0.2 · seed 3 · 80 training points · k = 7 · SII · manhattan"
        in shown
    )
    assert "order: Class, then value" in shown
    assert not at.warning


def test_one_space_of_neighbours_holds_on_all_pages() -> None:
    def space(at: AppTest) -> Any:
        return at.selectbox(key="compute.space").value

    at = healthy(visit("explore", n="60"))
    for page in ("suspects", "point", "review", "explore"):
        healthy(at.switch_page(f"pages/{page}.py").run())
        assert space(at) == "features"
        assert "Out of date" not in words(at)
    healthy(at.switch_page("pages/suspects.py").run())
    assert "found more wrong labels" in words(at)
    healthy(at.button(key="other-space").click().run())
    for page in ("review", "point", "explore", "suspects"):
        healthy(at.switch_page(f"pages/{page}.py").run())
        assert space(at) == "forest"
        assert at.session_state["stiknn"].desk(ResultDesk).shown.compute.space == "forest"
    healthy(at.button(key="other-space").click().run())
    assert space(at) == "features"
    assert space(healthy(visit("suspects", n="60", space="forest"))) == "forest"


def test_a_bad_link_is_one_notice_that_can_be_dismissed() -> None:
    at = visit("explore", k="abc", dataset="nowhere", n="-3")
    assert len(at.warning) == 1
    assert all(bad in words(at) for bad in ("k=abc", "dataset=nowhere", "n=-3"))
    button = next(one for one in at.button if one.label == "Dismiss")
    button.click().run()
    assert not at.warning


def test_a_link_selects_what_there_is_of_what_it_asks_for() -> None:
    at = healthy(visit("explore", n="60", flip="0", selected="3-5,70"))
    here = at.session_state["stiknn"]
    assert [chosen.points for chosen in here.selections.values()] == [(3, 4, 5)]
    assert "**Selection.**" in words(at)
    assert "1 point that the link selects: not among these data" in words(at)
    label = next(one.label for one in at.button if one.key == "look-closely")
    assert label == "Look closely at 3, first of 3 selected"
    # It belongs to these data, and is taken over once.
    healthy(at.number_input(key="compute.k").set_value(9).run())
    assert "**Selection.**" in words(at)
    assert "not among these data" not in words(at)
    here = healthy(visit("", n="60", selected="3-5")).session_state["stiknn"]
    assert not any(here.selections.values())
    assert here.linked is not None


def test_the_address_follows_the_controls() -> None:
    at = healthy(visit("explore", dataset="moons", n="60"))
    healthy(at.number_input(key="compute.k").set_value(9).run())
    assert at.query_params["k"] == "9"
    assert at.query_params["dataset"] == "moons"
    assert "k = 9" in words(at)


def test_settings_survive_page_changes() -> None:
    at = healthy(visit("explore", dataset="moons", n="60"))
    at.number_input(key="compute.k").set_value(7).run()
    at.selectbox(key="compute.metric").select("manhattan").run()
    at.selectbox(key="view.order").select("value").run()
    for page in ("data", "suspects", "explore"):
        at.switch_page(f"pages/{page}.py").run()
        healthy(at)
    assert at.number_input(key="compute.k").value == 7
    assert at.selectbox(key="compute.metric").value == "manhattan"
    assert "moons · n = 60" in words(at)
    assert "k = 7" in words(at)
    assert "order: Class, then value" in words(at)


def test_k_is_capped_and_said() -> None:
    at = healthy(visit("explore", n="10", k="20", flip="0"))
    assert at.number_input(key="compute.k").max == 9
    assert "k = 20, but only 9 training points" in words(at)


def test_a_large_problem_waits_for_the_button_and_says_what_it_costs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(life, "UNASKED", 1.0)
    at = healthy(visit("explore", n="3000"))
    assert at.button(key="compute").label == "Compute"
    assert re.search(r"It will take about \d+ seconds? and 97 MB", words(at))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Any]], None]:
    """Return a function that puts another engine in place of the real one."""

    def replace(work: Callable[..., Any]) -> None:
        monkeypatch.setattr(kept, "analyse", work)

    return replace


def test_stopping_leaves_the_old_result(engine: Callable[..., None]) -> None:
    at = healthy(visit("explore", n="100"))

    def endless(dataset: Any, data: Any, compute: Any, progress: Progress, keep: Any) -> Any:
        for step in range(10**9):
            progress(min(step, 60), 100)
        raise AssertionError("it was never stopped")

    engine(endless)
    at.number_input(key="compute.k").set_value(6).run()
    healthy(at, wait=False)
    assert "Out of date" in words(at)
    at.button(key="compute-stop").click().run()
    job = job_of(at)
    assert job.wait(PATIENCE)
    assert job.state == "stopped"
    at.run()
    healthy(at)
    assert "Stopped." in words(at)
    assert "the picture below still shows k = 5" in words(at)
    assert at.button(key="compute").label == "Recompute"
    assert at.session_state["stiknn"].desk(ResultDesk).shown.compute.k == 5


def test_a_mistake_is_told_in_its_own_words_and_the_old_result_stays(
    engine: Callable[..., None],
) -> None:
    at = healthy(visit("explore", n="100"))

    def refuse(*args: Any) -> Any:
        raise FeatureError("column **x** holds :red[nothing] but 3 blanks; fill them in.")

    engine(refuse)
    wait_for_page(at.number_input(key="compute.k").set_value(6).run())
    assert not at.exception
    assert at.error[0].value == messages.plain(
        "column **x** holds :red[nothing] but 3 blanks; fill them in."
    )
    assert "Out of date" in words(at)


def test_an_unforeseen_error_is_one_plain_sentence(engine: Callable[..., None]) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("secret detail")

    engine(broken)
    at = wait_for_page(visit("explore", n="100"))
    assert not at.exception
    assert [one.value for one in at.error] == [messages.UNEXPECTED]
    assert "secret" not in words(at)


def test_uploading_uses_the_table_and_keeps_it_out_of_the_address() -> None:
    at = visit("data")
    at.segmented_control(key="data-source").set_value("upload").run()
    at.file_uploader(key="upload-file").upload("pets.csv", CSV)
    at.run()
    healthy(at)
    assert "30 rows, 2 features" in words(at)
    assert not {"dataset", "flip", "seed"} & set(at.query_params)
    at.switch_page("pages/explore.py").run()
    healthy(at)
    assert "Data: pets.csv" in words(at)
    assert at.session_state["stiknn"].desk(ResultDesk).shown.classes == ("cat", "dog")


def test_a_bad_file_is_a_sentence_and_the_data_from_before_stay() -> None:
    at = visit("data")
    at.segmented_control(key="data-source").set_value("upload").run()
    at.file_uploader(key="upload-file").upload("pets.csv", CSV)
    at.run()
    at.file_uploader(key="upload-file").upload("empty.csv", b"x1,kind\n")
    at.run()
    assert not at.exception
    assert len(at.error) == 1
    assert "but no row" in words(at)
    assert "Until then in use: pets.csv" in words(at)
    at.switch_page("pages/explore.py").run()
    assert "Data: pets.csv" in words(healthy(at))


def test_settings_that_do_not_fit_the_data_leave_the_controls_in_place() -> None:
    at = visit("data", eval="hold-out", share="0.9")
    at.segmented_control(key="data-source").set_value("upload").run()
    at.file_uploader(key="upload-file").upload("two.csv", b"x,kind\n1,a\n2,b\n")
    at.run()
    at.switch_page("pages/explore.py").run()
    assert not at.exception
    assert len(at.error) == 1
    at.selectbox(key="compute.evaluation").select("leave-one-out").run()
    healthy(at)
    assert "2 training points" in words(at)


def test_another_label_column_can_be_chosen() -> None:
    at = visit("data")
    at.segmented_control(key="data-source").set_value("upload").run()
    at.file_uploader(key="upload-file").upload("pets.csv", CSV)
    at.run()
    box(at, "Column with the label").select("x2").run()
    assert not at.exception
    table = at.session_state["stiknn"].desk(UploadDesk).upload
    assert table.uses == {"x1": "number", "x2": "label", "kind": "one-hot"}
    assert "2 feature columns" in words(at)


def test_coming_back_to_a_source_finds_it_as_it_was_left() -> None:
    at = visit("data", dataset="moons", n="70")
    at.segmented_control(key="data-source").set_value("bundled").run()
    assert "150 rows, 4 features" in words(at)
    assert "(https://doi.org/10.24432/C56C76), R. A. Fisher, 1936." in words(at)
    at.segmented_control(key="data-source").set_value("generated").run()
    healthy(at)
    assert "70 rows, 2 features" in words(at)


def test_the_table_of_suspects_is_ranked_and_scores_itself() -> None:
    at = healthy(visit("suspects", n="120", seed="3"))
    table = at.dataframe[0].value
    assert table["quality"].is_monotonic_increasing
    assert "Checked against the 12 labels that are known to be wrong" in words(at)
    box(at, "Rank by").select("value").run()
    healthy(at)
    assert at.dataframe[0].value["value"].is_monotonic_increasing
    assert at.query_params["rank"] == "value"


def test_nothing_is_scored_where_no_label_was_changed() -> None:
    at = healthy(visit("suspects", n="60", flip="0"))
    assert "Checked against" not in words(at)
    assert "known_flip" not in at.dataframe[0].value


def test_two_visitors_share_a_result_but_not_their_settings() -> None:
    one = healthy(visit("explore", n="90"))
    other = healthy(visit("explore", n="90"))
    assert (
        one.session_state["stiknn"].desk(ResultDesk).shown
        is other.session_state["stiknn"].desk(ResultDesk).shown
    )
    one.number_input(key="compute.k").set_value(8).run()
    other.run()
    assert other.number_input(key="compute.k").value == 5


def test_an_upload_is_never_kept_where_others_can_reach_it() -> None:
    at = visit("data")
    at.segmented_control(key="data-source").set_value("upload").run()
    at.file_uploader(key="upload-file").upload("pets.csv", CSV)
    at.run()
    stranger = visit("explore", dataset="pets.csv")
    assert stranger.session_state["stiknn"].settings.data.source == "generated"
    assert stranger.session_state["stiknn"].desk(UploadDesk).upload is None


def test_a_result_is_reused_when_coming_back(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []

    def counted(*args: Any) -> Any:
        runs.append(args[2].k)
        return analysis.analyse(*args)

    monkeypatch.setattr(kept, "analyse", counted)
    at = healthy(visit("explore", n="90", space="forest"))
    for k in (6, 5, 6):
        healthy(at.number_input(key="compute.k").set_value(k).run())
    at.switch_page("pages/suspects.py").run()
    healthy(at)
    assert runs.count(6) == 1
