"""The paper's sets, planes and copies on the pages, with OpenML as a folder of the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import pytest
from sklearn.datasets import _openml
from streamlit.testing.v1 import AppTest

from stiknn_core.datasets.registry import REGISTRY
from stiknn_ui.asked import plane_choice
from stiknn_ui.page.life import Slots
from stiknn_ui.page.runner import ResultDesk
from tests.core.openml_home import write_home
from tests.ui.test_pages import healthy, visit, words
from tests.ui.waiting import job_of, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

HEAD = "@relation flowers\n@attribute length numeric\n@attribute class {'0','1'}\n@data\n"
FLOWERS = HEAD + "".join(f"{row},'{row % 2}'\n" for row in range(60))


def choice(at: Any, name: str) -> Any:
    """The select box of this name; its key also tells what there is to choose from."""
    (box,) = [box for box in at.selectbox if (box.key or "").startswith(name)]
    return box


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the addresses that were asked for, none of which answers."""
    found: list[str] = []

    def refuse(request: object, *_: object, **__: object) -> None:
        found.append(str(getattr(request, "full_url", request)))
        raise URLError("no network in tests")

    monkeypatch.setattr(_openml, "urlopen", refuse)
    monkeypatch.setattr(_openml.time, "sleep", lambda _: None)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    return found


def open_paper(**params: str) -> AppTest:
    at = visit("data", **params)
    return at.segmented_control(key="data-source").set_value("paper").run()


def fetch(at: AppTest) -> AppTest:
    (button,) = [one for one in at.button if one.label == "Fetch from OpenML"]
    button.click().run()
    for job in at.session_state["stiknn"].desk(Slots).jobs:
        wait_for(at, job)
    assert not at.exception
    return at


def data_name(at: AppTest) -> str:
    name: str = at.session_state["stiknn"].settings.data.name
    return name


def test_all_sixteen_are_there_with_size_classes_and_source() -> None:
    at = healthy(open_paper())
    options = at.selectbox(key="paper-set").options
    assert len(options) == 17
    assert "MonksV2 · 601 rows · 2 classes · made from its rule" in options
    assert "SteelPlates · 1,941 rows · 7 classes · OpenML 40982" in options
    assert "Circle · 600 rows · 2 classes · generated" in options
    assert "601 rows, 6 features" in words(at)


@pytest.mark.parametrize("key", [key for key, e in REGISTRY.items() if e.source != "openml"])
def test_what_needs_no_network_is_there_at_once(key: str, asked: list[str]) -> None:
    at = open_paper()
    healthy(at.selectbox(key="paper-set").set_value(key).run())
    assert data_name(at) == key == at.query_params["dataset"]
    n = REGISTRY[key].n
    shown = "2,000" if key == "planes2d" else f"{n:,}"
    assert f"{shown} rows, " in words(at)
    assert not asked


def test_openml_is_asked_only_by_the_button(asked: list[str], tmp_path: Path) -> None:
    at = open_paper()
    healthy(at.selectbox(key="paper-set").set_value("credit_card").run())
    assert data_name(at) == "monks2"
    assert "This asks openml.org" in words(at)
    assert not asked
    write_home(tmp_path, 31, FLOWERS)
    healthy(fetch(at))
    assert data_name(at) == "credit_card"
    assert "60 rows, 1 feature" in words(at)
    assert at.session_state["stiknn"].settings.data.sample == 0
    assert not asked
    again = open_paper()
    healthy(again.selectbox(key="paper-set").set_value("credit_card").run())
    assert data_name(again) == "credit_card"


def test_any_other_number_can_be_typed_in(tmp_path: Path) -> None:
    write_home(tmp_path, 4711, FLOWERS)
    at = open_paper()
    at.selectbox(key="paper-set").set_value("").run()
    at.number_input(key="openml-number").set_value(4711).run()
    healthy(fetch(at))
    assert data_name(at) == "openml-4711"
    assert at.query_params["dataset"] == "openml-4711"


def test_without_a_network_the_data_from_before_stay() -> None:
    at = open_paper()
    at.selectbox(key="paper-set").set_value("phoneme").run()
    fetch(at)
    assert [one.value for one in at.error]
    assert "1489 is not in the cache and there is no network" in words(at)
    assert "The data from before are still in use." in words(at)
    assert data_name(at) == "monks2"
    assert "601 rows, 6 features" in words(at)


def test_an_unknown_number_and_a_broken_copy_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_home(tmp_path, 31, FLOWERS).write_bytes(b"not gzip at all")
    at = open_paper()
    at.selectbox(key="paper-set").set_value("credit_card").run()
    fetch(at)
    assert "cached copy of OpenML data set 31" in words(at)

    def unknown(*_: object, **__: object) -> None:
        raise HTTPError("https://example.org", 412, "unknown", None, None)  # type: ignore[arg-type]

    monkeypatch.setattr(_openml, "urlopen", unknown)
    at.selectbox(key="paper-set").set_value("").run()
    at.number_input(key="openml-number").set_value(99999999).run()
    fetch(at)
    assert "OpenML has no data set 99999999" in words(at)
    assert data_name(at) == "monks2"


@pytest.mark.parametrize("page", ["data", "explore", "suspects"])
def test_a_cold_link_fetches_nothing_by_itself(page: str, asked: list[str], tmp_path: Path) -> None:
    write_home(tmp_path, 1489, FLOWERS)
    at = healthy(visit(page, dataset="phoneme", k="3"))
    assert not asked
    assert "Phoneme comes from OpenML and is not on this server yet." in words(at)
    healthy(fetch(at))
    assert "not on this server" not in words(at)
    assert data_name(at) == "phoneme"
    if page != "data":
        assert "60 training points · k = 3" in words(at)


def test_a_larger_set_is_sampled_and_says_how(tmp_path: Path) -> None:
    write_home(tmp_path, 1489, FLOWERS)
    at = fetch(visit("explore", dataset="phoneme", sample="20", seed="4"))
    healthy(at)
    assert "Phoneme · sample of 20 rows · seed 4 · 20 training points" in words(at)


def test_noise_can_be_removed_and_brought_back() -> None:
    at = healthy(visit("data", dataset="iris", flip="0.2", copies="0.1"))
    healthy(at.selectbox(key="data.flip_kind").set_value("asymmetric").run())
    healthy(choice(at, "data.flip_from").set_value("virginica").run())
    assert choice(at, "data.flip_to").options == ["setosa", "versicolor"]
    before = at.session_state["stiknn"].settings.data
    assert at.query_params["flip_from"] == "virginica"
    healthy(at.button(key="remove-noise").click().run())
    assert not at.session_state["stiknn"].settings.data.noisy
    assert "150 rows, 4 features" in words(at)
    healthy(at.button(key="restore-noise").click().run())
    assert at.session_state["stiknn"].settings.data == before
    healthy(at.selectbox(key="data.name").set_value("wine").run())
    assert at.session_state["stiknn"].settings.data.flip_from == ""


def test_the_plane_is_chosen_kept_and_recomputes_nothing() -> None:
    at = healthy(visit("explore", dataset="wine", plane="columns:hue,ash", flip="0"))
    assert "plane: hue, ash" in words(at)
    result = at.session_state["stiknn"].desk(ResultDesk).shown
    healthy(choice(at, "plane-first").set_value("alcohol").run())
    assert "plane: alcohol, ash" in words(at)
    healthy(choice(at, "plane-method").set_value("auto").run())
    assert "plane: PCA" in words(at)
    assert "plane" not in at.query_params
    healthy(choice(at, "plane-method").set_value("tsne").run())
    healthy(wait_for(at, job_of(at, "plane")))
    assert "plane: t-SNE" in words(at)
    assert at.query_params["plane"] == "tsne"
    assert at.session_state["stiknn"].desk(ResultDesk).shown is result


def test_a_plane_that_fails_leaves_the_usual_one_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret")

    with monkeypatch.context() as patch:
        patch.setattr(plane_choice, "make", broken)
        at = visit("explore", dataset="wine", plane="tsne", flip="0.2", seed="8")
        wait_for(at, job_of(at))
        wait_for(at, job_of(at, "plane"))
    assert not at.exception
    assert "plane: PCA" in words(at)
    (error,) = [one.value for one in at.error]
    assert "Something unexpected went wrong" in error
    assert "secret" not in error
    at.button(key="plane").click().run()
    healthy(wait_for(at, job_of(at, "plane")))
    assert "plane: t-SNE" in words(at)


def test_a_plane_of_other_data_is_told_and_the_usual_one_shown() -> None:
    at = healthy(visit("explore", dataset="iris", plane="columns:hue,ash"))
    assert "these data have no column 'hue' or 'ash'" in words(at)
    assert "plane: PCA" in words(at)


def test_copies_and_ties_are_counted_where_the_data_are_shown() -> None:
    at = healthy(open_paper())
    assert "form 169 groups of identical rows, each with one label." in words(at)
    assert "neighbours with different labels at equal distance" in words(at)
    assert at.toggle(key="show-ties")
    at = healthy(visit("explore", dataset="monks2", flip="0.1"))
    assert "of identical points with different labels" in words(at)
