"""Labels of several annotators on the pages, run without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core import games, rank_annotators, read_table
from stiknn_ui.page.runner import ResultDesk
from stiknn_ui.results.crowd import given_share, said_line, said_of, votes_line
from tests.ui.review_pages import window
from tests.ui.upload_pages import box, finish, go, open_form, session, upload, words

FLOWERS = (Path(__file__).parents[2] / "sample_data" / "flowers_by_five.csv").read_bytes()
PAGES = ("explore", "point", "suspects", "review", "compare", "data")


@pytest.fixture
def flowers() -> AppTest:
    return upload(open_form(space="features"), "flowers_by_five.csv", FLOWERS)


def result(at: AppTest) -> Any:
    found = session(at).desk(ResultDesk).shown
    assert found is not None
    return found


def long_form() -> bytes:
    """Return the flowers with a row for each label."""
    frame = read_table(FLOWERS, name="f.csv").frame
    names = [name for name in frame if name.startswith("annotator ")]
    told = frame.melt(["flower", "width (cm)", "petals"], names, "worker", "label").dropna()
    return told.sort_values(["flower", "worker"]).to_csv(index=False).encode()


def test_the_form_says_what_the_annotators_are_for(flowers: AppTest) -> None:
    assert not flowers.error
    said = words(flowers)
    assert "2 feature columns · rows named by flower · true label true_label · 5 annotators" in said
    assert box(flowers, "Column with the label").options[0] == "what most annotators said"
    assert "5 annotators; labels a row: 3." in said
    assert "two labels of one row agree in" in said


@pytest.mark.parametrize("tests", ["leave-one-out", "hold-out"])
@pytest.mark.parametrize("content", [FLOWERS, long_form()], ids=["columns", "rows"])
def test_every_page_stands_and_test_points_count_by_shares(content: bytes, tests: str) -> None:
    at = upload(open_form(space="features", eval=tests, share="0.4"), "flowers.csv", content)
    for page in PAGES:
        at = go(at, page)
        assert not at.error, (page, [error.value for error in at.error])
        if page == "explore":
            analysis = result(at)
            votes = analysis.dataset.votes.of(analysis.given.parts.test_rows)
            wanted = games.votes(*votes.counts_for(analysis.classes))
            assert analysis.given.score == wanted
            assert (analysis.given.parts.test is None) == (tests == "leave-one-out")


def test_suspects_rank_the_annotators(flowers: AppTest) -> None:
    at = go(flowers, "suspects")
    analysis = result(at)
    dataset = analysis.dataset
    shown = [one.value for one in at.dataframe]
    (suspects,) = (table for table in shown if "quality" in table)
    share = given_share(dataset, analysis.rows[suspects["point"].to_numpy()])
    assert suspects["annotators"].tolist() == share.tolist()
    (ranked,) = (table for table in shown if "dawid_skene" in table)
    wanted = rank_annotators(dataset.votes, dataset.y, analysis.support)
    pd.testing.assert_frame_equal(ranked, wanted)
    assert ranked["annotator"][0] == "annotator eve"
    assert "download-annotators" in {one.key for one in at.get("download_button")}


def test_the_card_and_point_say_who_said_what(flowers: AppTest) -> None:
    at = go(flowers, "review")
    header, arrays = window(at)
    dataset = result(at).dataset
    table = read_table(FLOWERS, name="f.csv").frame
    assert len(header["said"]) == len(arrays["points"])
    for row, said in zip(arrays["points"].tolist(), header["said"], strict=True):
        for label, names, count in said:
            assert len(names.split(", ")) == count
            assert all(table[name][row] == label for name in names.split(", "))
        assert sum(count for _, _, count in said) == table.iloc[row, 3:8].notna().sum()
    at = go(at, "point")
    assert "Annotators: " in words(at)
    assert said_line(said_of(dataset, np.array([0]))[0]).startswith("Annotators: aster (annotator ")


def test_another_use_of_the_columns_is_taken(flowers: AppTest) -> None:
    at = box(flowers, "Column with the label").set_value("annotator ada").run()
    at = finish(at)
    assert not at.exception
    assert "label annotator ada" in words(at)
    assert "4 annotators" in words(at)
    # What ada did not label has no label now.
    assert box(at, "Missing and infinite values")


def test_markup_in_names_is_text() -> None:
    content = FLOWERS.replace(b"annotator eve", b"annotator **eve** <b>x</b>")
    at = go(upload(open_form(space="features"), "flowers.csv", content), "point")
    raw = [str(one.value) for one in at.markdown if "Annotators" in str(one.value)]
    assert raw
    assert not any("**eve**" in one for one in raw)


def test_a_line_of_votes_counts_what_is_there() -> None:
    dataset = read_table(b"f,rater 1,rater 2,rater 3\n1,a,a,b\n2,b,b,\n3,a,,\n", name="t.csv")
    made = dataset.to_dataset()
    # Of the pairs aa ab ab and bb two agree.
    assert votes_line(made) == (
        "3 annotators; labels a row: 2.0 on average, 1 to 3; two labels of one row agree in 50% "
        "of all cases."
    )
    assert given_share(made, np.array([0, 1, 2])).tolist() == [2 / 3, 1.0, 1.0]
    assert said_line([]) == "No annotator has labelled this row."
