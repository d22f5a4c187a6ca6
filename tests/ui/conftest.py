"""Small results to try the pure parts of the app on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stiknn_core.ordering import Order
from stiknn_ui.asked.spec import EXAMPLE_COMPUTE, EXAMPLE_DATA, ComputeSpec, DataSpec
from stiknn_ui.results import kept
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.drawing import order_of
from stiknn_ui.results.sources import build
from stiknn_ui.review.journal import Journal
from stiknn_ui.work import shelves


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages wait for a file until it has been read, however busy the machine is."""
    monkeypatch.setattr("stiknn_ui.uploads.session.WAIT", 60.0)


@pytest.fixture(scope="session")
def flipped() -> Analysis:
    """120 points on two rings with a tenth of the labels changed, each tested with the others."""
    data = DataSpec(n=120, noise=0.05, flip=0.1, seed=3)
    return analyse(build(data), data, ComputeSpec())


@pytest.fixture(scope="session")
def held_out() -> Analysis:
    """The same with a third of the rows held out, so that point ids are not rows."""
    data = DataSpec(n=120, noise=0.05, flip=0.1, seed=3)
    return analyse(build(data), data, ComputeSpec(evaluation="hold-out", share=0.3))


@pytest.fixture(scope="session")
def example() -> Analysis:
    """What the first page shows, computed once for all tests."""
    return analyse(build(EXAMPLE_DATA), EXAMPLE_DATA, EXAMPLE_COMPUTE)


@pytest.fixture
def empty_shelves(example: Analysis) -> Iterator[None]:
    """A server that holds nothing but the example, and nothing of this test for the next one."""
    shelves.clear()
    kept.results().put(example.key, example)
    yield
    shelves.clear()


@pytest.fixture
def by_class(flipped: Analysis) -> Order:
    return order_of(flipped, "class")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A file of decisions that is not there yet, in a folder that is not there either."""
    found = Journal(tmp_path / "home" / "reviews.sqlite")
    yield found
    found.close()
