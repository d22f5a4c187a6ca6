"""The picture of a page as one file shows what the page shows."""

from __future__ import annotations

import json
import re

import pytest

from stiknn_ui.asked.spec import ComputeSpec, DataSpec, ViewSpec
from stiknn_ui.results import drawing, sharing
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    data = DataSpec(name="moons", n=40, flip=0.1)
    return analyse(build(data), data, ComputeSpec(k=3))


def test_file_has_the_content_order_and_settings_of_the_page(analysis: Analysis) -> None:
    view = ViewSpec(order="value", color_by="quality", show_changed=True)
    scene = sharing.scene_of(analysis, view)
    assert scene.content is drawing.content_of(analysis)
    assert (scene.order, scene.options.color_by) == ("value", "quality")
    assert scene.options.show_changed
    assert {order.name for order in scene.orders} == {"input", "class", "value", "cluster"}
    text = sharing.shared_page(analysis, view)
    held = json.loads(re.search(r'id="stiknn-scene"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    assert held["order"] == "value"
    assert "moons" in held["title"]
    assert any("k = 3" in line for line in held["lines"])
    assert any("only what the two axes show" in line for line in held["lines"])
