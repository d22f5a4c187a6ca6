"""Texts and pictures of rows on the pages, run without a browser."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.page import hover
from stiknn_ui.results.contents import MOST_SHOWN
from stiknn_ui.uploads import files
from stiknn_view.selection import Selection
from tests.ui import row_contents
from tests.ui.review_pages import shown, window
from tests.ui.row_contents import LONG, MARKUP, messages, reading, shapes
from tests.ui.upload_pages import finish, go, open_form, session, upload, words
from tests.ui.view_bytes import read_packed


def part(at: AppTest, name: str) -> Any:
    found = [one.proto for one in at.get("bidi_component") if one.key == name]
    return found[0] if found else None


def tables(at: AppTest) -> list[pd.DataFrame]:
    return [one.value for one in at.dataframe]


def select(at: AppTest, *points: int) -> AppTest:
    """Select points as a click would."""
    here = session(at)
    for scope in list(here.selections):
        here.selections[scope] = Selection(points, points, "table", 10**6)
    return finish(at.run())


@pytest.fixture
def texts() -> AppTest:
    return upload(open_form(space="features"), "messages.csv", messages())


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(files, "read_apart", reading(files.read_apart))
    return upload(open_form(space="features"), "shapes.csv", shapes())


def test_the_mouse_shows_texts_and_a_selection_those_around_it(texts: AppTest) -> None:
    at = go(texts, "explore")
    header, arrays = read_packed(part(at, "explore-view-shown").bytes)
    told = arrays["textBytes"].tobytes()[: arrays["textEnds"][2]].decode()
    assert told.endswith(MARKUP)
    assert header["n"] == 40
    assert json.loads(part(at, "explore-view").json)["shown"] == (
        part(at, "explore-view-shown").bytes[8:24].decode()
    )
    at = select(at, 2)
    said = words(at)
    assert MARKUP.replace("*", "").split("(")[0] in said.replace("*", "")
    assert "The selected point and the 8 nearest to it." in said
    assert said.count("Number ") >= 7
    at = select(at, 4, 6, 8)
    assert "nearest to it" not in words(at)
    assert all(f"Number {row}:" in words(at) for row in (4, 6, 8))


def test_suspects_and_point_show_texts(texts: AppTest) -> None:
    at = go(texts, "suspects")
    (table,) = (one for one in tables(at) if "quality" in one)
    assert list(table.columns[:2]) == ["point", "text"] or "text" in table.columns[:3]
    by_point = dict(zip(table["point"], table["text"], strict=True))
    assert by_point[2] == MARKUP
    assert by_point[3].endswith("…")
    at = select(at, 3)
    at = go(at, "point")
    whole = LONG.strip()
    assert at.text[0].value == whole[:MOST_SHOWN]
    assert f"Show all {len(whole):,} letters" in [one.label for one in at.expander]
    near = next(one for one in tables(at) if "label quality" in one)
    assert near["text"].str.startswith("Number ").sum() >= 6
    partners = next(one for one in tables(at) if "interaction" in one)
    assert (partners["text"].str.len() > 0).all()
    tests = [one for one in tables(at) if {"id", "place"} <= set(one)]
    assert tests
    for one in tests:
        for name, text in zip(one["id"], one["text"], strict=True):
            assert text.startswith(f"Number {name}:") or name in ("2", "3")


def test_review_shows_texts_of_the_points_in_its_window(texts: AppTest) -> None:
    at = go(texts, "review")
    header, arrays = window(at)
    result = shown(at)
    (first, *_), told = arrays["points"], header["texts"][0]
    row = int(result.dataset.source_rows[result.rows[first]])  # type: ignore[index]
    assert "".join(told["text"]).startswith(f"Number {row}:") or row in (2, 3)


def test_pictures_stand_on_every_page(pictures: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    at = go(pictures, "explore")
    header, arrays = read_packed(part(at, "explore-view-shown").bytes)
    assert (header["pictures"], header["pixelated"]) == (True, False)
    assert read_packed(part(at, "explore-view-pictures").bytes)[0]["dots"] == []
    of = part(at, "explore-view-shown").bytes[8:24].decode()
    for asked, sent in (
        ({"content": of, "dots": [7, 29, 3]}, [7, 29, 3]),
        ({"content": of, "dots": [30]}, []),
        ({"content": of, "dots": [True]}, []),
        ({"content": of, "dots": "7"}, []),
        ({"content": "another", "dots": [7]}, []),
        (None, []),
    ):
        monkeypatch.setattr(hover.state, "widget_value", lambda _, asked=asked: {"ask": asked})
        at = finish(at.run())
        header, arrays = read_packed(part(at, "explore-view-pictures").bytes)
        assert header["dots"] == sent, asked
        if sent:
            files = arrays["pictureBytes"].tobytes()
            assert files == row_contents.picture(7) + row_contents.picture(3)
            assert arrays["pictureEnds"][0] == arrays["pictureEnds"][1], "the last row has none"
    monkeypatch.undo()
    at = select(at, 4)
    assert len(at.get("image")) == 9
    at = go(at, "suspects")
    (table,) = (one for one in tables(at) if "quality" in one)
    held = dict(zip(table["point"], table["picture"], strict=True))
    assert held[3].startswith("data:image/png;base64,")
    assert held[29] is None or pd.isna(held[29])
    at = go(at, "point")
    assert len(at.get("image")) == 1
    at = go(at, "review")
    _, arrays = window(at)
    assert len(arrays["pictureOf"]) == 9 * len(arrays["points"])


def test_other_data_show_nothing_of_the_table(texts: AppTest) -> None:
    at = go(texts, "explore")
    assert part(at, "explore-view-shown") is not None
    at.switch_page("pages/data.py").run()
    at.segmented_control(key="data-source").set_value("generated").run()
    at = go(at, "explore")
    assert part(at, "explore-view-shown") is None
    assert json.loads(part(at, "explore-view").json)["shown"] == ""


def propose(space: str) -> None:
    from dataclasses import replace

    import streamlit as st

    from stiknn_core.types import Block
    from stiknn_ui.asked.spec import DataSpec
    from stiknn_ui.page import space as page
    from stiknn_ui.results.sources import build
    from stiknn_ui.visit import state

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        state.change("compute", space=space, scaling="standard")
    made = build(DataSpec(n=20, flip=0.0))
    page.switch(replace(made, blocks=(Block("e", "vector", 0, 2),)))


def test_cosine_is_used_once_somebody_presses_the_button() -> None:
    at = AppTest.from_function(propose, args=("features",)).run()
    compute = session(at).settings.compute
    assert (compute.metric, compute.scaling) == ("euclidean", "standard"), "never by itself"
    said = words(at)
    assert "Embeddings are compared by direction: cosine distance is proposed." in said
    assert "random forest's neighbours found" not in said, "measured on tables"
    at.button(key="proposed-distance").click().run()
    compute = session(at).settings.compute
    assert (compute.metric, compute.scaling) == ("cosine", "none")
    assert "proposed" not in words(at)
    forest = AppTest.from_function(propose, args=("forest",)).run()
    assert "proposed" not in words(forest), "it knows no distance"


def test_a_table_of_very_many_rows_shows_its_first_pictures(
    pictures: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stiknn_ui.page import content_columns

    monkeypatch.setattr(content_columns, "MOST_PICTURES", 5)
    at = go(pictures, "suspects")
    (table,) = (one for one in tables(at) if "quality" in one)
    assert np.flatnonzero(table["picture"].notna()).max() < 5
    assert "Pictures stand beside the first 5 rows." in words(at)
