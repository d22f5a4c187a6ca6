"""No decision that was acknowledged is ever lost, and every step can be undone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_ui.review.decisions import Change, DecidedElsewhere, Decision, Record, ReviewError
from stiknn_ui.review.journal import Journal, StoredFile, UnknownReview
from tests.ui.review_steps import KEEP, ONE, ZERO, change, record_of, reopened


def test_looking_writes_nothing(journal: Journal) -> None:
    assert journal.path is not None
    assert journal.record("a" * 22) is None
    assert not journal.exists("a" * 22)
    assert journal.about("a" * 22) == ""
    assert journal.stored_upload("a" * 22) is None
    journal.forget("a" * 22)
    assert not journal.path.parent.exists()


def test_folder_and_files_are_for_this_user_only(journal: Journal) -> None:
    journal.write(journal.new_review(), [change(1, ZERO)])
    assert journal.path is not None
    assert journal.path.parent.stat().st_mode & 0o777 == 0o700
    modes = {path.name: path.stat().st_mode & 0o777 for path in journal.path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "reviews.sqlite-wal" in modes, "it is not in WAL mode"


def test_the_token_is_unguessable_and_not_in_the_file(journal: Journal) -> None:
    tokens = {journal.new_review() for _ in range(20)}
    assert len(tokens) == 20
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in tokens)
    journal.close()
    assert journal.path is not None
    content = journal.path.read_bytes()
    assert not [token for token in tokens if token.encode() in content]


def test_a_step_is_there_after_reopening(journal: Journal) -> None:
    token = journal.new_review()
    step = journal.write(token, [change(1, ZERO), change(2, KEEP)], "two")
    assert step is not None
    record = record_of(reopened(journal), token)
    assert dict(record.decisions) == {("s" * 64, 1): ZERO, ("s" * 64, 2): KEEP}
    assert record.steps == (step,)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", step.at)
    with pytest.raises(TypeError):
        record.decisions["s", 9] = KEEP  # type: ignore[index]


def test_reviews_know_nothing_of_each_other(journal: Journal) -> None:
    first, second = journal.new_review(), journal.new_review()
    journal.write(first, [change(1, ZERO)])
    assert not record_of(journal, second).decisions
    assert journal.undo(second) is None
    journal.forget(second)
    assert record_of(journal, first).decisions


def test_undo_and_redo_go_back_to_the_beginning_across_reopening(journal: Journal) -> None:
    token = journal.new_review()
    journal.write(token, [change(1, ZERO)])
    journal.write(token, [change(1, KEEP, ZERO), change(2, ONE)])
    journal.write(token, [change(2, None, ONE)])
    states = [dict(record_of(journal, token).decisions)]
    for _ in range(3):
        journal = reopened(journal)
        assert journal.undo(token) is not None
        states.append(dict(record_of(journal, token).decisions))
    assert states[-1] == {}
    assert journal.undo(token) is None
    for expected in reversed(states[:-1]):
        journal = reopened(journal)
        assert journal.redo(token) is not None
        assert dict(record_of(journal, token).decisions) == expected
    assert journal.redo(token) is None
    journal.close()


def test_a_new_step_replaces_what_was_undone_but_the_list_keeps_it(journal: Journal) -> None:
    token = journal.new_review()
    for row in (1, 2, 3):
        journal.write(token, [change(row, ZERO)])
    journal.undo(token)
    journal.undo(token)
    journal.write(token, [change(4, KEEP)])
    record = record_of(journal, token)
    assert [(s.number, s.undone, s.replaced) for s in record.steps] == [
        (1, False, False),
        (2, True, True),
        (3, True, True),
        (4, False, False),
    ]
    assert record.redoable is None
    assert journal.redo(token) is None
    assert [journal.undo(token).number for _ in range(2)] == [4, 1]  # type: ignore[union-attr]
    assert record_of(journal, token).redoable.number == 1  # type: ignore[union-attr]


def test_two_windows_do_not_overwrite_each_other(journal: Journal) -> None:
    token = journal.new_review()
    other = Journal(journal.path)
    journal.write(token, [change(1, ZERO)])
    with pytest.raises(DecidedElsewhere, match=r"P01 \(now: 1 → 0\)"):
        other.write(token, [change(1, KEEP), change(2, KEEP)])
    assert dict(record_of(other, token).decisions) == {("s" * 64, 1): ZERO}
    other.write(token, [change(2, KEEP)])
    assert record_of(journal, token) == record_of(other, token)
    with pytest.raises(DecidedElsewhere, match="1 → 0, with another note"):
        other.write(token, [change(1, None, Decision("relabel", "0", "note"))])
    other.close()


def test_many_rows_decided_elsewhere_are_counted(journal: Journal) -> None:
    token = journal.new_review()
    journal.write(token, [change(row, ZERO) for row in range(9)])
    with pytest.raises(DecidedElsewhere, match="and 6 more: look again"):
        journal.write(token, [change(row, KEEP) for row in range(9)])


def test_the_step_that_was_meant_is_undone_or_none(journal: Journal) -> None:
    token = journal.new_review()
    journal.write(token, [change(1, ZERO)])
    journal.write(token, [change(2, ZERO)])
    assert journal.undo(token, 1) is not None, "its row is as it left it"
    assert dict(record_of(journal, token).decisions) == {("s" * 64, 2): ZERO}
    with pytest.raises(DecidedElsewhere, match="step 1 was undone in another window"):
        journal.undo(token, 1)
    journal.write(token, [change(2, KEEP, ZERO)])
    with pytest.raises(DecidedElsewhere, match=r"P02 \(now: 1 kept\)"):
        journal.undo(token, 2)
    with pytest.raises(DecidedElsewhere, match="step 1 was redone or replaced"):
        journal.redo(token, 1)
    assert dict(record_of(journal, token).decisions) == {("s" * 64, 2): KEEP}


def test_what_was_read_before_is_brought_up_to_date(journal: Journal) -> None:
    token = journal.new_review()
    known = Record()
    for row in range(4):
        journal.write(token, [change(row, ZERO), change(row + 10, KEEP)])
        journal.undo(token)
        journal.redo(token)
        if row == 2:
            journal.undo(token)
        known = record_of(journal, token, known)
        assert known == record_of(journal, token)
    assert record_of(journal, token, known) is known


actions = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 3), st.sampled_from([ZERO, ONE, KEEP, None])),
        st.sampled_from([("undo", 0, None), ("redo", 0, None)]),
    ),
    max_size=25,
)


@given(actions)
@settings(max_examples=60)
def test_any_sequence_agrees_with_two_stacks(
    sequence: list[tuple[str, int, Decision | None]],
) -> None:
    """The oracle keeps whole states on two stacks."""
    journal = Journal(None)
    token = journal.new_review()
    state: dict[int, Decision] = {}
    done: list[dict[int, Decision]] = []
    undone: list[dict[int, Decision]] = []
    known = Record()
    for what, row, after in sequence:
        if what == "write" and state.get(row) != after:
            journal.write(token, [change(row, after, state.get(row))])
            done.append(dict(state))
            undone.clear()
            state.pop(row, None)
            if after is not None:
                state[row] = after
        elif what in ("undo", "redo"):
            source, target = (done, undone) if what == "undo" else (undone, done)
            step = journal.undo(token) if what == "undo" else journal.redo(token)
            assert (step is None) == (not source)
            if source:
                target.append(dict(state))
                state = source.pop()
        known = record_of(journal, token, known)
        assert {row: value for (_, row), value in known.decisions.items()} == state
        assert (known.undoable is None) == (not done)
        assert (known.redoable is None) == (not undone)
    assert known == record_of(journal, token)


TEXTS = ["", "🦔 é 中", "a\0b", "x" * 10_000, "\ud800", "'; DROP TABLE reviews; --", "\n\t", "0"]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back_as_it_was(journal: Journal, text: str) -> None:
    token = journal.new_review()
    decision = Decision("relabel", text or "a", text[:2000])
    told = Change(("s" * 64, 0), text, text, None, decision)
    journal.write(token, [told], text or "a")
    (step,) = record_of(reopened(journal), token).steps
    assert step.changes == (told,)
    assert step.what == (text or "a")


def test_nothing_is_written_for_no_change(journal: Journal) -> None:
    token = journal.new_review()
    assert journal.write(token, [change(1, ZERO, ZERO)]) is None
    with pytest.raises(ReviewError, match="A note can have"):
        journal.write(token, [change(1, Decision("keep", note="n" * 2001))])
    assert record_of(journal, token) == Record()


def test_forgetting_deletes_and_overwrites(journal: Journal) -> None:
    token, other = journal.new_review(), journal.new_review()
    journal.write(token, [change(1, Decision("keep", note="SECRET-NOTE"))], "SECRET-STEP")
    journal.keep_upload(token, [StoredFile("data", "SECRET.csv", b"SECRET" * 100_000)], "{}")
    journal.write(other, [change(1, ZERO)])
    assert journal.path is not None
    journal.forget(token)
    assert not journal.exists(token)
    assert journal.stored_upload(token) is None
    with pytest.raises(UnknownReview, match="forgotten"):
        journal.write(token, [change(1, ZERO)])
    with pytest.raises(UnknownReview):
        journal.undo(token)
    kept = [path.read_bytes() for path in journal.path.parent.iterdir()]
    assert not [content for content in kept if b"SECRET" in content]
    assert sum(map(len, kept)) < 300_000, "the room is not given back"
    assert record_of(journal, other).decisions


def test_kept_files_come_back_and_can_be_dropped(journal: Journal) -> None:
    token = journal.new_review()
    files = [
        StoredFile("data", "ü\0.csv", bytes(range(256)), '{"a": 1}'),
        StoredFile("test", "t", b""),
    ]
    journal.keep_settings(token, "for nothing")
    assert journal.stored_upload(token) is None
    journal.keep_upload(token, files, "one")
    journal.keep_settings(token, "two")
    found = reopened(journal).stored_upload(token)
    assert found is not None
    assert found.settings == "two"
    assert list(found.files) == files
    journal.keep_upload(token, files[:1], "three")
    assert len(journal.stored_upload(token).files) == 1  # type: ignore[union-attr]
    journal.drop_upload(token)
    assert journal.stored_upload(token) is None
    assert journal.exists(token)


def test_a_record_can_be_taken_over(journal: Journal) -> None:
    token = journal.new_review()
    for row in range(3):
        journal.write(token, [change(row, ZERO)])
    journal.undo(token)
    known = record_of(journal, token)
    memory = Journal(None)
    memory.adopt(known, "here")
    assert record_of(memory, "here") == known
    memory.redo("here")
    memory.write("here", [change(7, KEEP)])
    assert [step.number for step in record_of(memory, "here").steps] == [1, 2, 3, 4]


def test_a_step_that_was_written_here_is_told_as_another_server_reads_it(journal: Journal) -> None:
    token = journal.new_review()
    known = record_of(journal, token)
    journal.write(token, [change(row, ONE) for row in range(40)], "forty")
    other = Journal(journal.path)
    other.write(token, [change(50, KEEP)])
    record = record_of(journal, token, known)
    assert record.steps == record_of(other, token).steps
    assert [len(step.changes) for step in record.steps] == [40, 1]
    assert journal.undo(token, 2) is not None
    undone = journal.undo(token, 1)
    assert undone is not None
    assert len(undone.changes) == 40
    assert not record_of(other, token).decisions
    other.close()


def test_what_was_written_here_is_not_taken_for_what_another_file_holds(journal: Journal) -> None:
    assert journal.path is not None
    token = journal.new_review()
    journal.write(token, [change(1, ONE)], "in the file that is gone")
    journal.close()
    for path in journal.path.parent.iterdir():
        path.unlink()
    other = Journal(journal.path)
    other.new_review(token)
    other.write(token, [change(2, KEEP)], "in the file that took its place")
    other.close()
    (step,) = record_of(journal, token).steps
    assert step.changes == (change(2, KEEP),)
    undone = journal.undo(token, 1)
    assert undone is not None
    assert undone.changes == (change(2, KEEP),)


def test_a_record_says_what_changed_since_any_read_before(journal: Journal) -> None:
    token = journal.new_review()
    first = record_of(journal, token)
    journal.write(token, [change(1, ONE), change(2, ONE)])
    second = record_of(journal, token, first)
    journal.write(token, [change(3, KEEP)])
    journal.undo(token)
    third = record_of(journal, token, second)
    rows = [{row for _, row in third.changed_since(older)} for older in (first, second, third)]
    assert rows == [{1, 2, 3}, {3}, set()]
    # What was read of another journal says nothing of what changed.
    elsewhere = record_of(Journal(journal.path), token)
    assert {row for _, row in elsewhere.changed_since(second)} == {1, 2}
