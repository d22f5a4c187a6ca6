"""What every test of refused input needs: a tiny good problem, and `refused`."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from stiknn_core import (
    StiknnError,
    interactions,
    label_support,
    values,
)

X = [[0.0], [1.0], [2.0], [3.0]]
y = ["a", "b", "a", "b"]
X_TEST, Y_TEST = [[0.5], [2.5]], ["a", "b"]
FUNCTIONS = [interactions, values, label_support]


def refused(error: type[Exception], match: str, *args: Any, **options: Any) -> None:
    """All three functions refuse alike, with a sentence and nothing chained to show."""
    messages = set()
    for function in FUNCTIONS:
        with pytest.raises(error, match=match) as caught:
            function(*args, **options)
        assert isinstance(caught.value, StiknnError)
        assert str(caught.value).endswith(".")
        messages.add(str(caught.value))
    assert len(messages) == 1


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)
