"""The opinion of a model that has not seen the row."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from stiknn_core import LabelError, ParameterError
from stiknn_core.labels import models
from stiknn_core.labels.models import FOLDS, model_confidence


def line(n: int, n_classes: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Classes that follow each other along the first of three columns of different units."""
    X = rng.normal(size=(n, 3))
    y = np.floor(n_classes * X[:, 0].argsort().argsort() / n).astype(int)
    return X * [1.0, 1e6, 1e-6] + [0.0, 5e6, 1.0], y


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_is_that_of_scikit_learn_trained_on_the_other_folds(n_classes, rng) -> None:
    X, y = line(90, n_classes, rng)
    y[::7] = (y[::7] + 1) % n_classes
    comp = model_confidence(X, y, seed=4)
    fold = models._folds(y, np.random.default_rng(4))
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    ref = np.empty(len(y))
    for one in range(FOLDS):
        model = LogisticRegression(tol=1e-8, max_iter=1000).fit(scaled[fold != one], y[fold != one])
        shares = model.predict_proba(scaled[fold == one])
        ref[fold == one] = shares[np.arange(len(shares)), y[fold == one]]
    assert 0 < ref.min() < 0.2
    assert ref.max() > 0.8
    np.testing.assert_allclose(comp, ref, rtol=0, atol=2e-3)


def test_folds_hold_the_same_share_of_every_class(rng) -> None:
    codes = np.repeat([0, 1, 2], [50, 23, 3])
    fold = models._folds(codes, rng)
    for code in range(3):
        sizes = np.bincount(fold[codes == code], minlength=FOLDS)
        assert sizes.max() - sizes.min() <= 1
    assert np.bincount(fold).tolist() == [16, 15, 15, 15, 15]


def test_a_seed_fixes_every_bit(rng) -> None:
    X, y = line(80, 3, rng)
    first, again, other = (model_confidence(X, y, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_units_and_constant_columns_change_nothing(rng) -> None:
    X, y = line(60, 2, rng)
    wide = np.column_stack([X[:, 0] * 1e200, X[:, 1] - 5e6, X[:, 2] * 1e9, np.full(60, 7.0)])
    np.testing.assert_allclose(model_confidence(wide, y), model_confidence(X, y), atol=1e-4)


def test_one_class_is_certain_and_a_class_of_one_row_is_not(rng) -> None:
    X = rng.normal(size=(12, 2))
    np.testing.assert_array_equal(model_confidence(X, ["a"] * 12), np.ones(12))
    alone = model_confidence(X, ["a"] * 11 + ["b"])
    assert alone[-1] == 0.0
    assert alone[:-1].min() > 0.5
    np.testing.assert_array_equal(model_confidence(X[:1], ["a"]), [1.0])
    assert model_confidence(X[:2], ["a", "b"]).tolist() == [0.0, 0.0]


def test_rows_all_equal_have_the_share_of_their_class() -> None:
    comp = model_confidence(np.ones((50, 2)), np.repeat([0, 1], [40, 10]))
    np.testing.assert_allclose(comp, np.repeat([0.8, 0.2], [40, 10]), atol=1e-3)


def test_thousands_of_classes_are_put_into_groups(rng) -> None:
    y = np.repeat(np.arange(2000), 2)
    X = rng.normal(size=(2000, 2))[y] + rng.normal(scale=0.001, size=(4000, 2))
    comp = model_confidence(X, y)
    assert comp.shape == (4000,)
    assert (comp >= 0).all()
    assert (comp <= 1).all()
    # 1/64 for a group at random.
    assert comp.mean() > 0.015


def test_more_rows_than_one_step_may_read_are_sampled(rng, monkeypatch) -> None:
    X, y = line(400, 2, rng)
    whole = model_confidence(X, y)
    monkeypatch.setattr(models, "WORK", 0)
    monkeypatch.setattr(models, "FEWEST_ROWS", 100)
    trained: list[int] = []
    fit = models._logistic

    def counting(some, codes, n_classes, step):
        trained.append(len(some))
        return fit(some, codes, n_classes, step)

    monkeypatch.setattr(models, "_logistic", counting)
    part = model_confidence(X, y)
    assert trained == [100] * FOLDS
    assert np.corrcoef(whole, part)[0, 1] > 0.9


def test_progress_reaches_its_total_and_stops_the_work(rng) -> None:
    X, y = line(60, 2, rng)
    told: list[tuple[int, int]] = []
    model_confidence(X, y, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1]

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model_confidence(X, y, progress=stop)


def test_what_is_no_table_of_numbers_is_refused() -> None:
    with pytest.raises(LabelError):
        model_confidence([[1.0], [2.0]], [None, "a"])
    with pytest.raises(ParameterError, match="seed"):
        model_confidence([[1.0], [2.0]], ["a", "b"], seed=-1)
