"""After a reload: the file of the tab, or the one page that asks for it; never other data."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.uploads import tab
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.tab import TabDesk
from tests.patience import PATIENCE
from tests.ui.upload_pages import APP, finish, go, open_form, session, upload, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

ROWS = [(n % 7, n % 5, "cat" if n % 2 else "dog") for n in range(30)]
CSV = b"x1,x2,kind\n" + b"".join(f"{a},{b},{c}\n".encode() for a, b, c in ROWS)
PAGES = ("explore", "suspects", "review", "point", "compare", "data")


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the tab answers when it is asked for its secret; empty while it says nothing."""
    said = [""]
    monkeypatch.setattr(tab, "_answer", lambda: said[0])
    return said


def reload(at: AppTest, page: str) -> AppTest:
    """Open the address of a visit in a new one, as F5 does."""
    again = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, values in at.query_params.items():
        again.query_params[name] = values
    return again.switch_page(f"pages/{page}.py").run()


def visit() -> AppTest:
    at = upload(open_form(), "mine.csv", CSV)
    at.slider(key="data.flip").set_value(10).run()
    go(at, "explore")
    return finish(at.number_input(key="compute.k").set_value(3).run())


def test_the_address_names_the_file_and_holds_no_secret(answers: list[str]) -> None:
    at = visit()
    secret = session(at).desk(TabDesk).secret
    assert len(secret) > 40
    assert at.query_params["file"] == ["mine.csv"] or at.query_params["file"] == "mine.csv"
    assert secret not in str(dict(at.query_params))
    assert "dataset" not in at.query_params


@pytest.mark.parametrize("page", PAGES)
def test_a_reload_finds_the_file_of_its_tab(page: str, answers: list[str]) -> None:
    at = go(visit(), page)
    again = reload(at, page)
    assert "circles" not in words(again)
    assert not again.dataframe
    assert session(again).desk(ResultDesk).shown is None
    answers[0] = session(at).desk(TabDesk).secret
    finish(again.run())
    here = session(again)
    assert here.desk(UploadDesk).upload is session(at).desk(UploadDesk).upload
    assert here.settings.data == session(at).settings.data
    assert here.settings.data.flip == 0.1
    assert here.settings.compute.k == 3
    assert "This link needs" not in words(again)


@pytest.mark.parametrize("page", PAGES)
def test_where_it_is_gone_the_page_asks_for_the_file(page: str, answers: list[str]) -> None:
    at = go(visit(), page)
    answers[0] = "none"
    again = finish(reload(at, page))
    assert "This link needs the file mine.csv" in words(again)
    assert "circles" not in words(again)
    assert not again.dataframe
    assert not again.get("plotly_chart")
    key = "upload-file" if page == "data" else "upload-awaited"
    again.file_uploader(key=key).upload("mine.csv", CSV)
    finish(again.run())
    assert session(again).settings.data.name == "mine.csv"
    assert session(again).settings.compute.k == 3
    assert "This link needs" not in words(again)
    if page != "data":
        assert session(again).desk(ResultDesk).shown.n == 30


def test_another_file_in_its_place_is_told(answers: list[str]) -> None:
    at = visit()
    answers[0] = "none"
    again = reload(at, "explore")
    again.file_uploader(key="upload-awaited").upload("other.csv", CSV)
    finish(again.run())
    assert "The link was made with mine.csv; other.csv has taken its place." in words(again)


def test_a_file_that_cannot_be_read_is_a_sentence_where_it_was_asked_for(
    answers: list[str],
) -> None:
    at = visit()
    answers[0] = "none"
    again = reload(at, "explore")
    again.file_uploader(key="upload-awaited").upload("mine.csv", b"x,kind\n")
    again.run()
    assert not again.exception
    assert len(again.error) == 1
    assert "but no row" in words(again)
    assert "This link needs the file mine.csv" in words(again)


def test_switched_off_nothing_is_kept(answers: list[str]) -> None:
    at = upload(open_form(), "mine.csv", CSV)
    secret = session(at).desk(TabDesk).secret
    assert tab._files().take(secret, session(at))
    at.toggle(key="keep-for-tab").set_value(False).run()
    assert tab._files().take(secret, session(at)) is None
    at.run()
    assert not session(at).desk(TabDesk).secret
    at.toggle(key="keep-for-tab").set_value(True).run()
    assert session(at).desk(TabDesk).secret not in ("", secret)


def test_other_data_looked_at_last_stay_and_the_form_brings_the_file_back(
    answers: list[str],
) -> None:
    at = go(visit(), "data")
    at.segmented_control(key="data-source").set_value("generated").run()
    again = reload(at, "data")
    assert session(again).settings.data.source == "generated"
    answers[0] = session(at).desk(TabDesk).secret
    again.segmented_control(key="data-source").set_value("upload").run()
    again.run()
    assert session(again).settings.data.name == "mine.csv"
    assert "30 rows, 2 features" in words(again)
