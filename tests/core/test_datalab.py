"""Label quality as an issue of the real Datalab of cleanlab, which nothing here requires."""

from __future__ import annotations

import re
import textwrap
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stiknn_core import LabelInspector, make_dataset, register_datalab
from stiknn_core.errors import MissingExtraError
from stiknn_core.labels import datalab

ROOT = Path(__file__).resolve().parents[2]

needs_cleanlab = pytest.mark.skipif(
    find_spec("cleanlab") is None or find_spec("datasets") is None,
    reason='cleanlab is AGPL and no requirement; pip install "cleanlab[datalab]==2.9.0" beside',
)

DATA = make_dataset("moons", n=120, noise=0.1, seed=0, flip=0.1)
NAMES = np.array(["low", "high"])[DATA.y]


@pytest.fixture
def lab() -> Any:
    with warnings.catch_warnings():  # those of cleanlab and of what it brings are not ours
        warnings.simplefilter("ignore")
        from cleanlab import Datalab

        register_datalab()
        return Datalab({"label": NAMES.tolist()}, label_name="label", verbosity=0)


def no_labels() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from cleanlab import Datalab

        return Datalab({"a": [1.0] * len(NAMES)}, verbosity=0)


def find(lab: Any, **settings: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lab.find_issues(issue_types={"stiknn_label": settings})


@needs_cleanlab
def test_the_issue_is_label_quality_and_another_suggestion(lab: Any) -> None:
    find(lab, features=DATA.X, k=3, n_trees=20)
    wanted = LabelInspector(k=3, n_trees=20).fit(DATA.X, NAMES)
    found = lab.get_issues("stiknn_label")
    np.testing.assert_array_equal(found["stiknn_label_score"], wanted.quality_)
    np.testing.assert_array_equal(found["is_stiknn_label_issue"], wanted.suggested_ != NAMES)
    told = lab.get_info("stiknn_label")
    assert told["given_label"] == NAMES.tolist()
    assert type(told["given_label"][0]) is str
    assert told["suggested_label"] == wanted.suggested_.tolist()
    np.testing.assert_array_equal(told["value"], wanted.values_)
    assert told["settings"]["k"] == 3


@needs_cleanlab
def test_it_finds_labels_that_were_flipped(lab: Any) -> None:
    find(lab, features=DATA.X, space="features")
    worst = lab.get_issues("stiknn_label")["stiknn_label_score"].nsmallest(len(DATA.flipped))
    assert len(set(worst.index) & set(DATA.flipped.tolist())) >= 0.75 * len(DATA.flipped)


@needs_cleanlab
def test_summary_and_report_say_it(lab: Any, capsys: pytest.CaptureFixture[str]) -> None:
    find(lab, features=DATA.X, space="features")
    row = lab.get_issue_summary("stiknn_label").iloc[0]
    issues = lab.get_issues("stiknn_label")
    assert row["score"] == issues["stiknn_label_score"].mean()
    assert row["num_issues"] == issues["is_stiknn_label_issue"].sum() > 0
    capsys.readouterr()
    lab.report(verbosity=2, include_description=True)
    said = capsys.readouterr().out
    assert "stiknn_label issues" in said
    assert "The score is the label quality of STI-KNN" in said
    assert "suggested_label" in said


@needs_cleanlab
def test_what_is_wrong_is_said_where_datalab_says_it(
    lab: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    find(lab)
    find(lab, features=DATA.X, k=0)
    find(no_labels(), features=DATA.X)
    said = capsys.readouterr().out
    assert "Error in stiknn_label: The issue 'stiknn_label' needs features and got none" in said
    assert "Error in stiknn_label: k must be an integer of at least 1; got 0." in said
    assert "Error in stiknn_label: The issue 'stiknn_label' is about labels, and this" in said


@needs_cleanlab
def test_the_lines_of_the_document_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "sklearn.md").read_text(encoding="utf-8")
    block = re.search(r"\n\n((?: {4}.*\n|\n)*? {4}lab\.get_issues.*\n)", page)
    assert block
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(textwrap.dedent(block[1]), {"X": DATA.X, "y": NAMES.tolist()})
    assert "Number of examples with this issue" in capsys.readouterr().out


@needs_cleanlab
def test_asking_twice_registers_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert register_datalab() is register_datalab()
    assert "Overwriting" not in capsys.readouterr().out


def test_without_cleanlab_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(datalab, "find_spec", lambda name: None)
    with pytest.raises(
        MissingExtraError, match=r"needs cleanlab and datasets, which are not.*AGPL"
    ):
        register_datalab()
