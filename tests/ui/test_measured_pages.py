"""Every page on measured targets: small, and with too many rows for a matrix."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from stiknn_core.types import Dataset
from stiknn_ui.results import sources
from tests.ui.test_pages import healthy, visit, words

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("empty_shelves")]

PAGES = ("data", "explore", "suspects", "point", "review", "compare", "learn")


def measured_rows(n: int) -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = 10 * X[:, 0] + rng.normal(size=n)
    return Dataset(
        X=X, y=y, name="diabetes", feature_names=("a", "b", "c"), ids=np.arange(n), measured=True
    )


def opened(page: str, monkeypatch: pytest.MonkeyPatch, n: int, **more: str) -> AppTest:
    monkeypatch.setattr(sources, "load_bundled", lambda name: measured_rows(n))
    return healthy(visit(page, dataset="diabetes", **more))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("n", [60, 4_100])
def test_every_page_takes_measured_targets(
    page: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = opened(page, monkeypatch, n, flip="0.1", seed="1")
    assert page == "learn" or "diabetes" in words(at)
    assert "nan" not in words(at).split()


@pytest.mark.parametrize("order", ["class", "value", "cluster", "input"])
def test_every_order_is_in_words_of_targets(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened("explore", monkeypatch, 60, order=order)
    assert "order: Class" not in words(at)


def test_suspects_rank_by_the_distance_of_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened("suspects", monkeypatch, 200, flip="0.1", seed="3")
    table = at.dataframe[0].value
    assert table["distance"].is_monotonic_decreasing
    assert np.allclose(table["distance"], (table["label"] - table["suggested"]).abs())
    assert table["known_flip"][:10].mean() > 0.5


@pytest.mark.parametrize("section", ["pairs", "values", "suspects", "sweep", "errors"])
def test_compare_takes_measured_targets(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened("compare", monkeypatch, 40, section=section)


def test_compare_speaks_of_targets_and_offers_no_forest(monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened("compare", monkeypatch, 40)
    boxes = {box.label: box for box in at.selectbox}
    assert "Neighbours in" not in boxes
    assert all("Class" not in option for option in boxes["Order"].options)
