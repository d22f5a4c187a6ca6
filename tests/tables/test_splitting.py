from __future__ import annotations

import numpy as np
import pytest

from stiknn_core.errors import FeatureError, ParameterError
from stiknn_core.tables import Table, match_test_table, read_table


def table(text: str) -> Table:
    return read_table(text.encode())


TRAIN = "id,x1,x2,label\nP0,1,2,a\nP1,3,4,b\nP2,1.5,2.5,a"


def test_a_test_table_is_matched_by_name() -> None:
    test = table("label,x2,extra,x1,id\nb,4,9,3,T0\na,9,9,8,T1")
    train, tested = table(TRAIN).to_split(test=test)
    assert train.feature_names == tested.feature_names == ("x1", "x2")
    assert tested.X.tolist() == [[3, 4], [8, 9]]
    assert tested.y.tolist() == ["b", "a"]
    assert tested.ids.tolist() == ["T0", "T1"]
    told = " ".join(tested.notices)
    assert "'extra'" in told
    assert "1 test row repeats a training row" in told


def test_missing_columns_are_named_with_what_is_nearly_there() -> None:
    with pytest.raises(FeatureError, match=r"lacks 2 columns: 'x2' and 'label' \(it has 'X2'"):
        table(TRAIN).to_split(test=table("x1,X2\n1,2\n3,4"))
    with pytest.raises(FeatureError, match="lacks 1 column: 'x1'"):
        match_test_table(table(TRAIN), table("x2,label\n1,a\n2,b"))


def test_one_test_row_is_enough() -> None:
    _, tested = table(TRAIN).to_split(test=table("x1,x2,label\n7,8,a"))
    assert tested.n == 1


def test_a_test_file_may_be_written_otherwise() -> None:
    test = table("x1;x2;label\n1,5;2,25;a\n3,5;4,5;b")
    _, tested = table(TRAIN).to_split(test=test)
    assert tested.X.tolist() == [[1.5, 2.25], [3.5, 4.5]]


def test_labels_of_both_sides_are_of_one_kind() -> None:
    train, tested = table("x,label\n1,1\n2,2\n3,1").to_split(test=table("x,label\n1,1\n2,rare"))
    assert train.y.dtype.kind == tested.y.dtype.kind == "U"
    assert tested.y.tolist() == ["1", "rare"]
    assert any("No training row has the class 'rare'" in told for told in tested.notices)
    assert any("No test row has the class '2'" in told for told in tested.notices)


def test_words_unknown_to_training_rows_are_told() -> None:
    train = table("x,color,label\n1,red,a\n2,blue,b\n3,red,a")
    test = table("x,color,label\n1,green,a\n2,blue,b")
    _, tested = train.to_split(test=test, one_hot=["color"])
    assert tested.X[0].tolist() == [1, 0, 0]
    assert any("green" in told for told in tested.notices)


def test_a_test_column_with_words_is_refused() -> None:
    with pytest.raises(FeatureError, match=r"'x2' has 1 cell that (is|are) not numeric"):
        table(TRAIN).to_split(test=table("x1,x2,label\n1,2,a\n3,oops,b"))


@pytest.mark.parametrize(
    ("name", "words"),
    [("split", ("train", "test")), ("Set", ("Training", "Validation")),
     ("is_train", ("True", "False")),
     ("is_test", ("False", "True"))],
)  # fmt: skip
def test_a_split_column_is_proposed_and_followed(name: str, words: tuple[str, str]) -> None:
    lines = [f"{i},{'ab'[i % 2]},{words[i > 3]}" for i in range(6)]
    made = table("\n".join([f"x,label,{name}", *lines]))
    assert made.columns_with("split") == (name,)
    train, tested = made.to_split()
    assert train.ids.tolist() == [0, 1, 2, 3]
    assert tested.ids.tolist() == [4, 5]
    assert train.feature_names == ("x",)
    assert made.to_dataset().n == 6


@pytest.mark.parametrize(
    ("cells", "words"),
    [(["left", "right"], "expected 'train'"), (["train", "train"], "on one side"),
     (["train", ""], "is empty in 1 row")],
)  # fmt: skip
def test_a_split_column_that_does_not_split(cells: list[str], words: str) -> None:
    made = table("\n".join(["x,part,label", f"1,{cells[0]},a", f"2,{cells[1]},b"]))
    with pytest.raises(ParameterError, match=words):
        made.to_split(column="part", label="label", features=["x"])


def test_without_any_split_the_ways_are_named() -> None:
    with pytest.raises(ParameterError, match="give column=, share= or a test table"):
        table(TRAIN).to_split()
    with pytest.raises(ParameterError, match="got test and share"):
        table(TRAIN).to_split(test=table(TRAIN), share=0.3)
    with pytest.raises(ParameterError, match="knows no option 'mising'"):
        table(TRAIN).to_split(share=0.3, mising="impute")


def test_a_share_is_held_out_by_class_with_seed() -> None:
    lines = [*(f"{i}.5,a" for i in range(8)), *(f"{i}.25,b" for i in range(3)), "9,rare"]
    made = table("\n".join(["x,label", *lines]))
    train, tested = made.to_split(share=0.3, seed=4)
    again, _ = made.to_split(share=0.3, seed=4)
    assert sorted([*train.ids.tolist(), *tested.ids.tolist()]) == list(range(12))
    assert "rare" in train.y.tolist()
    assert np.array_equal(train.X, again.X)
    assert any("rare" in told for told in train.notices)
