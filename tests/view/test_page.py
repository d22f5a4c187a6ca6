"""One file that shows a result: what it holds, what it forbids, and that names stay names."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stiknn_core import Interactions, games, interactions, label_support, make_dataset
from stiknn_core.errors import ParameterError, ShapeError
from stiknn_view.packing import PREAMBLE, decode_cells, squeeze
from stiknn_view.page import page
from stiknn_view.results import scene_of
from stiknn_view.results.facts import facts_of

NASTY = "</script><script>alert(1)</script>&\u2028"


def result(n: int = 12, **named: object) -> Interactions:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["length", "width"], **named)
    return interactions(X, np.array(["a", NASTY])[rng.integers(0, 2, n)], k=3)


def parts(text: str) -> dict[str, str]:
    return dict(re.findall(r'<script id="([\w-]+)" type="[^"]*">(.*?)</script>', text, re.DOTALL))


def unsqueezed(packed: bytes) -> tuple[dict[str, object], np.ndarray]:
    whole = gzip.decompress(packed)
    length = PREAMBLE.unpack_from(whole)[1]
    header = json.loads(whole[PREAMBLE.size : PREAMBLE.size + length])
    offset, count = header["sections"]["cells"]
    start = PREAMBLE.size + length + offset
    halves = np.frombuffer(whole, np.uint8, 2 * count, start).reshape(2, count)
    return header, decode_cells(halves.T.copy().view("<i2").ravel(), header["scale"])


def test_all_pairs_are_in_the_file_each_at_its_place() -> None:
    found = result(12)
    scene = scene_of(found)
    held = parts(page(scene))
    header, cells = unsqueezed(base64.b64decode(held["stiknn-content"]))
    n = found.n_train
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = cells
    place = [header["ids"].index(str(one)) for one in found.ids.tolist()]
    mine = (matrix + matrix.T)[np.ix_(place, place)]
    wanted = np.asarray(found.matrix) - np.diag(np.diag(found.matrix))
    np.testing.assert_allclose(mine, wanted, atol=1e-4 * np.abs(wanted).max())


def test_orders_name_the_points_that_they_mean() -> None:
    found = result(12)
    scene = scene_of(found)
    for order in scene.orders:
        shown = [scene.points[one] for one in order.positions]
        if order.name == "input":
            assert shown == found.ids.tolist()
        labels = [found.labels[found.ids.tolist().index(one)] for one in shown]
        if order.name != "input":
            assert labels == sorted(labels)


def test_the_file_loads_nothing_and_runs_only_its_own_script() -> None:
    text = page(scene_of(result()))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    script = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    assert policy
    assert script
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}' blob:;" in policy[1]
    assert policy[1].startswith("default-src 'none';")
    assert "unsafe-eval" not in policy[1]
    assert not re.search(r'\b(src|href)="', text)


def test_names_end_no_element(tmp_path: Path) -> None:
    found = result()
    path = tmp_path / "one.html"
    found.to_html(path, name=NASTY)
    text = path.read_text(encoding="utf-8")
    assert text.count("</script>") == 5  # four parts and the script itself
    assert "alert(1)</script>" not in text
    assert json.loads(parts(text)["stiknn-scene"])["title"] == NASTY


def test_features_stay_out_and_the_file_says_what_is_in() -> None:
    found = interactions(
        pd.DataFrame({"secret": [1.0, 2, 3, 4, 5, 6], "b": [6.0, 1, 5, 2, 4, 3], "c": range(6)}),
        ["a", "b"] * 3,
        k=2,
    )
    scene = scene_of(found)
    assert "secret" not in json.dumps(scene.message(whole=True))
    assert any("only what the two axes show" in line for line in scene.lines)


def test_a_file_of_a_thousand_points_is_below_two_and_a_half_megabytes() -> None:
    data = make_dataset("circles", n=1000, noise=0.1, seed=0)
    assert len(page(scene_of(interactions(data.X, data.y, k=5)))) < 2_500_000


def test_a_coarser_content_is_off_by_less_than_it_says() -> None:
    found = result(30)
    header, cells = unsqueezed(squeeze(scene_of(found, limit=1023).content))
    exact = unsqueezed(squeeze(scene_of(found).content))[1]
    steps = np.sqrt(np.abs(cells) / float(header["scale"]))
    # The finer one is off as well, by a thirtieth of that.
    assert (np.abs(cells - exact) <= 1.05 * np.abs(exact) / np.maximum(steps, 1)).all()


def test_without_features_one_sentence_says_what_to_pass(tmp_path: Path) -> None:
    found = result()
    found.save(tmp_path / "r.npz")
    loaded = Interactions.load(tmp_path / "r.npz")
    with pytest.raises(ParameterError, match=r"pass X, or xy"):
        loaded.to_html(tmp_path / "one.html")
    loaded.to_html(tmp_path / "one.html", X=found.features)
    with pytest.raises(ShapeError, match=r"a row for each of the 12"):
        loaded.to_html(tmp_path / "one.html", X=np.zeros((3, 2)))
    with pytest.raises(ParameterError, match="order must be one of"):
        found.to_html(tmp_path / "one.html", order="size")


def test_measured_targets_and_other_indices_are_named_and_are_no_classes() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    found = interactions(
        X, X[:, 0], k=3, score=games.measured("squared"), index=games.weighted_banzhaf(0.3)
    )
    scene = scene_of(found)
    header, _ = unsqueezed(squeeze(scene.content))
    assert len(header["classes"]) == 10  # bands
    assert {"targets", "proposed"} <= set(header["sections"])
    assert scene.options.index == "weighted_banzhaf(0.3)"
    assert any("score measured('squared')" in line for line in scene.lines)


@pytest.mark.parametrize("how", ["weights", "some as test points", "another array since"])
def test_quality_is_not_told_where_it_would_be_that_of_another_computation(how: str) -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(20, 2)), np.array(["a", "b"] * 10)
    more: dict[str, object] = {}
    if how == "weights":
        weights = rng.random(20)
        more = {"sample_weight": weights / weights.mean()}
    elif how == "some as test points":
        more = {"test_rows": np.arange(9)}
    found = interactions(X, y, k=3, **more)
    if how == "another array since":
        X[:] = rng.normal(size=(20, 2))
    assert np.isnan(facts_of(found).quality).all()
    plain = interactions(X, y, k=3, index=games.weighted_banzhaf(0.3))
    np.testing.assert_array_equal(facts_of(plain).quality, label_support(X, y, k=3).quality)
