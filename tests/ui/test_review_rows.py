"""The review of more rows than a matrix has room for: the same page, made of every row."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stiknn_core.labels.support import judge_test_labels
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.page.runner import RowsDesk
from stiknn_ui.results.all_rows import AllRows, analyse_rows
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import bulk, effect, payload, report_figures, standing, threshold
from stiknn_ui.review.decided import Decided
from stiknn_ui.review.decisions import Decision, Record
from stiknn_ui.review.exports import suspects_csv
from stiknn_ui.review.keys import Places
from stiknn_ui.review.remembered import ReviewDesk
from stiknn_ui.review.subject import Subject, judging_points, training_points
from tests.ui.review_pages import (
    all_told,
    ask_for,
    content,
    decide,
    decisions,
    message,
    names,
    opened,
    press,
    rank_by,
    ranked,
    turn,
    visit,
    visit_upload,
    window,
)
from tests.ui.upload_pages import session
from tests.ui.view_bytes import names_in, unpack

KEEP, REMOVE = Decision("keep"), Decision("remove")
DATA = DataSpec(n=150, flip=0.1, seed=3)
HELD_OUT = ComputeSpec(evaluation="hold-out", share=0.3)
LINK = {"dataset": "circles", "n": 150, "flip": 0.1, "seed": 3, "space": "features"}


def rows_of(compute: ComputeSpec | None = None, data: DataSpec = DATA) -> AllRows:
    return analyse_rows(build(data), data, compute or ComputeSpec())


def subject_of(rows: AllRows) -> Subject:
    return training_points(rows, scores_of(rows))


@pytest.fixture
def many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_shelves: None
) -> pytest.MonkeyPatch:
    """Few points are too many for a matrix."""
    monkeypatch.setenv("STIKNN_HOME", str(tmp_path))
    monkeypatch.setattr("stiknn_ui.asked.spec.MAX_POINTS", 100)
    return monkeypatch


# -- what is reviewed ----------------------------------------------------------------------


def test_every_row_is_reviewed_as_beside_a_matrix() -> None:
    rows, full = rows_of(), analyse(build(DATA), DATA, ComputeSpec())
    subject, other = subject_of(rows), training_points(full, scores_of(full))
    assert len(subject) == len(other) == 150
    assert set(other.scores) - set(subject.scores) == {"in_out", "row"}
    assert subject.given.tolist() == other.given.tolist()
    assert subject.suggested.tolist() == other.suggested.tolist()
    assert subject.order("quality").tolist() == other.order("quality").tolist()
    asked = np.array([140, 3])
    mine, theirs = (unpack(payload.window(one, full.plane, asked, "")) for one in (subject, other))
    assert mine[0]["nearNames"] == theirs[0]["nearNames"]
    for name in ("features", "near", "nearXy", "topClasses", "classMeans"):
        np.testing.assert_array_equal(mine[1][name], theirs[1][name])
    np.testing.assert_allclose(mine[1]["topShares"], theirs[1]["topShares"], atol=1e-12)


@pytest.mark.slow
def test_the_nearest_of_a_forest_are_found_for_a_few_rows() -> None:
    subject = subject_of(rows_of(ComputeSpec(space="forest")))
    near, far = subject.nearest(np.array([7, 90]))
    assert near.shape == (2, 8)
    assert 7 not in near[0]
    assert 90 not in near[1]
    assert np.isnan(far).all()


def test_all_test_points_are_judged() -> None:
    rows = rows_of(HELD_OUT)
    subject = judging_points(rows)
    assert subject is not None
    assert len(subject) == rows.n_test == 45
    X, y, tests = rows.dataset.X, rows.dataset.y, rows.given.parts.test_rows
    expected = judge_test_labels(X[rows.rows], y[rows.rows], X[tests], y[tests], k=rows.k)
    np.testing.assert_allclose(subject.scores["quality"], expected.quality)
    np.testing.assert_allclose(subject.shares(np.arange(4)), expected.shares[:4])


def test_copies_are_found_among_all_rows() -> None:
    data = DataSpec(n=60, flip=0.0, copies=0.3, seed=1)
    subject = subject_of(rows_of(data=data))
    groups = subject.group_of
    X = subject.analysis.dataset.X
    assert (groups >= 0).sum() > 20
    for group in np.unique(groups[groups >= 0]):
        members = np.flatnonzero(groups == group)
        assert len(members) > 1
        assert (X[members] == X[members[0]]).all()


# -- decisions as numbers ------------------------------------------------------------------


def record(version: int, reads: tuple, **decided: Decision) -> Record:
    held = {("s", int(name[1:])): decision for name, decision in decided.items()}
    return Record(held, version=version, read_of=1, reads=reads)


PLACES = Places(("s",), np.zeros(9, dtype=np.int64), np.arange(9))
NOTHING = Decided(np.zeros(9, dtype=np.int64))


def test_only_what_changed_is_looked_at_again() -> None:
    first = record(1, ((0, (("s", 4),)),), r4=KEEP)
    one = NOTHING.after(Record(), first, PLACES)
    assert one == {4: KEEP}
    # The next record says which rows changed; what it does not name is left alone.
    second = record(2, ((0, (("s", 4),)), (1, (("s", 2),))), r4=REMOVE, r2=KEEP)
    assert one.after(first, second, PLACES) == {2: KEEP, 4: KEEP}
    # One that does not know back so far names all.
    late = record(9, ((8, ()),), r4=REMOVE, r2=KEEP)
    assert one.after(first, late, PLACES) == {2: KEEP, 4: REMOVE}
    assert one.after(first, Record(read_of=2), PLACES) == {}, "another journal"
    assert one.after(first, first, PLACES) is one


def test_decisions_on_rows_not_in_use_are_left_out() -> None:
    held = {("s", 3): KEEP, ("s", 99): KEEP, ("other", 1): KEEP}
    found = NOTHING.after(Record(), Record(held, version=1, read_of=1), PLACES)
    assert found == {3: KEEP}
    assert found.rows.tolist() == [3]
    assert np.flatnonzero(found.where(lambda one: one.decides)).tolist() == [3]
    assert found.get(4) is None


def test_a_browser_gets_changes_until_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of(rows_of())
    codes = np.zeros(150, dtype=np.int64)
    codes[:60] = 1
    kept = Decided(codes, (KEEP,))
    first, changed = standing.since(subject, kept, None)
    assert changed == []
    header, arrays = unpack(first.content)
    assert header["kinds"] == [["keep", "", ""]]
    assert arrays["points"].tolist() == list(range(60))
    codes = codes.copy()
    codes[[3, 80]] = 0, 2
    next_ = Decided(codes, (KEEP, REMOVE))
    same, changed = standing.since(subject, next_, first)
    assert same is first
    assert changed == [[3, None], [80, ["remove", "", ""]]]
    monkeypatch.setattr(standing, "_MOST", 1)
    anew, changed = standing.since(subject, next_, first)
    assert changed == []
    assert len(unpack(anew.content)[1]["points"]) == 60
    assert standing.since(subject_of(rows_of()), next_, anew)[0] is not anew, "other points"


# -- the page ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_reviews_all_rows(many: pytest.MonkeyPatch) -> None:
    at = visit(**LINK)
    assert session(at).desk(RowsDesk).shown
    header, arrays = content(at)
    assert header["n"] == len(names_in(arrays)) == 150
    assert header["scoreNames"] == ["quality", "value", "leave_one_out", "rarity"]
    (choice,) = [one for one in at.selectbox if one.label == "Rank by"]
    assert len(choice.options) == 4, "scores of the matrix are not there to be chosen"
    order = ranked(at)
    decide(at, (order[0], KEEP), (order[-1], REMOVE))
    assert decisions(at) == {order[0]: KEEP, order[-1]: REMOVE}
    ask_for(at, [names(at).index(order[-1])])
    assert window(at)[0]["names"] == [order[-1]]
    turn(at, "undo")
    assert decisions(at) == {order[0]: KEEP}
    rank_by(at, "value")
    assert message(at)["by"] == "value"
    assert ranked(at) != order
    assert len(ranked(at)) == 150
    opened(at)
    assert [tab.label for tab in at.tabs][1] == "Effect"
    assert len(at.get("download_button")) == 6
    assert {names(at)[point] for point in all_told(at)} == {order[0]}


@pytest.mark.slow
def test_all_suggestions_are_one_step(many: pytest.MonkeyPatch) -> None:
    lines = [f"P{row:03d},{row % 7},{row / 9:.3f},{'ab'[row % 2]}\n" for row in range(150)]
    at = visit_upload("Nr,u,v,label\n" + "".join(lines), space="features", k=3)
    press(at, "bulk", "bulk-accept")
    found = decisions(at)
    assert len(found) > 20
    assert len(session(at).desk(ReviewDesk).seen.steps) == 1
    assert len(all_told(at)) == len(found)
    turn(at, "undo")
    assert decisions(at) == {}
    assert all_told(at) == {}
    turn(at, "redo")
    assert decisions(at) == found


def test_a_step_of_very_many_rows_is_told_without_them(
    many: pytest.MonkeyPatch,
) -> None:
    many.setattr("stiknn_ui.review.card._MOST_CHANGES", 2)
    at = visit(**LINK)
    order = ranked(at)
    decide(at, (order[0], KEEP), (order[1], KEEP), (order[2], KEEP))
    steps = message(at)["undoable"]
    assert [step["changes"] is None for step in steps] == [True, False, False], "the newest first"


# -- the line, and suggestions at once -----------------------------------------------------


def many_classes(n: int = 4_000) -> Subject:
    """A subject of made-up findings: three classes, quality by place."""
    rng = np.random.default_rng(0)
    data = DataSpec(n=60, flip=0.0)
    base = rows_of(data=data)
    given, suggested = rng.integers(0, 3, n), rng.integers(0, 3, n)
    y = np.array(["a", "b", "c"], dtype=object)[given]
    dataset = Dataset(np.zeros((n, 2)), y, "made", ("u", "v"), np.arange(n))
    analysis = AllRows(**{**vars(base), "dataset": dataset, "rows": np.arange(n)})
    quality = rng.random(n)
    return Subject(
        "train", analysis, np.arange(n), ("a", "b", "c"), given, suggested, base.support,
        {"quality": quality},
    )  # fmt: skip


def test_open_points_are_flagged_doubted_and_undecided() -> None:
    subject = many_classes()
    flags = threshold.flags_of(subject, "quality")
    codes = np.zeros(4_000, dtype=np.int64)
    codes[::3], codes[1::3] = 1, 2
    decided = Decided(codes, (KEEP, Decision("", note="seen")))
    found = bulk.open_points(subject, "quality", flags, decided)
    quality = subject.scores["quality"]
    expected = [
        point
        for point in np.argsort(quality, kind="stable").tolist()
        if quality[point] < flags.threshold
        and subject.given[point] != subject.suggested[point]
        and point % 3 != 0
    ]
    assert found.tolist() == expected
    counts = bulk.by_class(subject, found)
    assert sum(changing for changing, _ in counts.values()) == len(found)
    assert counts["b"][1] == (subject.given == "b").sum()
    few = bulk.limited(subject, found, "number", 5)
    assert [int((subject.given[few] == name).sum()) for name in "abc"] == [5, 5, 5]
    for name in "abc":
        wanted = [point for point in expected if subject.given[point] == name][:5]
        assert few[subject.given[few] == name].tolist() == wanted
    tenth = bulk.limited(subject, found, "share", 1)
    sizes = [int((subject.given == name).sum()) for name in "abc"]
    assert [int((subject.given[tenth] == name).sum()) for name in "abc"] == [
        size // 100 for size in sizes
    ]
    assert len(bulk.preview(subject, found, "quality")) == min(len(found), bulk._MOST_LISTED)


# -- effect and files ----------------------------------------------------------------------


def test_of_very_many_test_points_some_are_drawn_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = rows_of()
    labels = np.asarray(rows.dataset.y_true).copy()
    removed = np.zeros(rows.dataset.n, dtype=bool)
    removed[:3] = True
    left = 150 - int(((labels != rows.dataset.y) | removed).sum())
    whole = effect.measure(rows, labels, removed)
    assert (whole.effect.n_test, whole.drawn_from) == (left, 0)
    assert "drawn" not in effect.measured_on(whole, rows)
    monkeypatch.setattr(effect, "_MOST_PAIRS", 100)
    monkeypatch.setattr(effect, "MOST_TESTS", 40)
    found = effect.measure(rows, labels, removed)
    assert found == effect.measure(rows, labels, removed)
    assert (found.effect.n_test, found.drawn_from) == (40, left)
    assert f"on 40 of {left} training points that you left as they are" in effect.measured_on(
        found, rows
    )
    assert "drawn at random with a fixed seed" in effect.measured_on(found, rows)
    assert effect.effect_seconds(rows) < 0.03
    held = rows_of(HELD_OUT)
    some = effect.measure(held, labels, np.zeros(rows.dataset.n, dtype=bool))
    assert (some.effect.n_test, some.drawn_from) == (40, 45)
    assert "on 40 of 45 test points, drawn at random" in effect.measured_on(some, held)


def test_suspects_of_all_rows_are_taken_away() -> None:
    rows = rows_of()
    subject = subject_of(rows)
    raw = suspects_csv(subject, "quality", Decided(np.arange(150) % 2, (KEEP,)), {"k": 5})
    frame = pd.read_csv(io.BytesIO(raw), encoding="utf-8-sig")
    assert len(frame) == 150
    assert frame["quality"].is_monotonic_increasing
    odd = frame["id"] % 2 == 1
    assert (frame["decision"].fillna("") == np.where(odd, "keep", "")).all()


def test_a_report_draws_a_sample_with_all_that_was_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = rows_of()
    labels, removed = rows.dataset.y.copy(), np.zeros(150, dtype=bool)
    labels[140], removed[141] = 1 - labels[140], True
    everyone = report_figures.drawn_points(rows, labels, removed)
    assert everyone.tolist() == list(range(150))
    monkeypatch.setattr(report_figures, "MOST_DOTS", 20)
    some = report_figures.drawn_points(rows, labels, removed)
    assert {140, 141} <= set(some.tolist())
    assert 18 <= len(some) <= 20
    figure = report_figures.scatter_of(rows, rows.plane, labels, removed, some)
    assert sum(len(trace.x) for trace in figure.data if trace.name in "01") == len(some) - 1
    assert [len(trace.x) for trace in figure.data[-2:]] == [1, 1]
