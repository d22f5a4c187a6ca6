"""What is said of one point: against the definition, by direct formulas, and on the page."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from stiknn_core import games, interactions
from stiknn_core.plane import Plane
from stiknn_core.ranked import RankedNeighbors
from stiknn_core.types import Block, Dataset
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.point import exports, figures
from stiknn_ui.point.ground import ground_of, places_of_tests
from stiknn_ui.point.page import check_line
from stiknn_ui.point.parts import sentence
from stiknn_ui.point.split import Share, Split, split_value, strongest
from stiknn_ui.point.tables import partner_table, partners_of, split_table, table_of_tests
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.sources import build
from stiknn_ui.work.sizes import size_of
from tests import naive

GRID = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [3, 2], [2, 3]])  # copies and ties
LABELS = [0, 0, 1, 1, 2, 0, 2]


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("index", ["STII", "SII", "BII"])
def test_a_split_is_that_of_the_definition(index, alone):
    X_test, y_test = (None, None) if alone else (np.array([[0, 1], [2, 2]]), [0, 2])
    found = interactions(GRID, LABELS, X_test, y_test, k=2, index=index)
    groups = naive.tie_groups(GRID, X_test)
    truth = naive.reference(groups, LABELS, y_test, k=2, index=index)
    value = truth.banzhaf if index == "BII" else truth.shapley
    assert truth.tied_test_points  # the case is one with ties
    for point in range(len(LABELS)):
        split = split_value(
            found.matrix[point],
            found.values[point],
            point,
            np.array(LABELS),
            ("a", "b", "c"),
            index,
        )
        assert split.value == pytest.approx(value[point], abs=1e-12)
        assert split.own == pytest.approx(truth.matrix[point, point], abs=1e-12)
        others = [j for j in range(len(LABELS)) if j != point]
        for share in split.shares:
            members = [j for j in others if "abc"[LABELS[j]] == share.name]
            assert share.count == len(members)
            assert share.total == pytest.approx(truth.matrix[point, members].sum(), abs=1e-12)
            assert share.mean == pytest.approx(truth.matrix[point, members].mean(), abs=1e-12)
        assert split.shares[0].own
        assert split.shares[0].name == "abc"[LABELS[point]]
        added = split.own + sum(share.half for share in split.shares)
        assert split.exact == (index == "STII")
        if split.exact:
            assert added == pytest.approx(value[point], abs=1e-12)
            assert split_table(split)["adds"].sum() == pytest.approx(value[point], abs=1e-12)
        else:
            assert split.own == pytest.approx(value[point], abs=1e-12)
            off = added - value[point]
            assert off == pytest.approx(split.interactions / 2, abs=1e-12)


def test_a_class_without_other_points_has_no_share():
    split = split_value(np.array([0.1, -0.2]), 0.0, 0, np.array([0, 1]), ("a", "b"), "STII")
    assert [share.name for share in split.shares] == ["b"]
    assert not split.shares[0].own


def test_many_classes_are_summed_up_without_loss():
    shares = tuple(Share(f"c{i}", i == 3, i + 1, (-1.0) ** i * i) for i in range(9))
    split = Split(0.5, 0.1, shares, True)
    kept, rest = strongest(split, 4)
    assert [share.name for share in kept] == ["c3", "c7", "c8"]
    assert rest is not None
    assert rest.total + sum(share.total for share in kept) == split.interactions
    assert rest.count + sum(share.count for share in kept) == sum(range(1, 10))
    assert strongest(split, 9) == (shares, None)


def test_the_check_line_says_both_numbers_or_why_not(flipped: Analysis):
    made = flipped.interactions
    split = split_value(
        made.matrix[4], made.values[4], 4, flipped.codes, flipped.classes, made.index
    )
    said = check_line(split, games.STII)
    assert "-" not in said.replace("KNN-Shapley", ""), "two signs for one minus"
    numbers = [float(text) for text in re.findall(r"[+-]\d[\d.e-]*", said.replace("−", "-"))]
    assert numbers[0] + numbers[1] == pytest.approx(numbers[2], abs=1e-6)
    assert numbers[2] == pytest.approx(numbers[3]) == pytest.approx(made.values[4], rel=1e-4)
    assert "nothing is left to be split" in check_line(replace(split, exact=False), games.SII)


def test_complements_and_substitutes_are_the_ends_of_the_row():
    data = DataSpec(name="blobs", n=60, noise=1.0, flip=0.0, copies=0.2, n_classes=3)
    ground = ground_of(analyse(build(data), data, ComputeSpec(index="BII")))
    point = int(ground.analysis.duplicates.groups[0][1])
    found = partners_of(ground, point, ground.row(point))
    matrix, X = ground.analysis.interactions.matrix, ground.analysis.dataset.X
    far = cdist(X[[point]], X)[0]
    np.testing.assert_allclose(found.far, far)
    others = np.delete(np.arange(len(X)), point)
    for kind, row in (("complements", matrix[point]), ("substitutes", -matrix[point])):
        table = partner_table(ground, point, found, kind, most=5)
        expected = sorted(row[others][row[others] > 0], reverse=True)[:5]
        np.testing.assert_allclose(np.abs(table["interaction"]), expected)
        for line in table.itertuples():
            assert line.interaction == matrix[point, line.point]
            assert line.nearness == 1 + (far[others] < far[line.point]).sum()
            assert line.copy == (far[line.point] == 0)
    every = partner_table(ground, point, found, "substitutes", most=len(X))
    assert every["copy"].sum() == len(found.copies) - 1 == 1
    lone = int(np.flatnonzero(ground.analysis.duplicates.group_of < 0)[0])
    found = partners_of(ground, lone, ground.row(lone))
    assert "copy" not in partner_table(ground, lone, found, "substitutes")


@pytest.mark.slow
def test_a_forest_tells_distances_where_it_knows_them(held_out: Analysis):
    data = DataSpec(n=30)
    analysis = analyse(build(data), data, ComputeSpec(space="forest"))
    ground = ground_of(analysis)
    found = partners_of(ground, 2, ground.row(2))
    assert found.nearness is not None
    assert found.nearness[analysis.given.nearest(np.array([2]))[0][0, 0]] == 1
    parts = ground.ranked.value_parts(2)
    assert parts.mean() == pytest.approx(analysis.interactions.values[2], abs=1e-12)
    # With a test set it knows those from test to training points only.
    given = replace(held_out.given, forest=analysis.given.forest)
    apart = replace(ground_of(held_out), analysis=replace(held_out, given=given))
    table = partner_table(apart, 2, partners_of(apart, 2, apart.row(2)), "substitutes")
    assert not {"distance", "nearness"} & set(table)


def test_parts_are_those_of_the_test_points(held_out: Analysis):
    ground = ground_of(held_out)
    parts, places = ground.ranked.value_parts(3), ground.ranked.places(3)
    assert parts.mean() == pytest.approx(held_out.interactions.values[3], abs=1e-12)
    X = held_out.dataset.X
    far = cdist(X[ground.test_rows], X[held_out.rows])
    np.testing.assert_array_equal(places, 1 + (far < far[:, [3]]).sum(axis=1))
    table = table_of_tests(ground, parts, places, up=True, most=4)
    np.testing.assert_array_equal(table["part"], np.sort(parts)[::-1][:4])
    down = table_of_tests(ground, parts, places, up=False, most=4)
    np.testing.assert_array_equal(down["part"], np.sort(parts)[:4])
    first = int(np.argmax(parts))
    row = int(ground.test_rows[first])
    assert table.index[0] == first
    assert table["id"].iloc[0] == str(held_out.dataset.ids[row])
    assert table["class"].iloc[0] == str(held_out.dataset.y[row])
    said = sentence(np.array([0.5, -0.25, 1e-18, 0.0]), 0.0625, "value", alone=False)
    assert "1 pull the value up and 1 down" in said
    assert "mean is +0.0625" in said


def test_test_points_lie_where_the_components_put_them():
    data = DataSpec(source="bundled", name="wine", flip=0.0)
    compute = ComputeSpec(evaluation="hold-out", scaling="standard")
    analysis = analyse(build(data), data, compute)
    ground = ground_of(analysis)
    train, test = analysis.dataset.X[analysis.rows], analysis.dataset.X[ground.test_rows]
    scaler = StandardScaler().fit(train)
    model = PCA(2).fit(scaler.transform(train))
    places = places_of_tests(ground, analysis.plane)
    np.testing.assert_allclose(places, model.transform(scaler.transform(test)), atol=1e-9)
    titles = (analysis.dataset.feature_names[4], analysis.dataset.feature_names[1])
    columns = Plane(train[:, [4, 1]], titles, "columns")
    np.testing.assert_array_equal(places_of_tests(ground, columns), test[:, [4, 1]])
    assert places_of_tests(ground, replace(columns, method="tsne")) is None


def test_one_feature_puts_test_points_on_a_line():
    X, y = np.arange(30.0)[:, None], np.arange(30) % 2
    dataset = Dataset(X=X, y=y, feature_names=("x",), name="line", ids=np.arange(30))
    analysis = analyse(dataset, DataSpec(), ComputeSpec(evaluation="hold-out"))
    ground = ground_of(analysis)
    places = places_of_tests(ground, analysis.plane)
    np.testing.assert_array_equal(places[:, 0], dataset.X[ground.test_rows, 0])
    assert not places[:, 1].any()


def test_files_hold_every_number(held_out: Analysis):
    ground = ground_of(held_out)
    found = partners_of(ground, 5, ground.row(5))
    row = pd.read_csv(io.BytesIO(exports.row_csv(ground, 5, found)))
    np.testing.assert_array_equal(row["interaction"], held_out.interactions.matrix[5])
    assert np.flatnonzero(row["itself"]).tolist() == [5]
    assert (row["setting_k"] == held_out.k).all()
    ranked = ground.ranked
    value, pair = ranked.value_parts(5), ranked.pair_parts(5, 6)
    content = exports.parts_csv(ground, 5, ranked.places(5), value, 6, pair)
    parts = pd.read_csv(io.BytesIO(content))
    assert parts["part_in_value"].mean() == pytest.approx(held_out.interactions.values[5])
    assert parts["part_in_interaction"].mean() == pytest.approx(
        held_out.interactions.matrix[5, 6], abs=1e-12
    )
    assert parts["setting_evaluation"][0] == "hold-out"
    assert str(parts["setting_with"][0]) == ground.names(np.array([6]))[0]
    assert exports.file_name("row", ground, 5) == "row_circles_point=5_k=5_STII.csv"


def test_pictures_show_the_numbers_and_no_markup(held_out: Analysis):
    split = Split(0.05, 0.1, (Share("<b>", True, 2, -0.06), Share("c", False, 1, -0.04)), True)
    bars = figures.waterfall(split).data[0]
    assert list(bars.x) == [0.1, -0.03, -0.02, 0.05]
    assert bars.y[1] == "with &lt;b&gt; (own)"
    sums = figures.waterfall(replace(split, exact=False)).data[0]
    assert list(sums.x) == [-0.06, -0.04]
    parts = np.random.default_rng(0).normal(size=2000)
    drawn = figures.sorted_parts(parts, ["<i>"] * 2000).data[0]
    assert (drawn.y[0], drawn.y[-1]) == (parts.max(), parts.min())
    assert len(drawn.y) <= 600
    assert drawn.text[0].startswith("&lt;i&gt;")
    amounts = np.linspace(-1, 1, 6000)
    cloud = figures.painted_plane(
        np.c_[amounts, amounts],
        amounts,
        np.zeros(6000, dtype=np.int64),
        lambda shown: ["p"] * len(shown),
        ("x", "y"),
        [("<u>", np.zeros(2))],
        what="part",
        equal_axes=True,
    )
    assert cloud.data[1].name == "&lt;u&gt;"
    assert {-1.0, 1.0} <= set(cloud.data[0].x)
    assert 1500 < len(cloud.data[0].x) <= 3000


def test_kept_rankings_count():
    ranked = RankedNeighbors(np.arange(100.0)[:, None], np.arange(100) % 2)
    assert size_of(ranked) >= ranked.nbytes > 20_000


def test_test_points_of_an_embedding_lie_where_its_components_put_them():
    data = DataSpec(source="bundled", name="wine", flip=0.0)
    wine = build(data)
    vectors = replace(wine, blocks=(Block("v", "vector", 0, wine.X.shape[1]),))
    analysis = analyse(vectors, data, ComputeSpec(evaluation="hold-out", scaling="standard"))
    ground = ground_of(analysis)
    scaled, tests = analysis.given.X, np.asarray(analysis.given.X_test)
    model = PCA(2).fit(scaled)
    whole = np.sqrt(scaled.var(axis=0).mean())
    places = places_of_tests(ground, analysis.plane)
    np.testing.assert_allclose(places, model.transform(tests) / whole, atol=1e-9)
