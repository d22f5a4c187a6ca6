"""Units: runs of an order that cover it and cross no border."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_core import ParameterError
from stiknn_core.ordering import input_order, paper_order
from stiknn_core.units import cut_into_units, feature_cluster_order, part_of


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=60),
    st.integers(1, 40),
)
def test_units_are_even_runs_within_blocks(codes, n_units):
    codes = np.array(codes)
    order = paper_order(codes, np.random.default_rng(0).normal(size=(len(codes), 2)))
    units = cut_into_units(order, n_units)
    assert len(units.blocks) == min(len(codes), max(n_units, len(order.blocks)))
    assert [units.blocks[0].start, units.blocks[-1].stop] == [0, len(codes)]
    for one, next_one in zip(units.blocks, units.blocks[1:], strict=False):
        assert one.stop == next_one.start
    for place, position in enumerate(order.positions):
        unit = units.blocks[units.unit_of[position]]
        assert unit.start <= place < unit.stop
    for u, unit in enumerate(units.blocks):
        assert len(set(codes[order.positions[unit.start : unit.stop]])) == 1
        assert units.sizes[u] == (units.unit_of == u).sum() > 0
    for group, block in zip(units.groups, order.blocks, strict=True):
        own = units.sizes[group.start : group.stop]
        assert own.sum() == block.stop - block.start
        assert own.max() - own.min() <= 1


def test_an_order_without_blocks_is_cut_as_a_whole():
    units = cut_into_units(input_order(10), 4)
    assert units.sizes.tolist() == [2, 3, 2, 3]
    assert units.groups == ()
    assert units.blocks[1].label == "all points · 2 of 4"


def test_the_number_of_units_is_checked():
    with pytest.raises(ParameterError, match="n_units must be"):
        cut_into_units(input_order(3), 0)


def test_a_part_keeps_the_order_of_the_whole():
    rng = np.random.default_rng(2)
    codes, xy = rng.integers(0, 3, 50), rng.normal(size=(50, 2))
    order = paper_order(codes, xy, ["a", "b", "c"])
    points = np.sort(rng.permutation(50)[:20])
    part = part_of(order, points, codes, ["a", "b", "c"])
    places = order.places[points[part.positions]]
    assert (np.diff(places) > 0).all()
    assert [block.label for block in part.blocks] == ["class a", "class b", "class c"]


def test_feature_clusters_keep_groups_of_a_class_together():
    rng = np.random.default_rng(4)
    centers = np.array([[0, 0], [50, 0], [0, 50]])
    group = rng.integers(0, 3, 1200)
    X = centers[group] + rng.normal(size=(1200, 2))
    codes = (np.arange(1200) % 2).astype(int)
    order = feature_cluster_order(codes, X, ["u", "v"])
    assert sorted(order.positions.tolist()) == list(range(1200))
    assert order.blocks[0].label == "class u · cluster 1"
    for block in order.blocks:
        inside = order.positions[block.start : block.stop]
        assert len(set(codes[inside])) == 1
        assert len(set(group[inside])) == 1
        # Along the main axis, hence neighbours in the order are neighbours in the plane.
        steps = np.abs(np.diff(X[inside], axis=0)).sum(axis=1)
        shuffled = X[rng.permutation(inside)]
        assert steps.mean() < np.abs(np.diff(shuffled, axis=0)).sum(axis=1).mean()
    again = feature_cluster_order(codes, X, ["u", "v"])
    np.testing.assert_array_equal(order.positions, again.positions)


@pytest.mark.parametrize("shape", [(3, 1), (3, 5), (500, 1), (450, 3)])
def test_feature_clusters_of_equal_rows_keep_their_order(shape):
    order = feature_cluster_order(np.zeros(shape[0], int), np.ones(shape))
    np.testing.assert_array_equal(order.positions, np.arange(shape[0]))
