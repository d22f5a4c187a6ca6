"""Parts of the review that are pure functions, run in the browser that will run them."""

from dataclasses import replace

import numpy as np
import pytest

from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.results.analysis import analyse
from stiknn_ui.results.contents import Contents
from stiknn_ui.results.pixels import range_of
from stiknn_ui.results.sources import build
from stiknn_ui.results.suspects import scores_of
from stiknn_ui.review import payload
from stiknn_ui.review.subject import Subject, training_points

KEEP, SKIP = ["keep", "", ""], ["skip", "", ""]


def record_of(run_js, asked, expression, truth=None, all_=None):
    truth = {"decisions": [], "undoable": [], "redoable": [], **(truth or {})}
    made = """
        const { kinds, codes } = given.all;
        const record = new DecisionRecord({ kinds, codes: Int32Array.from(codes) }, given.truth);
        given.asked.map(a => record.apply(a));
        const points = [...record.codes.keys()].filter((p) => record.codes[p]);
        const held = () => points.map((p) => [p, record.of(p)]);
    """
    given = {"truth": truth, "asked": asked, "all": all_ or {"kinds": [], "codes": [0] * 6}}
    return run_js(["review/record.js"], f"{{ {made} return {expression}; }}", given)


def put(number, *changes):
    return {"client": "a", "number": number, "kind": "set", "what": "", "changes": list(changes)}


def test_undo_and_redo_are_two_stacks_of_what_was_and_what_waits(run_js):
    truth = {
        "decisions": [[1, KEEP]],
        "undoable": [{"step": 1, "what": "1 kept", "changes": [[1, None, KEEP]]}],
    }
    asked = [put(1, [2, None, SKIP]), {"kind": "undo"}, {"kind": "undo"}, {"kind": "redo"}]
    told = "[held(), record.undoable.map(d => d.step), record.redoable[0].of]"
    assert record_of(run_js, asked, told, truth) == [[[1, KEEP]], [1], ["a", 1]]
    asked.append(put(2, [3, None, KEEP]))
    assert record_of(run_js, asked, "record.redoable.length", truth) == 0
    nothing = [{"kind": "redo"}, *[{"kind": "undo"}] * 3]
    assert record_of(run_js, nothing, "held()", truth) == []


def test_what_changed_lies_on_top_of_all_decisions(run_js):
    all_ = {"kinds": [KEEP, SKIP], "codes": [0, 1, 2, 1, 0, 0]}
    truth = {"decisions": [[1, None], [4, ["remove", "", "why"]], [5, KEEP]]}
    told = "[held(), [0, 1, 2, 3, 4].map(p => record.stateOf(p))]"
    held = [[2, SKIP], [3, KEEP], [4, ["remove", "", "why"]], [5, KEEP]]
    states = ["", "", "skip", "done", "done"]
    assert record_of(run_js, [], told, truth, all_) == [held, states]


def test_a_note_is_open_and_a_skip_is_no_decision(run_js):
    asked = [put(1, [1, None, ["", "", "ask"]], [2, None, SKIP], [3, None, KEEP])]
    assert record_of(run_js, asked, "[0, 1, 2, 3].map(p => record.stateOf(p))") == [
        "", "", "skip", "done",
    ]  # fmt: skip
    words = "[['', '', 'ask'], ['relabel', 'b', ''], ['keep', '', '']].map(d => describe(d, 'a'))"
    assert record_of(run_js, [], words) == ["", "a → b", "a kept"]


BOX = """
const sent = [];
const say = (review, heard = {}, begun = true) => ({ scope: "s", review, heard, begun });
const box = new Outbox(say(""));
const waits = () => box.waiting.map(({ number }) => number);
const numbers = () => sent.map(({ operations }) => operations.map(({ number }) => number));
const hear = (number) => box.take(say("r", { [box.client]: number }));
box.connect((_, message) => sent.push(message));
"""


def box_of(run_js, steps):
    return run_js(["review/outbox.js"], f"{{ {BOX} {steps} }}")


def test_all_that_waits_is_sent_together_until_it_is_heard(run_js):
    steps = """
        for (let i = 0; i < 3; i++) box.add({ kind: "undo", what: "" });
        const before = [numbers(), waits()];
        hear(1);
        box.flush();
        hear(3);
        box.flush(true);
        return [before, numbers(), waits(), sent[0].review, sent[1].review];
    """
    # One at a time is on its way; others wait for the answer, and then go together.
    expected = [[[[1]], [1, 2, 3]], [[1], [2, 3]], [], "", "r"]
    assert box_of(run_js, steps) == expected


def test_what_was_not_heard_is_sent_again(run_js):
    steps = """
        box.pause = 5;
        box.add({ kind: "undo", what: "" });
        return new Promise((done) => setTimeout(() => {
            box.connect(null);
            done([numbers().length > 1, new Set(sent.map(JSON.stringify)).size === sent.length]);
        }, 60));
    """
    assert box_of(run_js, steps) == [True, True]


def test_what_waits_for_one_review_does_not_go_to_another(run_js):
    steps = """
        box.add({ kind: "undo", what: "" });
        box.take(say("one"));
        const named = [box.review, waits()];
        box.take(say("two"));
        return [named, waits()];
    """
    assert box_of(run_js, steps) == [["one", [1]], []]


@pytest.fixture(scope="module")
def digits() -> Subject:
    spec = DataSpec(source="bundled", name="digits", flip=0.1, sample=120)
    analysis = analyse(build(spec), spec, ComputeSpec())
    return training_points(analysis, scores_of(analysis))


CARDS = """
const content = parsePoints(Uint8Array.from(given.points));
const cards = parseWindow(Uint8Array.from(given.window)).found;
"""
MODULES = [f"review/{name}.js" for name in ("points", "windows", "evidence")]


def packed_for(subject, points):
    """Return what a browser gets of all points, and of the cards of some."""
    plane = subject.analysis.plane
    content = payload.points(subject, plane)
    window = payload.window(subject, plane, np.array(points), content.content_id)
    return {"points": list(content.payload), "window": list(window.payload)}


def evidence(run_js, subject, expression, point):
    given = packed_for(subject, [point])
    return run_js(MODULES, f"{{ {CARDS} const [card] = cards; return {expression}; }}", given)


def test_texts_and_pictures_come_apart_as_they_were_put_together(run_js, digits):
    held = Contents(digits.analysis.dataset, pixels=range_of(digits.analysis.dataset))
    plane = digits.analysis.plane
    window = payload.window(digits, plane, np.array([7, 3]), "", None, held)
    found = run_js(
        ["review/windows.js"],
        "parseWindow(Uint8Array.from(given)).found.map(card => "
        "[[...card.picture], ...card.near.map(one => [...one.picture])])",
        list(window.payload),
    )
    near, _ = digits.nearest(np.array([7, 3]))
    for files, point, around in zip(found, (7, 3), near, strict=True):
        assert [bytes(one) for one in files] == held.thumbnails([point, *around])


def test_every_second_piece_of_a_text_is_marked_and_nothing_else_is_made(run_js):
    told = "[...marked(given)].map(one => one.outerHTML ?? one)"
    pieces = ["<b>free</b> ", "prize", "", "money", ""]
    assert run_js(["review/reading.js"], told, pieces) == [
        "<b>free</b> ",
        "<mark>prize</mark>",
        "<mark>money</mark>",
    ]


def test_sentence_and_bars_say_the_same_number(run_js, digits):
    worst = int(digits.scores["quality"].argmin())
    text, rows = evidence(run_js, digits, "[reason(content, card), support(content, card)]", worst)
    (given,) = [row for row in rows if row["given"]]
    (best,) = [row for row in rows if row["suggested"]]
    assert given["name"] == digits.given[worst]
    assert given["share"] == pytest.approx(digits.scores["quality"][worst], abs=1e-15)
    assert best["share"] == pytest.approx(digits.shares()[worst].max(), abs=1e-15)
    one, other = (f"{100 * row['share']:.1f} %" for row in (given, best))
    assert (
        f"Class {best['name']} has a larger share of the support than {given['name']}: "
        f"{other} against {one}."
    ) in text
    assert "8 nearest points" in text
    sure = int(digits.scores["quality"].argmax())
    text = evidence(run_js, digits, "reason(content, card)", sure)
    most = f"{100 * digits.scores['quality'][sure]:.1f} %"
    assert f"Class {digits.given[sure]} has the largest share of the support, {most}." in text


def test_columns_are_sorted_by_how_unusual_they_are_for_either_class(run_js, digits):
    point = int(digits.scores["quality"].argmin())
    analysis = digits.analysis
    for by in ("given", "suggested"):
        rows = evidence(run_js, digits, f"unusual(content, card, '{by}')", point)
        name = digits.given[point] if by == "given" else str(digits.suggested[point])
        X = analysis.dataset.X[analysis.rows][analysis.codes == analysis.classes.index(name)]
        mean, spread = X.mean(axis=0), X.std(axis=0)
        names = [str(one) for one in analysis.dataset.feature_names]
        sizes = []
        for row in rows:
            column = names.index(row["name"])
            assert row["value"] == pytest.approx(analysis.dataset.X[point, column])
            assert row[by]["mean"] == pytest.approx(mean[column], abs=1e-6)
            if spread[column] > 0:
                gap = (row["value"] - mean[column]) / spread[column]
                assert row[by]["far"] == pytest.approx(gap, abs=1e-5)
            sizes.append(abs(row[by]["far"]) if row[by]["far"] is not None else float("inf"))
        assert sizes == sorted(sizes, reverse=True)


def test_scores_come_with_value_and_rank(run_js, digits):
    rows = evidence(run_js, digits, "scoreRows(content, card)", 7)
    for row in rows:
        scores = digits.scores[row["name"]]
        assert row["value"] == scores[7]
        assert row["rank"] == 1 + int((scores < scores[7]).sum())
        told = "removing this point alone" if row["name"] == "leave_one_out" else "Low = suspicious"
        assert told in row["meaning"]
    assert [row["name"] for row in rows][:3] == ["quality", "value", "leave_one_out"]
    assert len(rows) == 6


def test_other_opinions_stand_by_name(run_js, digits):
    assert evidence(run_js, digits, "opinionsOf(content, card)", 7) == []
    share = np.linspace(0, 1, len(digits))
    asked = replace(digits, opinions={"models": share, "features": 1 - share})
    told = [f"models {100 * share[7]:.1f} %", f"features {100 * (1 - share[7]):.1f} %"]
    assert evidence(run_js, asked, "opinionsOf(content, card)", 7) == told


@pytest.mark.parametrize(
    ("classes", "keys"),
    [
        (["cat", "dog"], "12"),
        (list("0123456789"), "0123456789"),
        (["3", "7", "10"], "371"),
        ([str(one) for one in range(1, 11)], "1234567890"),
        (["0", "1", "²", "٣"], "0123"),
        ([f"kind {one}" for one in range(10)], "1234567890"),
    ],
)
def test_a_class_has_the_key_of_its_own_figure(run_js, classes, keys):
    assert "".join(run_js(["review/evidence.js"], "classKeys(given)", classes)) == keys


STORE = """
const asked = [];
let seen = 0;
const tell = (bytes) => show({ data: bytes, send: (_, told) => asked.push(told) });
const points = () => asked.map(({ points }) => points);
onWindow(() => seen++);
"""


def windows(run_js, digits, steps):
    given = packed_for(digits, [4, 7, 9])
    content = "const id = new TextDecoder().decode(Uint8Array.from(given.points).subarray(8, 24));"
    return run_js(["review/windows.js"], f"{{ {STORE} {content} {steps} }}", given)


def test_cards_that_may_be_next_are_asked_for_once_at_a_time(run_js, digits):
    steps = """
        tell(null);
        want(id, [4, 7, 9, 11], false);
        want(id, [11], false);
        const first = points();
        tell(Uint8Array.from(given.window));
        want(id, [4, 7, 9, 11], false);
        tell(Uint8Array.from(given.window));
        want(id, [4, 7, 9], false);
        const second = points();
        want(id, [4, 7], true);
        return [first, second, asked.at(-1), seen, cardOf(id, 7).point, cardOf("other", 7) ?? null];
    """
    first, second, cells, seen, point, other = windows(run_js, digits, steps)
    assert first == [[4, 7, 9, 11]], "the second waits for the answer to the first"
    assert second == [[4, 7, 9, 11], [11]]
    assert (cells["points"], cells["cells"]) == ([4, 7], True)
    assert (seen, point, other) == (2, 7, None)


def test_a_card_far_down_is_asked_for_at_once_and_others_in_advance(run_js, digits):
    steps = """
        tell(null);
        const many = Array.from({ length: 100 }, (_, i) => 200 + i);
        want(id, many, false);
        tell(Uint8Array.from(given.window));
        want(id, [4, ...many], false);
        return points();
    """
    in_view, ahead = windows(run_js, digits, steps)
    assert in_view == [200, 201, 202, 203], "somebody looks at it, so that few come along"
    assert ahead == list(range(200, 264))
    # As long as the next twelve are there, nothing is asked for.
    steps = """
        tell(Uint8Array.from(given.window));
        want(id, [...Array(4).fill([4, 7, 9]).flat(), 11], false);
        return points();
    """
    assert windows(run_js, digits, steps) == []


def test_an_estimate_is_hidden_while_the_line_is_elsewhere_and_keeps_its_place(run_js):
    told = {"value": 0.5, "expected": "Of these 9, about 5 may be wrong.", "sure": "roughly"}
    shown = """(() => {
      const estimates = new Estimates();
      const { found: decided, told, value } = given;
      estimates.paint({ found: decided, line: told }, { ...told, value });
      const { expected, found } = estimates;
      return [expected.hidden, expected.style.visibility, expected.textContent, expected.title,
              found.hidden, found.textContent];
    })()"""

    def painted(line, value, found=""):
        given = {"told": line, "value": value, "found": found}
        return run_js(["review/estimates.js"], f"{{ return {shown}; }}", given)

    there = [told["expected"], "roughly"]
    assert painted(told, 0.5) == [False, "", *there, True, ""]
    assert painted(told, 0.6, "Of the 5.") == [False, "hidden", *there, False, "Of the 5."]
    assert painted(told | {"expected": ""}, 0.5)[0] is True
