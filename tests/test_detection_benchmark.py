"""The benchmark of scores on wrong labels, on data small enough for every run."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from benchmarks import detection, detection_noise
from benchmarks.detection_cut import ALWAYS, OURS, cuts_of, summary_of_cuts
from benchmarks.detection_data import Noisy, halves, kinds_of, noisy_sample, sets_in
from benchmarks.detection_models import (
    ceiling,
    confident_learning,
    data_oob,
    neighbour_votes,
    of_given,
    out_of_sample,
)
from benchmarks.detection_noise import NOISES, REAL
from benchmarks.detection_report import Result, by_data_set, by_kind, leads, summary
from benchmarks.detection_scores import (
    COMBINED,
    OTHERS_SET,
    RARITY,
    joined,
    other_scores,
    our_scores,
    where_to_cut,
)


@pytest.fixture(scope="module")
def sample() -> Noisy:
    return noisy_sample("blobs", "uniform 10 %", seed=1, rows=120)


@pytest.fixture(scope="module")
def found(sample) -> dict[str, np.ndarray]:
    everything = our_scores(sample, seed=0) | other_scores(sample, seed=0)
    return everything | joined(everything, sample)


def test_a_sample_is_standardised_and_knows_what_is_wrong(sample) -> None:
    np.testing.assert_allclose(sample.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(sample.X.std(axis=0), 1, atol=1e-12)
    np.testing.assert_array_equal(sample.wrong, sample.codes != sample.truth)
    assert sample.wrong.sum() == 12


def test_files_are_read_with_their_label(tmp_path) -> None:
    lines = [
        "size,colour,y",
        *(f"{i},{'rb'[i % 2]},{'no' if i < 30 else 'yes'}" for i in range(60)),
    ]
    (tmp_path / "mine.csv").write_text("\n".join(lines), encoding="utf-8")
    X = np.arange(120.0).reshape(60, 2)
    np.savez(tmp_path / "small.npz", X=X, y=np.arange(60) // 30)
    np.savez(tmp_path / "wide.npz", X=np.ones((60, 201)), y=np.arange(60) // 30)
    np.savez(tmp_path / "parts.npz", weights=X)
    people = {"X": X, "given": np.arange(60) % 3, "wrong": np.arange(60) < 9}
    np.savez(tmp_path / "people.npz", **people)
    sets = sets_in([tmp_path])
    assert {"mine", "small", "people"} == set(sets) - set(sets_in())
    mine = noisy_sample("mine", "uniform 5 %", 0, sets["mine"])
    assert len(mine.X) == 60
    assert mine.wrong.sum() == 3
    assert kinds_of(sets["small"]) == kinds_of(None) == list(NOISES)
    assert kinds_of(sets["people"]) == [REAL]
    real = noisy_sample("people", REAL, 0, sets["people"], rows=40)
    assert real.truth is None
    # Rows keep what is known of them, in the order of the file: those wrong come first.
    assert (np.diff(real.X[:, 0]) > 0).all()
    assert real.wrong.tolist() == sorted(real.wrong.tolist(), reverse=True)
    assert len(real.wrong) == 40


def test_a_set_that_is_new_played_no_part_in_any_choice() -> None:
    chosen_on, confirmed_on = halves(["xor", "wine", "mine", "blobs"])
    assert chosen_on == ["blobs", "xor"]
    assert confirmed_on == ["mine", "wine"]


@pytest.fixture
def clean(rng) -> tuple[np.ndarray, np.ndarray]:
    codes = np.repeat([0, 1, 2], [100, 60, 40])
    return rng.normal(size=(200, 2)) + 2.0 * codes[:, None], codes


@pytest.mark.parametrize("kind", NOISES)
def test_noise_makes_so_many_labels_wrong_and_is_fixed_by_the_seed(kind, clean) -> None:
    X, codes = clean
    given, again = (NOISES[kind](X, codes, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(given, again)
    wrong = int((given != codes).sum())
    most = {"uniform 2 %": 4, "uniform 5 %": 10, "uniform 20 %": 40}.get(kind, 20)
    if kind == "one pair":  # at most 30 % of a class
        assert wrong in (20, 18, 12)
        assert len({(a, b) for a, b in zip(codes, given, strict=True) if a != b}) == 1
    else:
        assert wrong == most
    assert set(given) <= {0, 1, 2}


def test_clusters_are_the_nearest_rows_of_a_class_to_one_wrong_class(clean) -> None:
    X, codes = clean
    given = detection_noise.clusters(X, codes, np.random.default_rng(0))
    wrong = np.flatnonzero(given != codes)
    apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    beside = [
        np.sort(apart[row][(codes == codes[row]) & (given == given[row]) & (given != codes)])[1]
        for row in wrong
    ]
    typical = np.median([np.sort(apart[row][codes == codes[row]])[5] for row in wrong])
    assert np.median(beside) < typical


def test_boundary_noise_lies_where_a_model_is_unsure(clean) -> None:
    X, codes = clean
    rounds = [detection_noise.boundary(X, codes, np.random.default_rng(seed)) for seed in range(4)]
    # Classes lie at 0, 2 and 4 along the diagonal: they meet at 1 and 3.
    unsure = np.abs(np.abs(X.mean(axis=1) - 2) - 1) < 0.5
    flipped = np.mean([given != codes for given in rounds], axis=0)
    assert flipped[unsure].mean() > 1.5 * flipped[~unsure].mean()
    assert np.mean([np.abs(given - codes)[given != codes] == 1 for given in rounds]) > 0.9


@pytest.mark.slow
def test_low_is_suspicious_for_every_score(sample, found) -> None:
    scores = {name: score for name, score in found.items() if not name.startswith("_")}
    assert len(scores) == 2 * 4 + 11 + 7
    for name, score in scores.items():
        assert score.shape == sample.wrong.shape
        if name != RARITY:  # which is chance, where classes are equally large
            assert roc_auc_score(sample.wrong, -score) > 0.85, name
    assert found[OTHERS_SET][sample.wrong].mean() > 0.8


@pytest.mark.slow
def test_the_ceiling_saw_the_right_labels() -> None:
    sample = noisy_sample("blobs", "clusters", seed=1, rows=120)
    model = RandomForestClassifier(100, random_state=0, n_jobs=1)
    blind = of_given(out_of_sample(model, sample.X, sample.codes, 0), sample.codes)
    for truth in (sample.truth, None):
        best = ceiling(sample.X, sample.codes, sample.wrong, truth, 0)
        ahead = average_precision_score(sample.wrong, -best)
        assert ahead > average_precision_score(sample.wrong, -blind) + 0.1


def test_self_confidence_is_that_of_a_model_which_has_not_seen_the_row(sample) -> None:
    model = KNeighborsClassifier(3)
    ref = np.empty(len(sample.codes))
    folds = StratifiedKFold(5, shuffle=True, random_state=7)
    for train, test in folds.split(sample.X, sample.codes):
        shares = model.fit(sample.X[train], sample.codes[train]).predict_proba(sample.X[test])
        ref[test] = shares[np.arange(len(test)), sample.codes[test]]
    comp = of_given(out_of_sample(model, sample.X, sample.codes, 7), sample.codes)
    np.testing.assert_array_equal(comp, ref)


def test_confident_learning_by_hand() -> None:
    """Means of the own class are .7, .65 and .6."""
    probabilities = np.array(
        [
            [0.8, 0.1, 0.1],
            [0.9, 0.1, 0.0],
            [0.4, 0.0, 0.6],  # counts for class 2, though it was given 0
            [0.1, 0.9, 0.0],
            [0.3, 0.4, 0.3],  # reaches no mean
            [0.1, 0.2, 0.7],
            [0.3, 0.2, 0.5],
        ]
    )
    codes = np.array([0, 0, 0, 1, 1, 2, 2])
    assert np.flatnonzero(confident_learning(probabilities, codes)).tolist() == [2]


def test_neighbours_vote_by_direction_not_distance(rng) -> None:
    angle = np.repeat([0.0, 1.5], 12) + rng.normal(0, 0.01, 24)
    X = rng.uniform(1, 100, 24)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    codes = np.repeat([0, 1], 12)
    codes[0] = 1
    votes = neighbour_votes(X, codes)
    assert votes[0] == 0.0
    np.testing.assert_allclose(votes[12:], 1.0)
    assert (votes[1:12] > 0.9).all()


def test_data_oob_asks_trees_without_the_row(rng) -> None:
    """A label nobody else has is known by no tree that did not see it."""
    codes = np.array([0] * 20 + [1] * 20 + [2])
    score = data_oob(rng.normal(size=(41, 2)) + 5.0 * codes[:, None], codes, seed=0)
    assert score[-1] == 0.0
    assert score[:-1].min() > 0.5


@pytest.mark.slow
def test_a_cut_counts_what_is_flagged(sample, found) -> None:
    cuts = {cut.way: cut for cut in cuts_of("blobs", "uniform 10 %", 1, sample, found)}
    expected = where_to_cut(found)
    order = np.argsort(found[COMBINED])[: round(expected.n_wrong)]
    ours = cuts[OURS]
    assert ours.n_wrong == 12
    assert ours.estimate == expected.n_wrong
    assert ours.precision == sample.wrong[order].mean()
    assert ours.recall == sample.wrong[order].sum() / 12
    assert ours.told == expected.precision[len(order) - 1]
    assert cuts[ALWAYS].estimate == 8
    table = summary_of_cuts(list(cuts.values()))
    lines = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    of_ours = next(line for line in lines if line[1:2] == [OURS])
    assert of_ours[2] == ("1.00" if 8 <= expected.n_wrong <= 18 else "0.00")
    assert of_ours[4] == f"{ours.precision:.2f}"


def test_a_run_goes_on_where_it_was_stopped(tmp_path, monkeypatch) -> None:
    def by_first_column(sample: Noisy, seed: int) -> dict[str, np.ndarray]:
        if (int(sample.wrong.sum()), seed) == stop_at:
            raise KeyboardInterrupt
        calls.append(seed)
        return {"column": sample.X[:, 0]}

    calls: list[int] = []
    monkeypatch.setattr(detection, "GROUPS", {"ours": by_first_column})
    monkeypatch.setattr(detection, "joined", lambda found, sample: {})
    monkeypatch.setattr(detection, "cuts_of", lambda *args: [])
    kinds = ["uniform 10 %", "uniform 20 %"]
    settings = {"kinds": kinds, "cache": tmp_path / "kept", "rows": 50, "seeds": (0, 1)}
    stop_at = (10, 1)
    with pytest.raises(KeyboardInterrupt):
        detection.measure({"iris": None}, **settings)
    assert calls == [0, 0, 1]
    stop_at = (-1, -1)
    results, _ = detection.measure({"iris": None}, **settings)
    assert calls == [0, 0, 1, 1]
    assert detection.measure({"iris": None}, **settings)[0] == results
    assert calls == [0, 0, 1, 1]
    assert [(result.kind, result.seed) for result in results] == [
        (kind, seed) for seed in (0, 1) for kind in kinds
    ]
    for result in results:
        sample = noisy_sample("iris", result.kind, result.seed, rows=50)
        score = -sample.X[:, 0]
        assert result.ap == average_precision_score(sample.wrong, score)
        assert result.auc == roc_auc_score(sample.wrong, score)


def test_tables_name_the_best_and_the_close() -> None:
    def result(data: str, score: str, ap: float, kind: str = "boundary") -> Result:
        return Result(data, kind, 0, score, ap, 0.5)

    results = [
        *(result("one", "ours", ap, kind) for ap, kind in ((0.8, "boundary"), (0.6, "real"))),
        *(result("one", "theirs", ap, kind) for ap, kind in ((0.8, "boundary"), (0.63, "real"))),
        *(result("two", "ours", 0.5, kind) for kind in ("boundary", "uniform 20 %")),
        *(result("two", "theirs", 0.4, kind) for kind in ("boundary", "uniform 20 %")),
        result("three", "ours", 0.5),
        result("three", "theirs", 0.6),
        *(result(data, "today", 0.3, "boundary") for data in ("one", "two", "three")),
        result("one", "today", 0.3, "real"),
        result("two", "today", 0.3, "uniform 20 %"),
    ]
    table = by_kind(results)
    assert list(table.columns) == ["uniform 20 %", "boundary", "real", "mean"]
    assert table.loc["ours"].tolist() == pytest.approx([0.5, 0.6, 0.6, 0.6])
    lines = [[cell.strip() for cell in line.split("|")] for line in summary(results).splitlines()]
    assert lines[2][1:-1] == ["theirs", "0.400", "0.600", "0.630", "0.615"]
    ahead = [line.split("|") for line in leads(results, "ours", "today").splitlines()[2:]]
    told = {line[1].strip(): (line[5].strip(), line[6].strip(), line[7].strip()) for line in ahead}
    assert told["real"] == ("theirs", "+0.300", "-0.030")
    assert told["uniform 20 %"] == ("theirs", "+0.200", "+0.100")
    rows = by_data_set(results, "ours", "without").splitlines()
    verdicts = {line.split("|")[1].strip(): line.split("|")[6].strip() for line in rows[2:]}
    assert verdicts == {"one": "close", "two": "best", "three": "behind"}


def test_results_can_be_written_as_json() -> None:
    one = Result("iris", "real", 0, "ours", 0.5, 0.6)
    assert Result(**json.loads(json.dumps(one, default=vars))) == one
