"""What all tests share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

# Slow machines are no failure, and neither is an unlucky draw on an unrelated change: the
# cases are the same on every run. `--hypothesis-profile=explore` looks for new ones.
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("fixed")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240704)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put browser tests last: Playwright occupies the event loop once it has started."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
