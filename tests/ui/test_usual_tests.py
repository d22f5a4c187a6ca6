"""Very many points are tested on held-out rows until a person decides, and the page says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.blocks.desk import BlockDesk
from tests.ui.upload_pages import finish, open_form, upload, words

pytestmark = pytest.mark.slow

APP = Path(__file__).parents[2] / "app.py"


def compute(at: AppTest) -> ComputeSpec:
    found: ComputeSpec = at.session_state["stiknn"].settings.compute
    return found


def visit(**params: Any) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=120)
    at.query_params.update({"dataset": "blobs", **{k: str(v) for k, v in params.items()}})
    return finish(at.switch_page("pages/explore.py").run())


def test_blocks_are_there_at_once_and_the_test_points_are_said() -> None:
    at = visit(n=9_000)
    assert at.session_state["stiknn"].desk(BlockDesk).shown
    assert (
        "1,000 rows, drawn at random from every class, are the test points of the other 8,000"
        in words(at)
    )
    assert compute(at).evaluation == "hold-out"
    at.run()  # nothing moves once it is so
    assert compute(at).share == pytest.approx(1 / 9)


def test_a_table_of_one_s_own_is_tested_alike_and_copies_do_not_unsettle_it() -> None:
    rows = "\n".join(f"{i % 97},{i % 89},{'yes' if i % 3 else 'no'}" for i in range(9_000))
    at = upload(open_form(), "many.csv", f"a,b,kind\n{rows}".encode())
    at.switch_page("pages/explore.py").run()
    finish(at)
    assert (
        "1,000 rows, drawn at random from every class, are the test points of the other 8,000"
        in words(at)
    )
    at.switch_page("pages/data.py").run()
    at.slider(key="data.copies").set_value(50).run()
    before = compute(at)
    at.run()
    assert compute(at) == before
    assert before.evaluation == "hold-out"


def test_with_few_points_again_each_is_left_out_in_turn_again() -> None:
    at = visit(n=4_500)
    assert compute(at).evaluation == "hold-out"
    at.switch_page("pages/data.py").run()
    at.number_input(key="data.n").set_value(80).run()
    assert (compute(at).evaluation, compute(at).share) == ("leave-one-out", ComputeSpec.share)


def test_a_choice_of_a_person_stays() -> None:
    at = AppTest.from_file(str(APP), default_timeout=120)
    at.query_params.update({"dataset": "blobs", "n": "4500", "eval": "leave-one-out"})
    at.switch_page("pages/data.py").run()
    assert compute(at).evaluation == "leave-one-out"
    at = visit(n=60)
    at.selectbox(key="compute.evaluation").set_value("hold-out").run()
    assert "drawn at random" not in words(finish(at))
    assert compute(at).evaluation == "hold-out"
