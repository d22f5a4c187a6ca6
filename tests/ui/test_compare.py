"""Two results side by side: the parts that need no page, against direct computation."""

from __future__ import annotations

import io
import json
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from stiknn_core.comparing.standard_error import standard_errors
from stiknn_core.ordering import Block, Order
from stiknn_ui.asked.spec import ComputeSpec, DataSpec
from stiknn_ui.compare import exports, figures, sentences, tables
from stiknn_ui.compare.comparison import Compared, compare
from stiknn_ui.compare.errors import measure_errors
from stiknn_ui.compare.matching import Common, common_order, common_points, difference_line
from stiknn_ui.compare.pictures import block_means, limits_of, make_pictures, payload
from stiknn_ui.compare.sweeping import ks_of, make_sweep
from stiknn_ui.results import drawing, kept
from stiknn_ui.results.analysis import Analysis, analyse
from stiknn_ui.results.parts import Parts, parts_of


@pytest.fixture(scope="session")
def other(flipped: Analysis) -> Analysis:
    """The same points with another k and index."""
    return analyse(flipped.dataset, flipped.data, ComputeSpec(k=9, index="SII"))


@pytest.fixture(scope="session")
def found(flipped: Analysis, other: Analysis) -> Compared:
    return compare(flipped, other)


def upper(analysis: Analysis, points: Any) -> Any:
    square = analysis.interactions.matrix[np.ix_(points, points)]
    return square[np.triu_indices(len(points), 1)]


def test_points_of_two_evaluations_are_matched_by_row(
    flipped: Analysis, held_out: Analysis
) -> None:
    common = common_points(flipped, held_out)
    assert common.n == held_out.n < flipped.n
    assert flipped.rows[common.in_a].tolist() == held_out.rows[common.in_b].tolist()
    assert f"{flipped.n:,} training points and B {held_out.n:,}; compared are the" in (
        common.sentence
    )
    again = analyse(flipped.dataset, flipped.data, replace(held_out.compute, split_seed=5))
    both = common_points(held_out, again)
    rows = set(held_out.rows.tolist()) & set(again.rows.tolist())
    assert 0 < len(rows) < held_out.n
    assert held_out.rows[both.in_a].tolist() == sorted(rows)
    assert again.rows[both.in_b].tolist() == sorted(rows)
    assert common_points(flipped, flipped).sentence == ""


def test_numbers_are_those_of_the_common_points(flipped: Analysis, held_out: Analysis) -> None:
    told: list[int] = []
    found = compare(flipped, held_out, lambda done, total: told.append(done))
    rows = held_out.rows
    a = upper(flipped, rows)
    b = upper(held_out, np.arange(held_out.n))
    assert found.pairs.pearson == pytest.approx(stats.pearsonr(a, b).statistic)
    assert found.pairs.spearman == pytest.approx(stats.spearmanr(a, b).statistic)
    values = flipped.interactions.values[rows], held_out.interactions.values
    assert found.values.pearson == pytest.approx(stats.pearsonr(*values).statistic)
    assert found.values.spearman == pytest.approx(stats.spearmanr(*values).statistic)
    assert found.limit(0, 0.9) == pytest.approx(np.quantile(np.abs(a), 0.9))
    assert found.limit(2, 1.0) == pytest.approx(np.abs(a - b).max())
    standard = stats.zscore(a) - stats.zscore(b)
    assert found.limit(3, 0.75) == pytest.approx(np.quantile(np.abs(standard), 0.75))
    assert told == [0, 1, 2, 3, 4]


def test_the_cloud_holds_every_pair_once(found: Compared, flipped: Analysis) -> None:
    assert found.pairs.n == 120 * 119 // 2 > 3_000
    assert found.cloud.counts.sum() == found.pairs.n
    small = DataSpec(n=30, seed=1)
    few = analyse(kept.public_dataset(small), small, ComputeSpec())
    cloud = compare(few, few).cloud
    assert not cloud.counts.size
    assert cloud.a.tolist() == upper(few, np.arange(few.n)).tolist()


@pytest.mark.parametrize("step", [1, 3, 40])
def test_a_cell_is_the_mean_of_its_pairs_without_the_diagonal(
    rng: np.random.Generator, step: int
) -> None:
    matrix = rng.normal(size=(11, 11))
    points = rng.permutation(11)[:10]
    square = matrix[np.ix_(points, points)]
    means = block_means(matrix, points, step)
    for row in range(len(means)):
        for column in range(len(means)):
            pairs = [
                square[i, j]
                for i in range(row * step, min(10, (row + 1) * step))
                for j in range(column * step, min(10, (column + 1) * step))
                if i != j
            ]
            if pairs:
                assert means[row, column] == pytest.approx(np.mean(pairs))
            else:
                assert np.isnan(means[row, column])


def test_both_matrices_come_in_one_order(
    flipped: Analysis, other: Analysis, found: Compared
) -> None:
    order = drawing.order_of(flipped, "value")
    pictures = make_pictures(flipped, other, found, order)
    places = order.positions
    for picture, one in ((pictures.a, flipped), (pictures.b, other)):
        expected = one.interactions.matrix[np.ix_(places, places)].astype(np.float32)
        np.fill_diagonal(expected, np.nan)
        assert np.array_equal(picture, expected, equal_nan=True)
    assert pictures.names[3].startswith(f"point {places[3]}, class ")
    content = payload(pictures, found, {"id": "x"}, quantile=0.98, own_scale=False)
    (length,) = struct.unpack("<I", content[:4])
    header = json.loads(content[4 : 4 + length])
    cells = np.frombuffer(content[4 + length :], "<f4").reshape(3, 120, 120)
    assert header["cells"] == 120
    assert header["limits"][0] == header["limits"][1] == found.limit(0, 0.98)
    assert np.array_equal(cells[2], pictures.a - pictures.b, equal_nan=True)
    own = payload(pictures, found, {"id": "x"}, quantile=0.98, own_scale=True)
    (length,) = struct.unpack("<I", own[:4])
    third = np.frombuffer(own[4 + length :], "<f4").reshape(3, 120, 120)[2]
    standard = [
        (one - np.nanmean(one)) / np.nanstd(one)
        for one in (pictures.a.astype(float), pictures.b.astype(float))
    ]
    np.testing.assert_allclose(third, standard[0] - standard[1], atol=1e-4)
    assert limits_of(found, 0.98, own_scale=True)[1] == found.limit(1, 0.98)


def test_many_points_are_averaged_and_named_by_place(
    flipped: Analysis, other: Analysis, found: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stiknn_ui.compare.pictures.MAX_CELLS", 50)
    pictures = make_pictures(flipped, other, found, drawing.order_of(flipped, "class"))
    assert pictures.step == 3
    assert pictures.a.shape == (40, 40)
    assert pictures.names[1] == "places 4-6, 3 of class 0"
    assert [name for name, _, _ in pictures.blocks] == ["class 0", "class 1"]
    assert pictures.blocks[1][2] == 40


def test_an_order_keeps_what_is_left_of_its_blocks() -> None:
    order = Order(
        np.array([4, 0, 2, 1, 3]),
        "class",
        "t",
        (Block("a", 0, 2), Block("b", 2, 3), Block("c", 3, 5)),
    )
    common = Common(np.array([0, 1, 4]), np.array([9, 8, 7]), 5, 12)
    left = common_order(order, common)
    assert left.positions.tolist() == [2, 0, 1]  # points 4, 0, 1
    assert left.blocks == (Block("a", 0, 2), Block("c", 2, 3))


def test_movers_are_those_whose_place_changes_most(
    flipped: Analysis, other: Analysis, found: Compared
) -> None:
    table = tables.movers(flipped, other, found.common, 5)
    places = [stats.rankdata(one.interactions.values, method="ordinal") for one in (flipped, other)]
    moved = places[1] - places[0]
    assert np.abs(table["moved"]).tolist() == sorted(np.abs(moved), reverse=True)[:5]
    for row in table.itertuples():
        assert row.moved == moved[row.point]
        assert row[7] == flipped.interactions.values[row.point]
        assert row[8] == other.interactions.values[row.point]
    assert tables.movers(flipped, flipped, found.common).empty


def test_the_most_suspicious_are_compared_among_common_points(
    flipped: Analysis, held_out: Analysis
) -> None:
    common = common_points(flipped, held_out)
    scores = kept.scores_of(flipped), kept.scores_of(held_out)
    suspected = tables.suspected(*scores, common, "value", 7)
    first = np.argsort(flipped.interactions.values[common.in_a], kind="stable")[:7]
    second = np.argsort(held_out.interactions.values[common.in_b], kind="stable")[:7]
    assert set(suspected.overlap.both) == set(first) & set(second)
    assert set(suspected.overlap.only_b) == set(second) - set(first)
    by = {"A": scores[0]["value"], "B": scores[1]["value"]}
    table = tables.one_sided(flipped, common, suspected, suspected.overlap.only_a, by)
    assert (table["place A"] <= 7).all()
    assert (table["place B"] > 7).all()
    assert table["score A"].tolist() == by["A"][table["point"]].tolist()
    doubted = flipped.suggested[common.in_a] != flipped.codes[common.in_a]
    assert tables.usual_top(flipped, common) == doubted.sum() > 0


def test_errors_are_those_of_the_engine(held_out: Analysis) -> None:
    dataset, compute = held_out.dataset, held_out.compute
    parts = parts_of(dataset, compute)
    assert parts.test is not None
    whole = standard_errors(
        dataset.X[parts.train],
        dataset.y[parts.train],
        dataset.X[parts.test],
        dataset.y[parts.test],
    )
    told: list[tuple[int, int]] = []
    found = measure_errors(dataset, compute, lambda done, total: told.append((done, total)))
    pairs = whole.errors[np.triu_indices(held_out.n, 1)]
    means = held_out.interactions.matrix[np.triu_indices(held_out.n, 1)]
    assert found.median == pytest.approx(np.median(pairs))
    assert found.high == pytest.approx(np.quantile(pairs, 0.95))
    assert found.clear == pytest.approx(np.mean(np.abs(means) > 2 * pairs))
    assert found.whole.expected_correlation(500) == pytest.approx(whole.expected_correlation(500))
    assert found.whole.needed() == pytest.approx(whole.needed())
    assert told[-1] == (1000, 1000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert np.isinf(found.whole.needed())  # 36 test points are too few to show any pattern
    assert "many more test points are needed" in " ".join(
        sentences.error_sentences(found, judged_by_itself=False)
    )
    figure = figures.errors_figure(found)
    assert figure.data[1].x.tolist() == found.halves.sizes.tolist()


def test_points_left_out_in_turn_are_told_how_many_would_do(flipped: Analysis) -> None:
    found = measure_errors(flipped.dataset, flipped.compute)
    needed = found.whole.needed()
    assert 120 < needed < 10_000
    said = " ".join(sentences.error_sentences(found, judged_by_itself=True))
    assert f"about {np.ceil(needed):,.0f} test points are needed; there are 120" in said
    assert "training points themselves" in said
    curve = figures.errors_figure(found).data[0]
    reached = np.interp(needed, curve.x, curve.y)
    assert reached == pytest.approx(0.95, abs=0.005)


def test_a_sweep_holds_the_k_in_use(flipped: Analysis) -> None:
    parts = Parts(np.arange(9), None)
    assert ks_of(parts, (40,)) == tuple(range(1, 9))  # k = 8 is what 40 comes to
    assert ks_of(Parts(np.arange(100), None), (5, 44)) == (*range(1, 31), 44)
    ks = (3, 5)
    sweep = make_sweep(flipped.dataset, flipped.compute, ks)
    assert sweep.spread[1] == pytest.approx(upper(flipped, np.arange(flipped.n)).std())
    said = sentences.sweep_sentences(sweep, 5)
    assert f"k = 3 ({sweep.correlation[0, 1]:.2f})" in said[0]
    frame = pd.read_csv(io.BytesIO(exports.sweep_csv(sweep, flipped)))
    assert frame["k"].tolist() == [3, 5]
    assert frame["pairs_r_with_k=3"].tolist() == sweep.correlation[0].tolist()
    assert frame["setting_index"].tolist() == ["STII", "STII"]
    assert figures.sweep_curves(sweep, 5).data[0].y.tolist() == sweep.correlation[1].tolist()


def test_files_read_back(flipped: Analysis, other: Analysis, found: Compared) -> None:
    points = pd.read_csv(io.BytesIO(exports.points_csv(flipped, other, found)))
    assert points["value_b"].tolist() == other.interactions.values.tolist()
    assert (points["moved"] == points["place_b"] - points["place_a"]).all()
    assert points["setting_b_k"].eq(9).all()
    assert points["setting_a_index"].eq("STII").all()
    summary = pd.read_csv(io.BytesIO(exports.summary_csv(flipped, other, found)), index_col=0)
    assert summary.loc["pairs", "pearson"] == found.pairs.pearson
    assert summary.loc["values", "spearman"] == found.values.spearman
    name = exports.file_name("agreement", flipped, other)
    assert name == "agreement_circles_seed=3_A=k5-STII-leave-one-out_B=k9-SII-leave-one-out.csv"


def test_words_say_what_the_numbers_do(flipped: Analysis, other: Analysis, found: Compared) -> None:
    data, a, b = flipped.data, flipped.compute, other.compute
    assert difference_line(data, a, b) == "A: k = 5, STII · B: k = 9, SII"
    assert difference_line(data, a, a) == ""
    assert f"r = {found.pairs.pearson:.3f} over 7,140 pairs" in sentences.pairs_sentence(
        found.pairs
    )
    assert sentences.likeness(0.999) == "practically the same picture"
    assert sentences.likeness(-0.5) == "different pictures"
    same = compare(flipped, flipped)
    assert sentences.scale_sentence(flipped, flipped, same.pairs) == ""
    told = sentences.scale_sentence(flipped, other, replace(found.pairs, spread_a=2, spread_b=1))
    assert "A's pairs spread 2.0 times as widely as B's (a neighbour is worth 1/k" in told
    assert "each index has a scale of its own" in told
    flat = replace(found.pairs, pearson=float("nan"), spearman=float("nan"))
    assert "no pattern" in sentences.pairs_sentence(flat)
    assert sentences.value_kinds(flipped, other) == ("KNN-Shapley", "KNN-Shapley")
