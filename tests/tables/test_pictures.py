"""Archives of pictures become tables, and what is none is named."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np
import pytest

from stiknn_core import rank_suspects
from stiknn_core.errors import FileError, MissingExtraError
from stiknn_core.tables import ChoiceError, read_table
from stiknn_core.tables.apart.readers import read_apart
from tests.tables.drawn import drawn, saved, tarred, two_classes, zipped


# --- folders ---------------------------------------------------------------------------------
@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("top", ["", "my pictures/2024/"])
def test_a_folder_is_a_label(pack: Any, top: str) -> None:
    table = read_table(pack(two_classes(3, top)))
    assert table.frame["file"].tolist() == sorted(two_classes(3, top))
    assert table.frame["label"].tolist() == ["bars"] * 3 + ["rows"] * 3
    assert table.columns == ("file", "label")
    assert (table.label, table.features) == ("label", ("file",))
    assert table.decisions["packing"] == pack.__name__.replace("ped", "").replace("red", "")
    assert not table.notices
    assert not table.pictures["file"].absent.any()


def test_folders_of_a_split_become_a_column() -> None:
    files = two_classes(4, "set/train/") | two_classes(2, "set/test/")
    table = read_table(zipped(files))
    assert table.column_with("split") == "split"
    train, test = table.to_split()
    assert (train.X.shape[0], test.X.shape[0]) == (8, 4)
    assert set(train.y.tolist()) == {"bars", "rows"}


def test_from_a_zip_to_its_suspects() -> None:
    files = two_classes(20)
    files["rows/wrong.png"] = saved(drawn(0, 999))
    data = read_table(zipped(files)).to_dataset()
    assert [block.kind for block in data.blocks] == ["picture"]
    for space in ("features", "forest"):
        suspects = rank_suspects(data.X, data.y, k=3, space=space, n_trees=50)
        worst = int(suspects["position"].iloc[0])
        assert sorted(files)[int(data.source_rows[worst])] == "rows/wrong.png"


def test_apart_it_is_the_same() -> None:
    content = zipped(two_classes(3) | {"rows/x.jpg": b"none"})
    here, there = read_table(content, name="a"), read_apart(content, name="a")
    assert there.cells.equals(here.cells)
    assert there.notices == here.notices
    assert there.pictures["file"].thumbnails == here.pictures["file"].thumbnails
    np.testing.assert_array_equal(there.pictures["file"].grey, here.pictures["file"].grey)
    np.testing.assert_array_equal(there.pictures["file"].gradients, here.pictures["file"].gradients)


def test_progress_is_told_picture_by_picture() -> None:
    heard = []
    read_apart(zipped(two_classes(3)), progress=lambda stage, share: heard.append(stage))
    assert "Reading pictures" in heard


def test_nothing_outside_of_an_archive_is_read() -> None:
    leading_out = ("../1.png", "/etc/2.png", "rows/../../3.png", "C:\\4.png")
    files = {name: saved(drawn(0, 1)) for name in leading_out} | two_classes(2)
    for content in (zipped(files), tarred(files, {"bars/link.png": "/etc/passwd"})):
        table = read_table(content)
        assert table.frame["file"].tolist() == sorted(two_classes(2))
        (notice,) = table.notices
        assert notice.startswith("Left out: 4 files whose path leads out of the ")


def test_a_link_in_a_zip_is_no_file() -> None:
    stream = io.BytesIO(zipped(two_classes(2)))
    with zipfile.ZipFile(stream, "a") as archive:
        link = zipfile.ZipInfo("bars/link.png")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert read_table(stream.getvalue()).n_rows == 4


def test_leftovers_of_systems_are_passed_over_in_silence() -> None:
    junk = ("__MACOSX/bars/._0.png", "bars/.DS_Store", "bars/._1.png", "rows/Thumbs.db")
    table = read_table(zipped(two_classes(2) | dict.fromkeys(junk, b"x")))
    assert (table.n_rows, table.notices) == (4, ())


def test_other_files_and_loose_pictures_are_named() -> None:
    more = {"read me.md": b"x", "loose.png": saved(drawn(0, 5))}
    table = read_table(zipped(two_classes(2) | more))
    told = " ".join(table.notices)
    assert "1 file that is neither a picture that is read nor a table ('read me.md')" in told
    assert "1 picture lies in no folder of a class, without a label ('loose.png')" in told
    assert len(table.problems().missing_labels) == 1


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.png": saved(drawn(0, 1))}, "holds one picture"),
        (
            {"a/1.png": saved(drawn(0, 1)), "a/2.png": saved(drawn(1, 1))},
            "2 pictures in one folder",
        ),
        ({"a/1.png": b"none", "b/2.png": b""}, r"None of 2 pictures.*'a/1\.png' is no JPEG.*empty"),
    ],
)
def test_what_makes_no_table_gets_one_sentence(files: dict[str, bytes], words: str) -> None:
    for pack in (zipped, tarred):
        with pytest.raises(FileError, match=words) as caught:
            read_table(pack(files))
        assert str(caught.value).endswith(".")


def test_a_lone_picture_says_what_to_do() -> None:
    for form in ("PNG", "JPEG", "WEBP", "BMP", "TIFF", "GIF"):
        with pytest.raises(FileError, match="picture; expected many of them: put them into a zip"):
            read_table(saved(drawn(0, 1), form))


def test_a_table_with_one_logo_asks_as_ever() -> None:
    with pytest.raises(ChoiceError, match="2 files"):
        read_table(zipped({"a.csv": b"x,label\n1,a\n2,b", "logo.png": saved(drawn(0, 1))}))


def test_without_pillow_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stiknn_core.validation.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pillow.*stiknn-explorer\[pictures\]"):
        read_table(zipped(two_classes(2)))


# --- a table that names them -----------------------------------------------------------------
NAMES = {f"img/{place:03}.PNG": saved(drawn(place % 2, place)) for place in range(12)}


def table_of(cells: list[str], head: str = "name") -> bytes:
    rows = [f"{cell},{'ab'[place % 2]},{place}" for place, cell in enumerate(cells)]
    return "\n".join([f"{head},label,size", *rows]).encode()


@pytest.mark.parametrize(
    "written",
    [
        "img/{}.PNG",
        "img/{}.png",
        "{}.png",
        "{}",
        "C:\\mine\\img\\{}.Png",
        "./img/{}.PNG",
        "/x/img/{}",
    ],
)
def test_a_table_names_pictures_by_path_or_name(written: str) -> None:
    cells = [written.format(f"{place:03}") for place in range(12)]
    table = read_table(zipped(NAMES | {"labels.csv": table_of(cells)}))
    assert table.frame["name"].tolist() == cells
    assert table.notices == ("Column 'name' of 'labels.csv' names the pictures.",)
    assert table.roles["name"].role == "picture"
    assert table.label == "label"
    mine = read_table(zipped({f"{'ab'[at % 2]}/{at:02}.png": content
                              for at, content in enumerate(NAMES.values())}))  # fmt: skip
    order = [f"{'ab'[at % 2]}/{at:02}.png" for at in range(12)]
    places = [mine.frame["file"].tolist().index(name) for name in order]
    np.testing.assert_array_equal(table.pictures["name"].grey, mine.pictures["file"].grey[places])


def test_a_column_of_whole_numbers_may_name_them() -> None:
    files = {f"{place}.jpg": saved(drawn(place % 2, place), "JPEG") for place in range(1, 9)}
    cells = json.dumps([{"id": at, "label": "ab"[at % 2]} for at in range(1, 9)]).encode()
    table = read_table(zipped(files | {"rows.json": cells}))
    assert not table.pictures["id"].absent.any()


def test_rows_and_pictures_without_each_other_are_counted_and_named() -> None:
    cells = [f"{place:03}.png" for place in range(2, 16)] + ["003.png"]
    table = read_table(zipped(NAMES | {"labels.csv": table_of(cells)}))
    told = " ".join(table.notices)
    unmatched = "'012.png', '013.png', '014.png' and 1 more."
    assert f"4 rows match no picture and count as missing: {unmatched}" in told
    assert "Left out: 2 pictures that no row names ('img/000.PNG' and 'img/001.PNG')." in told
    assert "1 row names a picture of another row again." in told
    assert table.pictures["name"].absent.tolist() == [False] * 10 + [True] * 4 + [False]
    assert table.problems(features=["name"]).missing == {"name": 4}
    assert table.to_dataset(features=["name"], missing="drop_rows").X.shape[0] == 11


def test_two_pictures_of_one_name_are_told_apart_by_path_alone() -> None:
    files = {f"{folder}/{at}.png": saved(drawn(0, at)) for folder in "pq" for at in range(4)}
    by_path = [f"{folder}/{at}.png" for folder in "pq" for at in range(4)]
    table = read_table(zipped(files | {"t.csv": table_of(by_path)}))
    assert not table.pictures["name"].absent.any()
    table = read_table(zipped(files | {"t.csv": table_of([f"{at}.png" for at in range(4)])}))
    assert "names" not in " ".join(table.roles), "a name of two is nobody's"
    assert table.columns == ("file", "label")


def test_labels_that_pictures_are_called_by_name_none() -> None:
    files = {f"{name}.png": saved(drawn(0, 1)) for name in ("cat", "dog")}
    rows = "\n".join(f"{at},{('cat', 'dog')[at % 2]}" for at in range(30))
    with pytest.raises(ChoiceError, match=r"no column of 't\.csv' names them") as caught:
        read_table(zipped(files | {"t.csv": f"x,label\n{rows}".encode()}))
    assert caught.value.option == "member"
    alone = read_table(zipped(files | {"t.csv": f"x,label\n{rows}".encode()}), member="t.csv")
    assert (alone.features, dict(alone.pictures)) == (("x",), {})
    assert "Left out: 2 pictures, since no column of 't.csv' names them." in alone.notices


def test_a_table_that_names_nothing_leaves_the_folders() -> None:
    table = read_table(zipped(two_classes(3) | {"sizes.csv": b"a,b\n1,2\n3,4"}))
    assert table.columns == ("file", "label")
    assert "Left out: 'sizes.csv', where no column names pictures." in table.notices


def test_of_two_tables_that_name_them_one_is_asked_for() -> None:
    table = table_of([f"{place:03}" for place in range(12)])
    content = zipped(NAMES | {"a.csv": table, "b.csv": table.replace(b"size", b"weight")})
    with pytest.raises(ChoiceError, match="2 tables name the pictures") as caught:
        read_table(content)
    assert caught.value.choices == ("a.csv", "b.csv")
    assert "weight" in read_table(content, member="b.csv").columns
    with pytest.raises(ChoiceError, match=r"no file 'c\.csv'"):
        read_table(content, member="c.csv")


def test_overrides_reach_the_table() -> None:
    rows = "name;label\n" + "\n".join(f"{at:03};Ä{at % 2}" for at in range(12))
    content = zipped(NAMES | {"t.csv": rows.encode("cp1252")})
    assert read_table(content, encoding="cp1252").frame["label"][0] == "Ä0"


# --- embeddings ------------------------------------------------------------------------------
def array(values: Any, name: str = "e.npy") -> dict[str, bytes]:
    stream = io.BytesIO()
    if name.endswith("npz"):
        np.savez(stream, **values)
    else:
        np.save(stream, values)
    return {name: stream.getvalue()}


def test_embeddings_in_the_order_of_sorted_files() -> None:
    values = np.random.default_rng(0).normal(size=(6, 5)).astype(np.float32)
    table = read_table(zipped(two_classes(3) | array(values)))
    np.testing.assert_array_equal(table.vectors["e"].values, values)
    assert table.vectors["e"].values.dtype == np.float32
    assert table.features == ("e",), "pictures are shown beside"
    assert set(table.pictures) == {"file"}
    assert "The features are the numbers in 'e'; the pictures are shown" in table.notices[-1]


def test_embeddings_in_the_order_of_rows_of_ids_or_of_sorted_files() -> None:
    values = np.arange(36.0).reshape(12, 3)
    cells = [f"{place:03}" for place in range(11, -1, -1)]
    rows = {"t.csv": table_of(cells)}
    table = read_table(zipped(NAMES | rows | array({"v": values}, "e.npz")))
    np.testing.assert_array_equal(table.vectors["v"].values, values)
    named = array({"v": values, "name": np.array(sorted(cells))}, "e.npz")
    table = read_table(zipped(NAMES | rows | named))
    np.testing.assert_array_equal(table.vectors["v"].values, values[::-1])
    table = read_table(zipped(NAMES | {"t.csv": table_of(cells[:10])} | array(values)))
    np.testing.assert_array_equal(table.vectors["e"].values, values[:1:-1])
    assert "pictures as they are sorted" in " ".join(table.notices)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.zeros((5, 2)), "'e.npy' holds 5 vectors, but the table beside it has 6 rows"),
        (np.zeros(6), r"'e\.npy' holds no matrix of numbers \(\(6,\)\)"),
        (np.array([[None] * 2] * 6), "never loaded because they can run code"),
    ],
)
def test_embeddings_that_do_not_fit_are_refused(values: Any, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_table(zipped(two_classes(3) | array(values)))


def test_rows_are_called_by_the_path_of_their_picture() -> None:
    data = read_table(zipped(two_classes(3))).to_dataset()
    assert data.ids.tolist() == sorted(two_classes(3))
    named = read_table(zipped(two_classes(3)))
    assert named.to_dataset(ids="label").ids.tolist() == [
        "bars", "bars (2)", "bars (3)", "rows", "rows (2)", "rows (3)",
    ]  # fmt: skip
