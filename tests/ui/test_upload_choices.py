"""What a person chose for the columns, apart from what is proposed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stiknn_core.errors import FeatureError, LabelError
from stiknn_core.tables import Table, TextSettings, read_table
from stiknn_ui.uploads import forms
from stiknn_ui.uploads.build import Upload
from stiknn_ui.uploads.choices import (
    NONE,
    Choices,
    carried,
    levels_of,
    offers_of,
    plan_of,
    problems_of,
    uses_of,
    with_extent,
)
from stiknn_ui.uploads.files import read_file
from tests.tables.drawn import two_classes, zipped

COLUMNS = "id,x,size,sure,given,true_given"
ROWS = [f"n{n},{n % 4},{('s', 'm', 'l')[n % 3]},{n % 2 == 0},{'ab'[n % 2]},{'ab'[n // 12]}"
        for n in range(24)]  # fmt: skip


@pytest.fixture
def table() -> Table:
    return read_table("\n".join([COLUMNS, *ROWS]).encode()).with_label("given")


def plan(table: Table, choices: Choices) -> dict[str, object]:
    return plan_of(table, choices, problems_of(table, choices))[1]


def test_without_a_choice_the_proposals_count(table: Table) -> None:
    uses = uses_of(table, Choices())
    assert uses["id"] == "id"
    assert uses["given"] == "label"
    assert uses["true_given"] == "truth"
    assert (uses["x"], uses["size"]) == ("number", "one-hot")
    assert uses["sure"] == "ignored"  # it says the same as the label


def test_a_chosen_use_wins_and_can_be_taken_back(table: Table) -> None:
    choices = Choices().with_use(["size", "sure"], "one-hot")
    assert plan(table, choices)["one_hot"] == ["size", "sure"]
    choices = choices.with_use(["sure"], "ignored")
    assert uses_of(table, choices)["sure"] == "ignored"
    assert offers_of(table, choices) == {}  # what a person left out is not offered again
    assert plan(table, choices)["features"] == ["x", "size"]


def test_only_the_numbers_and_all_columns(table: Table) -> None:
    numbers = with_extent(Choices().with_use(["x", "size"], "ordered"), "numbers")
    assert plan(table, numbers)["features"] == ["x"]
    assert offers_of(table, numbers) == {"size": "one-hot"}
    assert plan(table, with_extent(numbers, "all"))["features"] == ["x", "size"]


def test_offered_uses_reach_the_data_set() -> None:
    lines = [f"{n}.5,2024-01-{n % 28 + 1},city{n % 25},see you at noon {n},{'ab'[n % 2]}"
             for n in range(60)]  # fmt: skip
    table = read_table("\n".join(["x,when,city,note,kind", *lines]).encode())
    offers = {"when": "date", "city": "counts", "note": "text"}
    assert offers_of(table, Choices()) == offers
    everything = Choices(extent="all", text=TextSettings(components=5))
    told, options = plan_of(table, everything, problems_of(table, everything))
    assert options["encode"] == offers
    dataset = told.to_dataset(**options)
    assert [(block.column, block.kind) for block in dataset.blocks] == [
        ("city", "words"),
        ("note", "text"),
    ]
    assert dataset.params["text"]["components"] == 5
    again, sentence = carried(everything.with_use(["x"], "counts"), table)
    assert (again.extent, again.text, sentence) == ("all", everything.text, "")


def test_a_use_is_carried_only_where_it_can_be() -> None:
    table = read_table(b"when,kind\n1.5,a\n2.5,b\n3.5,a\n1.5,b\n")
    kept, _ = carried(Choices().with_use(["when"], "date"), table)
    assert kept.uses == ()


def test_there_is_one_label_one_id_and_one_truth(table: Table) -> None:
    uses = uses_of(table, Choices().with_use(["size"], "label"))
    assert [name for name, use in uses.items() if use == "label"] == ["size"]
    uses = uses_of(table, Choices().with_use(["x"], "id"))
    assert [name for name, use in uses.items() if use == "id"] == ["x"]
    assert uses["id"] == "ignored"


def test_the_label_is_never_a_feature_even_if_it_was_chosen_as_one(table: Table) -> None:
    choices = Choices().with_use(["x"], "number").with_use(["x"], "label")
    assert uses_of(table, choices)["x"] == "label"
    assert plan(table, choices)["label"] == "x"
    assert "x" not in plan(table, choices)["features"]  # type: ignore[operator]


def test_no_id_means_that_rows_are_counted(table: Table) -> None:
    choices = Choices(ids=NONE)
    told, options = plan_of(table, choices, problems_of(table, choices))
    assert options["ids"] is None
    assert told.to_dataset(**options).ids.tolist() == list(range(24))


def test_an_id_used_as_a_feature_is_still_warned_of() -> None:
    table = read_table(b"id,x,kind\n" + b"".join(b"%d,%d,%c\n" % (n, n % 4, 97 + n % 2)
                                                 for n in range(24)))  # fmt: skip
    choices = Choices().with_use(["id"], "number")
    told, options = plan_of(table, choices, problems_of(table, choices))
    assert options["ids"] is None
    assert any("distances may say little" in said for said in told.to_dataset(**options).notices)


def test_no_true_label_means_that_none_is_used(table: Table) -> None:
    assert plan(table, Choices())["true_label"] == "true_given"
    assert plan(table, Choices(truth=NONE))["true_label"] is False


def test_levels_are_in_natural_order_until_they_are_chosen() -> None:
    table = read_table(b"x,kind\n10,a\n9,b\n,a\n2,b\n")
    assert levels_of(table, Choices(), "x") == ("2", "9", "10")
    chosen = Choices(orders=(("x", ("10", "gone", "2")),))
    assert levels_of(table, chosen, "x") == ("10", "2", "9")


def test_what_must_be_chosen_is_said_in_words_of_the_page() -> None:
    nothing = read_table(b"a,b\n" + b"".join(b"%d.5,%d.25\n" % (n, n) for n in range(60)))
    with pytest.raises(LabelError, match="choose the column that holds it"):
        plan(nothing, Choices())
    gaps = read_table(b"x,kind\n1,a\n,b\n3,a\n")
    with pytest.raises(FeatureError, match=r"1 value missing .* Choose what to do") as caught:
        plan(gaps, Choices())
    assert "missing=" not in str(caught.value)


def test_a_column_that_marks_the_split_is_no_feature() -> None:
    table = read_table(b"x,side,kind\n1,0,a\n2,1,b\n3,0,a\n4,1,b\n")
    choices = Choices().with_use(["side"], "number")
    assert plan(table, choices)["features"] == ["x", "side"]
    options = plan_of(table, choices, problems_of(table, choices), "side")[1]
    assert options["features"] == ["x"]


def test_choices_are_carried_to_columns_that_are_there(table: Table) -> None:
    choices = Choices(
        label="given",
        ids=NONE,
        uses=(("gone", "number"), ("size", "ordered")),
        orders=(("size", ("s", "m", "l")),),
        missing="impute",
    )
    kept, sentence = carried(choices, table)
    assert kept == Choices("given", NONE, None, (("size", "ordered"),), choices.orders, "impute")
    assert sentence == "1 chosen column is not in this table (gone); choose again."
    assert carried(Choices(), table) == (Choices(), "")


def test_nothing_is_filled_in_for_a_picture() -> None:
    files = two_classes(6)
    files[next(iter(files))] = b"no picture"
    upload = Upload(read_file("pictures.zip", zipped(files)))
    policies = forms.policies(upload.problems, upload.table.pictures)
    assert policies == {"drop_rows": "Leave out 1 row", "drop_columns": "Leave out 1 column"}
    mixed = replace(upload.problems, missing={"file": 1, "width": 2})
    told = forms.policies(mixed, upload.table.pictures)["impute"]
    assert told.startswith("Fill in 2 values")
    assert told.endswith("leave out 1 row without a picture")
