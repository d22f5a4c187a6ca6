"""Which plane is drawn, and what follows it."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_ui.asked import plane_choice
from stiknn_ui.asked.plane_choice import Wanted, columns_of, columns_text, offered, resolve
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results import drawing
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.work import shelves

pytestmark = pytest.mark.usefixtures("empty_shelves")

NAMES = ("a", "b,c", "d 5%")


@pytest.fixture(scope="module")
def wine() -> Analysis:
    data = DataSpec(source="bundled", name="wine", flip=0.0)
    return analyse(build(data), data, ComputeSpec(scaling="standard"))


def test_any_two_names_survive_as_text() -> None:
    for first in NAMES:
        for second in NAMES:
            assert columns_of(columns_text(first, second)) == (first, second)
    assert columns_text("x1", "sepal length (cm)") == "columns:x1,sepal length (cm)"


def test_what_does_not_fit_the_data_is_the_usual_plane() -> None:
    assert resolve(columns_text("a", "d 5%"), NAMES).text == columns_text("a", "d 5%")
    gone = resolve(columns_text("a", "zz"), NAMES)
    assert gone.text == "auto"
    assert "no column 'zz'" in gone.notice
    assert resolve("pca", NAMES) == Wanted("auto")
    assert resolve("pca", NAMES[:2]) == Wanted("pca")
    assert resolve("tsne", NAMES[:1]) == Wanted("auto")


def test_umap_is_offered_only_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plane_choice, "umap_installed", lambda: False)
    assert "umap" not in offered(5)
    assert "not installed" in resolve("umap", NAMES).notice
    monkeypatch.setattr(plane_choice, "umap_installed", lambda: True)
    assert offered(5)["umap"] == "UMAP"
    assert resolve("umap", NAMES) == Wanted("umap")


def test_orders_by_position_and_the_picture_follow_the_plane(wine: Analysis) -> None:
    drawn = drawing.drawn_of(wine, columns_text("hue", "ash"))
    names = list(wine.dataset.feature_names)
    assert drawn.plane.axis_titles == ("hue", "ash")
    places = [names.index("hue"), names.index("ash")]
    assert np.array_equal(drawn.plane.xy, wine.dataset.X[:, places])
    usual, moved = drawing.order_of(wine, "class"), drawing.order_of(wine, "class", drawn)
    assert not np.array_equal(usual.positions, moved.positions)
    inside = drawn.plane.xy[moved.positions, 0][: (wine.codes == 0).sum()]
    assert (np.diff(inside) >= 0).all()
    assert drawing.order_of(wine, "value") is drawing.order_of(wine, "value", drawn)
    assert drawing.content_of(wine).content_id != drawing.content_of(wine, drawn).content_id


@pytest.mark.slow
def test_tsne_is_awaited_and_made_once_for_every_k(wine: Analysis) -> None:
    first = drawing.drawn_of(wine, "tsne")
    assert (first.plane, first.awaited) == (wine.plane, "tsne")
    made = drawing.making_plane(wine, "tsne")(None)
    shelves.derived().put(drawing.plane_key(wine, "tsne"), made)
    done = drawing.drawn_of(wine, "tsne")
    assert (done.awaited, done.plane.axis_titles) == ("", ("t-SNE 1", "t-SNE 2"))
    other = analyse(wine.dataset, wine.data, ComputeSpec(k=9, scaling="standard"))
    assert drawing.drawn_of(other, "tsne").plane is done.plane
