"""The benchmark of scores on flipped labels, on data small enough for every run."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from benchmarks import detection
from benchmarks.detection_data import Noisy, halves, names_in, noisy_sample
from benchmarks.detection_report import Result, by_data_set, mean_ap, summary
from benchmarks.detection_scores import RARITY, other_scores, our_scores, self_confidence


@pytest.fixture(scope="module")
def sample() -> Noisy:
    return noisy_sample("blobs", 0.1, seed=1, rows=120)


def test_a_sample_is_standardised_and_knows_what_was_flipped(sample) -> None:
    np.testing.assert_allclose(sample.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(sample.X.std(axis=0), 1, atol=1e-12)
    clean = noisy_sample("blobs", 0.0, seed=1, rows=120)
    np.testing.assert_array_equal(sample.X, clean.X)
    np.testing.assert_array_equal(sample.wrong, sample.y != clean.y)
    assert sample.wrong.sum() == 12


def test_files_are_read_with_their_label(tmp_path) -> None:
    lines = [
        "size,colour,y",
        *(f"{i},{'rb'[i % 2]},{'no' if i < 30 else 'yes'}" for i in range(60)),
    ]
    (tmp_path / "mine.csv").write_text("\n".join(lines), encoding="utf-8")
    assert "mine" in names_in(tmp_path)
    assert "mine" not in names_in(None)
    sample = noisy_sample("mine", 0.1, seed=0, folder=tmp_path)
    assert len(sample.X) == 60
    assert set(sample.y) == {"no", "yes"}
    assert sample.wrong.sum() == 6


def test_a_set_that_is_new_played_no_part_in_any_choice() -> None:
    chosen_on, confirmed_on = halves(["xor", "wine", "mine", "blobs"])
    assert chosen_on == ["blobs", "xor"]
    assert confirmed_on == ["mine", "wine"]


@pytest.mark.slow
def test_low_is_suspicious_for_every_score(sample) -> None:
    scores = our_scores(sample, seed=0) | other_scores(sample, seed=0)
    assert len(scores) == 2 * 4 + 4 + 2
    for name, score in scores.items():
        assert score.shape == sample.wrong.shape
        if name != RARITY:  # which is chance, where classes are equally large
            assert roc_auc_score(sample.wrong, -score) > 0.85, name


def test_self_confidence_is_that_of_a_model_which_has_not_seen_the_row(sample) -> None:
    _, codes = np.unique(sample.y, return_inverse=True)
    model = KNeighborsClassifier(3)
    ref = np.empty(len(codes))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=7).split(sample.X, codes):
        shares = model.fit(sample.X[train], codes[train]).predict_proba(sample.X[test])
        ref[test] = shares[np.arange(len(test)), codes[test]]
    np.testing.assert_array_equal(self_confidence(model, sample.X, codes, seed=7), ref)


def test_a_run_goes_on_where_it_was_stopped(tmp_path, monkeypatch) -> None:
    def by_first_column(sample: Noisy, seed: int) -> dict[str, np.ndarray]:
        if (sample.wrong.sum(), seed) == stop_at:
            raise KeyboardInterrupt
        calls.append(seed)
        return {"column": sample.X[:, 0]}

    calls: list[int] = []
    monkeypatch.setattr(detection, "GROUPS", {"ours": by_first_column})
    settings = {"cache": tmp_path / "kept", "rows": 50, "seeds": (0, 1)}
    stop_at = (10, 1)
    with pytest.raises(KeyboardInterrupt):
        detection.measure(["iris"], **settings)
    assert calls == [0, 0, 1]
    stop_at = (-1, -1)
    results = detection.measure(["iris"], **settings)
    assert calls == [0, 0, 1, 1]
    assert detection.measure(["iris"], **settings) == results
    assert calls == [0, 0, 1, 1]
    for result in results:
        sample = noisy_sample("iris", result.rate, result.seed, rows=50)
        score = -sample.X[:, 0]
        assert result.ap == average_precision_score(sample.wrong, score)
        assert result.auc == roc_auc_score(sample.wrong, score)


def test_tables_name_the_best_and_the_close() -> None:
    def result(data: str, score: str, ap: float, rate: float = 0.1) -> Result:
        return Result(data, rate, 0, score, ap, 0.5)

    results = [
        *(result("one", "ours", ap, rate) for ap, rate in ((0.8, 0.1), (0.6, 0.2))),
        *(result("one", "theirs", ap, rate) for ap, rate in ((0.8, 0.1), (0.63, 0.2))),
        *(result("two", "ours", 0.5, rate) for rate in (0.1, 0.2)),
        *(result("two", "theirs", 0.4, rate) for rate in (0.1, 0.2)),
        *(result("three", "ours", 0.5, rate) for rate in (0.1, 0.2)),
        *(result("three", "theirs", 0.6, rate) for rate in (0.1, 0.2)),
    ]
    assert mean_ap(results)["one"]["ours"] == pytest.approx(0.7)
    lines = [[cell.strip() for cell in line.split("|")] for line in summary(results).splitlines()]
    assert lines[2][1:-1] == ["theirs", "0.600", "0.543", "0.500", "0.500", "2 of 3"]
    assert lines[3][1:-1] == ["ours", "0.600", "0.533", "0.500", "0.500", "2 of 3"]
    table = by_data_set(results, "ours").splitlines()
    verdicts = {line.split("|")[1].strip(): line.split("|")[6].strip() for line in table[2:]}
    assert verdicts == {"one": "close", "two": "best", "three": "behind"}
