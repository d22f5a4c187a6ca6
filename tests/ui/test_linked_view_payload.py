"""What travels to the browser for a view: the block of bytes and the message of a run."""

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from stiknn_core.errors import ParameterError, ShapeError
from stiknn_core.ordering import order_points
from stiknn_view.message import read_report, view_message
from stiknn_view.options import ViewOptions
from stiknn_view.packing import PREAMBLE, decode_cells, encode_cells
from stiknn_view.payload import MAX_POINTS, build_content
from stiknn_view.selection import NOTHING, Selection
from tests.ui.view_bytes import unpack


def inputs(n=5, seed=0, **changes):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(n, n))
    given = {
        "matrix": matrix + matrix.T,
        "xy": rng.normal(size=(n, 2)),
        "codes": np.arange(n) % 2,
        "classes": ["a", "b"],
        "ids": [f"P{i}" for i in range(n)],
        "values": rng.normal(size=n),
        "quality": rng.uniform(size=n),
        "suggested": np.zeros(n, dtype=int),
        "changed": [1, n - 1],
        "axis_titles": ("length", "width"),
        "name": "garden",
    }
    return given | changes


def test_every_array_arrives_at_its_place():
    given = inputs()

    header, sections = unpack(build_content(**given))

    assert header["n"] == 5
    assert header["classes"] == ["a", "b"]
    assert header["ids"] == ["P0", "P1", "P2", "P3", "P4"]
    assert header["axisTitles"] == ["length", "width"]
    assert header["name"] == "garden"
    assert sections["codes"].tolist() == [0, 1, 0, 1, 0]
    assert sections["changed"].tolist() == [1, 4]
    np.testing.assert_allclose(sections["xy"].reshape(5, 2), given["xy"], rtol=1e-6)
    np.testing.assert_allclose(sections["values"], given["values"], rtol=1e-6)
    np.testing.assert_allclose(sections["quality"], given["quality"], rtol=1e-6)
    np.testing.assert_allclose(sections["diagonal"], given["matrix"].diagonal(), rtol=1e-6)
    upper = given["matrix"][np.triu_indices(5, k=1)]
    np.testing.assert_allclose(decode_cells(sections["cells"], header["scale"]), upper, rtol=1e-3)


def test_all_parts_of_the_block_are_aligned_for_typed_arrays():
    content = build_content(**inputs(n=7, classes=["Łódź", "東京"]))

    header, _ = unpack(content)

    _, length, _ = PREAMBLE.unpack_from(content.payload)
    assert (PREAMBLE.size + length) % 8 == 0
    assert all(offset % 8 == 0 for offset, _ in header["sections"].values())


def test_matrix_costs_one_byte_per_cell():
    n = 200
    content = build_content(**inputs(n=n))

    assert len(content.payload) < n * n + 60 * n


def test_equal_inputs_have_the_same_id_and_one_changed_cell_another():
    first = build_content(**inputs())
    matrix = inputs()["matrix"].copy()
    matrix[0, 4] = matrix[4, 0] = matrix[0, 4] * 1.01

    assert build_content(**inputs()).content_id == first.content_id
    assert build_content(**inputs(matrix=matrix)).content_id != first.content_id
    assert build_content(**inputs(name="other")).content_id != first.content_id


def test_points_keep_their_id_when_only_the_numbers_change():
    first = build_content(**inputs())
    other = build_content(**inputs(matrix=2 * np.asarray(inputs()["matrix"])))
    assert other.points_id == first.points_id
    assert other.content_id != first.content_id
    moved = build_content(**inputs(xy=1 + np.asarray(inputs()["xy"])))
    assert moved.points_id != first.points_id


def test_inputs_are_not_changed():
    given = inputs()
    before = given["matrix"].copy()

    build_content(**given)

    np.testing.assert_array_equal(given["matrix"], before)


@pytest.mark.slow
@given(
    hnp.arrays(
        np.float64,
        st.integers(1, 40),
        elements=st.floats(-1e6, 1e6, allow_subnormal=False).filter(
            lambda v: v == 0 or abs(v) > 1e-12
        ),
    )
)
def test_cells_keep_their_sign_and_their_size_within_one_step(cells):
    codes, scale = encode_cells(cells)

    decoded = decode_cells(codes, scale)

    step = np.maximum(np.abs(codes.astype(float)), 1)
    np.testing.assert_array_less(np.abs(decoded - cells), (1.1 * step + 1) * scale + 1e-300)
    assert np.all((decoded == 0) | (np.sign(decoded) == np.sign(cells)))
    assert np.all(decoded[cells == 0] == 0)


def test_cell_a_million_times_weaker_than_the_strongest_survives():
    codes, scale = encode_cells(np.array([1.0, 1e-6, -1e-6]))

    np.testing.assert_allclose(decode_cells(codes, scale), [1.0, 1e-6, -1e-6], rtol=0.04)


def test_all_zero_matrix_is_sent_as_zeros():
    header, sections = unpack(build_content(**inputs(matrix=np.zeros((5, 5)))))

    assert header["scale"] == 0
    assert not sections["cells"].any()


def test_single_point_has_an_empty_triangle():
    _, sections = unpack(build_content(**inputs(n=1, changed=())))

    assert sections["cells"].size == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"matrix": np.zeros((5, 4))}, r"matrix must be square .*\(5, 4\)"),
        ({"matrix": np.zeros((0, 0))}, r"at least one point"),
        ({"matrix": np.full((5, 5), np.nan)}, r"finite numbers only"),
        ({"matrix": np.triu(np.ones((5, 5)))}, r"must be symmetric"),
        ({"xy": np.zeros((5, 3))}, r"xy must have shape \(5, 2\) .*\(5, 3\)"),
        ({"values": np.zeros(4)}, r"values must have shape \(5,\)"),
        ({"quality": np.zeros(6)}, r"quality must have shape \(5,\)"),
        ({"codes": [0, 1, 2, 0, 1]}, r"codes must lie in 0\.\.1; got 0\.\.2"),
        ({"codes": [0, 1]}, r"codes must have one entry for each of 5 points; got 2"),
        ({"suggested": [0, 0, 0, 0, -1]}, r"suggested must lie in 0\.\.1; got -1\.\.0"),
        ({"changed": [5]}, r"changed must lie in 0\.\.4; got 5\.\.5"),
        ({"ids": ["P0"]}, r"ids must name each of the 5 points; got 1 names"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ShapeError, match=message):
        build_content(**inputs(**changes))


def test_too_many_points_are_refused_with_a_way_out():
    n = MAX_POINTS + 1

    with pytest.raises(ShapeError, match=r"at most 4,000 points; got 4,001\. Draw a stratified"):
        # One zero stands for all cells: the check comes before any of them is read.
        build_content(**inputs(matrix=np.broadcast_to(0.0, (n, n))))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"color_by": "age"}, r"color_by must be one of 'class', .*; got 'age'"),
        ({"range_quantile": 0}, r"range_quantile must be above 0 and at most 1; got 0"),
        ({"range_quantile": 1.5}, r"range_quantile .*; got 1\.5"),
        ({"range_quantile": float("nan")}, r"range_quantile .*; got nan"),
        ({"height": 100}, r"height must be at least 240 pixels; got 100"),
    ],
)
def test_impossible_options_are_refused(setting, message):
    with pytest.raises(ParameterError, match=message):
        ViewOptions(**setting)


def message_of(given, selection=NOTHING, name="class"):
    content = build_content(**given)
    order = order_points(
        name,
        codes=given["codes"],
        xy=given["xy"],
        values=given["values"],
        matrix=given["matrix"],
        classes=given["classes"],
    )
    return order, view_message(content, order, selection, ViewOptions())


def test_message_carries_the_order_by_place():
    order, message = message_of(inputs())

    sent = np.frombuffer(base64.b64decode(message["order"]["positions"]), "<i4")

    np.testing.assert_array_equal(sent, order.positions)
    assert message["order"]["name"] == "class"
    assert message["order"]["blocks"] == [[b.label, b.start, b.stop] for b in order.blocks]


def test_message_names_another_order_by_another_id():
    _, first = message_of(inputs())
    _, again = message_of(inputs())
    _, other = message_of(inputs(), name="value")

    assert first["order"]["id"] == again["order"]["id"]
    assert first["order"]["id"] != other["order"]["id"]


def test_message_is_small_and_free_of_the_matrix():
    _, message = message_of(inputs(n=1000))

    assert len(json.dumps(message)) < 7_000


def test_message_carries_the_selection_as_plain_numbers():
    chosen = Selection((np.int64(1), np.int64(2)), (3,), "table", 7)

    _, message = message_of(inputs(), chosen)

    expected = {"rows": [1, 2], "cols": [3], "origin": "table", "seq": 7}
    assert json.loads(json.dumps(message["selection"])) == expected


def test_report_about_other_points_is_dropped():
    content = build_content(**inputs())
    report = {"rows": [1], "cols": [2], "origin": "pair", "seq": 5, "points": content.points_id}

    assert read_report(report, content) == Selection((1,), (2,), "pair", 5)
    assert read_report(report | {"points": "another"}, content) is None
    assert read_report({"rows": [1], "cols": [2], "seq": 5}, content) is None
    assert read_report(None, content) is None
