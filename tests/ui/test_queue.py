"""Computations of one server take turns: few at once, in a fair order, and none is forgotten."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from stiknn_ui.work.jobs import Job
from stiknn_ui.work.progress import Progress
from stiknn_ui.work.queue import BusyError, ComputeQueue, Lane, describe_place
from tests.patience import PATIENCE


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A queue, and works that run until they are told to end."""

    def __init__(self, *, slots: int = 1, most_waiting: int = 50) -> None:
        self.clock = Clock()
        lanes = (Lane(1.0, slots), Lane(float("inf"), slots))
        self.queue = ComputeQueue(lanes, most_waiting=most_waiting, lease=100.0, clock=self.clock)
        self.order: list[str] = []
        self.begun: dict[str, threading.Event] = {}
        self.go: dict[str, threading.Event] = {}

    def ask(self, key: str, owner: str = "", *, seconds: float = 0.0, fails: bool = False) -> Job:
        begun, go = threading.Event(), threading.Event()
        self.begun.setdefault(key, begun)
        self.go.setdefault(key, go)

        def work(progress: Progress) -> str:
            self.order.append(key)
            self.begun[key].set()
            while not self.go[key].wait(0.001):
                progress(1, 2)
            if fails:
                raise ValueError("no")
            return key.upper()

        return self.queue.submit(Job(key, work, owner, self.clock), seconds=seconds)

    def finish(self, job: Job) -> None:
        self.go[job.key].set()
        assert job.wait(PATIENCE)

    def let_all_go(self) -> None:
        for go in self.go.values():
            go.set()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.let_all_go()


def places(*jobs: Job) -> list[int | None]:
    return [job.place for job in jobs]


def test_first_come_first_served_and_everyone_sees_their_place(bench: Bench) -> None:
    jobs = [bench.ask(key, owner=key) for key in "abcd"]
    assert places(*jobs) == [None, 1, 2, 3]
    assert [job.state for job in jobs] == ["running", "waiting", "waiting", "waiting"]
    assert all(job.running for job in jobs)
    for n, job in enumerate(jobs):
        assert job.place is None
        assert places(*jobs[n + 1 :]) == list(range(1, 4 - n))
        bench.finish(job)
    assert bench.order == list("abcd")
    assert [job.result for job in jobs] == list("ABCD")
    assert (bench.queue.running, bench.queue.waiting) == (0, 0)


def test_no_more_run_at_once_than_there_are_slots() -> None:
    bench = Bench(slots=2)
    jobs = [bench.ask(key, owner=key) for key in "abcde"]
    assert [job.state for job in jobs].count("running") == 2
    bench.finish(jobs[0])
    assert [job.state for job in jobs[1:]].count("running") == 2
    bench.let_all_go()
    assert all(job.wait(PATIENCE) for job in jobs)


def test_what_is_short_does_not_wait_for_what_is_long(bench: Bench) -> None:
    long = [bench.ask(key, seconds=60.0) for key in "ab"]
    short = bench.ask("s", seconds=0.5)
    assert [job.state for job in (*long, short)] == ["running", "waiting", "running"]
    assert long[1].place == 1
    bench.finish(short)
    assert (short.result, long[0].state, long[1].place) == ("S", "running", 1)


def test_who_asks_for_much_does_not_starve_the_others(bench: Bench) -> None:
    greedy = [bench.ask(f"g{n}", "greedy") for n in range(5)]
    other, third = bench.ask("o", "other"), bench.ask("t", "third")
    # One of the greedy owner's runs, so the others' first come before its second.
    assert places(other, third, *greedy[1:]) == [1, 2, 3, 4, 5, 6]
    bench.finish(greedy[0])
    # Now its second has its turn: behind those who were in line, before those who come.
    late = bench.ask("l", "late")
    assert places(other, third, greedy[1], late, *greedy[2:]) == [None, 1, 2, 3, 4, 5, 6]
    bench.let_all_go()
    jobs = [*greedy, other, third, late]
    assert all(job.wait(PATIENCE) for job in jobs)
    assert bench.order == ["g0", "o", "t", "g1", "l", "g2", "g3", "g4"]


def test_newcomers_without_end_starve_nobody(bench: Bench) -> None:
    first, second = bench.ask("first", "one"), bench.ask("second", "one")
    newcomers = [bench.ask("n0", "n0")]
    bench.finish(first)
    while second.state == "waiting":
        assert len(newcomers) < 5, "the second is passed by everyone who comes"
        newcomers.append(bench.ask(f"n{len(newcomers)}", f"n{len(newcomers)}"))
        bench.finish(newcomers[-2])
    bench.finish(second)
    bench.let_all_go()
    assert all(job.wait(PATIENCE) for job in newcomers)


def test_a_full_line_is_one_sentence_and_takes_more_once_there_is_room() -> None:
    bench = Bench(most_waiting=2)
    jobs = [bench.ask(key) for key in "abc"]
    with pytest.raises(BusyError, match=r"^2 computations are in line .* try again in a minute"):
        bench.ask("d")
    assert bench.ask("s", seconds=5.0).state == "running"  # a lane with room takes what is its own
    assert bench.ask("c").place == 2  # nothing is added by asking for what is in line
    bench.finish(jobs[0])
    assert bench.ask("d").place == 2
    bench.let_all_go()


def test_stopping_in_line_frees_the_place_at_once(bench: Bench) -> None:
    jobs = [bench.ask(key) for key in "abc"]
    jobs[1].stop()
    assert (jobs[1].state, jobs[1].place, jobs[1].running) == ("stopped", None, False)
    assert jobs[1].wait(0)
    assert jobs[2].place == 1
    bench.finish(jobs[0])
    bench.finish(jobs[2])
    assert bench.order == ["a", "c"]


def test_stopping_what_runs_lets_the_next_one_start(bench: Bench) -> None:
    first, second = bench.ask("a"), bench.ask("b")
    assert bench.begun["a"].wait(PATIENCE)
    first.stop()
    assert not first.running
    assert bench.begun["b"].wait(PATIENCE)
    assert second.state == "running"
    bench.finish(second)
    assert second.result == "B"


def test_asking_again_for_what_was_stopped_computes_it_again(bench: Bench) -> None:
    first = bench.ask("a")
    assert bench.begun["a"].wait(PATIENCE)
    first.stop()
    again = bench.ask("a")
    assert first.state == "stopped"
    bench.finish(again)
    assert (again.state, again.result) == ("done", "A")
    assert bench.order == ["a", "a"]


def test_a_failure_holds_nobody_up(bench: Bench) -> None:
    first, second = bench.ask("a", fails=True), bench.ask("b")
    bench.finish(first)
    assert (first.state, str(first.error)) == ("failed", "no")
    bench.finish(second)
    assert (second.state, second.error) == ("done", None)


def test_a_machine_without_threads_to_give_fails_one_job_and_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", _no_thread)
        assert bench.ask("a").state == "failed"
    second = bench.ask("b")
    bench.finish(second)
    assert second.result == "B"


def _no_thread(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_equal_keys_share_one_computation_and_one_stop_ends_nothing_of_the_other(
    bench: Bench,
) -> None:
    one, two = bench.ask("a", "one"), bench.ask("a", "two")
    assert one is not two
    assert bench.begun["a"].wait(PATIENCE)
    one.stop()
    assert (one.state, two.state) == ("stopped", "running")
    bench.finish(two)
    assert (one.state, one.result) == ("stopped", None)
    assert (two.state, two.result) == ("done", "A")
    assert bench.order == ["a"]


def test_the_last_who_stops_ends_the_shared_computation(bench: Bench) -> None:
    one, two = bench.ask("a", "one"), bench.ask("a", "two")
    one.stop()
    two.stop()
    assert two.computation.finished.wait(PATIENCE)
    assert two.computation.state == "stopped"
    assert (bench.queue.running, bench.queue.waiting) == (0, 0)


def test_sharing_takes_the_better_turn_of_the_two(bench: Bench) -> None:
    bench.ask("a", "greedy")
    wanted, other = bench.ask("b", "greedy"), bench.ask("c", "other")
    assert places(wanted, other) == [2, 1]
    bench.ask("b", "newcomer")
    assert places(wanted, other) == [1, 2]


def test_nobody_waits_for_what_nobody_looks_at(bench: Bench) -> None:
    gone, also_gone = bench.ask("a", "gone"), bench.ask("b", "also gone")
    here = bench.ask("c", "here")
    assert bench.begun["a"].wait(PATIENCE)
    bench.clock.now = 99.0
    assert here.place == 2
    bench.clock.now = 101.0  # the first two were looked at 101 seconds ago, the third just now
    # The one in line goes at once, and the one that runs at its next report.
    assert here.place in (1, None)
    assert bench.begun["c"].wait(PATIENCE)
    assert gone.computation.finished.wait(PATIENCE)
    assert (gone.state, gone.put_out) == ("stopped", True)
    assert (also_gone.state, also_gone.put_out) == ("stopped", True)
    assert here.state == "running"
    bench.finish(here)
    assert bench.order == ["a", "c"]


def test_what_nobody_looks_at_goes_on_while_nobody_waits(bench: Bench) -> None:
    job = bench.ask("a")
    long = bench.ask("l", seconds=60.0)
    bench.clock.now = 1000.0
    assert bench.ask("m", seconds=60.0).running  # another lane's line is no reason
    assert not job.computation.ended
    assert long.computation.finished.wait(PATIENCE)
    bench.finish(job)
    assert job.result == "A"


def test_whoever_has_left_gives_way_at_once(bench: Bench) -> None:
    gone, gone_too, here = (bench.ask(key, key) for key in "abc")
    assert here.place == 2
    gone.look_away()
    gone_too.look_away()
    assert here.place == 1, "as soon as what runs has ended"
    assert gone.computation.finished.wait(PATIENCE)
    bench.finish(here)
    assert here.result == "C"
    assert gone.put_out
    assert gone_too.put_out


def test_what_somebody_else_wants_too_goes_on(bench: Bench) -> None:
    gone, reloaded, waits = bench.ask("a", "one"), bench.ask("a", "one"), bench.ask("b", "two")
    gone.look_away()
    assert (reloaded.running, waits.place) == (True, 1)
    bench.finish(reloaded)
    assert reloaded.result == "A"
    bench.finish(waits)


def test_looking_now_and_then_is_enough_to_stay(bench: Bench) -> None:
    runs, waits = bench.ask("a", "one"), bench.ask("b", "two")
    for minute in range(1, 20):
        bench.clock.now = 60.0 * minute
        assert (runs.running, waits.place) == (True, 1)
    assert (runs.put_out, waits.put_out) == (False, False)
    bench.finish(runs)
    bench.finish(waits)
    assert waits.result == "B"


def test_a_line_full_of_the_gone_takes_newcomers() -> None:
    bench = Bench(most_waiting=2)
    gone = [bench.ask(key) for key in "abc"]
    bench.clock.now = 101.0
    fresh = bench.ask("d")
    assert fresh.running
    assert [job.state for job in gone[1:]] == ["stopped", "stopped"]
    bench.finish(fresh)
    assert fresh.result == "D"


def test_many_threads_asking_and_stopping_leave_nothing_behind() -> None:
    queue = ComputeQueue((Lane(1.0, 2), Lane(float("inf"), 1)), most_waiting=1000)
    at_once, most, ran = 0, 0, 0
    lock, ready = threading.Lock(), threading.Barrier(8)
    jobs: list[Job] = []

    def work(progress: Progress) -> int:
        nonlocal at_once, most, ran
        with lock:
            at_once, ran = at_once + 1, ran + 1
            most = max(most, at_once)
        progress(1, 1)
        with lock:
            at_once -= 1
        return 1

    def visitor(number: int) -> None:
        ready.wait(PATIENCE)
        for n in range(30):
            job = queue.submit(
                Job(f"{number * n % 40}", work, str(number)), seconds=2.0 * (n % 3 == 0)
            )
            jobs.append(job)
            if n % 4 == 0:
                job.stop()

    visitors = [threading.Thread(target=visitor, args=(number,)) for number in range(8)]
    for thread in visitors:
        thread.start()
    for thread in visitors:
        thread.join(PATIENCE)
    assert len(jobs) == 240
    assert all(job.wait(PATIENCE) for job in jobs)
    assert all(job.computation.finished.wait(PATIENCE) for job in jobs)
    assert (queue.running, queue.waiting) == (0, 0)
    assert ran > 0
    assert most <= 3 + 1  # one that was stopped may still be on its way out
    assert {job.result for job in jobs if job.state == "done"} == {1}


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (1, "Waiting, yours is next"),
        (2, "Waiting, 1 computation before yours"),
        (3, "Waiting, 2 computations before yours"),
    ],
)
def test_a_place_in_line_in_words(place: int, words: str) -> None:
    assert describe_place(place) == words
