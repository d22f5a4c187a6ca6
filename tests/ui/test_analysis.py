"""One result with all that the pages need."""

from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.errors import FeatureError
from stiknn_core.types import Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.notices import data_notices
from stiknn_ui.results.parts import Parts, parts_of
from stiknn_ui.results.sources import build
from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from tests.patience import PATIENCE

EACH = "to test each point with"


def table(X: list[list[float]], y: list[object]) -> Dataset:
    names = tuple(f"x{place + 1}" for place in range(len(X[0])))
    return Dataset(np.array(X), np.array(y), "table", names, np.arange(len(y)))


@pytest.mark.parametrize(
    ("n", "test", "k", "expected"),
    [
        (9, np.arange(3), 20, (9, "k = 20, but only 9 training points: k = 9 is used.")),
        (9, np.arange(3), 9, (9, "")),
        (10, None, 20, (9, f"k = 20, but only 9 training points {EACH}: k = 9 is used.")),
        (2, None, 5, (1, f"k = 5, but only 1 training point {EACH}: k = 1 is used.")),
    ],
)  # fmt: skip
def test_k_is_capped_by_the_points_there_are(
    n: int, test: np.ndarray | None, k: int, expected: tuple[int, str]
) -> None:
    assert Parts(np.arange(n), test).usable_k(k) == expected


def test_the_k_in_use_is_shown_and_the_notice_says_why() -> None:
    data = DataSpec(n=10)
    found = analyse(build(data), data, ComputeSpec(k=20))
    assert found.interactions.k == 9
    assert any("k = 20, but only 9" in notice for notice in found.notices)


def test_leave_one_out_uses_every_row_as_its_own_point(flipped: Analysis) -> None:
    assert flipped.rows.tolist() == list(range(120))
    assert flipped.interactions.evaluation == "leave-one-out"
    assert flipped.changed.tolist() == flipped.dataset.flipped.tolist()


def test_point_ids_of_a_hold_out_lead_back_to_the_right_rows(held_out: Analysis) -> None:
    assert held_out.n == 84
    assert held_out.rows.tolist() != list(range(84))
    labels = [held_out.classes[code] for code in held_out.codes]
    assert labels == [str(label) for label in held_out.dataset.y[held_out.rows]]
    flipped_rows = set(held_out.dataset.flipped.tolist())
    for point in range(held_out.n):
        assert (point in held_out.changed) == (int(held_out.rows[point]) in flipped_rows)


def test_held_out_rows_are_not_in_the_matrix() -> None:
    dataset = build(DataSpec(n=60))
    parts = parts_of(dataset, ComputeSpec(evaluation="hold-out", share=0.25, split_seed=4))
    assert parts.test is not None
    assert not set(parts.train) & set(parts.test)
    assert len(parts.train) + len(parts.test) == 60
    assert parts.n_test == len(parts.test) == 15


def test_point_ids_keep_their_meaning_while_only_the_numbers_change() -> None:
    data = DataSpec(n=40)
    dataset = build(data)
    one, other = (analyse(dataset, data, ComputeSpec(k=k)) for k in (3, 4))
    assert one.scope == other.scope
    assert one.key != other.key
    split = analyse(dataset, data, ComputeSpec(k=3, evaluation="hold-out"))
    assert split.scope != one.scope


def test_scaling_changes_the_neighbours_but_not_the_axes() -> None:
    dataset = table([[0, 0], [1, 1000], [2, 10], [3, 900], [4, 5], [5, 950]], list("ababab"))
    raw = analyse(dataset, DataSpec(), ComputeSpec(k=1))
    scaled = analyse(dataset, DataSpec(), ComputeSpec(k=1, scaling="standard"))
    assert not np.allclose(raw.interactions.values, scaled.interactions.values)
    assert np.array_equal(raw.plane.xy, scaled.plane.xy)
    assert any("spread" in notice for notice in raw.notices)
    assert not any("spread" in notice for notice in scaled.notices)


def test_a_plane_of_other_scales_than_the_neighbours_is_said() -> None:
    data = DataSpec(source="bundled", name="breast_cancer", flip=0.0)
    raw = analyse(build(data), data, ComputeSpec(k=5, scaling="none"))
    even = analyse(build(data), data, ComputeSpec(k=5, scaling="standard"))
    np.testing.assert_allclose(raw.plane.xy, even.plane.xy, rtol=0, atol=1e-9)
    said = [notice for notice in raw.notices if "need not be near" in notice]
    assert len(said) == 1
    assert "widest columns decide" in said[0]
    assert not any("need not be near" in notice for notice in even.notices)


def test_one_class_only_works_and_is_said() -> None:
    found = analyse(table([[0], [1], [2], [4]], ["a"] * 4), DataSpec(), ComputeSpec(k=1))
    assert any("one class only (a)" in notice for notice in found.notices)


def test_copies_with_different_labels_are_found_among_training_points() -> None:
    dataset = table([[0], [0], [1], [2], [2]], ["a", "b", "a", "b", "b"])
    found = analyse(dataset, DataSpec(), ComputeSpec(k=1))
    assert [group.tolist() for group in found.duplicates.groups] == [[0, 1], [3, 4]]
    assert found.duplicates.conflicts == (0,)


def test_a_mistake_in_the_data_is_an_error_in_words() -> None:
    dataset = table([[0, 0], [1, 2], [0, 3], [2, 1]], list("abab"))
    with pytest.raises(FeatureError, match="zero"):
        analyse(dataset, DataSpec(), ComputeSpec(k=1, metric="cosine"))


def test_progress_runs_to_the_end_once_and_can_stop_the_work() -> None:
    seen: list[float] = []
    data = DataSpec(n=200)
    analyse(build(data), data, ComputeSpec(), lambda done, total: seen.append(done / total))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert len(seen) > 2

    def work(progress: Progress) -> Analysis:
        job.stop()
        return analyse(build(data), data, ComputeSpec(), progress)

    job = Job("key", work)
    assert job.start().wait(PATIENCE)
    assert job.state == "stopped"


@pytest.mark.parametrize(
    ("tested", "told"),
    [
        ("ab", ""),
        ("aa", "No test point has class b. Points of such a class bring nothing"),
        ("cc", "No test point has any of these classes: a and b. Points of such"),
    ],
)
def test_classes_without_test_points_are_named_since_their_points_bring_nothing(
    tested: str, told: str
) -> None:
    data = table([[float(place)] for place in range(6)], [*"abab", *tested])
    compute = ComputeSpec(k=1, evaluation="split-column")
    said = data_notices(data, np.arange(4), np.array([4, 5]), compute)
    assert [one[: len(told)] for one in said if "bring nothing" in one] == ([told] if told else [])
