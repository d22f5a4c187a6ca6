"""Decisions on measured targets: written as in the file, and what they do to the loss."""

from __future__ import annotations

import numpy as np

from stiknn_core.tables import read_table
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.sources import build
from stiknn_ui.review.corrected import as_in_file, corrected_upload
from stiknn_ui.review.decisions import Decision
from stiknn_ui.review.target_effect import _loss, target_effect

DATA = DataSpec(source="bundled", name="diabetes", flip=0.0, sample=60)


def test_a_number_is_written_as_the_file_writes_numbers() -> None:
    table = read_table(b"a;target\n1;2,5\n2;3,25\n3;4\n4;1,5\n5;9,75\n")
    decided = as_in_file(table, "target", {1: Decision("relabel", "1234.5"), 2: Decision("remove")})
    again = corrected_upload(table, "target", decided).decode("utf-8-sig").split()
    assert again == ["a;target", "1;2,5", "2;1234,5", "4;1,5", "5;9,75"]


def test_the_loss_before_and_after_is_that_of_the_engine() -> None:
    analysis = analyse(build(DATA), DATA, ComputeSpec(k=3))
    y = analysis.dataset.y
    every = np.ones(60, dtype=bool)
    whole = analysis.interactions.likelihood
    assert np.isclose(_loss(analysis, y, y, every, np.arange(60)), -whole)
    labels, removed = y.copy(), np.zeros(60, dtype=bool)
    labels[4], removed[9] = 100.0, True
    assert "on 58 training points that you left" in target_effect(analysis, labels, removed)
