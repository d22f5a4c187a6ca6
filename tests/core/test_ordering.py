"""Orders: valid permutations, right blocks, and similar rows side by side."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.ordering import (
    ORDER_TITLES,
    ORDERS,
    Block,
    input_order,
    leaf_order,
    order_points,
    paper_order,
    value_order,
)
from stiknn_core.ordering.leaves import distance_tree, pattern_distances, tree_leaves

# Two interleaved groups, even and odd positions, under a large diagonal.
INTERLEAVED = np.where(np.add.outer(range(6), range(6)) % 2 == 0, -0.5, -0.01)
np.fill_diagonal(INTERLEAVED, 0.2)


def planted(sizes, rng, noise=0.01):
    """Symmetric matrix with groups of strong inner interaction, and the shuffled groups."""
    groups = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    matrix = np.where(groups[:, None] == groups[None, :], -1.0, 0.05)
    jitter = noise * rng.normal(size=matrix.shape)
    return matrix + jitter + jitter.T, groups


@st.composite
def cases(draw):
    n = draw(st.integers(1, 30))
    codes = draw(hnp.arrays(np.int64, n, elements=st.integers(0, 3)))
    number = st.sampled_from([-1.0, -0.5, 0.0, 1e-9, 0.25, 1.0]) | st.floats(-1, 1)
    return {
        "codes": codes,
        "xy": draw(hnp.arrays(np.float64, (n, 2), elements=number)),
        "values": draw(hnp.arrays(np.float64, n, elements=number)),
        "matrix": draw(hnp.arrays(np.float64, (n, n), elements=number)),
    }


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(case=cases(), name=st.sampled_from(list(ORDERS)))
def test_every_order_is_a_permutation_whose_blocks_hold_one_class(case, name):
    order = order_points(name, **case)
    n = len(case["codes"])
    assert sorted(order.positions) == list(range(n))
    assert np.array_equal(order.positions[order.places], np.arange(n))
    assert order.positions.dtype == np.int64
    assert not order.positions.flags.writeable
    assert order.title == ORDER_TITLES[name]
    if order.blocks:
        assert order.blocks[0].start == 0
        assert order.blocks[-1].stop == n
    assert all(a.stop == b.start for a, b in pairwise(order.blocks))
    for block in order.blocks:
        held = set(case["codes"][order.positions[block.start : block.stop]])
        assert len(held) == 1
        assert block.label.startswith(f"class {held.pop()}")
    if name != "input":
        assert order.blocks
        assert (np.diff(case["codes"][order.positions]) >= 0).all()
    again = order_points(name, **case)
    assert np.array_equal(again.positions, order.positions)
    assert again.blocks == order.blocks


def test_paper_order_sorts_by_class_then_x1_then_x2():
    codes = np.array([1, 0, 0, 0, 1])
    xy = np.array([[0, 0], [2, 1], [1, 5], [2, 0], [-1, 0]], dtype=float)
    order = paper_order(codes, xy, classes=("inner", "outer"))
    assert order.positions.tolist() == [2, 3, 1, 4, 0]
    assert order.blocks == (Block("class inner", 0, 3), Block("class outer", 3, 5))


def test_value_order_puts_the_lowest_first_and_keeps_ties_in_input_order():
    order = value_order([0, 1, 0, 0, 1], [0.3, 0.1, -0.2, 0.3, 0.1])
    assert order.positions.tolist() == [2, 0, 3, 1, 4]


def test_input_order_has_blocks_only_where_classes_are_runs():
    assert input_order(3).blocks == ()
    assert order_points("input", codes=[0, 1, 0]).blocks == ()
    grouped = order_points("input", codes=[1, 1, 0])
    assert grouped.positions.tolist() == [0, 1, 2]
    assert grouped.blocks == (Block("class 1", 0, 2), Block("class 0", 2, 3))


def test_an_order_is_applied_to_ids_and_both_axes():
    order = value_order([0, 0, 0], [3.0, 1.0, 2.0])
    matrix = np.arange(9).reshape(3, 3)
    assert order.ids(["p", "q", "r"]).tolist() == ["q", "r", "p"]
    assert np.array_equal(order.apply(matrix), matrix[order.positions][:, order.positions])


@pytest.mark.parametrize("sign", [1, -1])
def test_interleaved_groups_come_apart_whatever_the_sign(sign):
    positions = leaf_order(np.zeros(6, int), sign * INTERLEAVED).positions
    assert {frozenset(positions[:3]), frozenset(positions[3:])} == {
        frozenset({0, 2, 4}),
        frozenset({1, 3, 5}),
    }


def test_opposite_patterns_are_not_taken_for_similar():
    # Rows 0, 1 and rows 2, 3 answer to the other class with opposite signs.
    across = np.array([[1, -1], [-1, 1], [1, -1], [-1, 1]], dtype=float)
    matrix = np.block([[np.zeros((4, 4)), across], [across.T, np.zeros((2, 2))]])
    positions = leaf_order([0, 0, 0, 0, 1, 1], matrix).positions.tolist()
    assert {frozenset(positions[:2]), frozenset(positions[2:4])} == {
        frozenset({0, 2}),
        frozenset({1, 3}),
    }


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000))
def test_planted_groups_become_the_clusters(seed):
    rng = np.random.default_rng(seed)
    matrix, groups = planted([12, 20, 15], rng)
    order = leaf_order(np.zeros(47, int), matrix, classes=["a"])
    assert [block.label for block in order.blocks] == [f"class a · cluster {i}" for i in (1, 2, 3)]
    for block in order.blocks:
        assert len(set(groups[order.positions[block.start : block.stop]])) == 1


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_order_is_that_of_the_pattern_distances_written_out(seed):
    # Weak patterns against strong entries within pairs: what is left out shows.
    half = np.random.default_rng(seed).normal(size=(9, 9))
    members, strangers = [0, 2, 3, 5, 6, 8], [1, 4, 7]
    codes = np.isin(np.arange(9), strangers).astype(int)
    matrix = half + half.T
    distance = np.zeros((6, 6))
    for a, i in enumerate(members):
        for b, j in enumerate(members):
            others = [column for column in range(9) if column not in (i, j)]
            distance[a, b] = 0 if i == j else np.linalg.norm(matrix[i, others] - matrix[j, others])
    expected = np.array(members)[tree_leaves(distance_tree(distance))]
    assert np.array_equal(leaf_order(codes, matrix).positions[:6], expected)
    # Only the mean of the two triangles counts.
    lopsided = matrix + half - half.T
    assert np.array_equal(leaf_order(codes, lopsided).positions[:6], expected)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000))
def test_diagonal_and_last_digit_asymmetry_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    matrix, _ = planted([8, 9], rng, noise=0.1)
    codes = np.zeros(17, int)
    expected = leaf_order(codes, matrix).positions
    uneven = matrix * (1 + 1e-16 * rng.choice([-1, 1], size=matrix.shape))
    uneven[0, 1] = np.nextafter(uneven[0, 1], 1)
    np.fill_diagonal(uneven, rng.normal(size=17) * 100)
    assert not np.array_equal(uneven, uneven.T)
    assert np.array_equal(leaf_order(codes, uneven).positions, expected)


def test_tiny_interactions_are_ordered_like_large_ones():
    matrix, _ = planted([8, 9], np.random.default_rng(3))
    codes = np.zeros(17, int)
    assert np.array_equal(
        leaf_order(codes, matrix * 1e-9).positions, leaf_order(codes, matrix).positions
    )


def test_pattern_distance_leaves_out_both_own_columns():
    rng = np.random.default_rng(0)
    half = rng.normal(size=(7, 7))
    matrix = half + half.T
    np.fill_diagonal(matrix, 0)
    members = np.array([1, 2, 5])
    expected = np.zeros((3, 3))
    for a, i in enumerate(members):
        for b, j in enumerate(members):
            others = [column for column in range(7) if column not in (i, j)]
            expected[a, b] = np.linalg.norm(matrix[i, others] - matrix[j, others])
    np.fill_diagonal(expected, 0)
    found = pattern_distances(matrix[members], members)
    np.testing.assert_allclose(found, expected / expected.max(), atol=1e-9)


def test_rows_without_a_pattern_stand_at_the_end_with_one_notice():
    matrix = np.zeros((8, 8))
    # Positions 0 and 4 of class 0 and 3 of class 1 answer to each other; the rest to nobody.
    matrix[[0, 4, 3], [4, 3, 0]] = matrix[[4, 3, 0], [0, 4, 3]] = [-0.2, -0.1, 0.3]
    codes = np.array([0, 1, 0, 1, 0, 0, 1, 0])
    order = leaf_order(codes, matrix)
    assert order.positions[2:5].tolist() == [2, 5, 7]
    assert order.positions[5:].tolist() == [3, 1, 6]
    assert len(order.notices) == 1
    assert order.notices[0].startswith("5 points interact equally with every other point")


@pytest.mark.parametrize("value", [0.0, -0.3])
def test_a_constant_matrix_keeps_the_input_order(value):
    order = leaf_order(np.zeros(6, int), np.full((6, 6), value))
    assert order.positions.tolist() == list(range(6))
    assert len(order.notices) == 1
    assert order.blocks == (Block("class 0", 0, 6),)


def test_flat_rows_of_a_clustered_class_get_their_own_block():
    matrix, _ = planted([15, 15], np.random.default_rng(1))
    padded = np.zeros((33, 33))
    padded[:30, :30] = matrix
    order = leaf_order(np.zeros(33, int), padded)
    # The strangers are no pattern only if their whole row is flat.
    assert order.blocks[-1] == Block("class 0 · no pattern", 30, 33)
    assert order.positions[30:].tolist() == [30, 31, 32]


@pytest.mark.parametrize("n", [1, 2])
def test_one_and_two_points(n):
    order = leaf_order(np.zeros(n, int), np.full((n, n), 0.1))
    assert order.positions.tolist() == list(range(n))
    assert order.notices == ()


def test_a_square_distance_matrix_is_taken_for_distances():
    # Taken for observations, this one would separate the pairs (0,1), (2,3), (4,5).
    distance = np.array(
        [
            [0, 1, 4, 4, 9, 4],
            [1, 0, 8, 7, 4, 4],
            [4, 8, 0, 1, 5, 9],
            [4, 7, 1, 0, 4, 7],
            [9, 4, 5, 4, 0, 1],
            [4, 4, 9, 7, 1, 0],
        ],
        dtype=float,
    )
    places = np.argsort(tree_leaves(distance_tree(distance)))
    for first, second in ((0, 1), (2, 3), (4, 5)):
        assert abs(places[first] - places[second]) == 1
    with pytest.raises(ShapeError, match=r"square matrix of at least 2 rows; got shape \(6, 5\)"):
        distance_tree(distance[:, :5])


def test_the_polished_order_is_a_permutation_without_a_claim():
    # The best sum of neighbouring distances is 34; average linkage with turned branches
    # stops at more. So nothing we say may call the order optimal.
    distance = np.array(
        [
            [0, 6, 10, 9, 7],
            [6, 0, 11, 12, 16],
            [10, 11, 0, 15, 15],
            [9, 12, 15, 0, 10],
            [7, 16, 15, 10, 0],
        ],
        dtype=float,
    )
    leaves = tree_leaves(distance_tree(distance))
    assert sorted(leaves) == list(range(5))
    assert np.array_equal(leaves, tree_leaves(distance_tree(distance)))
    titles = " ".join(ORDER_TITLES.values()).lower()
    assert "optimal" not in titles
    assert "best" not in titles


def test_a_class_too_large_to_cluster_is_ordered_by_value(monkeypatch):
    monkeypatch.setattr("stiknn_core.ordering.orders.MAX_CLUSTERED", 10)
    matrix, _ = planted([6, 9], np.random.default_rng(0))
    codes = np.repeat([0, 1], [11, 4])
    order = leaf_order(codes, matrix)
    diagonal = np.diag(matrix)
    values = diagonal + 0.5 * (matrix.sum(axis=1) - diagonal)
    assert order.positions[:11].tolist() == np.argsort(values[:11]).tolist()
    assert order.notices == (
        "class 0 has 11 points, more than the 10 that can be clustered; it is ordered by value.",
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: order_points("x", codes=[0]), ParameterError, "order must be one of .*; got 'x'"),
        (lambda: order_points("cluster", codes=[0]), ParameterError, "'cluster' needs matrix"),
        (lambda: order_points("class", codes=[0]), ParameterError, "'class' needs xy"),
        (lambda: input_order(0), ParameterError, "n must be between 1 and .*; got 0"),
        (lambda: input_order(2, [0]), ShapeError, "codes must have one entry per point, 2; got 1"),
        (lambda: value_order([], []), ShapeError, "at least one"),
        (lambda: value_order([0.5], [1.0]), ParameterError, "codes must be whole numbers"),
        (lambda: value_order([0, 0], [1.0]), ShapeError, "values must have one entry per point"),
        (lambda: value_order([0], [np.nan]), ParameterError, "values must be finite; got 1"),
        (lambda: paper_order([0], [[1, 2, 3]]), ShapeError, r"xy must have shape \(n, 2\)"),
        (
            lambda: leaf_order([0, 1], np.zeros((2, 3))),
            ShapeError,
            r"matrix must have shape \(2, 2\).*got \(2, 3\)",
        ),
        (lambda: leaf_order([0], [[np.inf]]), ParameterError, "matrix must be finite"),
    ],
)
def test_impossible_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
