"""Links restore settings, and a bad one does no harm."""

from __future__ import annotations

from dataclasses import fields, replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stiknn_ui.asked.links import Settings, params_of, parse, to_params, to_query
from stiknn_ui.asked.plane_choice import columns_text
from stiknn_ui.asked.selection import written_selection
from stiknn_ui.asked.spec import (
    MAX_K,
    MAX_POINTS,
    MIN_POINTS,
    ComputeSpec,
    DataSpec,
    Evaluation,
    ViewSpec,
)
from stiknn_ui.words import wording
from stiknn_view.selection import Selection

GOOD = "dataset=circles&n=200&noise=0.1&flip=0.1&seed=1&k=5&index=STII&space=features&order=class"


def params(query: str) -> dict[str, str]:
    return dict(parse_qsl(query))


def test_a_good_link_restores_generator_seed_and_settings() -> None:
    parsed = parse(params("dataset=moons&n=200&noise=.1&flip=0.2&seed=3&k=7&index=SII&order=value"))
    assert parsed.notice == ""
    assert parsed.settings.data == DataSpec(name="moons", n=200, noise=0.1, flip=0.2, seed=3)
    assert parsed.settings.compute == ComputeSpec(k=7, index="SII")
    assert parsed.settings.view == ViewSpec(order="value")


def test_an_empty_link_is_the_example_without_a_notice() -> None:
    parsed = parse({})
    assert (parsed.settings, parsed.notice) == (Settings(), "")


def test_bad_values_fall_back_with_one_notice_that_names_them_all() -> None:
    bad = {"k": "abc", "dataset": "nowhere", "n": "-3", "share": "nan", "order": "random"}
    parsed = parse({**bad, "seed": "4"})
    assert parsed.settings == Settings(DataSpec(seed=4))
    for name, value in bad.items():
        assert f"{name}={value}" in parsed.notice
    assert parsed.notice.count("Not all of the link can be followed") == 1


def test_a_value_out_of_range_is_told_with_its_range_and_what_takes_its_place() -> None:
    told = {
        ("k", "9999"): "k=9999 is outside 1 to 500; 5 is used",
        ("k", "0"): "k=0 is outside 1 to 500; 5 is used",
        ("k", "many"): "k=many is not known; 5 is used",
        ("n", "3"): "n=3 is outside 10 to 100,000; 300 is used",
        ("noise", "nan"): "noise=nan is outside 0.0 to 5.0; 0.1 is used",
        ("order", "random"): "order=random is not known; class is used",
        ("dataset", "nowhere"): "dataset=nowhere is not known; circles is used",
        ("kk", "7"): "kk is not known",
    }
    for (name, value), sentence in told.items():
        assert parse({name: value}).notice == f"Not all of the link can be followed. {sentence}."
    # What is used instead is that of the data in the link.
    assert "; 0 is used" in parse({"dataset": "iris", "flip": "7"}).notice


def test_a_selection_goes_into_a_link_and_comes_back() -> None:
    for rows, cols, text in (
        ((4,), (4,), "4"),
        ((0, 3, 4, 5, 9), (0, 3, 4, 5, 9), "0,3-5,9"),
        ((1, 2), (7,), "1-2x7"),
        (tuple(range(50)), tuple(range(50)), "0-49"),
    ):
        assert written_selection(Selection(rows, cols, "block", 7)) == text
        parsed = parse({"selected": text})
        assert (parsed.selected.rows, parsed.selected.cols) == (rows, cols)
        assert parsed.notice == ""
    assert written_selection(Selection()) == ""
    assert written_selection(Selection(tuple(range(51)), tuple(range(51)))) == ""


@pytest.mark.parametrize(
    "text", ["-1", "1,", "5-3", "0-50", "0-999999999", "1x2x3", "x", "1.5", "٣", "0-29x40-69"]
)
def test_an_impossible_selection_is_told_and_selects_nothing(text: str) -> None:
    parsed = parse({"selected": text})
    assert not parsed.selected
    assert f"selected={text} is not known" in parsed.notice


@pytest.mark.parametrize("k", ["0", "-3", "9999", "2.5", "True", "", "1e3", "٣x"])
def test_an_impossible_k_falls_back_to_the_default(k: str) -> None:
    parsed = parse({"k": k})
    assert parsed.settings.compute.k == ComputeSpec().k
    assert f"k={k}" in parsed.notice


def test_an_unknown_parameter_is_named() -> None:
    assert "kk" in parse({"kk": "7"}).notice


def test_a_long_bad_value_is_cut_short() -> None:
    assert len(parse({"k": "x" * 5000}).notice) < 200


def test_generator_settings_are_not_applied_to_real_data() -> None:
    parsed = parse(params("dataset=iris&n=50&noise=3&k=3"))
    assert parsed.settings.data == DataSpec(source="bundled", name="iris", flip=0.0)


def test_the_example_of_the_specification_comes_back_as_it_was() -> None:
    assert params(to_query(parse(params(GOOD)).settings)) == params(GOOD)


@pytest.mark.parametrize("plane", ["", "columns", "columns:", "columns:a", "columns:a,b,c", "mds"])
def test_an_impossible_plane_falls_back(plane: str) -> None:
    parsed = parse({"plane": plane})
    assert parsed.settings.view.plane == "auto"
    assert f"plane={plane}" in parsed.notice


def test_sets_of_the_paper_begin_as_they_are_and_large_ones_as_a_sample() -> None:
    monks = parse({"dataset": "monks2"}).settings.data
    assert (monks.source, monks.flip, monks.sample) == ("paper", 0.0, 0)
    for name in ("planes2d", "phoneme", "openml-61"):
        assert parse({"dataset": name}).settings.data.sample == 2000
    assert "dataset=openml-0" in parse({"dataset": "openml-0"}).notice


def test_of_an_upload_only_the_name_of_the_file_goes_into_a_link() -> None:
    upload = DataSpec(source="upload", name="pets & owners.csv", digest="abc123", flip=0.2, seed=9)
    view = ViewSpec(plane=columns_text("diagnosis", "patient age"))
    query = to_query(Settings(upload, ComputeSpec(k=9), view))
    assert not {"diagnosis", "plane"} & set(query.replace("=", "&").split("&"))
    assert "k=9" in query
    for secret in ("abc123", "dataset", "flip", "seed"):
        assert secret not in query
    data = parse(params_of(query)).settings.data
    assert (data.source, data.name, data.digest) == ("upload", "pets & owners.csv", "")


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb.csv"])
def test_a_name_that_no_file_has_opens_the_usual_data_and_says_so(name: str) -> None:
    parsed = parse({"file": name})
    assert parsed.settings.data == DataSpec()
    assert "file=" in parsed.notice


@pytest.mark.parametrize("evaluation", ["test-file", "split-column"])
def test_what_only_an_upload_allows_never_goes_into_a_link(evaluation: Evaluation) -> None:
    compute = ComputeSpec(
        evaluation=evaluation, test_name="secret.csv", test_digest="abc123", split_column="ward"
    )
    query = to_query(Settings(DataSpec(source="upload", name="mine.csv"), compute))
    assert not any(part in query for part in ("secret", "abc123", "ward", evaluation, "eval"))
    assert evaluation in parse({"eval": evaluation}).notice


shares = st.integers(0, 50).map(lambda percent: percent / 100)
generated = st.builds(
    DataSpec,
    name=st.sampled_from(sorted(wording.GENERATORS)),
    n=st.integers(MIN_POINTS, MAX_POINTS),
    noise=shares,
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 10),
    imbalance=shares,
    flip=shares,
    flip_kind=st.sampled_from(sorted(wording.FLIP_KIND)),
    copies=shares,
    outliers=shares,
)
class_names = st.sampled_from(["", "a", "class_0", "Łódź, b", "50%"])
bundled = st.builds(
    DataSpec,
    source=st.just("bundled"),
    name=st.sampled_from(sorted(wording.BUNDLED)),
    flip=shares,
    copies=shares,
    thin=shares,
    flip_from=class_names,
    flip_to=class_names,
    thin_of=class_names,
    seed=st.integers(0, 99),
)
paper = st.builds(
    DataSpec,
    source=st.just("paper"),
    name=st.sampled_from(["monks2", "phoneme", "openml-61", "circle"]),
    flip=shares,
    sample=st.integers(0, MAX_POINTS),
    seed=st.integers(0, 99),
)
computes = st.builds(
    ComputeSpec,
    k=st.integers(1, MAX_K),
    index=st.sampled_from(
        ["STII", "SII", "BII", "beta(4, 1)", "weighted_banzhaf(0.3)", "calibrated(4k)"]
    ),
    metric=st.sampled_from(sorted(wording.METRIC)),
    ties=st.sampled_from(sorted(wording.TIES)),
    evaluation=st.sampled_from(sorted(wording.PUBLIC_EVALUATION)),
    share=st.integers(5, 90).map(lambda percent: percent / 100),
    split_seed=st.integers(0, 99),
    scaling=st.sampled_from(sorted(wording.SCALING)),
    space=st.sampled_from(sorted(wording.SPACE)),
)
views = st.builds(
    ViewSpec,
    order=st.sampled_from(sorted(wording.ORDER)),
    color_by=st.sampled_from(sorted(wording.COLOR_BY)),
    range_quantile=st.integers(50, 100).map(lambda percent: percent / 100),
    show_changed=st.booleans(),
    rank_by=st.sampled_from(sorted(wording.RANK_BY)),
    plane=st.sampled_from(["auto", "pca", "tsne", "umap", columns_text("a,b", "Größe (cm) 5%")]),
)


@given(st.builds(Settings, st.one_of(generated, bundled, paper), computes, views))
def test_what_is_written_is_read_back(settings: Settings) -> None:
    parsed = parse(to_params(settings))
    assert parsed.notice == ""
    assert parsed.settings == settings


points = st.builds(replace, views, point=st.integers(0, 1_000_000))
sections = st.builds(
    replace, views, section=st.sampled_from(sorted(wording.SECTION)), own_scale=st.booleans()
)


@given(st.builds(Settings, st.one_of(generated, bundled, paper), computes, sections, computes))
def test_the_second_way_to_compute_belongs_to_the_links_of_its_page(settings: Settings) -> None:
    parsed = parse(to_params(settings, "compare"))
    assert parsed.notice == ""
    assert parsed.settings == settings
    for page in ("", "explore", "point"):
        elsewhere = parse(to_params(settings, page)).settings
        assert elsewhere.other is None
        assert (elsewhere.view.section, elsewhere.view.own_scale) == ("pictures", None)


def test_a_second_way_is_as_the_first_in_all_that_it_does_not_say() -> None:
    settings = parse(params("k=7&metric=cosine&b_k=20")).settings
    assert settings.compute == ComputeSpec(k=7, metric="cosine")
    assert settings.other == ComputeSpec(k=20, metric="cosine")
    assert "b_k=0" in parse(params("b_k=0")).notice


@given(st.builds(Settings, generated, computes, points))
def test_the_point_that_is_looked_at_belongs_to_the_links_of_its_page(settings: Settings) -> None:
    assert parse(to_params(settings, "point")).settings == settings
    assert parse(to_params(settings)).settings.view.point == ViewSpec().point


@given(st.dictionaries(st.sampled_from(["k", "n", "dataset", "share", "flips", "x"]), st.text()))
def test_no_link_can_raise(anything: dict[str, str]) -> None:
    parse(anything)


def test_every_setting_has_a_place_in_a_link() -> None:
    settings = Settings(
        DataSpec(
            n=77, noise=0.7, seed=7, n_classes=7, imbalance=0.7, flip=0.27, flip_kind="nearest",
            copies=0.17, outliers=0.37, sample=47, thin=0.57, thin_of="0", flip_from="1",
            flip_to="2",
        ),
        ComputeSpec(
            7, "beta(4, 1)", "cosine", "index", "hold-out", 0.47, 17, "robust", "forest",
            score="rbf", width=0.7,
        ),
        ViewSpec("value", "quality", 0.77, True, "row", "tsne", 7, "sweep", True),
    )  # fmt: skip
    changed = to_params(settings, "point") | to_params(settings, "compare")
    not_in_links = {"source", "name", "digest"}
    not_in_links |= {"test_name", "test_digest", "split_column"}  # of uploads only
    expected = sum(len(fields(spec)) for spec in (DataSpec, ComputeSpec, ViewSpec))
    assert len(changed) == expected - len(not_in_links) + len({"dataset"})
