"""Very many points are tested by every row; their pairs by some, and the page says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from stiknn_ui.asked.spec import ComputeSpec
from stiknn_ui.blocks import shelf
from stiknn_ui.blocks.desk import BlockDesk
from tests.patience import PATIENCE
from tests.ui.upload_pages import finish, open_form, upload, words

pytestmark = pytest.mark.slow

APP = Path(__file__).parents[2] / "app.py"


def compute(at: AppTest) -> ComputeSpec:
    found: ComputeSpec = at.session_state["stiknn"].settings.compute
    return found


def visit(**params: Any) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    at.query_params.update({"dataset": "blobs", **{k: str(v) for k, v in params.items()}})
    return finish(at.switch_page("pages/explore.py").run())


def test_blocks_are_there_at_once_and_their_test_points_are_said() -> None:
    at = visit(n=9_000)
    analysis = shelf.block_results().get(at.session_state["stiknn"].desk(BlockDesk).shown)
    assert "1,000 of the 9,000 rows, drawn at random from every class, are the test" in words(at)
    assert compute(at).evaluation == "leave-one-out"
    assert (analysis.n, analysis.n_test) == (9_000, 1_000)
    assert analysis.rows.tolist() == list(range(9_000))


def test_a_table_of_one_s_own_is_tested_alike() -> None:
    rows = "\n".join(f"{i % 97},{i % 89},{'yes' if i % 3 else 'no'}" for i in range(9_000))
    at = upload(open_form(), "many.csv", f"a,b,kind\n{rows}".encode())
    at.switch_page("pages/explore.py").run()
    finish(at)
    assert "1,000 of the 9,000 rows, drawn at random from every class, are the test" in words(at)


def test_a_choice_of_a_person_stays_and_links_of_before_open() -> None:
    at = visit(n=4_600, eval="hold-out", share=0.1)
    assert (compute(at).evaluation, compute(at).share) == ("hold-out", 0.1)
    assert "drawn at random" not in words(finish(at))
    analysis = shelf.block_results().get(at.session_state["stiknn"].desk(BlockDesk).shown)
    assert (analysis.n, analysis.n_test, analysis.tests) == (4_140, 460, None)
