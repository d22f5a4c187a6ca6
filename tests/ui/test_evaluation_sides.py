"""How many rows of each class are on either side."""

from __future__ import annotations

import numpy as np

from stiknn_ui.page.evaluation_sides import sides_line, sides_table

Y = np.array(["a", "b", "a", "c", "a"], dtype=object)
TRAIN, TEST = np.array([0, 1, 2]), np.array([3, 4])


def test_every_class_is_counted_on_both_sides() -> None:
    table = sides_table(Y, TRAIN, TEST)
    assert table.to_dict("list") == {
        "class": ["a", "b", "c"],
        "training": [2, 1, 0],
        "test": [1, 0, 1],
    }


def test_the_line_names_few_classes_and_only_counts_many() -> None:
    assert sides_line(Y, TRAIN, TEST) == (
        "Training: 3 rows (a: 2, b: 1, c: 0) · Test: 2 rows (a: 1, b: 0, c: 1)"
    )
    many = np.arange(9)
    assert sides_line(many, np.arange(8), np.array([8])) == "Training: 8 rows · Test: 1 row"
