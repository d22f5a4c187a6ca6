"""The widget of notebooks: ids both ways, one page of one file where there are no widgets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import interactions, make_dataset
from stiknn_core.errors import ParameterError
from stiknn_view.widget import LinkedView


@pytest.fixture
def view() -> LinkedView:
    rng = np.random.default_rng(1)
    names = [f"row {place}" for place in range(10)]
    X = pd.DataFrame(rng.normal(size=(10, 2)), index=names)
    return interactions(X, list("ababababab"), k=3).view(name="ten")


def test_what_is_selected_in_the_browser_comes_as_ids(view: LinkedView) -> None:
    seen: list[Any] = []
    view.observe(lambda change: seen.append(change["new"]), "selected")
    view._selection = {"rows": [0, 2], "cols": [1], "origin": "block", "seq": 5}
    wanted = [view._shown.points[place] for place in (0, 1, 2)]
    assert view.selected == wanted
    assert seen == [wanted]
    assert view._selection["rows"] == [0, 2]  # it is not sent back as another one


def test_ids_that_are_set_go_to_the_browser_as_a_newer_selection(view: LinkedView) -> None:
    before = view._selection["seq"]
    view.selected = ["row 3", "row 7"]
    place = {one: at for at, one in enumerate(view._shown.points.tolist())}
    assert view._selection["rows"] == sorted([place["row 3"], place["row 7"]])
    assert view._selection["cols"] == view._selection["rows"]
    assert view._selection["seq"] > before


def test_unknown_ids_orders_and_colours_are_refused(view: LinkedView) -> None:
    with pytest.raises(ParameterError, match="ids of the training points; got 'row 99'"):
        view.selected = ["row 99"]
    with pytest.raises(ParameterError, match="order must be one of class"):
        view.order = "size"
    assert view.selected == []
    assert view.order == "class"


def test_junk_from_the_browser_changes_nothing(view: LinkedView) -> None:
    view._selection = {"rows": [99], "cols": [], "seq": 5}
    view._selection = {"rows": "x"}
    assert view.selected == []


def test_where_there_are_no_widgets_the_page_stands_in_a_frame(view: LinkedView) -> None:
    found = view._repr_mimebundle_()
    bundle = found[0] if isinstance(found, tuple) else found
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert '"' not in bundle["text/html"].split('srcdoc="')[1].split('" title=')[0]


def test_a_thousand_points_take_less_than_six_tenths_of_a_megabyte() -> None:
    data = make_dataset("circles", n=1000, noise=0.1, seed=0)
    made = interactions(data.X, data.y, k=5).view()
    assert len(made._content) < 600_000
