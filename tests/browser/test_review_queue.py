"""In which order points come up, run in the browser that will run it."""

import pytest

LINE = {"value": 0.5, "high": 1.0}
# Six points with these scores; 1, 4 and 2 are flagged, in this order.
SCORES = [0.9, 0.1, 0.4, 0.6, 0.3, 0.8]
ORDER = [1, 4, 2, 3, 5, 0]

QUEUE = """
const content = { n: 6, groups: Int32Array.from(given.groups ?? [-1, -1, -1, -1, -1, -1]) };
const ranking = { scores: Float64Array.from(given.scores), order: Int32Array.from(given.order) };
const queue = new Queue(content, ranking, given.together ?? true);
queue.flag(given.line);
"""


def queue_of(run_js, expression, **given):
    given = {"scores": SCORES, "order": ORDER, "line": LINE, **given}
    return run_js(["review/queue.js"], f"{{ {QUEUE} return {expression}; }}", given)


def test_the_most_suspicious_comes_first_and_flagged_ones_lead(run_js):
    found = queue_of(run_js, "[[...queue.items], queue.flaggedItems, [...queue.flagged]]")
    assert found == [ORDER, 3, [1, 4, 2]]
    everything = {"value": 1.0, "high": 1.0}
    assert queue_of(run_js, "queue.flaggedItems", line=everything) == 6
    assert queue_of(run_js, "queue.flaggedItems", line={"value": 0.1, "high": 1.0}) == 0


def test_copies_come_up_once_where_the_most_suspicious_of_them_stands(run_js):
    groups = [0, 1, 0, -1, 1, 0]
    told = "[[...queue.items], queue.flaggedItems, [...queue.flagged], queue.places[4]]"
    assert queue_of(run_js, told, groups=groups) == [[1, 2, 3], 2, [1, 4, 2], -1]
    assert queue_of(run_js, told, groups=groups, together=False) == [ORDER, 3, [1, 4, 2], 1]


def test_suspects_are_counted_as_the_list_beside_them_counts(run_js):
    assert queue_of(run_js, "whereIs(queue, 4)") == "Suspect 2 of 3"
    told = "[1, 4, 3].map((point) => whereIs(queue, point))"
    assert queue_of(run_js, told, groups=[0, 1, 0, -1, 1, 0]) == [
        "Suspect 1 of 2 (3 with copies)",
        "A copy of a point in the queue",
        "Not flagged; 3 of 3 in the ranking",
    ]


def test_steps_stop_at_either_end(run_js):
    assert queue_of(run_js, "[[1, -1], [1, 1], [0, 1]].map(a => queue.step(...a))") == [1, 4, 0]


@pytest.mark.parametrize(
    ("here", "states", "wanted"),
    [
        (1, {1: "done"}, 4),
        (2, {2: "done"}, 1),  # round once, before it leaves the flagged ones
        (1, {1: "skip"}, 4),
        (4, {1: "skip", 4: "done"}, 2),
        (2, {1: "skip", 4: "done", 2: "done"}, 1),  # a skipped one again when all else is decided
        (1, {1: "skip", 4: "skip", 2: "done"}, 4),
        (2, {1: "done", 4: "done", 2: "done"}, 3),
        (5, {1: "done", 4: "done", 2: "done", 5: "done"}, 0),
        (0, {0: "done", 1: "done", 2: "done", 3: "done", 4: "done", 5: "done"}, 0),
    ],
)
def test_the_next_open_point_is_flagged_as_long_as_one_is_left(run_js, here, states, wanted):
    told = "queue.nextOpen(given.here, point => given.states[point] ?? '')"
    assert queue_of(run_js, told, here=here, states=states) == wanted


@pytest.mark.parametrize(
    ("here", "states", "wanted"),
    [
        (1, {}, [1, 4, 2, 3]),
        (1, {4: "done"}, [1, 2, 3, 5, 4]),  # open ones first, then what stands next to it
        (2, {4: "done", 3: "skip"}, [2, 5, 0, 3, 4]),
        (0, {}, [0, 5]),
    ],
)
def test_the_points_that_may_be_next_are_known_ahead(run_js, here, states, wanted):
    told = "queue.ahead(given.here, point => given.states[point] ?? '', 4)"
    assert queue_of(run_js, told, here=here, states=states) == wanted


def test_decided_and_skipped_are_counted_apart(run_js):
    states = {1: "done", 4: "skip", 3: "done"}
    told = "queue.progress(point => given.states[point] ?? '')"
    expected = {"decided": 1, "skipped": 1, "flagged": 3}
    assert queue_of(run_js, told, states=states) == expected
