"""The result object: frozen, readable back without pickle, and mergeable."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from stiknn_core import (
    FileError,
    Interactions,
    LabelError,
    ParameterError,
    StiknnWarning,
    interactions,
)

X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
y = ["a", "b", "a", "a", "b"]
ARRAYS = ("matrix", "values", "labels", "ids")
LABELS: dict[str, list[Any]] = {
    "text": ["café", "Łódź", "café", "東京", "Łódź"],
    "int": [3, -1, 3, 3, -1],
    "bool": [True, False, True, True, False],
    "float": [1.0, 0.0, 1.0, 1.0, 0.0],
}


ODD_HEADERS: dict[str, list[Any]] = {
    "format": ["other"],
    "version": [99],  # the message names it, since a newer release may have saved the file
    "n_train": ["five", 4],
    "k": [0, "five", ...],
    "index": ["FOO"],
    "metric": [None],
    "ties": ["maybe"],
    "evaluation": [3],
    "likelihood": ["high", ...],
    "classes": [3, [], ["x", "y"]],
}


def compute(labels: Any = None, ids: Any = None, **options: Any) -> Interactions:
    table = pd.DataFrame(X, columns=["f"], index=ids)
    return interactions(table, y if labels is None else labels, **{"k": 2, **options})


def fields() -> list[str]:
    return [field.name for field in dataclasses.fields(Interactions)]


def assert_same(one: Interactions, other: Interactions) -> None:
    for name in set(fields()) - {"features"}:  # which are never saved
        mine, theirs = getattr(one, name), getattr(other, name)
        if name in ARRAYS:
            assert mine.dtype == theirs.dtype
            np.testing.assert_array_equal(mine, theirs)
        else:
            assert mine == theirs
            assert type(mine) is type(theirs)


class TestAttributes:
    def test_all_of_them(self) -> None:
        result = interactions(X, y, [[0.2], [3.7]], ["a", "b"], k=2, index="SII", ties="index")
        assert result.matrix.shape == (5, 5)
        assert result.matrix.dtype == np.float64
        assert result.values.shape == (5,)
        assert result.values.dtype == np.float64
        assert type(result.likelihood) is float
        assert result.classes == ("a", "b")
        assert list(result.labels) == y
        assert list(result.ids) == [0, 1, 2, 3, 4]
        assert (result.k, result.index, result.metric) == (2, "SII", "euclidean")
        assert result.ties == "index"
        assert (result.n_train, result.n_test) == (5, 2)
        assert result.tied_test_points == 0
        assert result.evaluation == "test set"
        assert result.absent_classes == ()

    def test_values_belong_to_the_index(self) -> None:
        stii, sii, bii = (compute(index=index) for index in ("STII", "SII", "BII"))
        np.testing.assert_array_equal(stii.values, sii.values)
        assert np.abs(bii.values - sii.values).max() > 1e-3

    def test_the_text_form_is_short(self) -> None:
        text = repr(compute())
        assert len(text) < 300
        assert all(part in text for part in ("k=2", "'STII'", "leave-one-out", "n_train=5"))


class TestFrozen:
    @pytest.mark.parametrize("name", fields())
    def test_no_attribute_can_be_set(self, name: str) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(compute(), name, None)

    @pytest.mark.parametrize("name", ARRAYS)
    def test_no_array_can_be_written(self, name: str, tmp_path: Path) -> None:
        result = compute()
        result.save(tmp_path / "r.npz")
        merged = judged_by(X[:2]).merged_with(judged_by(X[2:]))
        for each in (result, Interactions.load(tmp_path / "r.npz"), merged):
            array = getattr(each, name)
            with pytest.raises(ValueError, match="read-only"):
                array[0] = array[1]

    def test_the_ids_do_not_follow_the_frame(self) -> None:
        ids = np.array([5, 6, 7, 8, 9])
        result = compute(ids=ids)
        ids[0] = 77
        assert result.ids[0] == 5


class TestDataFrame:
    def test_ids_on_both_axes(self) -> None:
        result = compute(ids=["p", "q", "r", "s", "t"])
        table = result.to_dataframe()
        assert list(table.index) == list(table.columns) == ["p", "q", "r", "s", "t"]
        assert table.loc["q", "s"] == result.matrix[1, 3]
        np.testing.assert_array_equal(table.to_numpy(), result.matrix)

    def test_it_is_a_copy(self) -> None:
        result = compute()
        table = result.to_dataframe()
        table.iloc[0, 0] = 99.0
        np.testing.assert_array_equal(result.matrix, compute().matrix)

    def test_through_csv_and_back(self, tmp_path: Path) -> None:
        result = compute(ids=["p", "q", "r", "s", "t"])
        result.to_dataframe().to_csv(tmp_path / "m.csv")
        back = pd.read_csv(tmp_path / "m.csv", index_col=0)
        np.testing.assert_allclose(back.to_numpy(), result.matrix, rtol=0, atol=1e-12)
        assert list(back.columns) == list(back.index)


class TestSaveAndLoad:
    @pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
    @pytest.mark.parametrize("ids", [None, ["p1", "ä", "r", "s", "t"], [10, 20, 30, 40, 50]])
    def test_round_trip(self, labels: list[Any], ids: Any, tmp_path: Path) -> None:
        result = compute(labels, ids, index="BII")
        result.save(tmp_path / "result.npz")
        back = Interactions.load(tmp_path / "result.npz")
        assert_same(result, back)
        assert list(back.labels) == labels
        assert [type(name) for name in back.classes] == [type(labels[0])] * len(back.classes)

    @pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
    def test_nothing_is_pickled(self, labels: list[Any], tmp_path: Path) -> None:
        compute(labels, list("pqrst")).save(tmp_path / "result.npz")
        with np.load(tmp_path / "result.npz", allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        assert set(ARRAYS) <= set(arrays)
        assert all(array.dtype.kind != "O" for array in arrays.values())

    def test_labels_that_no_array_can_hold(self, tmp_path: Path) -> None:
        """Refused at the start, or saved all the same: never a pickle, never a traceback."""
        try:
            result = compute([10**20, 1, 10**20, 10**20, 1])
        except LabelError:
            return
        result.save(tmp_path / "r.npz")
        assert_same(result, Interactions.load(tmp_path / "r.npz"))

    def test_everything_comes_back(self, tmp_path: Path) -> None:
        tests = [[0.1], [0.5]]
        with pytest.warns(StiknnWarning):
            result = interactions(X, y, tests, ["z", "a"], k=3, ties="index", sample_weight=[1, 2])
        result.save(tmp_path / "r.npz")
        assert_same(result, Interactions.load(tmp_path / "r.npz"))
        assert result.absent_classes == ("z",)

    def test_the_name_is_taken_as_it_is(self, tmp_path: Path) -> None:
        for name in ("plain", "with.dots.v2", "r.npz"):
            compute().save(str(tmp_path / name))
            assert_same(compute(), Interactions.load(str(tmp_path / name)))
        assert {path.name for path in tmp_path.iterdir()} == {"plain", "r.npz", "with.dots.v2"}

    def test_saving_again_replaces(self, tmp_path: Path) -> None:
        compute(k=1).save(tmp_path / "r.npz")
        compute(k=3).save(tmp_path / "r.npz")
        assert Interactions.load(tmp_path / "r.npz").k == 3

    def test_a_place_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match=r"could not be saved to .*r\.npz"):
            compute().save(tmp_path / "nowhere" / "r.npz")

    def test_a_result_read_back_still_merges(self, tmp_path: Path) -> None:
        one, two = judged_by(X[:2]), judged_by(X[2:])
        one.save(tmp_path / "r.npz")
        assert_same(one.merged_with(two), Interactions.load(tmp_path / "r.npz").merged_with(two))


def arrays_of(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


class TestFilesThatAreNoResults:
    @pytest.fixture
    def saved(self, tmp_path: Path) -> Path:
        compute().save(tmp_path / "good.npz")
        return tmp_path / "good.npz"

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match=r"There is no file .*absent\.npz"):
            Interactions.load(tmp_path / "absent.npz")

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(FileError):
            Interactions.load(tmp_path)

    @pytest.mark.parametrize(
        "content",
        [b"", b"x", b"x1,x2,label\n1,2,a\n", b"PK\x03\x04 broken", b"\x93NUMPY", b"\x80\x04K\x01."],
        ids=["empty", "letter", "csv", "broken zip", "broken npy", "pickle"],
    )
    def test_junk(self, content: bytes, tmp_path: Path) -> None:
        (tmp_path / "junk.npz").write_bytes(content)
        with pytest.raises(FileError, match=r"junk\.npz is not a result saved by this package\."):
            Interactions.load(tmp_path / "junk.npz")

    def test_other_arrays(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "other.npz", a=np.zeros(3))
        np.save(tmp_path / "single.npy", np.zeros(3))
        for name in ("other.npz", "single.npy"):
            with pytest.raises(FileError, match="not a result"):
                Interactions.load(tmp_path / name)
        with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as archive:
            archive.writestr("header", "text")
        with pytest.raises(FileError):
            Interactions.load(tmp_path / "book.xlsx")

    @pytest.mark.parametrize("name", ["matrix", "labels", "ids"])
    def test_no_pickle_is_loaded(self, name: str, saved: Path, tmp_path: Path) -> None:
        arrays = arrays_of(saved)
        arrays[name] = np.array([Bomb()] * 5, dtype=object)
        np.savez(tmp_path / "bomb.npz", **arrays)
        Bomb.armed = True
        try:
            with pytest.raises(FileError):
                Interactions.load(tmp_path / "bomb.npz")
        finally:
            Bomb.armed = False

    @pytest.mark.parametrize("name", ["header", *ARRAYS])
    def test_an_array_is_lacking(self, name: str, saved: Path, tmp_path: Path) -> None:
        arrays = arrays_of(saved)
        del arrays[name]
        np.savez(tmp_path / "less.npz", **arrays)
        with pytest.raises(FileError):
            Interactions.load(tmp_path / "less.npz")

    @pytest.mark.parametrize("name", ARRAYS)
    def test_an_odd_array(self, name: str, saved: Path, tmp_path: Path) -> None:
        arrays = arrays_of(saved)
        good = arrays[name]
        wrong = [good[:-1]]
        if name in ("matrix", "values"):
            wrong += [good.astype(str), good + 1j]
        for array in wrong:
            np.savez(tmp_path / "wrong.npz", **{**arrays, name: array})
            with pytest.raises(FileError, match=r"wrong\.npz is damaged|not a result"):
                Interactions.load(tmp_path / "wrong.npz")

    @pytest.mark.parametrize(
        ("name", "value"), [(name, value) for name in ODD_HEADERS for value in ODD_HEADERS[name]]
    )
    def test_a_header_that_makes_no_sense(
        self, name: str, value: Any, saved: Path, tmp_path: Path
    ) -> None:
        """``...`` takes the entry out."""
        arrays = arrays_of(saved)
        header = json.loads(arrays["header"].tobytes())
        assert name in header
        header[name] = value
        if value is ...:
            del header[name]
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
        np.savez(tmp_path / "odd.npz", **arrays)
        with pytest.raises(FileError, match=r"odd\.npz.*99" if value == 99 else r"odd\.npz"):
            Interactions.load(tmp_path / "odd.npz")

    def test_damaged_bytes(self, saved: Path, tmp_path: Path) -> None:
        """A file cut short or with a byte changed is refused or read, never a crash."""
        good = saved.read_bytes()
        rng = np.random.default_rng(0)
        refused = 0
        for trial in range(400):
            content = bytearray(good)
            if trial % 4 == 0:
                content = content[: rng.integers(len(good))]
            else:
                content[rng.integers(len(good))] ^= int(rng.integers(1, 256))
            (tmp_path / "damaged.npz").write_bytes(bytes(content))
            try:
                Interactions.load(tmp_path / "damaged.npz")
            except FileError:
                refused += 1
        assert refused > 200


class Bomb:
    """Fails the test when it is unpickled."""

    armed = False

    def __reduce__(self) -> Any:
        return _explode, ()


def _explode() -> Bomb:
    if Bomb.armed:
        pytest.fail("a pickle was loaded")
    return Bomb()


def judged_by(X_test: Any, **options: Any) -> Interactions:
    labels = ["a", "b"] * len(X_test)
    points = [[value + 0.3] for (value,) in X_test]
    return interactions(X, y, points, labels[: len(X_test)], **{"k": 2, **options})


class TestMerging:
    def test_equals_one_run(self) -> None:
        labels = ["a", "b", "b", "a", "a"]
        points = [[0.3], [1.2], [1.5], [3.1], [9.0]]
        whole = interactions(X, y, points, labels, k=2)
        parts = [interactions(X, y, points[s], labels[s], k=2) for s in (slice(2), slice(2, 5))]
        for merged in (parts[0].merged_with(parts[1]), parts[1].merged_with(parts[0])):
            np.testing.assert_allclose(merged.matrix, whole.matrix, rtol=0, atol=1e-12)
            np.testing.assert_allclose(merged.values, whole.values, rtol=0, atol=1e-12)
            assert merged.likelihood == pytest.approx(whole.likelihood, abs=1e-12)
            assert merged.n_test == 5
            assert merged.tied_test_points == whole.tied_test_points == 1
            assert np.array_equal(merged.matrix, merged.matrix.T)

    def test_equals_one_weighted_run(self) -> None:
        points, labels, weights = [[0.3], [1.2], [2.5]], ["a", "b", "a"], [0.5, 2.0, 4.0]
        whole = interactions(X, y, points, labels, k=2, sample_weight=weights)
        first = interactions(X, y, points[:1], labels[:1], k=2, sample_weight=weights[:1])
        rest = interactions(X, y, points[1:], labels[1:], k=2, sample_weight=weights[1:])
        merged = first.merged_with(rest)
        np.testing.assert_allclose(merged.matrix, whole.matrix, rtol=0, atol=1e-12)
        assert merged.likelihood == pytest.approx(whole.likelihood, abs=1e-12)

    def test_three_parts_in_any_grouping(self) -> None:
        a, b, c = judged_by(X[:1]), judged_by(X[1:3]), judged_by(X[3:])
        left, right = a.merged_with(b).merged_with(c), a.merged_with(b.merged_with(c))
        np.testing.assert_allclose(left.matrix, right.matrix, rtol=0, atol=1e-12)
        assert left.n_test == right.n_test == 5

    def test_the_parts_stay_as_they_were(self) -> None:
        one, two = judged_by(X[:2]), judged_by(X[2:])
        before = one.matrix.copy()
        one.merged_with(two)
        np.testing.assert_array_equal(one.matrix, before)

    def test_absent_classes_are_joined(self) -> None:
        with pytest.warns(StiknnWarning):
            one = interactions(X, y, [[0.1]], ["z"], k=2)
        with pytest.warns(StiknnWarning):
            two = interactions(X, y, [[0.1], [1.0]], ["q", "z"], k=2)
        assert sorted(one.merged_with(two).absent_classes) == ["q", "z"]

    @pytest.mark.parametrize(
        "other",
        [
            ([[0.0], [1.0], [2.0], [3.0]], y[:4]),
            ([[0.0], [1.0], [2.0], [3.0], [4.5]], y),
            (X, ["a", "b", "a", "a", "a"]),
            (X, ["b", "a", "b", "b", "a"]),
            (X[::-1], y[::-1]),
        ],
        ids=["fewer", "moved", "relabelled", "classes swapped", "reordered"],
    )
    def test_another_training_set(self, other: Any) -> None:
        result = interactions(*other, [[0.3]], ["a"], k=2)
        with pytest.raises(ParameterError, match=r"only on one training set.*Compute both"):
            judged_by(X[:2]).merged_with(result)

    @pytest.mark.parametrize(
        ("name", "value"),
        [("k", 3), ("index", "SII"), ("metric", "manhattan"), ("ties", "index")],
    )
    def test_other_settings(self, name: str, value: Any) -> None:
        with pytest.raises(ParameterError, match=f"the same {name}; got .* and {value!r}"):
            judged_by(X[:2]).merged_with(judged_by(X[2:], **{name: value}))

    def test_leave_one_out(self) -> None:
        with pytest.raises(ParameterError, match="leave-one-out"):
            judged_by(X[:2]).merged_with(compute())
        with pytest.raises(ParameterError, match="leave-one-out"):
            interactions(X, y, k=2).merged_with(judged_by(X[:2]))
