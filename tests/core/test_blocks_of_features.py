"""Features that belong together stay together, whatever is done to rows."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import rank_suspects
from stiknn_core.datasets.noise import add_copies, add_outliers, flip_labels, thin_class
from stiknn_core.preparation import SCALINGS, scale_features
from stiknn_core.sampling import sample_rows
from stiknn_core.tables import Table, read_table
from stiknn_core.types import Block, Dataset, Scaling
from tests.tables.drawn import drawn, saved

WORDS = {"bars": ("upright", "tall", "steep"), "rows": ("level", "flat", "lying")}


def mixed(n: int = 36) -> Table:
    """Return rows of a text, two numbers and a picture each, all of which tell the class."""
    rng = np.random.default_rng(0)
    labels = [("bars", "rows")[row % 2] for row in range(n)]
    told = [" and ".join(rng.permutation(WORDS[label])) for label in labels]
    texts = [f"these are {words} lines of ink in box {row}" for row, words in enumerate(told)]
    pictures = [{"bytes": saved(drawn(row % 2, row)), "path": f"{row}.png"} for row in range(n)]
    frame = pd.DataFrame(
        {
            "note": texts,
            "size": rng.normal(size=n) * 100 + 50 * (np.arange(n) % 2),
            "image": pictures,
            "weight": rng.normal(size=n),
            "label": labels,
        }
    )
    stream = io.BytesIO()
    frame.to_parquet(stream)
    return read_table(stream.getvalue())


def dataset() -> Dataset:
    rng = np.random.default_rng(1)
    blocks = (Block("note", "text", 0, 3), Block("image", "picture", 4, 8))
    names = tuple(f"f{place}" for place in range(9))
    y = np.array(["a", "b", "c"] * 20)
    return Dataset(rng.normal(size=(60, 9)), y, "made", names, np.arange(60), blocks=blocks)


CHANGES: dict[str, Callable[[Dataset], Dataset]] = {
    "flips": lambda data: flip_labels(data, 0.2, 0),
    "flips by the border": lambda data: flip_labels(data, 0.2, 0, "nearest"),
    "copies": lambda data: add_copies(data, 0.3, 0),
    "outliers": lambda data: add_outliers(data, 0.2, 0),
    "thinning": lambda data: thin_class(data, "b", 0.5, 0),
    "sample": lambda data: sample_rows(data, 21, 0),
    "all": lambda data: add_copies(sample_rows(add_outliers(data, 0.2, 0), 30, 0), 0.5, 0),
}


@pytest.mark.parametrize("name", CHANGES)
def test_noise_copies_and_samples_keep_blocks(name: str) -> None:
    before = dataset()
    after = CHANGES[name](before)
    assert after is not before
    assert after.blocks == before.blocks
    assert after.feature_names == before.feature_names
    assert after.X.shape[1] == 9


@pytest.mark.parametrize("scaling", SCALINGS)
def test_blocks_are_scaled_by_what_training_rows_say(scaling: Scaling) -> None:
    data, rng = dataset(), np.random.default_rng(2)
    train = data.X[:40]
    alone, _ = scale_features(train, None, scaling, data.blocks)
    for test in (data.X[40:], data.X[40:] * 1e6 + 5, rng.normal(size=(1, 9))):
        scaled, scaled_test = scale_features(train, test, scaling, data.blocks)
        np.testing.assert_array_equal(scaled, alone)
        assert scaled_test is not None
        # Each row by itself too: no test row says anything about another.
        for row, one in zip(test, scaled_test, strict=True):
            _, single = scale_features(train, row[None], scaling, data.blocks)
            np.testing.assert_array_equal(single, one[None])


def test_text_numbers_and_pictures_in_one_table() -> None:
    table = mixed()
    assert {name: role.role for name, role in table.roles.items()} == {
        "note": "ignored", "size": "feature", "image": "picture", "weight": "feature",
        "label": "label",
    }  # fmt: skip
    assert table.roles["note"].offer == "text"
    names = ["note", "size", "image", "weight"]
    options: dict[str, Any] = {"features": names, "encode": {"note": "text"}}
    train, test = table.to_split(share=0.25, **options)
    assert [(block.column, block.kind) for block in train.blocks] == [
        ("note", "text"), ("image", "picture"),
    ]  # fmt: skip
    alone = [name for place, name in enumerate(train.feature_names)
             if not any(block.start <= place < block.stop for block in train.blocks)]  # fmt: skip
    assert alone == ["size", "weight"]
    assert test.blocks == train.blocks
    X, X_test = scale_features(train.X, test.X, "standard", train.blocks)
    parts = [X[:, block.start : block.stop].var(axis=0).sum() for block in train.blocks]
    assert parts == pytest.approx([2, 2])  # as much as both numbers together
    ranking = rank_suspects(X, train.y, X_test, test.y, k=3, space="features")
    assert (ranking["suggested"] == ranking["given"]).all()
    noisy = flip_labels(train, 0.1, 0)
    suspects = rank_suspects(X, noisy.y, X_test, test.y, k=3, space="features")
    first = suspects["position"].iloc[: len(noisy.flipped)]
    assert set(first.tolist()) == set(noisy.flipped.tolist())


def test_what_test_rows_hold_changes_no_feature_of_training_rows() -> None:
    table = mixed()
    names = ["note", "size", "image"]
    options: dict[str, Any] = {"features": names, "encode": {"note": "text"}}
    train, _ = table.to_split(test=mixed(12), **options)
    whole = table.to_dataset(**options)
    np.testing.assert_array_equal(train.X, whole.X)
