from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from stiknn_core.errors import FeatureError, LabelError
from stiknn_core.tables import Table, read_table
from stiknn_core.tables.cells import causes
from stiknn_core.types import Block


def table(text: str, **overrides: object) -> Table:
    return read_table(text.encode(), **overrides)


def rows(header: str, *lines: str) -> Table:
    return table("\n".join([header, *lines]))


def test_an_unnamed_counter_is_an_id_and_told_when_used() -> None:
    made = table(",x1,x2,label\n0,1.0,2.0,a\n1,3.0,4.0,b\n2,1.5,2.5,a\n5000,1.2,2.2,a")
    assert made.roles["column 1"].role == "id"
    assert made.roles["column 1"].reason == "is an unnamed counter"
    assert made.features == ("x1", "x2")
    assert made.to_dataset().ids.tolist() == [0, 1, 2, 5000]
    used = made.to_dataset(features=["column 1", "x1"])
    assert any("'column 1' is an unnamed counter" in notice for notice in used.notices)


@pytest.mark.parametrize(
    ("names", "label"),
    [
        ("x,y,label.name,label.id", "label.name"),
        ("fields.x,fields.label,fields.kind,fields.z", "fields.label"),
        ("x,label.type,label.value,z", "label.value"),
        ("pos.x,pos.y,kind,kind.no", "kind"),
    ],
)
def test_the_label_of_a_record_inside_a_record(names: str, label: str) -> None:
    lines = []
    for row in range(12):
        cells = [f"{row * 7 % 13}.5", f"{row * 5 % 11}.25", "ab"[row % 2], str(row % 2)]
        if "type" in names:
            cells = [cells[0], "literal", cells[2], cells[1]]
        if "fields" in names:
            cells = [cells[0], cells[2], "uv"[row // 2 % 2], cells[1]]
        lines.append(",".join(cells))
    assert rows(names, *lines).label == label


@pytest.mark.parametrize(
    "name", ["id", "ID", "EmployeeNumber", "patient_id", "rowId", "Obs.", "index"]
)
def test_names_of_ids(name: str) -> None:
    made = rows(f"x,{name},label", *(f"{i % 4}.5,{i * 7 % 31},{'ab'[i % 2]}" for i in range(12)))
    assert made.roles[name].role == "id"


@pytest.mark.parametrize("name", ["income", "width", "x1", "holiday", "grid"])
def test_numbers_that_all_differ_are_features(name: str) -> None:
    made = rows(f"{name},label", *(f"{i},{'ab'[i % 2]}" for i in range(12)))
    assert made.roles[name].role == "feature"


def test_text_that_gives_the_label_away_is_no_feature() -> None:
    kinds = ["pop", "rock", "jazz"]
    made = rows(
        "track,x,class", *(f"{kinds[i % 3]}.{i:03d}.mp3,{i}.5,{kinds[i % 3]}" for i in range(12))
    )
    assert made.roles["track"].role == "id"
    assert made.roles["track"].reason == "contains the label"


def test_the_label_in_other_words_is_left_out() -> None:
    made = rows("x,code,class", *(f"{i},{i % 2 + 7},{'ab'[i % 2]}" for i in range(30)))
    assert made.roles["code"].reason == "says the same as the label"
    assert made.features == ("x",)


def test_reasons_of_ignored_columns() -> None:
    made = rows(
        "same,when,time,flag,color,remark,nearly,empty,x,label",
        *(
            f"1,2024-01-{i + 10},1{i % 9}.00.00,{i % 2 == 0},{'rgb'[i % 3]}{'x' * 3},"
            f"{'word ' * i}{i} {'y' * 70},{'oops' if i == 3 else i},,{i}.5,{'pq'[i // 6]}"
            for i in range(12)
        ),
    )
    reasons = {name: (role.role, role.reason) for name, role in made.roles.items()}
    assert reasons["same"] == ("ignored", "has the same value in every row")
    assert reasons["when"] == ("ignored", "holds dates or times; their parts can become features")
    assert reasons["time"] == reasons["when"]
    assert reasons["flag"] == ("one-hot", "holds true and false")
    assert reasons["color"] == ("one-hot", "holds 3 different words")
    assert reasons["remark"] == ("ignored", "holds free text; its words can become features")
    assert reasons["nearly"] == (
        "ignored",
        "is a number except in 1 of 12 rows, such as 'oops' in row 3",
    )
    assert reasons["empty"] == ("ignored", "is empty")
    assert made.features == ("flag", "color", "x")
    offers = {name: role.offer for name, role in made.roles.items() if role.offer}
    assert offers == {"when": "date", "time": "date", "remark": "text"}


@pytest.mark.parametrize(
    ("header", "label"),
    [
        ("label,x1,x2", "label"),
        ("x1,Class,x2", "Class"),
        ("x1,x2,y", "y"),
        ("x1,survived,x2", "survived"),
        ("x1,x2,whatever", "whatever"),
        ("digit,pixel_1,pixel_2,pixel_3,pixel_4", "digit"),
    ],
)
def test_the_label_is_found_by_name_place_or_values(header: str, label: str) -> None:
    width = header.count(",") + 1
    lines = [",".join(str((row * (place + 2)) % 3) for place in range(width)) for row in range(12)]
    assert rows(header, *lines).label == label


def test_no_label_is_proposed_for_measurements() -> None:
    rng = np.random.default_rng(0)
    made = rows("a,b,c", *(",".join(map(str, row)) for row in rng.normal(size=(30, 3)).round(4)))
    assert made.label is None
    with pytest.raises(LabelError, match=r"No column looks like a label.*among a, b and c"):
        made.to_dataset()


def test_another_label_brings_other_roles() -> None:
    made = rows("x,kind,label", *(f"{i},{'pqr'[i % 3]},{i % 2}" for i in range(12)))
    assert made.label == "label"
    changed = made.with_label("kind")
    assert changed.label == "kind"
    assert changed.features == ("x", "label")
    assert made.to_dataset("kind").feature_names == ("x", "label")
    with pytest.raises(LabelError, match="no label column 'kin'; it has x, kind and label"):
        made.to_dataset("kin")


def test_given_and_true_labels_are_told_apart() -> None:
    made = rows(
        "x,true_kind,kind", *(f"{i},{'pq'[i % 2]},{'pq'[(i + (i == 3)) % 2]}" for i in range(8))
    )
    assert made.label == "kind"
    assert made.columns_with("truth") == ("true_kind",)
    dataset = made.to_dataset()
    assert dataset.flipped.tolist() == [3]
    assert dataset.y_true is not None
    assert dataset.y_true.tolist() == list("pqpqpqpq")
    assert made.to_dataset(true_label=False).y_true is None


def test_words_become_features_where_there_are_no_numbers() -> None:
    made = rows(
        "a,b,outcome", *(f"{'xo'[i % 2]},{'xob'[i % 3]},{'yn'[i // 4 % 2]}" for i in range(16))
    )
    dataset = made.to_dataset()
    assert made.roles["a"].role == "one-hot"
    assert dataset.feature_names == ("a=o", "a=x", "b=b", "b=o", "b=x")
    assert set(dataset.X.sum(axis=1)) == {2.0}


def test_words_become_features_beside_numbers() -> None:
    lines = [f"{i}.5,{'rgb'[i % 3]},{'TF'[i % 2]}rue,{'pq'[i % 5 // 3]}" for i in range(20)]
    made = rows("x,color,flag,label", *(line.replace("Frue", "False") for line in lines))
    assert made.features == ("x", "color", "flag")
    dataset = made.to_dataset()
    assert dataset.feature_names == ("x", "color=b", "color=g", "color=r", "flag")
    assert dataset.blocks == (Block("color", "words", 1, 4),)
    assert made.to_dataset(features=["x"]).feature_names == ("x",)


def test_columns_that_are_not_safe_are_neither_used_nor_offered() -> None:
    sparse = [f"{'rgb'[i % 3]},2024-01-{i % 28 + 1:02d}" if i % 2 else "," for i in range(40)]
    made = rows(
        "x,color,day,who,label",
        *(
            f"{i}.5,{cells},guest {i if i % 4 else 0},{'pq'[i % 5 // 3]}"
            for i, cells in enumerate(sparse)
        ),
    )
    assert made.roles["color"].reason == "has no value in 20 of 40 rows"
    assert made.roles["who"].reason == "holds 31 different values in 40 rows"
    assert made.features == ("x",)
    assert [role.offer for role in made.roles.values()] == [None] * 5


def test_words_of_many_values_are_offered_to_be_counted() -> None:
    made = rows("x,city,label", *(f"{i}.5,city{i % 30},{'pq'[i % 7 // 4]}" for i in range(90)))
    role = made.roles["city"]
    assert (role.role, role.offer) == ("ignored", "counts")
    assert role.reason == "holds 30 different words; they can be counted and hashed"


@pytest.mark.parametrize(
    ("name", "cell", "texts"),
    [
        ("review", "not bad at all {}", True),
        ("comment", "今日はとても良い天気ですね{}", True),
        ("code", "AX-{}", False),
        ("name", "Smith, Mr. John {}", False),
        ("fileName", "my old picture {}.png", False),
        ("page", "https://example.org/a b c/{}", False),
        ("picture", "/home/my pictures/no {}.png", False),
        ("who", "John Smith{}", False),
    ],
)
def test_texts_are_told_from_names_paths_and_codes(name: str, cell: str, texts: bool) -> None:
    lines = [f'"{cell.format(i)}",{"ab"[i % 2]}' for i in range(30)]
    alone = rows(f"{name},label", *lines).roles[name]
    assert (alone.role, alone.cause) == (("text", "only text") if texts else ("id", "unique"))
    beside = rows(f"x,{name},label", *(f"{i}.5,{line}" for i, line in enumerate(lines)))
    assert beside.roles[name].role == ("ignored" if texts else "id")
    assert beside.roles[name].offer == ("text" if texts else None)


def test_words_ordered_levels_and_booleans_on_request() -> None:
    made = rows(
        "x,size,color,ok,label",
        "1,S,red,True,a", "2,L,blue,false,b", "3,M,red,True,a", "4,S,red,false,b",
        "5,M,blue,True,b",
    )  # fmt: skip
    dataset = made.to_dataset(ordered={"size": ["S", "M", "L"]}, one_hot=["color", "ok"])
    assert dataset.feature_names == ("x", "size", "color=blue", "color=red", "ok")
    assert dataset.X[1].tolist() == [2, 2, 1, 0, 0]
    assert dataset.X[2].tolist() == [3, 1, 0, 1, 1]
    with pytest.raises(FeatureError, match="holds L, which its order"):
        made.to_dataset(ordered={"size": ["S", "M"]})
    with pytest.raises(FeatureError, match=r"not numeric.*'size': 5 of 5"):
        made.to_dataset(features=["x", "size"], one_hot=[])


def test_whole_numbers_can_be_one_hot_in_their_order() -> None:
    made = rows("n,label", "10,a", "2,b", "1,a", "2,a")
    assert made.to_dataset(one_hot=["n"]).feature_names == ("n=1", "n=2", "n=10")


def test_the_label_is_no_feature() -> None:
    made = rows("x,label", "1,a", "2,b", "3,a")
    with pytest.raises(FeatureError, match="cannot be a feature too"):
        made.to_dataset(features=["x", "label"])
    with pytest.raises(FeatureError, match="no feature column 'z'"):
        made.to_dataset(features=["z"])


def test_without_any_feature_the_reasons_are_given() -> None:
    made = rows("when,x,label", "2024-01-05,oops,a", "2024-01-06,2,b", "2024-01-07,3,a")
    with pytest.raises(FeatureError, match=r"'when' holds dates.*'x' is a number except in 1 of 3"):
        made.to_dataset()


def test_repeated_ids_are_told_apart() -> None:
    made = rows("name,x,label", "ann,1,a", "bob,2,b", "ann,3,a")
    dataset = made.to_dataset(ids="name")
    assert dataset.ids.tolist() == ["ann", "bob", "ann (2)"]
    assert any("1 id in 'name'" in notice for notice in dataset.notices)


def test_every_cause_has_its_reason() -> None:
    assert sorted(get_args(causes.Cause)) == sorted(causes._REASONS)


def test_roles_and_notices_follow_causes_however_reasons_are_worded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [f"{i},{i + 7},{i % 2},{'ab'[i % 2]}" for i in range(30)]

    def told() -> tuple[dict[str, tuple[str, str]], int]:
        made = rows(",rowId,code,class", *lines)
        used = made.to_dataset(features=["column 1", "rowId", "code"])
        roles = {name: (role.role, role.cause) for name, role in made.roles.items()}
        return roles, sum("distances may say little" in notice for notice in used.notices)

    before = told()
    assert before[0]["column 1"] == ("id", "unnamed counter")
    assert before[0]["rowId"] == ("ignored", "id name")
    assert before[0]["code"] == ("ignored", "says label")
    assert before[1] == 2
    monkeypatch.setattr(causes, "_REASONS", dict.fromkeys(causes._REASONS, "stands there"))
    assert told() == before


def test_words_become_features_however_their_reason_is_worded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(causes, "_REASONS", dict.fromkeys(causes._REASONS, "stands there"))
    test_words_become_features_where_there_are_no_numbers()
