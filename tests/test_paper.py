"""The paper's claims, checked on inputs small enough to compute by other means."""

from __future__ import annotations

import functools
import re
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from benchmarks import paper, paper_discussion, paper_figures, paper_k, paper_method
from benchmarks.paper_data import Split
from benchmarks.paper_discussion import Study, balanced, class_means, mislabeled, unbalanced
from benchmarks.paper_exact import pair_index, printed_algorithm, terms, worth
from benchmarks.paper_findings import DataSetRow, Report, number
from stiknn_core import interactions
from stiknn_core.datasets import REGISTRY
from tests import naive

GAMES = [
    (right, k) for n in (2, 3, 5) for right in product((False, True), repeat=n) for k in (1, 2, 4)
]


@pytest.fixture(scope="module")
def circle() -> Study:
    return balanced(n=48, t=16)


def naive_matrix(study: Study) -> np.ndarray:
    """The STII matrix by the formulas of the oracle, its diagonal from the definition."""
    train, test, k = study.train, study.test, paper_discussion.K
    orders = naive.nearest_first(train.X, test.X)
    matrix = naive.formula_matrix(orders, train.y, test.y, k=k)
    np.fill_diagonal(matrix, [(test.y == label).mean() / k for label in train.y])
    return matrix


@pytest.mark.slow
@pytest.mark.parametrize("index", ["STII", "SII"])
def test_fractions_are_the_index_of_the_definition(index) -> None:
    for right, k in GAMES:
        n = len(right)
        ref = naive.reference(np.arange(n)[None], right, [True], k=k, index=index).matrix
        for i, j in combinations(range(1, n + 1), 2):
            comp = float(pair_index(right, i, j, k, index))
            assert comp == pytest.approx(ref[i - 1, j - 1], abs=1e-14)


def test_algorithm_1_as_printed_fails_exactly_beyond_n_with_a_right_label_last() -> None:
    fails = []
    for right, k in GAMES:
        n = len(right)
        exact = {pair: pair_index(right, *pair, k) for pair in combinations(range(1, n + 1), 2)}
        printed, outside = printed_algorithm(right, k)
        assert (printed != exact) == (k > n and right[-1]), (right, k)
        assert outside == [(0, 1), (-1, 0)]
        fails.append(printed != exact)
    assert any(fails)


def test_worked_examples() -> None:
    right = paper_method.SCORE_EXAMPLE
    assert worth(right, (1, 2, 3, 4), 3) == Fraction(2, 3)
    assert worth(right, (1, 3, 4), 3) == 1
    right = paper_method.PAIR_EXAMPLE
    found = terms(right, 1, 2, 2)
    assert found == {(): 0, (3,): 0, (4,): Fraction(-1, 2), (3, 4): Fraction(1, 2)}
    assert pair_index(right, 1, 2, 2) == 0
    # The printed 1/6 follows from the printed terms, so the slip is theirs alone.
    weights = {0: 1, 1: 3, 2: 3}
    printed = sum(
        Fraction(2, 4 * weights[len(S)]) * t for S, t in paper_method.PRINTED_TERMS.items()
    )
    assert printed == paper_method.PRINTED_PAIR
    X = np.arange(1.0, 5)[:, None]
    matrix = interactions(X, np.array(right), [[0.0]], [True], k=2).matrix
    assert matrix[0, 1] == pytest.approx(0, abs=1e-15)


def test_exact_findings_count_every_game() -> None:
    found = {one.claim: one for one in paper_method.exact_findings(max_points=3)}
    games = {
        n: [(r, k) for r in product((0, 1), repeat=n) for k in range(1, n + 3)] for n in (2, 3)
    }
    inside = sum(k <= n for n, some in games.items() for _, k in some)
    wrong = sum(k > n and r[-1] for n, some in games.items() for r, k in some)
    assert f"all {inside} games" in found["Algorithm 1 is exact"].measured
    assert found["Algorithm 1 is exact"].holds == "yes"
    assert f"wrong in {wrong} of {2 * wrong} games" in found["Algorithm 1 for k > n"].measured
    assert found["worked example of a pair"].holds == "no"
    assert found["worked example of the score"].holds == "yes"
    assert found["start of SII"].holds == "yes"
    assert str(REGISTRY["transfusion"].openml) in found["source of Transfusion"].measured


def test_matrix_findings_say_what_the_formulas_say(circle) -> None:
    found = {one.claim: one for one in paper_method.matrix_findings(circle)}
    matrix = naive_matrix(circle)
    pairs = matrix[np.triu_indices(len(matrix), 1)]
    measured = found["efficiency"].measured
    assert f"{np.trace(matrix) + pairs.sum():.4f} = v(N)" in measured
    whole = float(re.search(r"the whole matrix to (\S+);", measured)[1])
    assert whole == pytest.approx(matrix.sum(), abs=0.0051)
    assert f"of the pairs {number(pairs.mean())}" in found["centred values"].measured
    assert f"mean of the matrix {number(matrix.mean())}" in found["centred values"].measured
    assert found["main terms"].measured.startswith(number(matrix[0, 0]))
    assert found["independence of the nearer point"].holds == "yes"
    orders = naive.nearest_first(circle.train.X, circle.test.X)
    ref = naive.formula_values(orders, circle.train.y, circle.test.y, k=paper_discussion.K)
    np.testing.assert_allclose(paper_method.knn_shapley(circle), ref, atol=1e-15)


def test_the_spread_of_a_column_leaves_out_diagonal_and_lower_triangle() -> None:
    matrix = np.array([[9.0, 1.0, 2.0], [7.0, 9.0, 2.5], [7.0, 7.0, 9.0]])
    assert paper_method.column_spread(matrix) == 0.5


def test_class_means_are_those_of_pairs(circle) -> None:
    matrix, y = naive_matrix(circle), circle.train.y
    pairs = {(i, j): matrix[i, j] for i, j in combinations(range(len(y)), 2)}
    blue = [value for (i, j), value in pairs.items() if y[i] == y[j] == 0]
    between = [value for (i, j), value in pairs.items() if y[i] != y[j]]
    comp = class_means(circle.result.matrix, y)
    assert comp.blue == pytest.approx(np.mean(blue))
    assert comp.between == pytest.approx(np.mean(between))
    assert comp.between_negative == pytest.approx(np.mean(np.array(between) < 0))


def test_discussion_findings_say_what_the_formulas_say(circle) -> None:
    thin, wrong = unbalanced(circle), mislabeled(circle, share=0.1)
    found = {one.claim: one for one in paper_discussion.findings(circle, thin, wrong)}
    before, after = (class_means(naive_matrix(one), one.train.y) for one in (circle, thin))
    measured = found["in-class against out-of-class"].measured
    assert f"circle: {number(before.inside)} in class" in measured
    assert f"{before.between / before.inside:.0%} of it" in measured
    measured = found["redundancy lowers in-class interaction"].measured
    assert f"24 blue points {number(before.blue)}, 6 blue points {number(after.blue)}" in measured
    assert found["copies"].holds == "yes"
    # Whose row correlates more with the mean row of the other class, plainly.
    matrix, y = naive_matrix(wrong), wrong.train.y
    np.fill_diagonal(matrix, np.nan)
    np.fill_diagonal(matrix, np.nanmean(matrix, axis=1))
    likes = [
        _correlation_with(matrix, y, i, 1 - y[i]) > _correlation_with(matrix, y, i, y[i])
        for i in wrong.train.flipped
    ]
    assert len(likes) == 5
    measured = found["mislabeled rows resemble the other class"].measured
    assert measured.startswith(f"of 5 flipped points {np.mean(likes):.0%} have")


def _correlation_with(matrix: np.ndarray, y: np.ndarray, i: int, label: int) -> float:
    members = [j for j in range(len(y)) if y[j] == label and j != i]
    return float(np.corrcoef(matrix[i], matrix[members].mean(axis=0))[0, 1])


def test_a_sweep_correlates_pairs_and_flattened_matrices(circle) -> None:
    train, test = circle.train, circle.test
    split = Split("Circle", "a generator", train.X, train.y, test.X, test.y)
    ks = (3, 5, 9)
    comp = paper_k.sweep(split, ks)
    matrices = []
    for k in ks:
        orders = naive.nearest_first(train.X, test.X)
        matrix = naive.formula_matrix(orders, train.y, test.y, k=k)
        np.fill_diagonal(matrix, [(test.y == label).mean() / k for label in train.y])
        matrices.append(matrix)
    above = np.triu_indices(train.n, 1)
    pairs, whole = [m[above] for m in matrices], [m.ravel() for m in matrices]
    np.testing.assert_allclose(comp.pairs, np.corrcoef(pairs), atol=1e-10)
    np.testing.assert_allclose(comp.whole, np.corrcoef(whole), atol=1e-10)
    np.testing.assert_allclose(comp.pairs_deviation, np.std(pairs, axis=1), rtol=1e-8)
    np.testing.assert_allclose(comp.whole_deviation, np.std(whole, axis=1), rtol=1e-8)
    assert comp.between(3, 9) == (comp.pairs[0, 2], comp.whole[0, 2])
    row = paper_k.data_set_row(split, comp, comp)
    assert (row.train, row.test, row.features, row.classes) == (48, 16, 2, 2)
    assert row.pairs == round(np.corrcoef(pairs).min(), 3)


def test_the_exponent_of_an_inverse_is_minus_one() -> None:
    ks = np.arange(3, 21)
    assert paper_k.exponent(ks, 0.7 / ks) == pytest.approx(-1)


def test_only_the_tables_own_data_sets_count_for_the_claim() -> None:
    def row(title: str, pairs: float, listed: bool = True) -> DataSetRow:
        return DataSetRow(title, "a file", listed, 8, 2, 2, 2, pairs, pairs, 1.0, pairs, -1.1)

    one = paper_k.Sweep((9, 20), *[np.array([[1, 0.98], [0.98, 1]])] * 2, *[np.array([2.0, 1])] * 2)
    rows = [row("Circle", 0.98), row("Wind", 0.995), row("mine", 0.5, listed=False)]
    rows.append(DataSetRow("Flower", "not present"))
    found = paper_k.findings(rows, {"Circle": one, "Wind": one})
    assert "on 1 of 2 data sets; the least is 0.980 (Circle)" in found[0].measured
    assert found[0].holds == "in part"
    assert "Circle 9 and 20 r = 0.980" in found[2].measured


def test_a_run_writes_findings_and_renews_the_page(tmp_path, monkeypatch, capsys, circle) -> None:
    small = paper.Circles(circle, unbalanced(circle), mislabeled(circle))
    monkeypatch.setattr(paper, "make_circles", lambda: small)
    exact = functools.partial(paper_method.exact_findings, max_points=2)
    monkeypatch.setattr(paper_method, "exact_findings", exact)
    monkeypatch.setattr(paper_k, "sweep", functools.partial(paper_k.sweep, ks=(3, 9, 20)))
    monkeypatch.setattr(paper.paper_growth, "findings", list)
    chosen = {key: REGISTRY[key] for key in ("circle", "aps_failure")}
    monkeypatch.setattr(paper, "REGISTRY", chosen)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "empty"))
    page = tmp_path / "paper.md"
    page.write_text("Ours.\n<!-- data sets -->\nold\n<!-- end of data sets -->\nEnd.\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["paper", "--no-figures", "--out", str(tmp_path / "paper")])
    paper.main()
    report = Report.load(tmp_path / "paper" / paper.FINDINGS)
    assert sorted(row.title for row in report.data_sets) == ["APSFailure", "Circle"]
    absent = next(row for row in report.data_sets if row.title == "APSFailure")
    assert absent.source == "not present"
    assert report.data_table() in page.read_text("utf-8")
    assert "old" not in page.read_text("utf-8")
    assert page.read_text("utf-8").startswith("Ours.")
    printed = capsys.readouterr().out
    assert report.claims_table() in printed
    assert report.data_table() in printed


def test_without_matplotlib_one_sentence_says_what_to_install(
    monkeypatch, capsys, tmp_path
) -> None:
    monkeypatch.setattr(paper_figures, "available", lambda: False)
    monkeypatch.setattr("sys.argv", ["paper", "--out", str(tmp_path / "paper")])
    with pytest.raises(SystemExit):
        paper.main()
    told = capsys.readouterr().err
    assert paper_figures.INSTALL in told
    assert "--no-figures" in told
    assert not (tmp_path / "paper").exists()


def test_shrinking_leaves_the_blank_diagonal_out_of_the_mean() -> None:
    matrix = np.arange(25.0).reshape(5, 5)
    np.fill_diagonal(matrix, np.nan)
    comp = paper_figures.shrunk(matrix, 2)
    assert comp.shape == (3, 3)
    assert comp[0, 0] == (1 + 5) / 2
    assert comp[0, 1] == (2 + 3 + 7 + 8) / 4
    assert np.isnan(comp[2, 2])
