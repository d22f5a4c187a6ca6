"""Bundled data sets, and files in one step; tests/tables has the readers themselves."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stiknn_core.datasets import BUNDLED, load_bundled, load_csv
from stiknn_core.errors import (
    FeatureError,
    FileError,
    LabelError,
    ParameterError,
    ShapeError,
    StiknnError,
)
from stiknn_core.validation.sentinels import is_sentinel


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("iris", (150, 4), {"setosa", "versicolor", "virginica"}),
        ("wine", (178, 13), {"class_0", "class_1", "class_2"}),
        ("breast_cancer", (569, 30), {"malignant", "benign"}),
        ("digits", (1797, 64), set("0123456789")),
    ],
)
def test_bundled_data_carry_class_and_feature_names(name, shape, classes):
    made = load_bundled(name)
    assert made.X.shape == shape
    assert set(made.y.tolist()) == classes
    assert len(made.feature_names) == shape[1]
    assert made.name in BUNDLED


def test_bundled_labels_belong_to_their_rows():
    cancer = load_bundled("breast_cancer")
    radius = cancer.X[:, cancer.feature_names.index("mean radius")]
    assert radius[cancer.y == "malignant"].mean() > radius[cancer.y == "benign"].mean() + 4
    with pytest.raises(ParameterError, match=r"name must be one of .*; got 'mnist'"):
        load_bundled("mnist")


def test_a_plain_file(tmp_path):
    path = tmp_path / "fruit.csv"
    path.write_text("x1,label,x2\n1.0,a,2\n-3e1,b,.5\n", encoding="utf-8")
    made = load_csv(path)
    assert made.name == "fruit"
    assert made.feature_names == ("x1", "x2")
    assert made.X.tolist() == [[1.0, 2.0], [-30.0, 0.5]]
    assert made.y.tolist() == ["a", "b"]
    assert made.ids.tolist() == [0, 1]
    assert made.params["label"] == "label"
    assert load_csv(str(path)).y.tolist() == ["a", "b"]


def test_all_kinds_of_buffers_read_from_their_start():
    text = "x,y\n1,a\n2,b\n3,a\n"
    stream, chars = io.BytesIO(text.encode()), io.StringIO(text)
    stream.read()
    chars.read()
    for source in (text.encode(), stream, chars):
        assert load_csv(source).y.tolist() == ["a", "b", "a"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_is_not_part_of_the_first_name(end):
    text = end.join(["label,x1,x2", "a,1.0,2.0", "b,3.0,4.0", ""])
    made = load_csv(text.encode("utf-8-sig"))
    assert made.params["label"] == "label"
    assert made.y.tolist() == ["a", "b"]
    assert load_csv(io.StringIO("\ufeff" + text)).y.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("y,Target,CLASS,Label", "Label"),
        ("y,Target,CLASS,other", "CLASS"),
        ("y,Target,other", "Target"),
        ("Y,other", "Y"),
        ("first,species", "species"),
    ],
)
def test_the_label_column_is_found_by_name_or_is_the_last(header, expected):
    width = header.count(",") + 1
    rows = "\n".join(",".join([str(row)] * width) for row in (1, 2, 1, 2))
    assert load_csv(f"{header}\n{rows}\n".encode()).params["label"] == expected


def test_the_label_column_can_be_named():
    text = b"kind,x,label\nq,1,a\nr,2,b\n"
    made = load_csv(text, label="kind")
    assert made.y.tolist() == ["q", "r"]
    assert made.feature_names == ("x",)
    with pytest.raises(LabelError, match=r"no label column 'zz'; it has kind, x and label\."):
        load_csv(text, label="zz")


def test_labels_stay_as_written():
    words = ["NA", "None", "n/a", "nan", "TRUE", "007", "1.0", "東京", 'say "hi", you']
    lines = [
        f'{number % 7},"{word.replace(chr(34), chr(34) * 2)}"' for number, word in enumerate(words)
    ]
    made = load_csv(("x,label\n" + "\n".join(lines + lines)).encode())
    assert made.y.tolist() == words * 2


@pytest.mark.parametrize("first", ["", "Unnamed: 0"])
def test_an_unnamed_counter_becomes_ids(first):
    made = load_csv(f"{first},x1,label\n0,1.0,a\n1,3.0,b\n5000,1.5,a\n".encode())
    assert made.ids.tolist() == [0, 1, 5000]
    assert made.feature_names == ("x1",)


def test_an_unnamed_column_with_repeats_is_a_feature():
    made = load_csv(b",x1,label\n0,1.0,a\n1,3.0,b\n1,1.5,a\n")
    assert made.feature_names == ("column 1", "x1")
    assert made.ids.tolist() == [0, 1, 2]


def test_classes_that_differ_in_case_or_blanks_are_pointed_out():
    made = load_csv(b"x,label\n1,yes\n2,no\n3,Yes\n4,no\n5,yes\n")
    assert made.notices == ("Classes 'Yes' and 'yes' in 'label' differ only by case or blanks.",)


def test_missing_labels_are_counted_with_their_rows():
    with pytest.raises(LabelError, match=r"2 labels in 'label' are missing \(rows 1 and 3\)"):
        load_csv(b"x,label\n1,a\n2,\n3,b\n4, \n")


def test_missing_and_infinite_features_are_counted_with_their_columns():
    text = b"u,v,w,label\n1,2,1,a\n,inf,2,b\n3,nan,3,a\n"
    with pytest.raises(FeatureError, match=r"2 values missing \('u': 1 and 'v': 1\); 1 value inf"):
        load_csv(text)


def test_measurements_are_no_classes_but_numbers_can_be():
    rows = "\n".join(f"{i},{i / 7:.3f}" for i in range(8))
    with pytest.raises(LabelError, match="No column looks like a label"):
        load_csv(f"x,price\n{rows}\n".encode())
    assert load_csv(f"x,price\n{rows}\n".encode(), label="price").measured
    made = load_csv(b"x,label\n1,0.0\n2,1.0\n3,0.0\n4,1.0\n")
    assert made.y.tolist() == ["0.0", "1.0", "0.0", "1.0"]
    assert load_csv(b"x,label\n1,0\n2,10\n3,2\n4,10\n").y.tolist() == [0, 10, 2, 10]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", FileError, "The file is empty"),
        (b"\xef\xbb\xbf\n\n", FileError, "The file is empty"),
        (b"x1,x2,label\n", FileError, "has a header .* but no row"),
        (b"x1,x2,label\n1,2,a\n", ShapeError, "Only 1 row"),
        (b"label\na\nb\na\n", FeatureError, "only the label column 'label'"),
        (b"name,label\nq,a\nr,b\n", FeatureError, "'name' is different in every row"),
        (b"x,label\n1,a\n2,b,c\n", FileError, "expected 2 cells, but line 3 has 3"),
        (b"PK\x03\x04\x00\x00\x00x,y", FileError, "damaged"),
    ],
)
def test_unusable_files_get_one_sentence(content, error, message):
    with pytest.raises(error, match=message):
        load_csv(content)


@pytest.mark.parametrize(
    "content",
    [
        b"x;label\n1,5;a\n2,5;b\n",
        "größe,label\n1.5,a\n2.5,b\n".encode("cp1252"),
        "x,label\n1.5,a\n2.5,b\n".encode("utf-16"),
    ],
)
def test_other_separators_and_encodings_are_read(content):
    made = load_csv(content)
    assert made.X[:, 0].tolist() == [1.5, 2.5]
    assert made.y.tolist() == ["a", "b"]


def test_unreadable_paths_get_one_sentence(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        load_csv(tmp_path / "none.csv")
    with pytest.raises(FileError, match="is a folder"):
        load_csv(tmp_path)
    with pytest.raises(FileError, match="expected a path, bytes, an open file"):
        load_csv(3)
    closed = io.BytesIO(b"x,label\n1,a\n2,b\n")
    closed.close()
    with pytest.raises(FileError, match="could not be read"):
        load_csv(closed)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=80), st.text(alphabet='x1,.;"\n\r a-', max_size=60)))
def test_anything_else_is_read_or_refused_in_our_own_words(content):
    source = content.encode() if isinstance(content, str) else content
    try:
        made = load_csv(source)
    except StiknnError:
        return  # anything else, a warning included, fails the test
    assert made.n >= 2
    assert np.isfinite(made.X).all()


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            # The largest numbers stand for missing values.
            st.floats(-(2.0**1022), 2.0**1022).filter(lambda value: not is_sentinel(value)),
            st.sampled_from(["a", "b,", 'c"', "d\ne"]),
        ),
        min_size=2,
        max_size=12,
        unique_by=lambda row: row[0],
    )
)
def test_what_is_written_is_read_back(rows):
    lines = "".join(f'{x!r},"{label.replace(chr(34), chr(34) * 2)}"\n' for x, label in rows)
    made = load_csv(("x,label\n" + lines).encode())
    assert made.X[:, 0].tolist() == [x for x, _ in rows]
    assert made.y.tolist() == [label for _, label in rows]
