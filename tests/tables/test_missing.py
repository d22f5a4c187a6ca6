from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stiknn_core.errors import FeatureError, ParameterError
from stiknn_core.tables import Table, read_table
from stiknn_core.tables.cells.missing import MissingPolicy

B06 = "x1,x2,label\n1.0,2.0,a\n,3.0,a\n4.0,,b\n5.0,1.0,b\n,,a\ninf,2.0,b\n6.5,0.5,a"


def table(text: str = B06, **overrides: object) -> Table:
    return read_table(text.encode(), **overrides)


def test_missing_and_infinite_cells_are_counted_by_column_and_row() -> None:
    problems = table().problems()
    assert problems.missing == {"x1": 2, "x2": 2}
    assert problems.infinite == {"x1": 1}
    assert problems.missing_by_row.tolist() == [0, 1, 1, 0, 2, 0, 0]
    assert problems.infinite_by_row.tolist() == [0, 0, 0, 0, 0, 1, 0]
    assert problems.rows.tolist() == [1, 2, 4, 5]
    assert "4 values missing ('x1': 2 and 'x2': 2)" in problems.sentence
    assert "in 4 rows (rows 1, 2, 4 and 5)" in problems.sentence


def test_nothing_missing_says_nothing() -> None:
    problems = table("x,label\n1,a\n2,b").problems()
    assert not problems.any
    assert problems.sentence == ""


def test_the_default_refuses_and_names_columns_and_rows() -> None:
    with pytest.raises(FeatureError, match=r"'x1': 2 and 'x2': 2.*infinite \('x1': 1\).*'impute'"):
        table().to_dataset()


def test_dropping_rows_keeps_their_numbers() -> None:
    dataset = table().to_dataset(missing="drop_rows")
    assert dataset.X.tolist() == [[1, 2], [5, 1], [6.5, 0.5]]
    assert dataset.ids.tolist() == [0, 3, 6]
    assert any("Left out: 4 rows" in notice for notice in dataset.notices)


def test_dropping_columns_first_leaves_out_empty_rows() -> None:
    text = "x1,x2,x3,label\n1,,3,a\n2,5,4,b\n,,,a\n3,6,5,b"
    dataset = table(text).to_dataset(missing="drop_columns")
    assert dataset.feature_names == ("x1", "x3")
    assert dataset.ids.tolist() == [0, 1, 3]
    told = " ".join(dataset.notices)
    assert "1 row with no usable feature" in told
    assert "1 column with missing or infinite values (x2)" in told
    with pytest.raises(FeatureError, match="Every feature column"):
        table().to_dataset(missing="drop_columns")


def test_imputing_takes_medians_and_leaves_out_rows_of_nothing() -> None:
    dataset = table().to_dataset(missing="impute")
    assert dataset.ids.tolist() == [0, 1, 2, 3, 5, 6]
    # Medians of 1, 4, 5, 6.5 and of 2, 3, 1, 2, 0.5.
    assert dataset.X.tolist() == [[1, 2], [4.5, 3], [4, 2], [5, 1], [4.5, 2], [6.5, 0.5]]
    told = " ".join(dataset.notices)
    assert "3 values from the training rows ('x1': 2 and 'x2': 1)" in told
    assert "1 row with no usable feature" in told


def test_imputing_words_takes_the_commonest() -> None:
    text = "x,color,label\n1,red,a\n2,,b\n3,red,a\n4,blue,b\n5,NA,a"
    dataset = table(text).to_dataset(one_hot=["color"], missing="impute")
    assert dataset.feature_names == ("x", "color=blue", "color=red")
    assert dataset.X[:, 2].tolist() == [1, 1, 1, 0, 1]


def test_imputing_is_learned_from_training_rows_only() -> None:
    text = "x,z,label,split\n1,1,a,train\n,2,b,train\n3,3,a,train\n1000,4,b,test\n,5,a,test"
    train, test = table(text).to_split(missing="impute")
    assert train.X[:, 0].tolist() == [1, 2, 3]
    assert test.X[:, 0].tolist() == [1000, 2]


@pytest.mark.parametrize("word", ["?", "NA", "n/a", "NaN", "null", "None", "-", "#DIV/0!"])
def test_words_for_no_value_in_numbers(word: str) -> None:
    made = table(f"x,z,label\n1,1,a\n{word},2,b\n3,3,a")
    assert made.problems().missing == {"x": 1}
    assert made.decisions["missing_words"] == (word,)


def test_own_words_for_no_value() -> None:
    text = "x,z,label\n-200,1,a\n2,2,b\n3,3,a"
    assert not table(text).problems().any
    assert table(text, missing_words=["-200"]).problems().missing == {"x": 1}


def test_a_word_for_no_value_may_be_a_category() -> None:
    text = "x,z,label\n1,None,a\n2,some,b\n3,None,a\n4,some,a"
    dataset = table(text).to_dataset(one_hot=["z"])
    assert dataset.feature_names == ("x", "z=None", "z=some")


def test_numbers_too_large_count_as_infinite() -> None:
    assert table("x,label\n1e999,a\n2,b\n-∞,a").problems().infinite == {"x": 2}


@pytest.mark.parametrize(
    "wrong", [{"missing": "mean"}, {"missing_labels": "keep"}, {"scale": "log"}, {"features": "x1"},
              {"one_hot": "x1"}, {"ordered": ["x1"]}]
)  # fmt: skip
def test_impossible_options_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        table().to_dataset(**wrong)  # type: ignore[arg-type]


def test_choices_are_recorded_and_features_stay_in_their_units() -> None:
    dataset = table().to_dataset(missing="drop_rows", scale="robust")
    assert dataset.params["scaling"] == "robust"
    assert dataset.params["missing"] == "drop_rows"
    assert dataset.params["label"] == "label"
    assert dataset.X.max() == 6.5
    assert table("x,label\n1,a\n2,b").to_dataset().params["scaling"] == "standard"


def test_wide_spreads_without_scaling_are_told() -> None:
    rng = np.random.default_rng(0)
    lines = [
        f"{rng.integers(20, 65)},{rng.integers(20_000, 90_000)},{'ab'[i % 2]}" for i in range(20)
    ]
    made = table("\n".join(["age,income,label", *lines]))
    told = made.to_dataset(scale="none").notices
    assert any("spreads differ" in notice and "(income: " in notice for notice in told)
    assert not any("spreads" in notice for notice in made.to_dataset().notices)


def test_a_constant_column_has_no_spread_to_compare() -> None:
    # The mean of seven times 0.1 is off by one rounding error, and so is every distance to it.
    lines = [f"{i},0.1,{'ab'[i % 2]}" for i in range(7)]
    made = table("\n".join(["x,same,label", *lines]))
    dataset = made.to_dataset(features=["x", "same"], scale="none")
    assert dataset.X[:, 1].std() > 0
    assert not any("spread" in notice for notice in dataset.notices)


@pytest.mark.parametrize("missing", ["drop_rows", "impute"])
def test_an_empty_column_is_named_before_rows_are_left_out(missing: MissingPolicy) -> None:
    table = read_table(b"x,text,label\n1,,a\n2,,b\n3,,a\n4,,b\n")
    with pytest.raises(FeatureError, match=r"^Column 'text' is empty; leave it out"):
        table.to_dataset(features=["x", "text"], encode={"text": "text"}, missing=missing)
    kept = table.to_dataset(features=["x", "text"], missing="drop_columns")
    assert kept.feature_names == ("x",)


def test_nines_far_from_all_others_are_asked_about() -> None:
    rows = [
        f"{-9999 if place % 4 == 0 else place},{999.9 if place % 5 == 0 else place / 8},"
        f"{99 if place % 2 else 90},{'ab'[place % 2]}"
        for place in range(20)
    ]
    text = "\n".join(["temp,rain,share,label", *rows])
    made = table(text)
    asked = "Far from all other numbers of their columns: 'temp' -9999 (5×) and 'rain' 999.9 (4×); "
    assert asked + "where that means no value, count it as missing." in made.notices
    assert made.facts["temp"].missing == 0
    ways = made.other_readings("temp")
    again = table(text, formats={"temp": ways["numbers; -9999 is missing"]})
    assert again.facts["temp"].missing == 5
    assert "Missing values with words for them, by column: 'temp' 5 ('-9999')." in again.notices
    assert made.other_readings("share") == {}
    frame = pd.DataFrame({"x": [1.0, 2, -999, 3, -999, 2.5], "label": list("ababab")})
    assert any("'x' -999 (2×)" in notice for notice in read_table(frame).notices)
