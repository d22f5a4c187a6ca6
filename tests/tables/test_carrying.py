from __future__ import annotations

from stiknn_core.tables import carry_over, read_table

CHOSEN = {
    "label": "kind",
    "features": ["x", "z"],
    "one_hot": ["color"],
    "ordered": {"size": ["S", "L"]},
    "ids": "who",
    "missing": "impute",
    "true_label": False,
}


def test_choices_stay_while_their_columns_do() -> None:
    table = read_table(b"who,x,z,color,size,kind\na,1,2,red,S,p\nb,2,3,blue,L,q\nc,3,4,red,S,p")
    carried = carry_over(CHOSEN, table)
    assert carried.options == CHOSEN
    assert carried.lost == ()
    assert carried.sentence == ""
    assert table.to_dataset(**carried.options).y.tolist() == ["p", "q", "p"]


def test_columns_that_are_gone_are_asked_for_again() -> None:
    table = read_table(b"x,label\n1,p\n2,q\n3,p")
    carried = carry_over(CHOSEN, table)
    assert carried.lost == ("kind", "z", "color", "size", "who")
    assert carried.options == {
        "features": ["x"],
        "ordered": {},
        "missing": "impute",
        "true_label": False,
    }
    assert carried.sentence.startswith("5 chosen columns are not in this table (kind, z,")
    assert table.to_dataset(**carried.options).feature_names == ("x",)
