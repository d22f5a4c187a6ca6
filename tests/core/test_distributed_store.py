"""Runs written to Zarr on threads: numbers, resuming, refusing, reading."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pandas as pd
import pytest
import zarr
from zarr.storage import MemoryStore

from stiknn_core import FileError, ParameterError, ShapeError, interactions
from stiknn_core.distributed import InteractionStore, interactions_to_zarr, open_store
from stiknn_core.units import order_of_blocks
from tests.core.distributed_cases import (
    cases,
    close,
    local,
    local_block_sums,
    local_support,
    table,
)

CASES = cases()
BLOCKS = np.array(["a", "b", "c"])[np.random.default_rng(4).integers(0, 3, 41)]
small = {"tile": 15, "test_chunk": 7, "n_jobs": 2}


class InterruptionError(Exception):
    pass


def stop_at(step):
    def progress(done, total):
        if done == step:
            raise InterruptionError

    return progress


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_all_numbers_are_the_local_ones(name):
    case = CASES[name]
    blocks = BLOCKS if name in ("no ties", "leave-one-out", "weights") else None
    ref, support = local(case), local_support(case)
    comp = interactions_to_zarr(MemoryStore(), **case, blocks=blocks, **small)
    assert comp.complete
    np.testing.assert_allclose(comp.rows(range(41)), ref.matrix, **close)
    points = [40, 3, 3, 17, 0, 25]
    np.testing.assert_allclose(comp.rows(points), ref.matrix[points], **close)
    np.testing.assert_allclose(comp.submatrix(points), ref.matrix[np.ix_(points, points)], **close)
    others = [40, 8, 1]
    np.testing.assert_allclose(
        comp.block(points, others), ref.matrix[np.ix_(points, others)], **close
    )
    np.testing.assert_allclose(comp.values, ref.values, **close)
    np.testing.assert_allclose(comp.diagonal, np.diag(ref.matrix), **close)
    np.testing.assert_allclose(comp.quality, support.quality, **close)
    assert comp.suggested.tolist() == support.suggested.tolist()
    assert comp.labels.tolist() == ref.labels.tolist()
    assert comp.ids.tolist() == ref.ids.tolist()
    assert comp.likelihood == pytest.approx(ref.likelihood, abs=1e-12)
    for field in ("k", "index", "metric", "ties", "n_train", "n_test", "evaluation"):
        assert getattr(comp, field) == getattr(ref, field)
    for field in ("classes", "absent_classes", "tied_test_points", "test_weight"):
        assert getattr(comp, field) == getattr(ref, field)
    if blocks is not None:
        np.testing.assert_allclose(comp.block_sums, local_block_sums(case, blocks), **close)
        assert comp.block_names == ("a", "b", "c")
        assert comp.block_counts.tolist() == [int((blocks == name).sum()) for name in "abc"]
        assert [comp.block_names[b] for b in comp.block_of] == blocks.tolist()


def test_points_of_no_block_are_stored_as_such():
    case = CASES["ties"]
    blocks = np.array([-1, 3, 5])[np.random.default_rng(4).integers(0, 3, 41)]
    comp = interactions_to_zarr(MemoryStore(), **case, blocks=blocks, **small)
    np.testing.assert_allclose(comp.block_sums, local_block_sums(case, blocks), **close)
    assert comp.block_names == (3, 5)
    assert comp.block_counts.tolist() == [int((blocks == name).sum()) for name in (3, 5)]
    assert np.array_equal(comp.block_of, np.searchsorted([3, 5], blocks) - (blocks < 0))
    np.testing.assert_allclose(comp.rows(np.arange(41)), local(case).matrix, **close)
    order = order_of_blocks(comp.block_of, ["3", "5"])
    assert [block.label for block in order.blocks] == ["3", "5", "in no block"]
    assert blocks[order.positions].tolist() == sorted(blocks, key=lambda name: (name < 0, name))


def test_block_sums_alone():
    case = CASES["ties"]
    comp = interactions_to_zarr(MemoryStore(), **case, blocks=BLOCKS, matrix=False, n_jobs=2)
    ref = local_block_sums(case, BLOCKS)
    np.testing.assert_allclose(comp.block_sums, ref, **close)
    counts = comp.block_counts
    pairs = np.outer(counts, counts) - np.diag(counts)
    np.testing.assert_allclose(comp.block_means, ref / pairs, **close)
    assert not comp.has_matrix
    with pytest.raises(FileError, match="has no 'upper': it was not asked for"):
        comp.rows([0])


def test_a_store_on_disk_in_cells(tmp_path):
    X, y = table(600, decimals=3)
    case = {"X": X[:560], "y": y[:560], "X_test": X[560:], "y_test": y[560:]}
    ref = local(case).matrix
    interactions_to_zarr(tmp_path / "run", **case, tile=512)
    comp = open_store(str(tmp_path / "run"))
    stored = zarr.open_array(tmp_path / "run" / "upper", mode="r")
    assert (stored.chunks, stored.shards) == ((256, 256), (512, 512))
    np.testing.assert_allclose(comp.rows([1, 300, 559]), ref[[1, 300, 559]], **close)
    near = np.arange(250, 530)
    np.testing.assert_allclose(comp.submatrix(near), ref[np.ix_(near, near)], **close)
    assert not (tmp_path / "run" / "work").exists()  # nothing of the data stays behind
    assert repr(comp).endswith("n_train=560, n_test=40, k=5, index='STII', complete)")
    with pytest.raises(ValueError, match="read-only"):
        comp.values[0] = 1.0


def test_points_of_a_block_lie_side_by_side():
    store = MemoryStore()
    comp = interactions_to_zarr(store, **CASES["ties"], blocks=BLOCKS, **small)
    order = zarr.open_array(store, path="order", mode="r")[:]
    assert BLOCKS[order].tolist() == sorted(BLOCKS.tolist())
    members = np.flatnonzero(BLOCKS == "b")
    ref = local(CASES["ties"]).matrix[np.ix_(members, members)]
    np.testing.assert_allclose(comp.submatrix(members), ref, **close)


def test_float32_is_off_by_its_rounding():
    case = CASES["ties"]
    ref = local(case).matrix
    comp = interactions_to_zarr(MemoryStore(), **case, dtype="float32", **small).rows(range(41))
    assert comp.dtype == np.float64
    error = np.abs(comp - ref).max()
    assert 0 < error <= np.abs(ref).max() * 2**-24


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 4, 8], ids=lambda step: f"after {step}")
def test_an_interrupted_run_goes_on(step):
    case, store = CASES["ties"], MemoryStore()
    with pytest.raises(InterruptionError):
        interactions_to_zarr(store, **case, **small, progress=stop_at(step))
    assert not open_store(store).complete
    told = []
    comp = interactions_to_zarr(
        store, **case, **small, progress=lambda done, total: told.append((done, total))
    )
    # 4 parts and 6 tiles; what was done counts from the start, and only the rest is done.
    assert told == [(done, 10) for done in range(step, 11)]
    whole = interactions_to_zarr(MemoryStore(), **case, **small)
    assert np.array_equal(comp.rows(range(41)), whole.rows(range(41)))
    np.testing.assert_allclose(comp.rows(range(41)), local(case).matrix, **close)


@pytest.mark.slow
def test_tiles_that_are_there_are_not_computed_again(tmp_path):
    case = CASES["ties"]
    with pytest.raises(InterruptionError):
        interactions_to_zarr(tmp_path / "run", **case, **small, progress=stop_at(8))
    group = zarr.open_group(tmp_path / "run", mode="r+")
    i, j = np.argwhere(group["tiles_written"][:])[0]
    group["upper"][i * 15, j * 15 + 1] = 123.0
    comp = interactions_to_zarr(tmp_path / "run", **case, **small)
    assert comp.rows([i * 15])[0, j * 15 + 1] == 123.0


def test_a_complete_run_is_only_opened():
    store, told = MemoryStore(), []
    for _ in range(2):
        comp = interactions_to_zarr(
            store, **CASES["ties"], **small, progress=lambda *step: told.append(step)
        )
    assert told == [*((done, 10) for done in range(11)), (10, 10)]
    assert comp.complete


def other_runs() -> dict[str, dict[str, object]]:
    case = CASES["ties"]
    X, y = case["X"].copy(), case["y"].copy()
    X[3, 1] += 1
    y[0] = "up" if y[0] != "up" else "left"
    return {
        "features": {"X": X},
        "labels": {"y": y},
        "test features": {"X_test": case["X_test"] + 1},
        "k": {"k": 4},
        "weights": {"sample_weight": np.arange(1, 24)},
        "index": {"index": "SII"},
        "tile": {"tile": 8},
        "type": {"dtype": "float32"},
        "blocks": {"blocks": BLOCKS},
        "coordinates": {"xy": X},
        "ids": {
            "X": pd.DataFrame(case["X"], index=list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO"))
        },
    }


def test_other_data_or_settings_are_refused():
    store = MemoryStore()
    asked = CASES["ties"] | small
    with pytest.raises(InterruptionError):
        interactions_to_zarr(store, **asked, progress=stop_at(0))
    for other in other_runs().values():
        with pytest.raises(ParameterError, match="a run of other data or settings"):
            interactions_to_zarr(store, **(asked | other))
    assert interactions_to_zarr(store, **asked).complete


def test_an_unfinished_run_says_what_it_lacks():
    store = MemoryStore()
    with pytest.raises(InterruptionError):
        interactions_to_zarr(store, **CASES["ties"], **small, progress=stop_at(2))
    begun = open_store(store)
    assert begun.labels.tolist() == CASES["ties"]["y"].tolist()
    for lacking in ("likelihood", "values", "block_sums"):
        with pytest.raises(FileError, match=lacking):
            getattr(begun, lacking)
    with pytest.raises(FileError, match="has not computed these interactions yet"):
        begun.rows([0])
    with pytest.raises(InterruptionError):
        interactions_to_zarr(store, **CASES["ties"], **small, progress=stop_at(5))
    ranked = open_store(store)
    np.testing.assert_allclose(ranked.values, local(CASES["ties"]).values, **close)
    assert "not complete" in repr(ranked)


def test_a_lost_tile_is_noticed(tmp_path):
    comp = interactions_to_zarr(tmp_path / "run", **CASES["ties"], **small)
    shutil.rmtree(tmp_path / "run" / "upper" / "c" / "1")
    with pytest.raises(FileError, match="has lost a tile"):
        comp.rows([20])


def test_lost_ranks_are_noticed(tmp_path):
    with pytest.raises(InterruptionError):
        interactions_to_zarr(tmp_path / "run", **CASES["ties"], **small, progress=stop_at(4))
    shutil.rmtree(tmp_path / "run" / "work" / "rank" / "c")
    with pytest.raises(FileError, match="lost a part of what was ranked"):
        interactions_to_zarr(tmp_path / "run", **CASES["ties"], **small)


@pytest.mark.slow
def test_ids_of_every_kind_come_back():
    X, y = table(6)
    words = ["a", "ß", "", "x" * 40, "\n", "é"]
    for index in (words, [1.5, 2, 3, 4, 5, 6], range(10, 16)):
        frame = pd.DataFrame(X, index=index)
        comp = interactions_to_zarr(MemoryStore(), frame, y, k=1)
        assert comp.ids.tolist() == interactions(frame, y, k=1).ids.tolist()
        assert index is not words or comp.ids.tolist() == words
    dates = pd.DataFrame(X, index=pd.date_range("2024-01-01", periods=6))
    comp = interactions_to_zarr(MemoryStore(), dates, y, k=1)
    assert comp.ids[0].startswith("2024-01-01")


@pytest.mark.parametrize("labels", [[0, 1, 0, 1], [True, False, True, True], [0.0, 1.0, 1.0, 0.0]])
def test_classes_come_back_as_they_were(labels):
    X = np.arange(8.0).reshape(4, 2)
    comp = interactions_to_zarr(MemoryStore(), X, labels, k=1)
    assert comp.labels.tolist() == labels
    assert [type(label) for label in comp.labels.tolist()] == [type(label) for label in labels]


@pytest.mark.slow
def test_coordinates():
    X, y = np.random.default_rng(0).normal(size=(8, 3)), [0, 1] * 4
    auto = interactions_to_zarr(MemoryStore(), X, y, k=1)
    assert auto.xy.shape == (8, 2)
    assert auto.xy_titles[0].startswith("PC1")
    given = interactions_to_zarr(MemoryStore(), X, y, k=1, xy=X[:, 1:])
    assert np.array_equal(given.xy, X[:, 1:])
    assert interactions_to_zarr(MemoryStore(), X, y, k=1, xy=None).xy is None
    named = pd.DataFrame(X[:, :2], columns=["height", "weight"])
    assert interactions_to_zarr(MemoryStore(), named, y, k=1).xy_titles == ("height", "weight")
    with pytest.raises(ShapeError, match="two finite coordinates for each of the 8"):
        interactions_to_zarr(MemoryStore(), X, y, k=1, xy=X)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"matrix": False}, "Without the matrix there must be blocks"),
        ({"dtype": "float16"}, "dtype must be one of 'float64', 'float32'; got 'float16'"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"client": object()}, "A store in memory cannot be reached"),
    ],
)
def test_impossible_settings_leave_nothing_behind(setting, told):
    store = MemoryStore()
    with pytest.raises(ParameterError, match=told):
        interactions_to_zarr(store, **CASES["ties"], **setting)
    with pytest.raises(FileError, match="There is no run"):
        open_store(store)


def test_what_is_no_run_is_refused_and_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    zarr.create_group(tmp_path / "other.zarr", attributes={"by": "someone"})
    run = tmp_path / "newer.zarr"
    zarr.create_group(run, attributes={"format": "stiknn-interactions-store", "version": 99})
    for place, told in [
        (tmp_path, "exists and is no run"),
        (tmp_path / "notes.txt", "exists and is no run|could not be opened"),
        (tmp_path / "other.zarr", "exists and is no run"),
        (run, "version 99 of the format"),
    ]:
        for call in (open_store, lambda path: interactions_to_zarr(path, **CASES["ties"])):
            with pytest.raises(FileError, match=told):
                call(place)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    with pytest.raises(FileError, match="There is no run at"):
        open_store(tmp_path / "nowhere")


@pytest.mark.slow
def test_a_run_stopped_before_it_began(tmp_path):
    run = tmp_path / "run"
    interactions_to_zarr(run, **CASES["ties"], **small)
    header = json.loads((run / "zarr.json").read_text())
    header["attributes"] |= {"prepared": False, "summarised": False, "complete": False}
    (run / "zarr.json").write_text(json.dumps(header))
    with pytest.raises(FileError, match="stopped before it began"):
        open_store(run)
    comp = interactions_to_zarr(run, **CASES["ties"], **small)
    assert isinstance(comp, InteractionStore)
    np.testing.assert_allclose(comp.rows(range(41)), local(CASES["ties"]).matrix, **close)


@pytest.mark.parametrize("points", [[41], [-1], [0.5], "a"])
def test_impossible_points(points):
    comp = interactions_to_zarr(MemoryStore(), *table(4), k=1)
    with pytest.raises(ParameterError, match="points must be positions of training points"):
        comp.submatrix(points)
