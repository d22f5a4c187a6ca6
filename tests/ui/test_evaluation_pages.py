"""Test points: the control, the rows on both sides, and what no side may learn from the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results import drawing
from tests.ui.upload_pages import box, finish, go, open_form, session, upload, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

CSV = b"patient,x1,x2,kind,part\n" + b"".join(
    f"p{n},{n % 7},{n % 5},{'ab'[n % 2]},{'train' if n % 3 else 'test'}\n".encode()
    for n in range(30)
)
TEST = b"kind,x2,x1,colour\na,1,0,red\nb,2,9,blue\nc,4,1,red\n"


@pytest.fixture
def at() -> AppTest:
    return go(upload(open_form(), "mine.csv", CSV), "explore")


def choose(at: AppTest, evaluation: str) -> AppTest:
    return finish(at.selectbox(key="compute.evaluation").select(evaluation).run())


def result(at: AppTest) -> Any:
    return session(at).desk(ResultDesk).shown


def test_only_an_upload_offers_a_test_file_or_a_column(at: AppTest) -> None:
    options = at.selectbox(key="compute.evaluation").options
    assert options[-2:] == ["Test file", "Split column"]
    choose(at, "split-column")
    go(at, "data")
    at.segmented_control(key="data-source").set_value("generated").run()
    go(at, "explore")
    assert len(at.selectbox(key="compute.evaluation").options) == 2
    assert session(at).settings.compute.evaluation == "leave-one-out"
    assert not at.error


def test_a_hold_out_shows_both_sides_and_explains_training_points_by_their_ids(
    at: AppTest,
) -> None:
    choose(at, "hold-out")
    assert "Training: 21 rows (a: 10, b: 11) · Test: 9 rows (a: 5, b: 4)" in words(at).replace(
        "a: 11, b: 10", "a: 10, b: 11"
    ).replace("a: 4, b: 5", "a: 5, b: 4")
    found = result(at)
    assert found.n == 21
    assert set(found.ids) < {f"p{n}" for n in range(30)}
    finish(at.number_input(key="compute.split_seed").set_value(5).run())
    assert result(at).ids != found.ids


def test_a_single_row_of_a_class_goes_to_training_and_is_told() -> None:
    rows = [*(f"{n},a" for n in range(8)), *(f"{n},b" for n in range(3)), "9,rare"]
    at = upload(open_form(), "rare.csv", "\n".join(["x,kind", *rows]).encode())
    choose(go(at, "explore"), "hold-out")
    assert "Classes with a single row went to training and have no test rows: rare" in words(at)
    assert "rare: 1" in words(at).split("Test:")[0]


def test_a_column_marks_the_split(at: AppTest) -> None:
    choose(at, "split-column")
    assert session(at).settings.compute.split_column == "part"
    assert result(at).n == 20
    assert "split by column part" in words(at)
    assert {int(name[1:]) % 3 for name in result(at).ids} == {1, 2}


def test_a_column_that_marks_nothing_is_told_and_the_controls_stay(at: AppTest) -> None:
    choose(at, "split-column")
    box(at, "Column that marks the split").select("").run()
    finish(at)
    assert result(at).n == 20  # the proposed column
    content = CSV.replace(b"test", b"train")
    go(at, "data")
    upload(at, "all.csv", content)
    assert session(at).settings.compute.evaluation == "leave-one-out"
    assert "Each point is tested with the others again" in words(at)
    go(at, "explore")
    choose(at, "split-column")
    assert len(at.error) == 1
    choose(at, "leave-one-out")
    assert not at.error


def test_other_data_end_the_wait_for_a_test_file(at: AppTest) -> None:
    at.selectbox(key="compute.evaluation").select("test-file").run()
    go(at, "data")
    finish(at.segmented_control(key="data-source").set_value("generated").run())
    go(at, "explore")
    finish(at)
    assert not at.error
    assert at.selectbox(key="compute.evaluation").value == "leave-one-out"
    go(at, "data")
    finish(at.segmented_control(key="data-source").set_value("upload").run())
    go(at, "explore")
    assert at.selectbox(key="compute.evaluation").value == "leave-one-out"


def test_a_test_file_is_matched_by_name_and_strangers_are_named(at: AppTest) -> None:
    at.selectbox(key="compute.evaluation").select("test-file").run()
    assert at.selectbox(key="compute.evaluation").value == "test-file"
    assert "Until it is there, nothing else changes." in words(at)
    assert session(at).settings.compute.evaluation == "leave-one-out"
    assert "Out of date" not in words(at)
    at.file_uploader(key="test-file").upload("exam.csv", TEST)
    finish(at.run())
    assert not at.error
    assert result(at).n == 30
    assert result(at).interactions.n_test == 3
    assert "test file exam.csv" in words(at)
    assert "The test table also has 'colour'; not used." in words(at)
    assert "No training rows of class c" in words(at)
    judges = result(at).dataset.X[30:]
    assert judges.tolist() == [[0.0, 1.0], [9.0, 2.0], [1.0, 4.0]]


def test_a_test_file_without_a_column_is_refused_by_name(at: AppTest) -> None:
    at.selectbox(key="compute.evaluation").select("test-file").run()
    at.file_uploader(key="test-file").upload("exam.csv", TEST.replace(b"x2", b"X2"))
    finish(at.run())
    assert "lacks 1 column: 'x2' (it has 'X2' instead of 'x2')" in words(at)
    at.file_uploader(key="test-file").upload("junk.csv", b"")
    at.run()
    assert "The file is empty" in words(at)
    choose(at, "leave-one-out")
    assert not at.error


def test_test_rows_that_repeat_training_rows_are_counted(at: AppTest) -> None:
    at.selectbox(key="compute.evaluation").select("test-file").run()
    at.file_uploader(key="test-file").upload("exam.csv", TEST.replace(b"a,1,0", b"a,0,0"))
    finish(at.run())
    told = "2 test rows repeat a training row, so the test set knows some answers already."
    assert words(at).count(told) == 1


def test_imputation_never_sees_the_test_rows() -> None:
    rows = [f"{n},{n % 2},{'ab'[n % 2]},train" for n in range(10)]
    rows += [f"{1000 + n},{n % 2},{'ab'[n % 2]},test" for n in range(10)]
    rows += [",1,a,train", ",1,b,test"]
    at = upload(open_form(), "gap.csv", "\n".join(["x,z,kind,part", *rows]).encode())
    at.button(key="use-draft").click().run()
    choose(go(at, "explore"), "split-column")
    dataset = result(at).dataset
    assert dataset.X[10, 0] == 4.5
    assert dataset.X[-1, 0] == 4.5
    choose(at, "leave-one-out")
    assert result(at).dataset.X[-1, 0] == pytest.approx(np.median([*range(10), *range(1000, 1010)]))


def test_noise_stays_out_of_the_test_rows(at: AppTest) -> None:
    choose(at, "split-column")
    go(at, "data")
    at.slider(key="data.flip").set_value(50).run()
    at.slider(key="data.copies").set_value(20).run()
    go(at, "explore")
    found = result(at)
    assert found.n == 24
    assert found.interactions.n_test == 10
    tests = found.dataset.y[24:]
    assert tests.tolist() == [b"ab"[n % 2 : n % 2 + 1].decode() for n in range(30) if n % 3 == 0]
    assert len(found.changed) >= 10
    assert found.dataset.flipped.max() < 24


def test_the_test_points_are_exported(at: AppTest) -> None:
    from stiknn_ui.results.exports import settings_of

    choose(at, "split-column")
    settings = settings_of(result(at), drawing.order_of(result(at), "class"))
    assert settings["evaluation"] == "split-column"
    assert settings["split_column"] == "part"
    assert settings["label"] == "kind"
    assert settings["missing"] == "refuse"
