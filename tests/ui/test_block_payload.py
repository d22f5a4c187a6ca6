"""What travels to the browser where the rows of the matrix are blocks of points."""

import numpy as np
import pytest

from stiknn_core import block_interactions
from stiknn_core.errors import ShapeError
from stiknn_core.ordering import input_order
from stiknn_view.block_payload import MAX_DOTS, MAX_UNITS, build_block_content
from stiknn_view.message import read_report, view_message
from stiknn_view.options import ViewOptions
from stiknn_view.packing import decode_cells
from stiknn_view.selection import NOTHING, Selection
from tests.ui.view_bytes import unpack

SIZES = [3, 1, 4, 2]
UNITS = [0, 0, 1, 2, 2, 3, 0]  # of each of 7 dots


def inputs(seed=0, **changes):
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(4, 4))
    means += means.T
    means[1, 1] = np.nan
    given = {
        "means": means,
        "sizes": SIZES,
        "codes": [0, 1, 0, 1],
        "classes": ["a", "b"],
        "names": ["a · 1", "b · 1", "a · 2", "b · 2"],
        "values": rng.normal(size=4),
        "quality": rng.uniform(size=4),
        "dot_xy": rng.normal(size=(7, 2)),
        "dot_units": UNITS,
        "dot_values": rng.normal(size=7),
        "dot_quality": rng.uniform(size=7),
        "dot_codes": [0, 0, 1, 0, 0, 1, 1],
        "dot_ids": [f"P{i}" for i in range(7)],
        "changed_dots": [6],
        "n_points": 10,
        "axis_titles": ("length", "width"),
        "name": "garden",
    }
    return given | changes


def test_every_array_arrives_at_its_place():
    given = inputs()

    content = build_block_content(**given)
    header, sections = unpack(content)

    assert (header["kind"], header["n"], header["total"], content.n) == ("blocks", 4, 10, 4)
    assert header["ids"] == given["names"]
    assert header["dotIds"] == given["dot_ids"]
    assert header["axisTitles"] == ["length", "width"]
    for name, section in {
        "sizes": "sizes",
        "codes": "codes",
        "values": "values",
        "quality": "quality",
        "dot_units": "dotUnits",
        "dot_codes": "dotCodes",
        "dot_values": "dotValues",
        "dot_quality": "dotQuality",
        "changed_dots": "changed",
    }.items():
        np.testing.assert_allclose(sections[section], given[name], rtol=1e-6, err_msg=name)
    np.testing.assert_allclose(sections["dotXy"].reshape(7, 2), given["dot_xy"], rtol=1e-6)
    upper = given["means"][np.triu_indices(4, k=1)]
    np.testing.assert_allclose(decode_cells(sections["cells"], header["scale"]), upper, rtol=1e-3)


def test_diagonal_travels_with_the_cells_and_is_clear_for_a_single_point():
    given = inputs()
    header, sections = unpack(build_block_content(**given))
    several = np.array(SIZES) > 1
    expected = given["means"].diagonal()

    inside = decode_cells(sections["inside"], header["scale"])

    np.testing.assert_allclose(inside[several], expected[several], rtol=1e-3)
    np.testing.assert_allclose(sections["diagonal"][several], expected[several], rtol=1e-6)
    assert inside[~several] == 0
    assert np.isnan(sections["diagonal"][~several])
    # Whatever stands there is not read.
    filled = given["means"].copy()
    filled[1, 1] = 99.0
    _, again = unpack(build_block_content(**inputs(means=filled)))
    np.testing.assert_array_equal(again["diagonal"], sections["diagonal"])


def test_takes_what_block_interactions_gives():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10, 2)), np.arange(10) % 2
    found = block_interactions(X, y, blocks=np.repeat(np.arange(4), SIZES), k=3)

    header, sections = unpack(build_block_content(**inputs(means=found.means, sizes=found.counts)))

    cells = decode_cells(sections["cells"], header["scale"])
    np.testing.assert_allclose(cells, found.means[np.triu_indices(4, k=1)], rtol=1e-3)


def test_blocks_keep_their_id_when_only_the_numbers_change():
    first = build_block_content(**inputs())
    other_k = build_block_content(**inputs(means=2 * inputs()["means"], values=np.zeros(4)))

    assert other_k.points_id == first.points_id
    assert other_k.content_id != first.content_id
    for change in (
        {"names": ["a", "b", "c", "d"]},
        {"sizes": [4, 1, 3, 2]},
        {"dot_units": UNITS[::-1]},
        {"dot_xy": np.zeros((7, 2))},
        {"n_points": 11},
    ):
        assert build_block_content(**inputs(**change)).points_id != first.points_id, change


def test_inputs_are_not_changed():
    given = inputs()
    before = given["means"].copy()

    build_block_content(**given)

    np.testing.assert_array_equal(given["means"], before)


def test_message_and_report_are_about_blocks():
    content = build_block_content(**inputs())
    message = view_message(content, input_order(4), Selection((3,), (0,), "pair", 5), ViewOptions())
    assert message["n"] == 4
    assert message["selection"]["rows"] == [3]

    report = {"rows": [3], "cols": [0], "origin": "pair", "seq": 5, "points": content.points_id}
    assert read_report(report, content) == Selection((3,), (0,), "pair", 5)
    assert read_report(report | {"rows": [4]}, content) is None, "a dot, not a block"
    assert not NOTHING


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"means": np.zeros((4, 3))}, r"means must be square .* one block; got \(4, 3\)"),
        ({"means": np.zeros((3, 3))}, r"means must have a row for each of 4 blocks; got 3"),
        ({"means": np.full((4, 4), np.nan)}, r"means must hold finite numbers only"),
        ({"means": np.triu(np.ones((4, 4)))}, r"means must be symmetric"),
        ({"sizes": [3, 1, 4]}, r"sizes must have one entry for each of the 4 names; got 3"),
        ({"sizes": [3, 0, 4, 2]}, r"at least 1 point; got one of 0"),
        ({"codes": [0, 1, 2, 0]}, r"codes must lie in 0\.\.1; got 0\.\.2"),
        ({"values": np.zeros(7)}, r"values must have shape \(4,\) to fit the matrix"),
        ({"quality": np.zeros(3)}, r"quality must have shape \(4,\)"),
        ({"dot_xy": np.zeros((7, 3))}, r"dot_xy must have shape \(7, 2\) to fit dot_ids"),
        ({"dot_xy": np.full((7, 2), np.nan)}, r"dot_xy must hold finite numbers only"),
        ({"dot_units": [4] * 7}, r"dot_units must lie in 0\.\.3; got 4\.\.4"),
        ({"dot_units": [0]}, r"dot_units must have one entry for each of 7 dots; got 1"),
        ({"dot_codes": [2] * 7}, r"dot_codes must lie in 0\.\.1"),
        ({"dot_values": np.zeros(4)}, r"dot_values must have shape \(7,\) to fit dot_ids"),
        ({"changed_dots": [7]}, r"changed_dots must lie in 0\.\.6; got 7\.\.7"),
        ({"dot_ids": []}, r"at least 1 dot to draw; got none"),
        ({"n_points": 9}, r"n_points must count all points, at least 10 here; got 9"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ShapeError, match=message):
        build_block_content(**inputs(**changes))


def test_too_many_blocks_or_dots_are_refused_with_a_way_out():
    n = MAX_UNITS + 1
    with pytest.raises(ShapeError, match=r"at most 512 blocks; got 513\. Make fewer"):
        build_block_content(
            **inputs(means=np.zeros((n, n)), sizes=[2] * n, names=["x"] * n, n_points=2 * n)
        )
    m = MAX_DOTS + 1
    with pytest.raises(ShapeError, match=r"at most 50,000 dots; got 50,001\. Draw a stratified"):
        build_block_content(**inputs(dot_ids=["x"] * m, n_points=m))
