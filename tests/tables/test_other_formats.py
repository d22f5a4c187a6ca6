from __future__ import annotations

import gzip
import io
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from stiknn_core.errors import FileError, LabelError
from stiknn_core.tables import ChoiceError, Table, read_table


def told(table: Table, words: str) -> bool:
    return any(words in notice for notice in table.notices)


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


X = np.array([[1.5, 2.0], [3.0, 4.0], [5.0, 7.25], [0.5, 1.0]])
Y = np.array([0, 1, 1, 0], dtype=np.int8)

ARFF = """% a remark with “curly” marks
@RELATION demo
@attribute 'size of it' numeric
@attribute checking {'<0','no checking',other}
@attribute name string
@attribute class {good,bad}
@DATA
1.5,'<0',"Allen, Miss. E",good
?,'no checking','O\\'Hara',bad
3,other,?,good
"""


def test_arff_keeps_quotes_commas_and_question_marks_apart() -> None:
    table = read_table(ARFF.encode("cp1252"))
    assert table.columns == ("size of it", "checking", "name", "class")
    assert table.frame["checking"].tolist() == ["<0", "no checking", "other"]
    assert table.frame["name"].iloc[0] == "Allen, Miss. E"
    assert table.problems().missing == {"size of it": 1}
    assert table.label == "class"
    assert told(table, "Windows-1252")
    packed = read_table(gzip.compress(ARFF.encode()))
    dataset = packed.to_dataset(one_hot=["checking"], missing="impute")
    assert dataset.X[:, 0].tolist() == [1.5, 2.25, 3.0]
    assert dataset.feature_names[1:] == ("checking=<0", "checking=no checking", "checking=other")


def test_arff_of_other_programs() -> None:
    keel = (
        "@relation r\n@attribute x real [0.0, 9.5]\n@attribute d date 'yyyy-MM-dd'\n"
        "@attribute c {p, q}\n@inputs x\n@outputs c\n@data\n"
        "1.5,'2024-01-05',p\n2.5,'2024-01-06',q\n"
    )
    table = read_table(keel.encode())
    assert table.frame["x"].tolist() == [1.5, 2.5]
    assert table.facts["d"].kind == "date"
    assert table.label == "c"


def test_sparse_arff_fills_zeros() -> None:
    text = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c {p,q}\n@data\n"
    table = read_table((text + "{0 5}\n{1 7, 2 q}\n").encode())
    assert table.frame[["a", "b"]].to_numpy().tolist() == [[5, 0], [0, 7]]


WEKA = """@relation 'r s'
@attribute x real
@attribute "y z" integer
@attribute cls {a, 'b c',
  "d"} %{<=50K, >50K}
@data
"""


@pytest.mark.parametrize(
    "rows",
    [
        "1.5,2,a\n-3e2,?,'b c'\n",
        '1.5, 2, a\n\n% between\n-3e2 ,? , "b c"\n',
        "1.5\t2\ta\n-3e2\t?\t'b c'\n",
        "1.5  2  a\n  -3e2  ?  'b c'\n",
        "1.5,2,a,\n-3e2,?,'b c',\n",
        "1.5,2,a,{2}\n-3e2,?,'b c', {0.5}\n",
        "1.5,2,a % told\n-3e2,?,'b c'%told\n",
        "1.5,2,a\r\n-3e2,?,b c\r\n",
        "{0 1.5, 1 2}\n{0 -3e2, 1 ?, 2 'b c'}\n",
    ],
)
def test_whatever_weka_opens_is_read(rows: str) -> None:
    table = read_table((WEKA + rows).encode())
    assert table.columns == ("x", "y z", "cls")
    assert table.nominal == ("cls",)
    assert table.frame["x"].tolist() == [1.5, -300]
    assert table.frame["y z"].fillna(-1).tolist() == [2, -1]
    assert table.frame["cls"].tolist() == ["a", "b c"]
    assert told(table, "Weights were read over: 2 rows have one.") == ("{2}" in rows)


def test_quotes_of_arff_say_what_is_missing() -> None:
    text = "@relation r\n@attribute s string\n@attribute t string\n@attribute n numeric\n@data\n"
    rows = "'?',?,1\n\"it's, \\\"so\\\"\",'5 % more',2\n'a\\nb','',3\n"
    frame = read_table((text + rows).encode()).frame
    assert frame["s"].tolist() == ["?", 'it\'s, "so"', "a\nb"]
    assert frame["t"].fillna("-").tolist() == ["-", "5 % more", "-"]


def test_sparse_rows_of_arff_are_counted_before_they_are_filled() -> None:
    names = "".join(f"@attribute a{at} numeric\n" for at in range(15_000))
    with pytest.raises(FileError, match="more than 60,000,000 cells"):
        read_table(("@relation r\n" + names + "@data\n" + "{0 1}\n" * 5_000).encode())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@relation r\n@attribute a numeric\n", "no @data line"),
        ("@relation r\n@attribute a numeric\n@data\n", "no row after @data"),
        ("@relation r\n@attribute a {p,q}\n@data\nz\n", "could not be read"),
        ("@relation r\n@attribute a numeric\n@data\n1,2,3\n", "could not be read"),
        ("@relation r\n@attribute a {p,q}\n@attribute b {p,q}\n@data\np,z%s\n", "'z%s'"),
        ("@relation r\n@data\n1\n", "declares no attribute"),
        ("@relation r\n@attribute\n@data\n1\n", "line 2 declares no attribute"),
        ("@relation r\n@attribute a thing\n@data\n1\n", "line 2 gives 'a' the kind 'thing'"),
        ("@relation r\n@attribute a {p,\n", "no @data line"),
        ("@relation r\n@attribute a {p,\n@data\np\n", "line 2 opens a list of values"),
        ("@relation r\n@attribute a numeric\n@data\n1\n\n'x'\n", "line 6 holds 'x'.*numeric"),
        ("@relation r\n@attribute a numeric\n@data\n{0 1}\n{1 2}\n", "line 5 holds '1 2'"),
        ("@relation r\n@attribute a numeric\n@data\n{0 1}\n5\n", "line 5 is no sparse row"),
        (
            "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,5;2\n3,5;1\n",
            "line 5",
        ),
    ],
)
def test_broken_arff_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_table(text.encode())


def test_libsvm_text_keeps_its_labels() -> None:
    table = read_table(b"1 1:0.5 3:2\n2 2:1.5\n+1 1:-1 3:4 # remark\n")
    assert table.frame["label"].tolist() == ["1", "2", "+1"]
    assert table.frame[["x1", "x2", "x3"]].to_numpy().tolist() == [
        [0.5, 0, 2],
        [0, 1.5, 0],
        [-1, 0, 4],
    ]
    assert table.decisions["format"] == "LIBSVM"
    assert told(table, "LIBSVM")


def test_libsvm_queries_are_kept_and_are_no_feature() -> None:
    table = read_table(b"1 qid:1 1:0.5 4:1\n0 qid:1 2:0.5\n1 qid:2 2:0.5\n0 qid:2 3:0.7\n" * 3)
    assert table.frame["qid"].tolist() == ["1", "1", "2", "2"] * 3
    assert table.features == ("x1", "x2", "x3", "x4")
    assert table.columns_with("ignored") == ("qid",)
    assert told(table, "Numbers of 2 queries")


def test_libsvm_may_count_from_0() -> None:
    table = read_table(b"a 0:1 2:3\nb 1:5\n\nc 2:7 # 9:9\n")
    assert table.columns == ("label", "x0", "x1", "x2")
    assert table.frame[["x0", "x1", "x2"]].to_numpy().tolist() == [[1, 0, 3], [0, 5, 0], [0, 0, 7]]


def test_libsvm_is_counted_before_zeros_are_filled_in() -> None:
    with pytest.raises(FileError, match="more than 60,000,000 cells"):
        read_table(b"1 20000:1\n" * 3_100)
    with pytest.raises(FileError, match="Line 2 of the LIBSVM text holds '2:x'"):
        read_table(b"1 1:1\n2 2:x\n" * 9)


def test_libsvm_trouble_is_named() -> None:
    with pytest.raises(FileError, match="no single label"):
        read_table(b"1,2 1:5\n3 1:4\n5 1:3\n4 1:2\n")
    with pytest.raises(FileError, match="columns"):
        read_table(b"1 1:5\n2 999999999:4\n")


def test_parquet_keeps_kinds_and_categories() -> None:
    frame = pd.DataFrame(
        {"x": X[:, 0], "n": [1, 2, 3, 4], "class": pd.Categorical(["b", "a", "a", "b"])}
    )
    stream = io.BytesIO()
    frame.to_parquet(stream)
    table = read_table(stream.getvalue())
    assert table.nominal == ("class",)
    dataset = table.to_dataset()
    assert dataset.X[:, 0].tolist() == X[:, 0].tolist()
    assert dataset.y.tolist() == ["b", "a", "a", "b"]


def test_parquet_with_spoiled_letters_is_refused_at_once() -> None:
    stream = io.BytesIO()
    frame = pd.DataFrame({"x": [1, 2], "label": ["sunny", "rainy"]})
    frame.to_parquet(stream, compression=None, use_dictionary=False, write_statistics=False)
    data = stream.getvalue()
    place = data.index(b"sunny")
    with pytest.raises(FileError, match="Parquet file could not be read"):
        read_table(data[:place] + b"\xff" + data[place + 1 :])


@pytest.mark.parametrize(
    "names", [("X", "y"), ("data", "target"), ("X_train", "y_train"), ("features", "labels"),
              ("images", "labels"), ("fold3-x_train", "fold3-y_train"), ("train_X", "train_y")]
)  # fmt: skip
def test_usual_array_names_are_found(names: tuple[str, str]) -> None:
    table = read_table(npz(**{names[0]: X, names[1]: Y, "note": np.arange(3)}))
    assert table.decisions["X"] == names[0]
    assert table.decisions["y"] == names[1]
    assert table.to_dataset().y.tolist() == [0, 1, 1, 0]


def test_folds_take_the_first_and_tell() -> None:
    arrays = {f"fold{f}-{part}": value for f in (0, 1) for part, value in (
        ("x_train", X), ("y_train", Y), ("x_test", X[:1]), ("y_test", Y[:1]))}  # fmt: skip
    table = read_table(npz(**arrays))
    assert told(table, "fold1-x_train")
    train, test = table.to_split()
    assert (train.n, test.n) == (4, 1)
    assert any("1 test row repeats a training row" in notice for notice in test.notices)
    assert read_table(npz(**arrays), X="fold1-x_train").decisions["y"] == "fold1-y_train"


def test_unknown_array_names_are_offered() -> None:
    data = npz(points=X, kinds=Y)
    with pytest.raises(ChoiceError, match="points and kinds") as caught:
        read_table(data)
    assert (caught.value.option, caught.value.choices) == ("X", ("points", "kinds"))
    with pytest.raises(ChoiceError) as caught:
        read_table(data, X="points")
    assert caught.value.option == "y"
    assert read_table(data, X="points", y="kinds").array_names == ("points", "kinds")
    with pytest.raises(ChoiceError, match="no array 'z'"):
        read_table(data, X="z", y="kinds")


def test_pictures_are_flattened() -> None:
    table = read_table(npz(X=np.arange(24).reshape(3, 2, 4), y=["a", "b", "a"]))
    assert table.frame.shape == (3, 9)
    assert told(table, "flattened")


def test_objects_are_never_unpickled() -> None:
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }"
    header += b" " * (118 - len(header)) + b"\n"
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\x80\x04."
    with pytest.raises(FileError, match="Python objects, which are never loaded"):
        read_table(data)
    with pytest.raises(FileError, match=r"expected plain numbers|label"):
        read_table({"X": np.zeros((2, 2), dtype=complex), "y": [0, 1]})


def test_a_broken_header_of_an_old_array_file() -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1,), "
    header += b" " * (117 - len(header)) + b"\n"
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(8)
    with pytest.raises(FileError, match="damaged"):
        read_table(data)


def test_a_lone_array_is_a_table() -> None:
    table = read_table(npy(np.c_[X, Y]))
    assert table.columns == ("col1", "col2", "col3")
    assert table.to_dataset().y.tolist() == [0, 1, 1, 0]
    kinds = np.array([(1.5, "a"), (2.5, "b")], dtype=[("x", float), ("class", "U1")])
    assert read_table(npy(kinds)).label == "class"
    with pytest.raises(FileError, match=r"shape \(4,\)"):
        read_table(npy(Y))


@pytest.mark.parametrize(
    "source",
    [(X, Y), {"X": X, "y": Y}, (X.tolist(), Y.tolist()), (sparse.csr_matrix(X), Y),
     (X.astype(np.float32), Y[:, None]), (pd.DataFrame(X), pd.Series(Y))],
)  # fmt: skip
def test_arrays_from_a_notebook(source: Any) -> None:
    dataset = read_table(source).to_dataset()
    assert dataset.X.tolist() == X.tolist()
    assert dataset.y.tolist() == [0, 1, 1, 0]


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(FileError, match="X has 4 rows but y has 3"):
        read_table((X, Y[:3]))
    with pytest.raises(FileError, match="expected one label per row"):
        read_table((X, np.eye(4)))
    with pytest.raises(FileError, match="different indexes"):
        read_table((pd.DataFrame(X), pd.Series(Y, index=[3, 2, 1, 0])))
    with pytest.raises(FileError, match="is empty"):
        read_table((np.empty((0, 2)), []))


def test_a_frame_keeps_its_index_as_ids() -> None:
    frame = pd.DataFrame({"x": X[:, 0], "label": list("abba")}, index=[10, 30, 20, 50])
    dataset = read_table(frame).to_dataset()
    assert dataset.ids.tolist() == [10, 30, 20, 50]
    assert read_table(frame.reset_index(drop=True)).columns == ("x", "label")


def test_a_frame_of_many_kinds() -> None:
    frame = pd.DataFrame(
        {
            ("a", "b"): [1.0, 2.0, np.nan],
            "big": [2**60, 2**60 + 1, 5],
            "when": pd.to_datetime(["2024-01-05", "2024-01-06", None]),
            "mixed": [1, "x", None],
            "gaps": pd.array([1, None, 3], dtype="Int64"),
            "label": [0.0, 1.0, 0.0],
        }
    )
    table = read_table(frame)
    assert table.columns[0] == "a / b"
    assert table.frame["big"].tolist()[:2] == [str(2**60), str(2**60 + 1)]
    assert table.frame["when"].iloc[0] == "2024-01-05"
    assert table.problems(["gaps"]).missing == {"gaps": 1}
    dataset = table.to_dataset(features=["gaps", "a / b"], missing="impute")
    assert dataset.y.tolist() == [0, 1, 0]
    assert dataset.X.tolist() == [[1, 1], [2, 2], [3, 1.5]]


def test_writing_to_the_frame_leaves_the_table_alone() -> None:
    table = read_table((X, Y))
    frame = table.frame
    frame.loc[:, "x1"] = 0.0
    assert table.to_dataset().X.tolist() == X.tolist()


def test_measurements_as_labels_are_targets_and_no_classes() -> None:
    table = read_table((X, [0.37, 1.82, 2.05, 2.9]))
    assert table.to_dataset().measured
    with pytest.raises(LabelError, match=r"4 different numbers in 4 rows"):
        table.to_dataset(measured=False)


def test_blank_lines_by_the_thousand_take_no_square_of_time() -> None:
    blank = "\n" * 200_000
    with pytest.raises(FileError, match="no @data line"):
        read_table(f"@relation r\n{blank}@attribute a numeric\n{blank}".encode())


def test_arff_with_old_line_ends() -> None:
    assert read_table(ARFF.replace("\n", "\r").encode()).frame.shape == (3, 4)
