"""Generated data: sizes, seeds, independence of the random streams, refusals."""

from __future__ import annotations

import hashlib
import inspect
import math
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_core.datasets import KINDS, add_copies, add_outliers, flip_labels, make_dataset
from stiknn_core.datasets.generators import class_sizes
from stiknn_core.errors import ParameterError


def digest_of_everything():
    """Hash all parts of one data set of each kind; runs in a fresh process too."""
    import hashlib

    from stiknn_core.datasets import KINDS, make_dataset

    total = hashlib.sha256()
    for kind in KINDS:
        made = make_dataset(kind, 101, 0.2, 7, flip=0.1, copies=0.1, outliers=0.05, imbalance=0.5)
        for part in (made.X, made.y, made.y_true, made.flipped, made.copy_of, made.outliers):
            total.update(part.tobytes())
    return total.hexdigest()


@pytest.mark.parametrize("kind", KINDS)
def test_default_has_300_finite_labelled_rows(kind):
    made = make_dataset(kind)
    assert made.X.shape == (300, 2)
    assert np.isfinite(made.X).all()
    assert made.y.dtype == np.int64
    assert np.bincount(made.y).tolist() == [150, 150]
    assert np.array_equal(made.y, made.y_true)
    assert made.flipped.size == made.outliers.size == 0
    assert (made.copy_of == -1).all()
    assert made.params["generator"] == kind
    assert made.params["seed"] == 0


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(KINDS),
    n=st.integers(4, 200),
    seed=st.integers(0, 2**32 - 1),
    imbalance=st.floats(0, 0.95),
    flip=st.floats(0, 0.5),
    copies=st.floats(0, 1),
    outliers=st.floats(0, 0.5),
)
def test_row_counts_and_truth_always_fit(kind, n, seed, imbalance, flip, copies, outliers):
    made = make_dataset(
        kind, n, 0.1, seed, imbalance=imbalance, flip=flip, copies=copies, outliers=outliers
    )
    with_copies = n + int((made.copy_of >= 0).sum())
    assert abs(with_copies - n - copies * n) <= 0.5 + 1e-6
    assert made.n == with_copies + len(made.outliers)
    assert abs(len(made.outliers) - outliers * with_copies) <= 0.5 + 1e-6
    assert np.array_equal(made.flipped, np.flatnonzero(made.y != made.y_true))
    assert abs((made.flipped < n).sum() - flip * n) <= 0.5 + 1e-6
    copied = np.flatnonzero(made.copy_of >= 0)
    assert np.array_equal(made.X[copied], made.X[made.copy_of[copied]])
    assert np.array_equal(made.y[copied], made.y[made.copy_of[copied]])
    assert len(np.unique(made.ids)) == made.n


@pytest.mark.slow
def test_same_seed_gives_the_same_bits_in_two_processes():
    program = inspect.getsource(digest_of_everything) + "print(digest_of_everything())"
    fresh = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert fresh.stdout.strip() == digest_of_everything()


def test_another_seed_gives_other_points():
    digests = {
        hashlib.sha256(make_dataset("circles", seed=seed).X.tobytes()).hexdigest()
        for seed in range(5)
    }
    assert len(digests) == 5


@pytest.mark.parametrize("kind", KINDS)
def test_noise_steps_do_not_move_points_or_each_other(kind):
    plain = make_dataset(kind, 120, seed=3)
    noisy = make_dataset(kind, 120, seed=3, flip=0.2, copies=0.25, outliers=0.1)
    assert np.array_equal(noisy.X[:120], plain.X)
    assert np.array_equal(noisy.y_true[:120], plain.y)
    more_flips = make_dataset(kind, 120, seed=3, flip=0.4, copies=0.25, outliers=0.1)
    assert np.array_equal(more_flips.X, noisy.X)
    assert np.array_equal(more_flips.copy_of, noisy.copy_of)
    # A larger share keeps the flips of a smaller one.
    assert set(noisy.flipped) < set(more_flips.flipped)


def test_more_noise_moves_each_point_along_its_own_line():
    none, some, more = (make_dataset("moons", 50, noise, seed=1).X for noise in (0, 0.1, 0.3))
    np.testing.assert_allclose(more - none, 3 * (some - none), atol=1e-12)


def test_variants_equal_the_functions_applied_by_hand():
    at_once = make_dataset("moons", 90, seed=5, flip=0.1, copies=0.2, outliers=0.1)
    by_hand = make_dataset("moons", 90, seed=5)
    by_hand = add_outliers(add_copies(flip_labels(by_hand, 0.1, 5), 0.2, 5), 0.1, 5)
    for name in ("X", "y", "y_true", "flipped", "copy_of", "outliers", "ids"):
        assert np.array_equal(getattr(at_once, name), getattr(by_hand, name)), name


def test_noise_free_shapes_are_what_they_are_called():
    rings = make_dataset("circles", 60, 0.0)
    np.testing.assert_allclose(np.hypot(*rings.X[rings.y == 0].T), 1.0)
    np.testing.assert_allclose(np.hypot(*rings.X[rings.y == 1].T), 0.5)
    quadrants = make_dataset("xor", 60, 0.0)
    assert np.array_equal(quadrants.X.prod(axis=1) < 0, quadrants.y == 1)
    arms = make_dataset("spirals", 60, 0.0, n_classes=3)
    radius, angle = np.hypot(*arms.X.T), np.arctan2(*arms.X.T[::-1])
    turned = angle - 2 * np.pi * (3 * radius / 2 + arms.y) / 3
    np.testing.assert_allclose(np.cos(turned), 1.0, atol=1e-9)


def test_imbalance_makes_class_0_the_small_one():
    made = make_dataset("circles", 330, imbalance=0.9)
    assert np.bincount(made.y).tolist() == [30, 300]


@settings(deadline=None)
@given(st.integers(2, 10), st.integers(20, 500), st.floats(0, 0.95))
def test_class_sizes_add_up_and_grow(n_classes, n, imbalance):
    sizes = class_sizes(n, n_classes, imbalance)
    assert sum(sizes) == n
    assert min(sizes) >= 1
    # Rounding may cost a row, no more.
    assert all(later >= earlier - 1 for earlier, later in pairwise(sizes))


def test_asymmetric_flips_take_from_one_class_only():
    made = make_dataset("blobs", 300, n_classes=3, flip=0.2, flip_kind="asymmetric")
    assert len(made.flipped) == 20
    assert set(made.y_true[made.flipped]) == {0}
    assert set(made.y[made.flipped]) == {1}
    other_way = make_dataset(
        "blobs",
        300,
        n_classes=3,
        flip=0.2,
        flip_kind="asymmetric",
        flip_source=2,
        flip_target=0,
    )
    assert set(other_way.y_true[other_way.flipped]) == {2}
    assert set(other_way.y[other_way.flipped]) == {0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "x"}, r"kind must be one of 'circles', .*'spirals'; got 'x'\."),
        ({"kind": None}, r"kind must be one of .*; got None\."),
        ({"n": 3}, r"n must be between 4 and 100000; got 3\."),
        ({"n": 100_001}, r"n must be between 4 and 100000; got 100001\."),
        ({"n": 50.0}, r"n must be an integer between 4 and 100000; got 50\.0\."),
        ({"n": True}, r"n must be an integer .*; got True\."),
        ({"n": 5, "n_classes": 3, "kind": "blobs"}, r"n must be between 6 and .*; got 5\."),
        ({"noise": -0.1}, r"noise must be a number between 0 and 10; got -0\.1\."),
        ({"noise": math.nan}, r"noise must be a number between 0 and 10; got nan\."),
        ({"noise": math.inf}, r"noise must be .*; got inf\."),
        ({"noise": "a"}, r"noise must be .*; got 'a'\."),
        ({"seed": -1}, r"seed must be between 0 and 4294967295; got -1\."),
        ({"seed": None}, r"seed must be an integer .*; got None\."),
        ({"seed": 2**32}, r"seed must be between"),
        ({"imbalance": 0.96}, r"imbalance must be a number between 0 and 0\.95; got 0\.96\."),
        ({"flip": 0.51}, r"flip must be a number between 0 and 0\.5; got 0\.51\."),
        ({"flip_kind": "some"}, r"flip_kind must be one of .*; got 'some'\."),
        ({"copies": 1.5}, r"copies must be a number between 0 and 1; got 1\.5\."),
        ({"outliers": -1}, r"outliers must be a number between 0 and 0\.5; got -1\."),
        ({"n_classes": 3}, r"n_classes must be 2 for circles; got 3\. Choose blobs or spirals"),
        ({"n_classes": 1}, r"n_classes must be between 2 and 10; got 1\."),
        (
            {"flip": 0.1, "flip_kind": "asymmetric", "flip_source": 5},
            r"source must be one of the classes 0 and 1; got 5\.",
        ),
    ],
)
def test_impossible_settings_are_named_with_their_value(change, message):
    with pytest.raises(ParameterError, match=message):
        make_dataset(**({"kind": "circles"} | change))
