"""Sentence, bars, suggestion and tables say the same of every point, whatever the data."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stiknn_core.ordering import Order
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.point.head import removal_sentence
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.exports import points_csv
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import ranking, scores_of, suspects_table
from stiknn_ui.review import exports, payload
from stiknn_ui.review.subject import Subject, judging_points, training_points
from stiknn_ui.uploads.build import Upload, split_of
from stiknn_ui.uploads.choices import Choices
from stiknn_ui.uploads.files import read_file

SAMPLES = Path(__file__).parents[2] / "sample_data"
HELD_OUT = ComputeSpec(evaluation="hold-out", share=0.3)


def made(compute: ComputeSpec | None = None, **data: object) -> Analysis:
    spec = DataSpec(**data)  # type: ignore[arg-type]
    return analyse(build(spec), spec, compute or ComputeSpec())


def uploaded(name: str, compute: ComputeSpec) -> Analysis:
    content = (SAMPLES / name).read_bytes()
    upload = Upload(read_file(name, content), Choices())
    dataset, _ = split_of(upload, compute, None)
    return analyse(dataset, upload.spec, compute)


CASES = {
    "moons, one in six": lambda: uploaded("moons_unbalanced.csv", ComputeSpec()),
    "moons, imbalance": lambda: made(name="moons", n=200, noise=0.2, imbalance=0.85, flip=0.1),
    "circles": lambda: made(name="circles", n=120, noise=0.2, flip=0.2),
    "copies": lambda: made(name="circles", n=100, noise=0.2, copies=0.4, flip=0.1),
    "blobs": lambda: made(name="blobs", n=150, noise=0.5, n_classes=5, imbalance=0.7, flip=0.1),
    "xor, k = 1": lambda: made(ComputeSpec(k=1), name="xor", n=90, noise=0.4, flip=0.1),
    "few, k = n": lambda: made(ComputeSpec(k=20), name="moons", n=20, noise=0.3, flip=0.2),
    "ties": lambda: made(source="paper", name="monks2", flip=0.0, sample=200),
    "iris": lambda: made(source="bundled", name="iris", flip=0.1),
    "wine, a forest": lambda: made(
        ComputeSpec(space="forest"), source="bundled", name="wine", flip=0.1
    ),
    "breast cancer": lambda: made(source="bundled", name="breast_cancer", flip=0.05, sample=200),
    "digits": lambda: made(source="bundled", name="digits", flip=0.2, sample=200),
    "held out": lambda: made(HELD_OUT, name="blobs", n=150, noise=0.6, n_classes=4, flip=0.2),
}


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def told(run_js, subject: Subject) -> list[list]:
    """Reason and bars of every point, by the code that the card runs."""
    plane = subject.analysis.plane
    content = payload.points(subject, plane)
    window = payload.window(subject, plane, np.arange(len(subject)), content.content_id)
    modules = [f"review/{name}.js" for name in ("points", "windows", "evidence")]
    return run_js(
        modules,
        """{
            const content = parsePoints(Uint8Array.from(given.points));
            const cards = parseWindow(Uint8Array.from(given.window)).found;
            return cards.map((card) => [reason(content, card), support(content, card)]);
        }""",
        {"points": list(content.payload), "window": list(window.payload)},
    )


def agree(run_js, subject: Subject) -> None:
    classes = list(subject.analysis.classes)
    shares = subject.shares()
    for point, (reason, rows) in enumerate(told(run_js, subject)):
        own, other = subject.given[point], str(subject.suggested[point])
        (given,) = [row for row in rows if row["given"]]
        (suggested,) = [row for row in rows if row["suggested"]]
        assert [given["name"], suggested["name"]] == [own, other]
        for row in rows:
            assert row["share"] == shares[point, classes.index(row["name"])]
        # The bars are in order, the suggested class has the longest, and the given the quality.
        assert suggested["share"] == pytest.approx(max(row["share"] for row in rows), abs=1e-15)
        assert suggested["share"] == pytest.approx(shares[point].max(), abs=1e-15)
        assert given["share"] == subject.scores["quality"][point]
        if subject.side == "train":
            alone = float(subject.scores["leave_one_out"][point])
            assert reason.endswith(f" {removal_sentence(alone, alone)}"), "as Point says it"
        # The sentence has their numbers, and no others.
        both = [percent(suggested["share"]), percent(given["share"])]
        sentence = reason.split(" Its ")[0]
        if own == other:
            assert sentence == f"Class {own} has the largest share of the support, {both[1]}."
            continue
        assert suggested["share"] > given["share"]
        assert sentence.startswith(f"Class {other} has a larger share of the support than {own}: ")
        number = r"\d+\.\d %"
        assert re.findall(number, sentence) == (both if both[0] != both[1] else both[:1])


@pytest.mark.parametrize("name", CASES)
def test_sentence_bars_and_suggestion_agree_on_every_point(run_js, name: str) -> None:
    analysis = CASES[name]()
    scores = scores_of(analysis)
    subject = training_points(analysis, scores)
    agree(run_js, subject)
    tested = judging_points(analysis)
    assert (tested is None) == (name != "held out")
    if tested is not None:
        agree(run_js, tested)
    # What the tables and files say is the same.
    table = suspects_table(analysis, scores, ranking(scores, "quality"))
    order = Order(np.arange(analysis.n), "input", "As given")
    points = pd.read_csv(io.BytesIO(points_csv(analysis, order, table)))
    suspects = pd.read_csv(io.BytesIO(exports.suspects_csv(subject, "quality", {}, {})))
    place = table["point"].to_numpy()
    codes = analysis.suggested[place]
    for frame in (table, points):
        np.testing.assert_array_equal(frame["quality"], subject.scores["quality"][place])
        np.testing.assert_array_equal(frame["quality_suggested"], subject.shares()[place, codes])
        assert not {"support", "support_suggested"} & set(frame.columns)
    for frame in (table, points, suspects):
        assert frame["suggested"].astype(str).tolist() == subject.suggested[place].tolist()
        np.testing.assert_array_equal(frame["leave_one_out"], analysis.leave_one_out[place])


def test_the_class_with_most_undivided_support_is_not_always_the_suggested_one(run_js) -> None:
    """Of 210 points of the sample it is another for 14, and the card does not show it."""
    analysis = uploaded("moons_unbalanced.csv", ComputeSpec(space="forest"))
    undivided = analysis.support.support.argmax(axis=1)
    assert (undivided != analysis.suggested).sum() == 14
    subject = training_points(analysis, scores_of(analysis))
    reason, rows = told(run_js, subject)[154]
    assert subject.given[154] == "upper"
    assert subject.suggested[154] == "lower"
    raw = analysis.support.support[154] / analysis.support.support[154].sum()
    assert [percent(share) for share in raw.tolist()] == ["33.5 %", "66.5 %"]
    assert [(row["name"], percent(row["share"])) for row in rows] == [
        ("lower", "55.2 %"),
        ("upper", "44.8 %"),
    ]
    told_of = "Class lower has a larger share of the support than upper: 55.2 % against 44.8 %."
    assert reason.startswith(told_of)


def test_where_no_class_has_support_nothing_is_claimed(run_js) -> None:
    """Every test point has a class that no training point has: quality 1, and no bar."""
    content = {
        "labels": ["a", "b", "c"], "given": [2], "suggested": [2], "scoreNames": ["quality", "row"],
        "shades": [],
    }  # fmt: skip
    card = {"point": 0, "shares": [[0, 0], [1, 0]], "scores": [1, 0], "near": []}
    reason, rows = run_js(
        ["review/evidence.js"],
        "[reason(given.content, given.card), support(given.content, given.card)]",
        {"content": content, "card": card},
    )
    assert reason == "No class has any support around it."
    assert [row["share"] for row in rows] == [0, 0, 0]
