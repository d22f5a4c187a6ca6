"""What all tests share."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import settings

from tests.patience import PATIENCE

JOB = "stiknn-job"  # how `stiknn_ui.work.jobs` calls its threads

# Slow machines are no failure, and neither is an unlucky draw on an unrelated change: the
# cases are the same on every run. `--hypothesis-profile=explore` looks for new ones.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("fixed")


@pytest.fixture(scope="session", autouse=True)
def _home() -> Iterator[None]:
    """Keep what the app writes out of the home of whoever runs the tests.

    Servers that tests start inherit it. Not below pytest's own folder, which may be long kept.
    """
    before = os.environ.get("STIKNN_HOME")
    with tempfile.TemporaryDirectory(prefix="stiknn-home-") as folder:
        os.environ["STIKNN_HOME"] = folder
        yield
        if before is None:
            del os.environ["STIKNN_HOME"]
        else:
            os.environ["STIKNN_HOME"] = before


@pytest.fixture(scope="module", autouse=True)
def _the_environment_as_it_was() -> Iterator[None]:
    """Undo what libraries set for processes they start (dask: threads, hashes, the allocator).

    The next module's processes would inherit it, on whichever worker the two happen to meet.
    """
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


@pytest.fixture(scope="module", autouse=True)
def _nobody_computes_on() -> Iterator[None]:
    """Let what the pages of a module still compute come to its end.

    Forests change the filters of warnings while they grow, for all threads: the next module's
    tests would lose theirs.
    """
    yield
    for thread in threading.enumerate():
        if thread.name == JOB:
            thread.join(PATIENCE)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240704)


_LONGEST = ("test_wheel.py", "test_documents.py", "test_games_oracle.py", "test_review_crashes.py")
"""Files that take minutes on one worker: begun last, they would keep the others waiting."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest first and browser tests last.

    Playwright occupies the event loop once it has started.
    """
    items.sort(
        key=lambda item: (
            item.get_closest_marker("browser") is not None,
            item.path.name not in _LONGEST,
        )
    )
