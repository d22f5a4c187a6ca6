"""Lazy Dask arrays against the local engine, on the threaded scheduler."""

from __future__ import annotations

import subprocess
import sys

import dask
import numpy as np
import pytest

from stiknn_core import ParameterError
from stiknn_core.distributed import _tiles, arrays, block_sum_array, interaction_array
from stiknn_core.distributed._layout import cell_of, lay_out
from tests.core.distributed_cases import cases, close, local, local_block_sums, table

CASES = cases()


@pytest.fixture(autouse=True)
def _threads():
    with dask.config.set(scheduler="threads", num_workers=2):
        yield


@pytest.mark.parametrize("name", CASES)
def test_the_matrix_is_the_local_one(name):
    ref = local(CASES[name])
    assert (ref.tied_test_points > 0) == (name not in ("no ties", "leave-one-out SII"))
    comp = interaction_array(**CASES[name], tile=9, test_chunk=7)
    assert comp.chunks == ((9, 9, 9, 9, 5), (9, 9, 9, 9, 5))
    np.testing.assert_allclose(comp.compute(), ref.matrix, **close)


@pytest.mark.parametrize("name", ["ties", "leave-one-out"])
def test_block_sums_are_the_local_ones(name):
    blocks = np.random.default_rng(5).integers(-1, 6, 41)
    comp = block_sum_array(**CASES[name], blocks=blocks, test_chunk=4).compute()
    np.testing.assert_allclose(comp, local_block_sums(CASES[name], blocks), **close)


@pytest.mark.parametrize("tile", [1, 2, 13, 40, 41, 1000])
def test_any_tile_gives_the_same(tile):
    comp = interaction_array(**CASES["ties"], tile=tile).compute()
    np.testing.assert_allclose(comp, local(CASES["ties"]).matrix, **close)


def test_tiles_longer_than_the_walk_through_the_cache():
    X, y = table(203, decimals=1)
    comp = interaction_array(X, y, tile=131).compute()
    np.testing.assert_allclose(comp, local({"X": X, "y": y}).matrix, **close)


def test_every_run_gives_the_same_bits():
    runs = [
        interaction_array(**CASES["ties"], tile=9, test_chunk=5).compute(num_workers=workers)
        for workers in (1, 2)
    ]
    assert np.array_equal(*runs)
    assert np.array_equal(runs[0], runs[0].T)


def test_only_what_is_asked_for_is_computed(monkeypatch):
    filled = []

    def add_to_tile(tile, a, b, diagonal):
        filled.append(tile.shape)
        _tiles.add_to_tile(tile, a, b, diagonal)

    monkeypatch.setattr(arrays, "add_to_tile", add_to_tile)
    matrix = interaction_array(**CASES["ties"], tile=9)
    corner = matrix[:9, -5:]
    np.testing.assert_allclose(corner.compute(), local(CASES["ties"]).matrix[:9, -5:], **close)
    assert filled == [(9, 5)]  # one tile of the fifteen


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"tile": 0}, "tile must be an integer of at least 1; got 0"),
        ({"test_chunk": 2.5}, "test_chunk must be an integer of at least 1; got 2.5"),
        ({"index": "none"}, "index must be one of"),
    ],
)
def test_impossible_settings(setting, told):
    with pytest.raises(ParameterError, match=told):
        interaction_array(**CASES["ties"], **setting)


def test_default_sizes_keep_a_part_within_its_budget():
    for n in (10, 10_000, 100_000, 1_000_000, 100_000_000):
        assert 24 * n * lay_out(n, 1000, 1024, None, matrix=True).part <= max(2**28, 24 * n)
    assert lay_out(10, 1000, 1024, None, matrix=True).part == 256
    assert [cell_of(tile) for tile in (1024, 1000, 7, 256, 1009)] == [256, 250, 7, 256, 1009]


@pytest.mark.slow
def test_the_core_does_without_the_extra():
    code = (
        "import sys, stiknn_core, stiknn_core.datasets;"
        "print(sorted({'dask', 'distributed', 'zarr'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout.strip() == "[]", answer.stderr
