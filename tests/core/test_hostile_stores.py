"""Damaged and hostile stores: one sentence each, and nothing large is read or reached."""

from __future__ import annotations

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from zarr.storage import LocalStore

from stiknn_core import FileError
from stiknn_core.distributed import interactions_to_zarr, open_store
from stiknn_core.distributed._checking import MAX_POINTS

Change = Callable[[Path], object]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("stores") / "good"
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    interactions_to_zarr(path, X, y, k=3, blocks=rng.integers(0, 4, 40), tile=15, n_jobs=1)
    return path


def read_all(path: Any) -> None:
    store = open_store(path)
    for name in ("ids", "labels", "suggested", "values", "quality", "xy", "diagonal",
                 "block_of", "block_counts", "block_sums", "likelihood"):  # fmt: skip
        getattr(store, name)
    store.rows(range(store.n_train))


def described(path: Path, change: Callable[[Any], object]) -> None:
    told = json.loads((path / "zarr.json").read_text())
    told.pop("consolidated_metadata", None)
    change(told)
    (path / "zarr.json").write_text(json.dumps(told))


def attributes(**values: Any) -> Change:
    return lambda path: described(path, lambda told: told["attributes"].update(values))


def without(name: str) -> Change:
    return lambda path: described(path, lambda told: told["attributes"].pop(name))


def array(name: str, **values: Any) -> Change:
    return lambda path: described(path / name, lambda told: told.update(values))


def filled(name: str, value: Any) -> Change:
    """All pieces of an array gone, and another value in their place."""

    def change(path: Path) -> None:
        shutil.rmtree(path / name / "c")
        described(path / name, lambda told: told.update(fill_value=value))

    return change


def chunk(name: str, write: Callable[[Path], object]) -> Change:
    def change(path: Path) -> None:
        place = next(p for p in sorted((path / name / "c").rglob("*")) if p.is_file())
        place.unlink()
        write(place)

    return change


def grid(*shape: int) -> dict[str, Any]:
    return {"name": "regular", "configuration": {"chunk_shape": list(shape)}}


DESCRIPTION = "its description cannot be read"
CHANGES: dict[str, tuple[str, Change]] = {
    "n_train huge": ("'n_train' is 1000000000000", attributes(n_train=10**12)),
    "n_train at the limit": ("has the shape", attributes(n_train=MAX_POINTS)),
    "n_train negative": ("'n_train' is -5", attributes(n_train=-5)),
    "n_train text": ("'n_train' is '<script>'", attributes(n_train="<script>")),
    "n_train true": ("'n_train' is True", attributes(n_train=True)),
    "n_test 0": ("'n_test' is 0", attributes(n_test=0)),
    "no k": ("'k' is missing", without("k")),
    "k a list": (r"'k' is \[3\]", attributes(k=[3])),
    "unknown index": ("'index' is 'x'", attributes(index="x")),
    "index a list": ("'index' is", attributes(index=["STII"])),
    "unknown metric": ("'metric' is", attributes(metric=None)),
    "tile beyond n": ("'tile' is 41", attributes(tile=41)),
    "weight NaN": ("'test_weight' is nan", attributes(test_weight=float("nan"))),
    "too few classes": ("'codes' holds what cannot be", attributes(classes=["a"])),
    "no classes": (r"'classes' is \[\]", attributes(classes=[])),
    "classes a dict": ("'classes' is", attributes(classes={"a": 1})),
    "classes of lists": ("'classes' is", attributes(classes=[[1], [2]])),
    "block names a number": ("'block_names' is 3", attributes(block_names=3)),
    "a million blocks": ("has the shape", attributes(block_names=list(range(10**5)))),
    "titles": ("'xy_titles' is", attributes(xy_titles=["x"])),
    "likelihood text": ("'likelihood' is", attributes(likelihood="1")),
    "complete text": ("'complete' is 'no'", attributes(complete="no")),
    "attributes gone": ("no run of this package",
                        lambda p: described(p, lambda told: told.pop("attributes"))),
    "a list": (DESCRIPTION, lambda p: (p / "zarr.json").write_text("[1]")),
    "broken": (DESCRIPTION, lambda p: (p / "zarr.json").write_text("{" * 100_000)),
    "deep": (DESCRIPTION, lambda p: (p / "zarr.json").write_text("[" * 100_000)),
    "no text": (DESCRIPTION, lambda p: (p / "zarr.json").write_bytes(b"\xff\xfe\x00")),
    "array broken": ("'values' cannot be read", lambda p: (p / "values/zarr.json").write_text("{")),
    "array deep": ("'values' cannot be read",
                   lambda p: (p / "values/zarr.json").write_text("[" * 10**5)),
    "array gone": ("has no 'values'", lambda p: shutil.rmtree(p / "values")),
    "values huge": ("shape", array("values", shape=[10**9], chunk_grid=grid(10**9))),
    "values 2-D": ("shape", array("values", shape=[8, 5], chunk_grid=grid(8, 5))),
    "pieces huge": ("pieces of the shape", array("values", chunk_grid=grid(10**9))),
    "values texts": ("'values'", array("values", data_type="string", fill_value="")),
    "values bytes": ("'values'", array("values", data_type="variable_length_bytes")),
    "values whole": ("holds int64 values", array("values", data_type="int64", fill_value=0)),
    "a pickle": ("'values'", array("values", codecs=[
        {"name": "numcodecs.pickle", "configuration": {}}])),
    "unknown codec": ("'values'", array("values", codecs=[{"name": "evil", "configuration": {}}])),
    "other codec": ("in a way that is not read", array("values", codecs=[
        {"name": "bytes", "configuration": {"endian": "little"}},
        {"name": "gzip", "configuration": {"level": 1}}])),
    "values NaN": ("'values' holds what", filled("values", "NaN")),
    "values infinite": ("'values' holds what", filled("values", "Infinity")),
    "quality of 7": ("'quality' holds what", filled("quality", 7.0)),
    "xy NaN": ("'xy' holds what", filled("xy", "NaN")),
    "sums NaN": ("'block_sums' holds what", filled("block_sums", "NaN")),
    "codes out of range": ("'codes' holds what", filled("codes", 10**6)),
    "suggested negative": ("'suggested' holds what", filled("suggested", -1)),
    "order out of range": ("'order' holds what", filled("order", 10**9)),
    "order twice": ("'order' holds what", filled("order", 3)),
    "block out of range": ("'block_of' holds what", filled("block_of", 4)),
    "garbage": ("cannot be read|more than its piece",
                chunk("values", lambda p: p.write_bytes(os.urandom(300)))),
    "cut short": ("'values' cannot be read", chunk("values", lambda p: p.write_bytes(b"\x02\x01"))),
    "unpacks to much": ("holds more than its piece", chunk("values", lambda p: p.write_bytes(
        struct.pack("<4B3I", 2, 1, 0x21, 8, 2**31 - 100, 2**20, 64) + bytes(64)))),
    "large file": ("holds more than its piece", chunk("values", lambda p: os.truncate(
        os.open(p, os.O_CREAT | os.O_WRONLY), 2**33))),
    "large tile": ("holds more than its piece", chunk("upper", lambda p: os.truncate(
        os.open(p, os.O_CREAT | os.O_WRONLY), 2**33))),
    "garbage in a tile": ("cannot be read|more than its piece",
                          chunk("upper", lambda p: p.write_bytes(os.urandom(300)))),
    "lost tile": ("has lost a tile", chunk("upper", lambda _: None)),
    "large description": ("is too large", lambda p: os.truncate(p / "values/zarr.json", 2**27)),
    "chunk from elsewhere": ("link that leads out",
                             chunk("values", lambda p: p.symlink_to("/dev/zero"))),
    "array from elsewhere": ("link that leads out", lambda p: [shutil.rmtree(p / "values"),
                             (p / "values").symlink_to("/etc")]),
    "description from elsewhere": ("link that leads out", lambda p: [(p / "zarr.json").unlink(),
                                   (p / "zarr.json").symlink_to("/etc/hostname")]),
    "link to the folder above": ("link that leads out", lambda p: (p / "up").symlink_to("..")),
    "dangling link": ("link that leads out", lambda p: (p / "x").symlink_to("/nowhere/at all")),
    "pipe": ("is no file", chunk("values", os.mkfifo)),
    "pipe for a description": ("is no file", lambda p: [(p / "xy/zarr.json").unlink(),
                               os.mkfifo(p / "xy/zarr.json")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_each_gets_one_sentence(name: str, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "store"
    shutil.copytree(good, path)
    match, change = CHANGES[name]
    change(path)
    for target in (path, f"file://{path}", LocalStore(path)):
        with pytest.raises(FileError, match=match) as caught:
            read_all(target)
        said = str(caught.value)
        assert said.endswith((".", "again to go on), or is lost.")), said
        assert "\n" not in said
        assert len(said) < 400


def test_a_good_one_is_read(good: Path, tmp_path: Path) -> None:
    for target in (good, f"file://{good}", LocalStore(good)):
        read_all(target)
    # A link within the store, and one to the store itself, are harmless.
    shutil.copytree(good, tmp_path / "store")
    piece = next(p for p in (tmp_path / "store/values/c").rglob("*") if p.is_file())
    piece.rename(tmp_path / "store/kept")
    piece.symlink_to(tmp_path / "store/kept")
    (tmp_path / "by link").symlink_to(tmp_path / "store")
    read_all(tmp_path / "by link")


def test_ids_of_texts_are_checked(good: Path, tmp_path: Path) -> None:
    X = pd.DataFrame({"a": np.arange(9.0)}, index=[f"row {i}" for i in range(9)])
    path = tmp_path / "named"
    interactions_to_zarr(path, X, [0, 1, 0] * 3, k=1, n_jobs=1)
    assert open_store(path).ids[8] == "row 8"
    filled("ids_ends", 5)(path)
    assert open_store(path).ids.tolist() == ["row 0", *[""] * 8]
    filled_again = tmp_path / "again"
    shutil.copytree(path, filled_again)
    described(filled_again / "ids_ends", lambda told: told.update(fill_value=-3))
    with pytest.raises(FileError, match="'ids_ends' holds what cannot be"):
        _ = open_store(filled_again).ids


@pytest.mark.parametrize("name", ["nothing", "good\0", "", "good/zarr.json"])
def test_names_of_nothing(name: str, good: Path) -> None:
    with pytest.raises(FileError):
        open_store(f"{good.parent}/{name}" if name else good.parent)
