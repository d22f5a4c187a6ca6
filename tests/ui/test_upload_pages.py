"""Uploads on the pages: what was decided, what is asked, and what is never half replaced."""

from __future__ import annotations

import gzip
import io
import zipfile
from unittest.mock import patch

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.uploads import files as upload_files
from stiknn_ui.uploads import session as upload_session
from stiknn_ui.uploads.desk import UploadDesk
from stiknn_ui.words import messages
from tests.ui.upload_pages import box, finish, go, open_form, session, upload, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

ROWS = [(n % 7, 1000 * (n % 5), "cat" if n % 2 else "dog") for n in range(30)]
CSV = b"x1,x2,kind\n" + b"".join(f"{a},{b},{c}\n".encode() for a, b, c in ROWS)
GAPS = b"x1,x2,kind\n1,2,a\n,3,b\n4,inf,a\n5,6,b\n7,8,\n9,1,b\n"


def test_decisions_are_told_in_one_line_and_can_be_changed() -> None:
    at = upload(open_form(), "a.csv", "x;größe;art\n1,5;2,5;ä\n2,5;1;b\n3;4;ä\n".encode("cp1252"))
    line = "text · Windows-1252 (Western) · separator semicolon · header row · decimal comma"
    assert line in words(at)
    assert "3 rows, 3 columns" in words(at)
    box(at, "Header row").select(False).run()
    assert "no header row" in words(at)
    assert (
        session(at).desk(UploadDesk).upload is not None
        or session(at).desk(UploadDesk).draft is not None
    )
    box(at, "Header row").select("\0as found").run()
    assert "3 rows, 2 features" in words(at)
    assert list(session(at).desk(UploadDesk).upload.file.table.columns) == ["x", "größe", "art"]


def test_an_impossible_way_of_reading_can_be_taken_back() -> None:
    at = upload(open_form(), "pets.csv", CSV)
    box(at, "Encoding").select("utf-16").run()
    assert len(at.error) == 1
    assert "Until then in use: pets.csv" in words(at)
    assert "30 rows, 2 features" not in words(at)
    assert box(at, "Encoding").value == "utf-16"
    box(at, "Encoding").select("\0as found").run()
    assert not at.error


def test_a_file_is_read_once_and_not_on_every_rerun() -> None:
    with patch.object(upload_files, "read_apart", wraps=upload_files.read_apart) as reader:
        at = upload(open_form(), "pets.csv", gzip.compress(CSV))
        at.slider(key="data.flip").set_value(10).run()
        go(at, "explore")
        at.number_input(key="compute.k").set_value(3).run()
        go(at, "data")
        upload(at, "again.csv.gz", gzip.compress(CSV, mtime=0))
        first = reader.call_count
        upload(at, "again.csv.gz", gzip.compress(CSV, mtime=0))
        assert reader.call_count == first
    assert first <= 2


def explore_waits(at: AppTest) -> bool:
    links = [one.proto.label for one in at.get("page_link")]
    waits = [one.disabled for one in at.button if one.key == "explore-waits"]
    assert waits in ([], [True])
    assert bool(waits) != ("Explore these data" in links)
    return bool(waits)


def test_missing_values_are_asked_about_with_a_repair_chosen_and_told() -> None:
    at = upload(open_form(), "gaps.csv", GAPS)
    shown = words(at)
    assert "1 value missing ('x1': 1)" in shown
    assert "1 value infinite ('x2': 1)" in shown
    assert "1 label missing" in shown
    assert "Until then in use: circles" in shown
    assert "circles" in session(at).settings.data.name
    radio = box(at, "Missing and infinite values")
    assert radio.value == "impute"
    assert radio.options == [
        "Fill in 2 values: median, or the most frequent word; leave out 1 row without a label",
        "Leave out 3 rows",
        "Leave out 2 columns, and 1 row without a label",
    ]
    # The new file is shown as it would be, and nothing of the data from before.
    assert "5 rows, 2 features" in shown
    assert "300 rows" not in shown
    assert explore_waits(at)
    box(at, "Missing and infinite values").set_value("drop_rows").run()
    assert "3 rows, 2 features" in words(at)
    assert session(at).settings.data.name == "circles"
    box(at, "Missing and infinite values").set_value("impute").run()
    at.button(key="use-draft").click().run()
    assert session(at).settings.data.name == "gaps.csv"
    assert "5 rows, 2 features" in words(at)
    assert "Filled in: 2 values from the training rows" in words(at)
    assert not explore_waits(at)
    # In use, another choice takes effect at once.
    box(at, "Missing and infinite values").set_value("drop_rows").run()
    assert "3 rows, 2 features" in words(at)
    assert session(at).desk(UploadDesk).draft is None


def test_rows_without_a_label_are_all_that_is_asked_about() -> None:
    at = upload(open_form(), "some.csv", CSV + b"3,1,\n")
    assert box(at, "Missing and infinite values").options == ["Leave out 1 row"]
    at.button(key="use-draft").click().run()
    assert "30 rows, 2 features" in words(at)


def test_until_a_label_is_chosen_the_file_s_own_cells_are_shown() -> None:
    content = b"when,size\n" + b"".join(f"{n},{n / 7:.5f}\n".encode() for n in range(40))
    at = upload(open_form(), "nolabel.csv", content)
    assert explore_waits(at)
    assert "choose the column that holds it" in words(at)
    assert "nolabel.csv, as it stands in the file:" in words(at)
    assert "use-draft" not in {one.key for one in at.button}
    assert "300 rows" not in words(at)
    assert not at.get("plotly_chart")
    assert list(at.dataframe[-1].value.columns) == ["when", "size"]


def test_with_the_form_open_and_no_file_yet_nothing_else_is_shown() -> None:
    at = open_form()
    assert explore_waits(at)
    assert "Choose a file first." in words(at)
    assert not at.get("plotly_chart")
    assert "flip" not in {one.key for one in at.slider}


def test_going_back_from_a_draft_leaves_the_table_before() -> None:
    at = upload(upload(open_form(), "pets.csv", CSV), "gaps.csv", GAPS)
    assert session(at).settings.data.name == "pets.csv"
    next(one for one in at.button if one.label == "Back to them").click().run()
    assert session(at).desk(UploadDesk).draft is None
    assert "pets.csv: text" in words(at)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"x,kind\n", "no row"),
        (bytes(range(256)) * 20, "neither text nor a known"),
        (b"kind\na\nb\na\nb\n", "no column is a feature"),
        (b"x,label\n1,a\n", "at least 2"),
    ],
)
def test_a_bad_file_is_one_sentence_and_changes_nothing(content: bytes, said: str) -> None:
    at = upload(open_form(), "pets.csv", CSV)
    before = session(at).settings
    upload(at, "bad.csv", content)
    assert not at.exception
    told = [*at.error, *[one for one in at.warning if "\\." in one.value]]
    assert len(told) == 1
    assert said in words(at)
    assert session(at).settings == before
    assert "Until then in use: pets.csv" in words(at)
    assert "missing=" not in words(at)


def test_one_class_works_and_says_so() -> None:
    at = upload(open_form(), "one.csv", b"x,label\n1,a\n2,a\n3,a\n4,a\n")
    assert session(at).settings.data.name == "one.csv"
    go(at, "explore")
    assert "one class only (a)" in words(at)


def test_choices_stay_with_their_columns_in_the_next_file() -> None:
    at = upload(open_form(), "pets.csv", CSV)
    at.text_input(key="columns-find").set_value("x1").run()
    at.selectbox(key="columns-all-use").select("ignored").run()
    at.button(key="columns-apply").click().run()
    assert "30 rows, 1 feature" in words(at)
    upload(at, "more.csv", CSV.replace(b"x2", b"z"))
    assert session(at).desk(UploadDesk).upload.uses == {
        "x1": "ignored",
        "z": "number",
        "kind": "label",
    }
    box(at, "Column with the label").select("z").run()
    upload(at, "other.csv", CSV.replace(b"x2", b"w"))
    assert "1 chosen column is not in this table (z); choose again." in words(at)
    assert session(at).desk(UploadDesk).upload.uses == {
        "x1": "ignored",
        "w": "number",
        "kind": "label",
    }


def test_words_are_features_in_another_way_on_request() -> None:
    content = b"x,size,open,kind\n" + b"".join(
        f"{n},{('low', 'mid', 'high')[n % 3]},{bool(n % 2)},{'ab'[n // 15]}\n".encode()
        for n in range(30)
    )
    at = upload(open_form(), "words.csv", content)
    assert "30 rows, 5 features" in words(at), "one for each of three words, and one for open"
    at.text_input(key="columns-find").set_value("size").run()
    at.selectbox(key="columns-all-use").select("ordered").run()
    at.button(key="columns-apply").click().run()
    at.text_input(key="order-size").set_value("low < mid < high").run()
    assert "30 rows, 3 features" in words(at)
    go(at, "explore")
    X = session(at).desk(ResultDesk).shown.dataset.X
    assert X[:4, 1].tolist() == [0, 1, 2, 0]
    assert X[:4, 2].tolist() == [0, 1, 0, 1]


def test_thousands_of_columns_stay_usable() -> None:
    names = ",".join(f"g{n}" for n in range(2_000))
    rows = [",".join(["1", "0"] * 1_000) + ",a", ",".join(["0", "1"] * 1_000) + ",b"]
    at = upload(open_form(), "wide.csv", "\n".join([names + ",kind", *rows, *rows]).encode())
    assert "The first 200 of 2,001 columns; 1,801 more" in words(at)
    assert "4 rows, 2,000 features" in words(at)


def test_a_column_name_with_html_is_shown_as_text() -> None:
    bad = "<img src=x onerror=alert(1)>"
    at = upload(open_form(), "html.csv", f"{bad},kind\n1,a\n2,b\n3,a\n".encode())
    assert not at.exception
    assert "rows, 1 feature" in words(at)
    assert not [one for one in at.markdown if "<img" in one.value.replace("\\<", "")]


def test_a_sample_file_is_loaded_by_one_click() -> None:
    at = open_form()
    at.button_group(key="upload-sample").set_value("leaves_german.csv").run()
    assert "1 value missing" in words(at)
    at.button(key="use-draft").click().run()
    assert "90 rows, 2 features" in words(at)


def test_scaling_follows_the_source_until_a_person_chooses() -> None:
    at = upload(open_form(), "pets.csv", CSV)
    assert session(at).settings.compute.scaling == "standard"
    at.segmented_control(key="data-source").set_value("generated").run()
    assert session(at).settings.compute.scaling == "none"
    at.segmented_control(key="data-source").set_value("upload").run()
    go(at, "explore")
    assert "spreads differ" not in words(at)
    finish(at.selectbox(key="compute.scaling").select("none").run())
    assert "spreads differ by more than 100 times" in words(at)
    go(at, "data")
    at.segmented_control(key="data-source").set_value("generated").run()
    at.segmented_control(key="data-source").set_value("upload").run()
    assert session(at).settings.compute.scaling == "none"


def test_many_rows_get_an_estimate_are_all_taken_and_compared_as_a_sample() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(9_000, 3)).round(3)
    kinds = np.where(np.arange(9_000) % 9 == 0, "rare", "usual")
    content = "\n".join(
        ["a,b,c,kind", *(f"{a},{b},{c},{k}" for (a, b, c), k in zip(rows, kinds, strict=True))]
    )
    at = upload(open_form(), "big.csv", content.encode())
    assert "The full matrix of 9,000 rows needs about" in words(at)
    assert "Suspects, Point and Review take every row" in words(at)
    assert not [one for one in at.button if one.key == "use-sample"]
    go(at, "compare")
    at.button(key="use-sample").click().run()
    go(at, "data")
    assert "A sample of 4,000 of 9,000 rows (seed 0)" in words(at)
    assert session(at).settings.data.sample == 4_000
    go(at, "explore")
    assert "big.csv · sample of 4,000 rows · seed 0" in words(at)
    go(at, "data")
    at.button(key="use-all").click().run()
    assert session(at).settings.data.sample == 0
    finish(go(at, "suspects"))
    (table,) = [one.value for one in at.dataframe if "quality" in one.value]
    assert len(table) == 9_000


def test_an_upload_outlives_page_changes_with_all_its_choices() -> None:
    at = upload(open_form(), "gaps.csv", GAPS)
    box(at, "Missing and infinite values").set_value("drop_rows").run()
    at.button(key="use-draft").click().run()
    for page in ("explore", "suspects", "data"):
        go(at, page)
    assert box(at, "Missing and infinite values").value == "drop_rows"
    assert "3 rows, 2 features" in words(at)
    assert "gaps.csv" in words(at)


def test_what_a_browser_still_holds_of_another_file_is_no_choice() -> None:
    at = upload(open_form(), "pets.csv", CSV)
    held = {one.label: one.key for one in at.selectbox}
    upload(at, "other.csv", CSV.replace(b",", b";").replace(b"x2", b"w"))
    now = {one.label: one.key for one in at.selectbox}
    # A browser reports the text of a choice: under the same key it would count as a new one.
    assert held["Separator"] != now["Separator"]
    assert held["Column with the label"] != now["Column with the label"]


def test_a_zip_of_several_files_asks_which_one() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("notes.csv", "x,kind\n1,a\n2,b\n")
        archive.writestr("pets.csv", CSV)
    at = upload(open_form(), "both.zip", target.getvalue())
    assert "The zip holds 2 files" in words(at)
    assert "member=" not in words(at)
    box(at, "File of the archive").select("pets.csv").run()
    assert not at.error
    assert "30 rows, 2 features" in words(at)
    assert "both.zip: text in zip" in words(at)


def test_rows_of_the_wrong_length_can_be_left_out() -> None:
    at = upload(open_form(), "ragged.csv", CSV + b"1,2,cat,9,9\n")
    assert "1 row does not fit the table" in words(at)
    assert "ragged=" not in words(at)
    box(at, "Rows of the wrong length").select("drop").run()
    assert "30 rows, 2 features" in words(at)


def test_own_words_for_missing_values() -> None:
    at = upload(open_form(), "gone.csv", CSV + b"gone,1,cat\n")
    assert "x1" not in session(at).desk(UploadDesk).upload.table.features
    at.text_input(key="read.missing_words").set_value("gone, ").run()
    assert "1 value missing ('x1': 1)" in words(at)
    box(at, "Missing and infinite values").set_value("drop_rows").run()
    at.button(key="use-draft").click().run()
    assert "30 rows, 2 features" in words(at)


def test_what_nobody_foresaw_in_a_choice_is_one_plain_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = upload(open_form(), "pets.csv", CSV)

    def broken(*args: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(upload_session, "choose", broken)
    box(at, "Column with the label").select("x2").run()
    assert not at.exception
    assert [one.value for one in at.error] == [messages.UNEXPECTED]
    assert "30 rows, 2 features" in words(at)
