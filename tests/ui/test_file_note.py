"""The line beside the controls that leads to what a file still asks."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.upload_pages import go, open_form, upload

UNREAD = "\n".join(
    [
        "size,height,price,kind",
        *(f"{n % 7},{20 + n} ± {1 + n % 3},${n + 1}K,{'ab'[n % 2]}" for n in range(30)),
    ]
).encode()
GAPS = b"x,y,kind\n1,2,a\n,3,b\n2,4,a\n3,5,b\n4,1,a\n5,2,b\n"


def notes(at: AppTest) -> list[str]:
    told = [f"{link.proto.label}: {link.proto.help}" for link in at.get("page_link")]
    plain = [re.sub(r"\\(.)", r"\1", one) for one in told]
    return [one for one in plain if re.match("[^:]*(not read|waits)", one)]


@pytest.mark.parametrize("page", ["explore", "suspects", "review", "point", "compare"])
def test_columns_of_numbers_that_were_not_read_are_told_above_the_picture(page: str) -> None:
    (told,) = notes(go(upload(open_form(), "t.csv", UNREAD), page))
    assert told.startswith("2 columns not read as numbers: Left out: height (holds numbers with")
    assert "price" in told


def test_nothing_is_told_of_columns_that_a_person_left_out_or_of_other_data() -> None:
    at = go(upload(open_form(), "t.csv", UNREAD.replace(b" \xc2\xb1 ", b".")), "explore")
    (told,) = notes(at)
    assert told.startswith("1 column not read as numbers")
    assert not notes(go(open_form(), "explore"))


def test_a_file_that_waits_for_an_answer_is_told_beside_the_data_from_before() -> None:
    (told,) = notes(go(upload(open_form(), "gaps.csv", GAPS), "explore"))
    assert told.startswith("Your new file waits for an answer: gaps.csv")
