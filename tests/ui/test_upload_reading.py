"""Files that take long to read: what is shown, how it is stopped, and what it never touches."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.errors import FileError
from stiknn_core.tables import Table
from stiknn_core.tables.apart.readers import read_apart
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.uploads.line import Reading, read_in_turn, readings
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.queue import ComputeQueue, Lane
from tests.patience import PATIENCE, wait_until
from tests.ui.upload_pages import APP, box, go, open_form, session, upload, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

ROWS = [(n % 7, n % 5, "cat" if n % 2 else "dog") for n in range(30)]
CSV = b"x1,x2,kind\n" + b"".join(f"{a},{b},{c}\n".encode() for a, b, c in ROWS)


class Slow:
    """Reads files whose bytes hold the word "slow" only once it is told to."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)
        self.stopped: list[BaseException] = []
        self.outcome: Exception | None = None

    def __call__(
        self, content: bytes, *, progress: Callable[[str, float], None], **options: Any
    ) -> Table:
        if b"slow" in content:
            self.begun.release()
            try:
                while not self.go.wait(0.01):
                    progress("Reading the cells", 0.4)
            except BaseException as stop:
                self.stopped.append(stop)
                raise
            if self.outcome is not None:
                raise self.outcome
        return read_apart(content, progress=progress, **options)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    made = Slow()
    monkeypatch.setattr("stiknn_ui.uploads.files.read_apart", made)
    yield made
    made.go.set()


@pytest.fixture
def begun(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """A page with a file in use and another one that is being read."""
    at = upload(open_form(), "pets.csv", CSV)
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 0.0)
    upload(at, "big.csv", CSV.replace(b"cat", b"slow"))
    assert slow.begun.acquire(timeout=PATIENCE)
    return at.run()


def lines(at: AppTest) -> list[str]:
    """Return the texts beside progress bars."""
    return [str(one.proto.text).replace("\\", "") for one in at.get("progress")]


def end(at: AppTest, slow: Slow) -> AppTest:
    """Let the file be read, and the page look."""
    job = session(at).desk(UploadDesk).readings["data"].job
    slow.go.set()
    assert job.wait(PATIENCE)
    return at.run()


def in_use(at: AppTest) -> str:
    return str(session(at).settings.data.name)


def buttons(at: AppTest) -> set[str]:
    return {str(one.key) for one in at.button}


def test_progress_is_shown_and_the_data_in_use_stay_until_the_file_was_read(
    begun: AppTest, slow: Slow
) -> None:
    assert lines(begun) == ["big.csv: Reading the cells, 40% done"]
    assert "30 rows, 2 features" in words(begun)
    assert "pets.csv: text" in words(begun)
    end(begun, slow)
    assert not begun.exception
    assert not lines(begun)
    assert in_use(begun) == "big.csv"
    assert "big.csv: text" in words(begun)
    assert "big.csv was read" not in words(begun)  # the page shows it by itself


def test_stop_ends_the_reading_and_nothing_has_changed(begun: AppTest, slow: Slow) -> None:
    before = session(begun).settings
    begun.button(key="reading-data-stop").click().run()
    assert not begun.exception
    assert not lines(begun)
    assert "Reading big.csv was stopped; nothing has changed." in words(begun)
    assert session(begun).settings == before
    assert "30 rows, 2 features" in words(begun)
    wait_until(lambda: bool(slow.stopped) and not readings().running)
    begun.button(key="readings-told").click().run()
    assert "was stopped" not in words(begun)


def test_a_newer_file_takes_the_place_of_one_that_is_being_read(begun: AppTest, slow: Slow) -> None:
    older = session(begun).desk(UploadDesk).readings["data"].job
    upload(begun, "newer.csv", CSV.replace(b"cat", b"slow cat"))
    assert older.state == "stopped"
    assert [text.split(":")[0] for text in lines(begun)] == ["newer.csv"]
    end(begun, slow)
    assert in_use(begun) == "newer.csv"
    assert len(slow.stopped) == 1


def test_the_file_in_use_added_again_ends_the_reading_of_another(
    begun: AppTest, slow: Slow
) -> None:
    job = session(begun).desk(UploadDesk).readings["data"].job
    upload(begun, "pets.csv", CSV)
    assert job.state == "stopped"
    assert not lines(begun)
    assert in_use(begun) == "pets.csv"


def test_another_page_shows_it_too_and_takes_it_when_it_was_read(
    begun: AppTest, slow: Slow
) -> None:
    go(begun, "explore")
    assert lines(begun) == ["big.csv: Reading the cells, 40% done"]
    assert "Data: pets.csv" in words(begun)
    end(begun, slow)
    assert "big.csv was read and is in use." in words(begun)
    assert "Data: big.csv" in words(begun)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (FileError("The file is odd."), "big.csv could not be read: the Data page says why."),
        (RuntimeError("secret"), "big.csv could not be read: the Data page says why."),
    ],
)
def test_another_page_says_that_it_could_not_be_read(
    begun: AppTest, slow: Slow, outcome: Exception, said: str
) -> None:
    slow.outcome = outcome
    go(begun, "explore")
    end(begun, slow)
    assert said in words(begun)
    assert "Data: pets.csv" in words(begun)
    assert "secret" not in words(begun)
    go(begun, "data")
    assert len(begun.error) == 1
    assert "Until then in use: pets.csv" in words(begun)


def test_another_page_says_that_something_is_asked(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = upload(open_form(), "pets.csv", CSV)
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 0.0)
    upload(at, "gaps.csv", CSV.replace(b"cat", b"slow") + b",1,dog\n")
    go(at, "explore")
    end(at, slow)
    assert "gaps.csv was read: the Data page asks something about it." in words(at)
    assert "Data: pets.csv" in words(at)
    go(at, "data")
    assert at.button(key="use-draft")


def test_reading_again_in_another_way_can_be_stopped_too(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.go.set()
    at = upload(open_form(), "pets.csv", CSV.replace(b"cat", b"slow"))
    slow.go.clear()
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 0.0)
    box(at, "Header row").select(False).run()
    assert len(lines(at)) == 1
    at.button(key="reading-data-stop").click().run()
    assert box(at, "Header row").value == "\0as found"
    assert "30 rows, 2 features" in words(at)


def test_a_test_file_is_read_beside_it(begun: AppTest, slow: Slow) -> None:
    go(begun, "explore").selectbox(key="compute.evaluation").select("test-file").run()
    begun.file_uploader(key="test-file").upload("test.csv", CSV.replace(b"dog", b"slow"))
    begun.run()
    assert [text.split(":")[0] for text in lines(begun)] == ["big.csv", "test.csv"]
    begun.button(key="reading-data-stop").click().run()
    assert [text.split(":")[0] for text in lines(begun)] == ["test.csv"]
    job = session(begun).desk(UploadDesk).readings["test"].job
    slow.go.set()
    assert job.wait(PATIENCE)
    begun.run()
    assert session(begun).settings.compute.test_name == "test.csv"


def test_home_leads_to_a_file_when_it_was_read(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE).run()
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 0.0)
    add_on_home(at, slow)
    assert session(at).page == "home"
    end(at, slow)
    assert "Data: big.csv" in words(at)
    assert session(at).page == "explore"


def test_home_leads_nowhere_after_stop_or_when_the_file_was_taken_elsewhere(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE).run()
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 0.0)
    add_on_home(at, slow)
    at.button(key="reading-data-stop").click().run()
    assert session(at).page == "home"
    assert "was stopped" in words(at)
    add_on_home(at, slow)
    go(at, "data")
    end(at, slow)
    assert in_use(at) == "big.csv"
    at.switch_page("app.py").run()
    assert session(at).page == "home"


def add_on_home(at: AppTest, slow: Slow) -> None:
    at.file_uploader(key="home-file").upload("big.csv", CSV.replace(b"cat", b"slow"))
    at.run()
    assert slow.begun.acquire(timeout=PATIENCE)
    assert not at.exception


def test_with_no_file_in_use_the_page_says_that_one_is_being_read(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_form()
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 0.0)
    upload(at, "big.csv", CSV.replace(b"cat", b"slow"))
    assert "The file is being read." in words(at)
    at.button(key="reading-data-stop").click().run()
    assert "Choose a file first." in words(at)


def test_the_end_of_a_visit_ends_its_reading(begun: AppTest, slow: Slow) -> None:
    session(begun).tell("ended")
    wait_until(lambda: bool(slow.stopped) and not readings().running)


def test_whose_connection_is_lost_lets_others_go_first(begun: AppTest, slow: Slow) -> None:
    cores = os.cpu_count() or 1
    others = [
        Reading(f"{n}.csv", CSV.replace(b"cat", b"slow %d" % n)).begin(f"other {n}")
        for n in range(cores)
    ]
    session(begun).tell("left")
    assert others[-1].place == 1  # to be asked for it puts out what nobody looks at
    wait_until(lambda: others[-1].state == "running")
    assert slow.stopped


def test_files_wait_in_line_and_say_where(begun: AppTest, slow: Slow) -> None:
    begun.button(key="reading-data-stop").click().run()
    wait_until(lambda: not readings().running)
    cores = os.cpu_count() or 1
    others = [
        Reading(f"{n}.csv", CSV.replace(b"cat", b"slow %d" % n)).begin(f"other {n}")
        for n in range(cores + 1)
    ]
    assert (readings().running, readings().waiting) == (cores, 1)
    upload(begun, "late.csv", CSV.replace(b"cat", b"slow late"))
    assert lines(begun) == ["late.csv: Waiting, 1 file before yours"]
    for job in others:
        job.stop()
    end(begun, slow)
    assert in_use(begun) == "late.csv"


def test_a_full_line_is_one_sentence(
    begun: AppTest, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = ComputeQueue((Lane(float("inf"), 1),), most_waiting=0, what="file")
    monkeypatch.setattr("stiknn_ui.uploads.line.readings", lambda: full)
    full.submit(Job("other", lambda progress: slow.go.wait(PATIENCE)))
    upload(begun, "late.csv", CSV.replace(b"cat", b"slow late"))
    assert not begun.exception
    assert "files are in line on this server" in words(begun)
    assert in_use(begun) == "pets.csv"


def test_what_was_put_out_while_nobody_looked_begins_again(begun: AppTest, slow: Slow) -> None:
    reading = session(begun).desk(UploadDesk).readings["data"]
    reading.job.computation.stop(put_out=True)
    assert reading.job.computation.finished.wait(PATIENCE)
    begun.run()
    assert slow.begun.acquire(timeout=PATIENCE)
    end(begun, slow)
    assert in_use(begun) == "big.csv"


def test_equal_files_are_read_once_for_all(slow: Slow) -> None:
    content = CSV.replace(b"cat", b"slow")
    one = Reading("a.csv", content).begin("one")
    other = Reading("a.csv", bytes(bytearray(content))).begin("other")
    assert slow.begun.acquire(timeout=PATIENCE)
    slow.go.set()
    assert one.wait(PATIENCE)
    assert other.wait(PATIENCE)
    assert one.result is other.result is not None
    assert not slow.begun.acquire(blocking=False)


def test_reading_in_turn_waits_and_raises() -> None:
    assert read_in_turn("a.csv", CSV).table.n_rows == 30
    with pytest.raises(FileError, match="empty"):
        read_in_turn("a.csv", b"")
