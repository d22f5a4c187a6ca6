"""Files of Hugging Face's `datasets`: names of classes, pictures, saved sets.

The files are made as that library makes them (checked against those of version 5.2).
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from stiknn_core.errors import FileError
from stiknn_core.tables import read_table
from stiknn_core.tables.apart.readers import read_apart
from tests.tables.drawn import drawn, saved, tarred, zipped

PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
FEATURES = {
    "image": {"_type": "Image"},
    "text": {"dtype": "string", "_type": "Value"},
    "label": {"names": ["cat", "dog", "owl"], "_type": "ClassLabel"},
}


def content(n: int, **changed: Any) -> pa.Table:
    """Return rows of pictures, texts and labels; column names to what stands there instead."""
    columns: dict[str, Any] = {
        "image": pa.array(
            [{"bytes": saved(drawn(at % 2, at)), "path": f"{at}.png"} for at in range(n)], PICTURE
        ),
        "text": pa.array([f"words of {at}" for at in range(n)]),
        "label": pa.array([at % 3 for at in range(n)], pa.int64()),
    }
    return pa.table(columns | changed)


def told(table: pa.Table, features: Mapping[str, Any] | None = None) -> pa.Table:
    """Return a table with the metadata of its schema."""
    info = {"info": {"features": FEATURES if features is None else features}}
    return table.replace_schema_metadata({"huggingface": json.dumps(info)})


def as_parquet(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(table, stream)
    return stream.getvalue()


def as_stream(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def folder(shards: Sequence[pa.Table], top: str = "", **state: Any) -> dict[str, bytes]:
    """Return the files that ``save_to_disk`` makes of one split."""
    names = [f"data-{at:05}-of-{len(shards):05}.arrow" for at in range(len(shards))]
    state = {"_data_files": [{"filename": name} for name in names], "_split": None} | state
    info = {"citation": "", "description": "", "features": FEATURES}
    return {
        f"{top}dataset_info.json": json.dumps(info).encode(),
        f"{top}state.json": json.dumps(state).encode(),
        **{f"{top}{name}": as_stream(shard) for name, shard in zip(names, shards, strict=True)},
    }


def both_splits(top: str = "") -> dict[str, bytes]:
    return {
        f"{top}dataset_dict.json": b'{"splits": ["train", "test"]}',
        **folder([told(content(6)), told(content(4))], f"{top}train/"),
        **folder([told(content(5))], f"{top}test/"),
    }


def test_parquet_with_pictures_and_names_of_classes() -> None:
    data = as_parquet(told(content(7)))
    for read in (read_table, read_apart):
        table = read(data)
        assert table.frame["label"].tolist() == ["cat", "dog", "owl"] * 2 + ["cat"]
        assert table.frame["image"].tolist() == [f"{at}.png" for at in range(7)]
        assert table.roles["image"].role == "picture"
        assert (table.label, table.roles["label"].cause) == ("label", "marked label")
        assert not table.pictures["image"].absent.any()
        assert any("0 is 'cat', 1 is 'dog' and 2 is 'owl'" in one for one in table.notices)
    data_set = read_table(data).to_dataset(features=["image"])
    assert set(data_set.y.tolist()) == {"cat", "dog", "owl"}


def test_pictures_are_found_without_metadata_too() -> None:
    table = read_table(as_parquet(content(6)))
    assert table.roles["image"].role == "picture"
    assert table.frame["label"].tolist() == [0, 1, 2] * 2, "numbers that nobody named"


def test_pictures_in_bare_bytes_need_the_metadata() -> None:
    raw = pa.array([saved(drawn(0, at)) for at in range(6)], pa.binary())
    assert "image" in read_table(as_parquet(told(content(6, image=raw)))).pictures
    assert not read_table(as_parquet(content(6, image=raw))).pictures


def test_sound_is_no_picture() -> None:
    features = FEATURES | {"image": {"sampling_rate": 16_000, "_type": "Audio"}}
    assert not read_table(as_parquet(told(content(6), features))).pictures


def test_a_path_alone_is_never_opened(tmp_path: Any) -> None:
    real = tmp_path / "real.png"
    real.write_bytes(saved(drawn(0, 1)))
    rows = [{"bytes": saved(drawn(1, at)), "path": None} for at in range(4)]
    rows += [{"bytes": None, "path": str(real)}, None]
    table = read_table(as_parquet(told(content(6, image=pa.array(rows, PICTURE)))))
    assert table.pictures["image"].absent.tolist() == [False] * 4 + [True] * 2
    assert table.frame["image"].tolist()[:5] == [
        *(f"picture {at}" for at in (1, 2, 3, 4)),
        str(real),
    ]
    assert table.frame["image"].isna().tolist() == [False] * 5 + [True]
    assert any("1 picture is only named, by a path that is never opened" in one
               for one in table.notices)  # fmt: skip
    assert table.problems(features=["image"]).missing == {"image": 2}


@pytest.mark.parametrize("kind", [pa.binary(), pa.null()])
def test_paths_alone_stay_words(kind: pa.DataType, tmp_path: Any) -> None:
    (tmp_path / "real.png").write_bytes(saved(drawn(0, 1)))
    rows = [{"bytes": None, "path": str(tmp_path / "real.png")}] * 6
    image = pa.array(rows, pa.struct([("bytes", kind), ("path", pa.string())]))
    table = read_table(as_parquet(content(6, image=image)))
    assert not table.pictures
    assert table.frame["image"].tolist() == [row["path"] for row in rows]
    said = [one for one in table.notices if "holds no picture" in one]
    assert len(said) == 1
    assert "6 pictures are only named, by paths that are never opened" in said[0]
    assert "image" not in table.features


def test_broken_pictures_are_named() -> None:
    rows = [{"bytes": saved(drawn(1, at)), "path": f"{at}.png"} for at in range(5)]
    rows += [{"bytes": b"none", "path": "odd.png"}]
    table = read_table(as_parquet(told(content(6, image=pa.array(rows, PICTURE)))))
    assert any("as missing: 'odd.png' is no JPEG" in one for one in table.notices)


@pytest.mark.parametrize("kind", [pa.int64(), pa.int8()])
def test_minus_one_is_no_label_and_other_numbers_stay(kind: pa.DataType) -> None:
    labels = pa.array([0, 1, -1, None, 7, 2], kind)
    table = read_table(as_parquet(told(content(6, label=labels))))
    assert table.frame["label"].fillna("").tolist() == ["cat", "dog", "", "", "7", "owl"]
    assert table.problems(features=["image"]).missing_labels.tolist() == [2, 3]
    assert any("none of its 3 classes (7); they stay as they are" in one for one in table.notices)


@pytest.mark.parametrize(
    "names", [None, [], ["a", 3], ["a", "a", "b"], "cat", {"cat": 0}, [["cat"], "dog", "owl"]]
)
def test_names_that_are_none_leave_the_numbers(names: Any) -> None:
    features = FEATURES | {"label": {"names": names, "_type": "ClassLabel"}}
    table = read_table(as_parquet(told(content(6), features)))
    assert table.frame["label"].tolist() == [0, 1, 2] * 2


@pytest.mark.parametrize(
    "metadata",
    [b"", b"{", b"[" * 100_000, b"[]", b'{"info": 3}', b'{"info": {"features": [1]}}', b"\xff",
     b'{"info": {"features": {"label": 3, "image": []}}}'],
)  # fmt: skip
def test_metadata_of_any_kind_break_nothing(metadata: bytes) -> None:
    table = content(6).replace_schema_metadata({b"huggingface": metadata})
    assert read_table(as_parquet(table)).frame["label"].tolist() == [0, 1, 2] * 2


def test_two_columns_of_classes_leave_the_label_open() -> None:
    features = FEATURES | {"fine": {"names": ["x", "y"], "_type": "ClassLabel"}}
    data = content(6).append_column("fine", pa.array([0, 1] * 3))
    table = read_table(as_parquet(told(data, features)))
    assert table.frame["fine"].tolist() == ["x", "y"] * 3
    assert not any(role.cause == "marked label" for role in table.roles.values())


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("top", ["", "my set/"])
def test_a_saved_set_with_splits(pack: Any, top: str) -> None:
    table = read_table(pack(both_splits(top)))
    assert table.n_rows == 15
    assert table.frame["split"].tolist() == ["train"] * 10 + ["test"] * 5
    assert table.column_with("split") == "split"
    assert table.decisions["format"] == "Hugging Face"
    train, test = table.to_split(features=["image"])
    assert (len(train.y), len(test.y)) == (10, 5)


def test_lists_of_numbers_beside_pictures_are_the_features() -> None:
    values = np.random.default_rng(0).normal(size=(6, 8)).astype(np.float32)
    features = FEATURES | {
        "v": {"feature": {"dtype": "float32", "_type": "Value"}, "_type": "List"}
    }
    lists = pa.array(list(values), pa.list_(pa.float32()))
    table = read_table(as_parquet(told(content(6).append_column("v", lists), features)))
    np.testing.assert_array_equal(table.vectors["v"].values, values)
    assert (table.roles["v"].role, table.roles["image"].role) == ("vector", "id")
    assert table.to_dataset(features=["v"]).X.shape == (6, 8)


def test_a_saved_set_of_one_part_in_shards() -> None:
    shards = [told(content(6)), told(content(4))]
    table = read_apart(zipped(folder(shards)))
    assert table.columns == ("image", "text", "label")
    assert table.frame["label"].tolist() == ["cat", "dog", "owl"] * 2 + ["cat", "dog", "owl", "cat"]
    assert not table.pictures["image"].absent.any()


def test_splits_of_other_words_are_a_column_like_any() -> None:
    files = {**folder([told(content(6))], "train/"), **folder([told(content(6))], "unsupervised/")}
    table = read_table(zipped(files))
    assert table.frame["split"].tolist() == ["train"] * 6 + ["unsupervised"] * 6
    assert table.column_with("split") is None


def test_a_column_called_split_stays() -> None:
    one = told(content(6).append_column("split", pa.array(list("abcabc"))))
    files = {**folder([one], "train/"), **folder([one], "test/")}
    table = read_table(zipped(files))
    assert table.frame["split"].tolist() == list("abcabc") * 2
    assert table.column_with("split") == "split (saved)"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state.json": b"{"}, "'state.json' is damaged"),
        ({"state.json": b"[]"}, "'state.json' is damaged"),
        ({"state.json": b"{}"}, "names files of rows that are not there"),
        ({"data-00000-of-00001.arrow": None}, "not there .*'data-00000-of-00001.arrow'"),
        ({"data-00000-of-00001.arrow": b"none"}, "Arrow file could not be read"),
        ({"state.json": None}, "without its state.json"),
        (
            {"state.json": b'{"_data_files": [{"filename": "../../x.arrow"}]}'},
            "not there .*x.arrow",
        ),
        (
            {"state.json": b'{"_indices_data_files": [{"filename": "i.arrow"}]}'},
            r"flatten_indices\(\)",
        ),
    ],
)
def test_a_saved_set_with_something_amiss(change: Mapping[str, Any], words: str) -> None:
    files = {**folder([told(content(6))]), "other.arrow": b"x", **change}
    files = {name: data for name, data in files.items() if data is not None}
    with pytest.raises(FileError, match=words) as caught:
        read_table(zipped(files))
    assert str(caught.value).endswith(".")


def test_splits_that_do_not_fit_are_refused() -> None:
    other = {**folder([content(6)], "train/"), **folder([content(6).drop(["text"])], "test/")}
    with pytest.raises(FileError, match="'test' and 'train' have different columns"):
        read_table(zipped(other))
    words = pa.array([["a"]] * 6)
    other = {**folder([content(6)], "train/"), **folder([content(6, label=words)], "test/")}
    with pytest.raises(FileError, match="columns of different kinds"):
        read_table(zipped(other))


def test_pictures_of_a_saved_set_are_those_of_a_zip() -> None:
    table = read_table(zipped(folder([told(content(6))])))
    files = {f"{'ab'[at % 2]}/{at}.png": saved(drawn(at % 2, at)) for at in range(6)}
    pictures = read_table(zipped(files))
    order = [pictures.frame["file"].tolist().index(name) for name in files]
    np.testing.assert_array_equal(
        table.pictures["image"].gradients, pictures.pictures["file"].gradients[order]
    )
